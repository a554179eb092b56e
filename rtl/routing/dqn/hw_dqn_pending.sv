// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_round_robin.svh"

// The pending table of DQN-Routing: the packets that this router has sent on and whose acknowledges it waits for.
//
// A packet that is answered may get an entry, whose track {index, generation, valid} goes along in its head flit. The router
// after it keeps that track as its own entry's `up`; the destination sends {age, track} back. So an acknowledge takes the
// packet's way backwards: it comes in from the network port that the packet left by, names an entry, and goes on, with the
// entry's `up`, through the port that the packet came in by. On its way it tells how long the packet took from here to its
// destination: the age it had there less the age it had here, modulo 2^16.
// Only an entry with a sample is told of: the agent's proposal was taken, and the packet really left on an adaptive VC.
//
// Acknowledges go on wires of their own beside the credits, a word a cycle; they wait in hw_dqn_ack_queues, which serves one a
// cycle and drops what finds its queue full. So the wire is free for every word served: no acknowledge waits for anything but
// its turn, and no packet for an acknowledge. Where there is no entry for a packet that the routers before have entries for, a word that says `lost` goes back
// in place of the acknowledge, and frees them: they would fill up the tables while they waited. An entry whose
// acknowledge does not come is freed after 2 to 3 ticks of 2^TickLsb cycles.
//
// Latency: made_* in the cycle of make_*; an acknowledge is on the outgoing pins, or in reward_o, 3 cycles after it was on the
// incoming ones, if no other waits. Throughput: an entry made and a word served per cycle.
// Combinational paths: make_* -> made_*, full_o; turn_* -> turned_o; the rest of the outputs from registers, and from
// ack_i and arrived_i to drops_o.
// Assumes: a packet's head crosses (turn_*) before the next packet of its VC is answered; its entry has fewer than
// four further owners while it is under way; otherwise a late acknowledge can pass for that of the fourth.
// Guarantees: entries in use are not handed out; no more than one word a cycle.
// Reference: Lonardo, DQN-Routing, section 4 (algorithm 3); docs/reference/routing-dqn.md.
module hw_dqn_pending #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned NumLinks = 0,                   // network ports, the lowest ones
  parameter bit [NumVcs-1:0] AdaptiveVcs = '0,
  parameter int unsigned NumEntries = 0,                 // at most 256; the same in all routers
  parameter int unsigned TickLsb = 0,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned EntryBits = NumEntries > 1 ? $clog2(NumEntries) : 1,
  localparam int unsigned TrackBits = 3 + EntryBits,
  localparam int unsigned AckBits = 17 + TrackBits,
  localparam int unsigned RewardBits = 27 + EntryBits
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  input  wire logic [63:0]                   now_i,        // core cycles
  // A packet is answered; if wanted, with an entry
  input  wire logic                          make_valid_i,
  input  wire logic                          make_wanted_i,
  input  wire logic                          make_accepted_i,
  input  wire logic [PortWidth-1:0]          make_port_i,  // that it came in by
  input  wire logic [VcWidth-1:0]            make_vc_i,
  input  wire logic [TrackBits-1:0]          make_up_i,
  input  wire logic [7:0]                    make_distance_i,
  input  wire logic [15:0]                   make_age_i,
  output logic [TrackBits-1:0]               made_track_o, // 0: there is none
  // Heads that cross, per input port
  input  wire logic [NumPorts-1:0]           turn_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]   turn_vc_i,
  input  wire logic [NumPorts*VcWidth-1:0]   turn_out_vc_i,
  // Packets from network ports that end here
  input  wire logic [NumLinks-1:0]           arrived_i,
  input  wire logic [NumLinks*TrackBits-1:0] arrived_track_i,
  input  wire logic [NumLinks*16-1:0]        arrived_age_i,
  // Acknowledges {lost, age, index, generation, valid}, one slice per network port: from downstream, and to upstream
  input  wire logic [NumLinks*AckBits-1:0]   ack_i,
  output logic [NumLinks*AckBits-1:0]        ack_o,
  // What is learnt {latency, distance, generation, index, valid}: a register
  output logic [RewardBits-1:0]              reward_o,
  // For counters, of this cycle
  output logic                               full_o,       // an entry is wanted, and there is none
  output logic                               stale_o,      // an acknowledge without an entry
  output logic [7:0]                         drops_o,
  output logic [8:0]                         expired_o,
  output logic [7:0]                         turned_o,     // packets that leave for the escape after acceptance
  output logic                               idle_o
);

  if (NumPorts < NumLinks || NumLinks == 0 || NumVcs == 0) begin : gen_bad_shape
    $error("hw_dqn_pending: NumPorts, NumVcs and NumLinks must be set");
  end
  if (NumEntries == 0 || NumEntries > 256 || TickLsb == 0 || TickLsb > 61) begin : gen_bad_size
    $error("hw_dqn_pending: NumEntries must be 1 to 256, TickLsb 1 to 61");
  end

  localparam int unsigned LinkBits = NumLinks > 1 ? $clog2(NumLinks) : 1;
  localparam int unsigned WordBits = AckBits - 1;        // without the valid bit
  localparam int unsigned NumQueues = 2 * NumLinks;      // see hw_dqn_ack_queues
  localparam int unsigned EntryWidth = LinkBits + TrackBits + 8 + 16;

  `HW_ROUND_ROBIN(next_entry, NumEntries, EntryBits)

  // Entries: {link, up, distance, age} in a memory; what all are looked at for in registers ---------------------------------
  logic [NumEntries-1:0] valid_d, valid_q, sample_d, sample_q;
  logic [NumEntries*2-1:0] generation_d, generation_q, birth_q;

  // Serving a word: its entry is read, and freed; in the cycle after it is sent on.
  logic [NumQueues-1:0] served, served_q;                // the queue, one-hot
  logic queues_empty, looks, exists, hit, hit_q, sampled_q;
  logic [WordBits-1:0] word, word_q;
  logic [EntryBits-1:0] named;
  logic [1:0] named_generation;
  logic [EntryWidth-1:0] entry, new_entry;
  logic [EntryBits-1:0] free;                            // for a new entry
  logic made;
  logic [TrackBits-1:0] up;
  logic [LinkBits-1:0] link;
  logic [NumLinks-1:0] send;
  logic [WordBits-1:0] sent_word;

  if (NumEntries == 1 << EntryBits) begin : gen_all_exist
    assign exists = 1'b1;
  end else begin : gen_some_exist
    assign exists = 32'(named) < NumEntries;
  end

  hw_dqn_ack_queues #(.NumPorts(NumPorts), .NumLinks(NumLinks), .TrackBits(TrackBits)) u_queues (
    .clk_i(clk_i), .rst_ni(rst_ni), .ack_i(ack_i), .lost_valid_i(full_o && make_up_i[0]), .lost_port_i(make_port_i),
    .lost_up_i(make_up_i), .arrived_i(arrived_i), .arrived_track_i(arrived_track_i), .arrived_age_i(arrived_age_i),
    .served_o(served), .word_o(word), .drops_o(drops_o), .empty_o(queues_empty)
  );

  assign looks = served[NumLinks-1:0] != '0;
  assign {named, named_generation} = word[TrackBits-2:0];

  always_comb begin
    hit = looks && exists && valid_q[named] && generation_q[named*2+:2] == named_generation;
    stale_o = looks && !hit;
    up = entry[24+:TrackBits];
    link = entry[24+TrackBits+:LinkBits];
    send = served_q[NumQueues-1:NumLinks];
    if (hit_q && up[0]) send[link] = 1'b1;
    sent_word = hit_q ? {word_q[WordBits-1-:17], up[TrackBits-1:1]} : word_q;
  end

  assign new_entry = {LinkBits'(make_port_i), make_up_i, make_distance_i, make_age_i};
  // An entry that is in use is not made: it is never written while it is read.
  hw_ram_1r1w #(.Words(NumEntries), .Width(EntryWidth)) u_entries (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_i(made), .write_addr_i(free),
    .write_data_i(new_entry), .read_i(hit), .read_addr_i(named),
    .read_data_o(entry)
  );

  // Lost acknowledges.
  logic tick;
  logic [1:0] birth, oldest_birth;
  logic [NumEntries-1:0] expired;

  always_comb begin
    tick = now_i[TickLsb-1:0] == '0;
    birth = now_i[TickLsb+:2];
    oldest_birth = birth + 2'd1;
    expired = '0;
    expired_o = '0;
    if (tick) begin
      for (int unsigned e = 0; e < NumEntries; e = e + 1) begin
        expired[e] = valid_q[e] && birth_q[e*2+:2] == oldest_birth && !(hit && named == EntryBits'(e));
        expired_o = expired_o + 9'(expired[e]);
      end
    end
  end

  // A new entry: the next free one, so that a late acknowledge finds another generation for long.
  logic [EntryBits-1:0] entry_start_q;

  always_comb begin
    free = next_entry(~valid_q, entry_start_q);
    made = make_valid_i && make_wanted_i && valid_q != '1;
    full_o = make_valid_i && make_wanted_i && valid_q == '1;
    made_track_o = made ? {free, generation_q[free*2+:2], 1'b1} : '0;
  end

  // The packets that were answered and have not crossed, per input port and VC: their names {index, generation}, and
  // marks {has an entry, accepted}.
  localparam int unsigned Currents = NumPorts * NumVcs;
  localparam int unsigned CurrentWidth = EntryBits + 4;
  logic [Currents-1:0] answered;         // in this cycle
  logic [Currents*2-1:0] marks_d, marks_q;
  logic [Currents*(EntryBits+2)-1:0] names_q;
  logic [CurrentWidth-1:0] current, crossing;
  logic reward_valid_q;
  logic [RewardBits-2:0] reward_word_q;
  logic [NumEntries-1:0] turned;         // entries whose packets leave for the escape

  always_comb begin
    answered = '0;
    marks_d = marks_q;
    turned = '0;
    turned_o = '0;
    current = '0;
    crossing = '0;
    if (make_valid_i || turn_valid_i != '0) begin
      for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
        crossing = '0;
        for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
          current = {names_q[(p*NumVcs+v)*(EntryBits+2)+:EntryBits+2], marks_q[(p*NumVcs+v)*2+:2]};
          if (make_valid_i && make_port_i == PortWidth'(p) && make_vc_i == VcWidth'(v)) begin
            answered[p*NumVcs+v] = 1'b1;
            current = {made_track_o[TrackBits-1:1], made, make_accepted_i};
          end
          if (turn_valid_i[p] && turn_vc_i[p*VcWidth+:VcWidth] == VcWidth'(v)) begin
            crossing = crossing | current;
            current[1:0] = 2'b00;
          end
          marks_d[(p*NumVcs+v)*2+:2] = current[1:0];
        end
        if (turn_valid_i[p] && !AdaptiveVcs[turn_out_vc_i[p*VcWidth+:VcWidth]]) begin
          turned_o = turned_o + 8'(crossing[0]);
          // An entry that has expired meanwhile is another packet's.
          if (crossing[1] && generation_q[crossing[4+:EntryBits]*2+:2] == crossing[3:2]) turned[crossing[4+:EntryBits]] = 1'b1;
        end
      end
    end
  end

  always_comb begin
    valid_d = valid_q & ~expired;
    sample_d = sample_q;
    generation_d = generation_q;
    if (hit) valid_d[named] = 1'b0;
    for (int unsigned e = 0; e < NumEntries; e = e + 1) begin
      if (valid_q[e] && !valid_d[e]) generation_d[e*2+:2] = generation_q[e*2+:2] + 2'd1;
    end
    if (made) begin
      valid_d[free] = 1'b1;
      sample_d[free] = make_accepted_i;
    end
    sample_d = sample_d & ~turned & valid_d;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      generation_q <= '0;
      marks_q <= '0;
      entry_start_q <= '0;
      served_q <= '0;
      hit_q <= 1'b0;
      sampled_q <= 1'b0;
      reward_valid_q <= 1'b0;
    end else begin
      served_q <= served;
      hit_q <= hit;
      sampled_q <= hit && sample_q[named] && !word[WordBits-1];
      valid_q <= valid_d;
      marks_q <= marks_d;
      generation_q <= generation_d;
      if (made) entry_start_q <= free == EntryBits'(NumEntries - 1) ? '0 : free + EntryBits'(1);
      reward_valid_q <= sampled_q;
    end
  end

  always_ff @(posedge clk_i) begin
    sample_q <= sample_d;                // 0 where no entry is valid, so not reset
    if (made) begin
      for (int unsigned e = 0; e < NumEntries; e = e + 1) begin
        if (free == EntryBits'(e)) birth_q[e*2+:2] <= birth;
      end
    end
    for (int unsigned c = 0; c < Currents; c = c + 1) begin
      if (answered[c]) names_q[c*(EntryBits+2)+:EntryBits+2] <= made_track_o[TrackBits-1:1];
    end
    if (served != '0) word_q <= word;
    if (sampled_q) reward_word_q <= {word_q[WordBits-2-:16] - entry[15:0], entry[16+:8], word_q[1:0], word_q[TrackBits-2:2]};
  end

  logic [NumLinks-1:0] send_q;
  logic [WordBits-1:0] send_word_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) send_q <= '0;
    else send_q <= send;
  end
  always_ff @(posedge clk_i) begin
    if (send != '0) send_word_q <= sent_word;
  end
  for (genvar p = 0; p < NumLinks; p = p + 1) begin : gen_ack
    assign ack_o[p*AckBits+:AckBits] = {send_word_q, send_q[p]};
  end

  assign reward_o = {reward_word_q, reward_valid_q};
  assign idle_o = valid_q == '0 && queues_empty && served_q == '0 && send_q == '0 && !reward_valid_q;

  wire unused = &{1'b0, now_i, current, make_port_i};

`ifdef HW_CHECKS
  logic again;
  always_comb begin
    again = 1'b0;
    if (make_valid_i) again = marks_q[(32'(make_port_i)*NumVcs+32'(make_vc_i))*2+:2] != 2'b00;
  end
`endif
  `HW_ASSUME(a_answered_once, !again)
  `HW_ASSERT(a_new_entry_was_free, !made || !valid_q[free])
  `HW_ASSERT(a_samples_have_entries, (sample_q & ~valid_q) == '0)
  `HW_ASSERT(a_one_word_a_cycle, (send & (send - NumLinks'(1))) == '0)
  `HW_COVER(c_full, full_o)
  `HW_COVER(c_expires_and_hits, expired != '0 && hit)

endmodule

`default_nettype wire
