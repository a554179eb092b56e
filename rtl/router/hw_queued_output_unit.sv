// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_channel.svh"
`include "hw_round_robin.svh"

// One output port with an output queue per VC, between a crossbar at core speed and a slower link.
//
// A packet crosses the crossbar only when the queue of its VC has room for it; it enters the link only when the
// downstream VC has (VCT, SAF; flit by flit under wormhole). A credit is taken when a flit enters the link. The same
// ports as hw_output_unit, so that the router is built with either. Queues are one memory, read with the clock (hw_packet_queue).
//
// Latency: a flit that comes in cycle t is on the output pins in cycle t+1 when its queue is empty and the link free; with
// IdleWait, a flit time and a cycle later.
// Throughput: one flit per core cycle into the queues, one per link cycle out of them.
// Fairness: round-robin over the VCs with a flit to send, those of a class that goes first before others (hw_class_turns); with HoldPacket a
// packet keeps the link until its tail.
// Combinational paths: as hw_output_unit.
// Assumes: heads are granted only within space_o; credits come once per flit.
// Guarantees: as hw_output_unit; each queue keeps the order of its VC.
// Reference: Dally & Towles, sections 13.3 and 17.2 (output speed-up).
module hw_queued_output_unit #(
  parameter int unsigned NumVcs = 0,
  parameter int unsigned FlitBits = 0,
  parameter int unsigned MaxFlits = 0,
  parameter bit [NumVcs*16-1:0] VcDepths = '0,           // of the downstream buffers
  parameter int unsigned QueueFlits = 0,                 // of each VC's queue here
  parameter int unsigned SpaceWidth = 0,
  parameter int unsigned LenLsb = 0, LenBits = 1, LenOffset = 0,
  parameter int unsigned Switching = hw_router_pkg::VirtualCutThrough,
  parameter int unsigned GrantCycles = 0,                // see hw_output_unit
  parameter bit [NumVcs-1:0] AdaptiveVcs = '0,
  parameter bit HoldPacket = 1'b0,
  parameter bit [NumVcs*4-1:0] Ranks = '0,               // see hw_class_turns, as RankPackets, which is its Packets
  parameter int unsigned RankPackets = 1,
  parameter int unsigned CyclesPerFlitNum = 1, CyclesPerFlitDen = 1,
  parameter bit IdleWait = 1'b0,                         // see hw_link_pacer
  parameter int unsigned QueueMetric = hw_router_pkg::NoMetric,  // see hw_queue_meter
  parameter int unsigned FlightCycles = 0,
  parameter int unsigned QueueWidth = 1,
  parameter int unsigned TimeBits = 0,                   // see hw_reward, as the following; 0: no reward
  parameter int unsigned ArrivalLsb = 0, RewardBits = TimeBits, RewardLsb = 0, LinkCycles = 0,
  parameter bit AccumulateAge = 1'b0,                    // see hw_reward
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned TimeWidth = TimeBits > 0 ? TimeBits : 1
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  input  wire logic [TimeWidth-1:0]          now_i,        // core cycles, modulo 2^TimeBits
  // The switch's grant for this port; head and more only where it is valid
  input  wire logic                          grant_valid_i,
  input  wire logic [NumVcs-1:0]             grant_vc_i,    // one bit
  input  wire logic                          grant_head_i,  // of a head
  input  wire logic                          grant_more_i,  // of a flit that is not the tail
  // From the crossbar
  input  wire logic                          flit_valid_i,
  input  wire logic                          flit_head_i,
  input  wire logic                          flit_tail_i,
  input  wire logic [VcWidth-1:0]            flit_vc_i,
  input  wire logic [SpaceWidth-1:0]         flit_need_i,  // what a head reserves
  input  wire logic [FlitBits-1:0]           flit_data_i,
  // To the switch requests
  output logic                               ready_o,      // constant 1: the queue takes what fits
  output logic [NumVcs*SpaceWidth-1:0]       space_o,      // queue room for a new packet; 0 where the VC is owned
  output logic [NumVcs*SpaceWidth-1:0]       buffer_space_o,  // the same, owned or not: a lower bound of what comes free
  output logic [NumVcs-1:0]                  vc_free_o,    // space_o is not 0
  output logic [NumVcs-1:0]                  flit_fits_o,  // wormhole: one more flit fits
  output logic [NumVcs-1:0]                  vc_taken_o,   // see hw_output_unit
  // To route computation
  output logic [QueueWidth-1:0]              queue_o,      // flits of all VCs by QueueMetric
  // Downstream channel
  `HW_CHANNEL_SENDER(out, 1),
  // Status
  output logic                               idle_o        // nothing here changes without an input
);

  if (NumVcs == 0 || FlitBits == 0 || MaxFlits == 0 || SpaceWidth == 0 || QueueFlits == 0) begin : gen_bad_size
    $error("hw_queued_output_unit: NumVcs, FlitBits, MaxFlits, SpaceWidth and QueueFlits must be set");
  end
  if (GrantCycles > 1 || (GrantCycles == 1 && Switching == hw_router_pkg::Wormhole)) begin : gen_bad_grant
    $error("hw_queued_output_unit: GrantCycles must be 0 or 1, and 0 under wormhole switching");
  end

  localparam bit SingleFlit = MaxFlits == 1;
  localparam bit Wormhole = Switching == hw_router_pkg::Wormhole;
  localparam int unsigned WordBits = FlitBits + 2;

  `HW_LEAST_RECENT(first_vc, NumVcs)
  logic [NumVcs-1:0] chosen, sent;                    // the queue that sends; the VC of the flit that is sent
  logic [NumVcs*NumVcs-1:0] vc_ahead;

  logic [NumVcs*SpaceWidth-1:0] vc_depth;
  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_depth
    assign vc_depth[v*SpaceWidth+:SpaceWidth] = SpaceWidth'(VcDepths[v*16+:16]);
  end

  logic [NumVcs*SpaceWidth-1:0] space_q, space_d;     // queue room not yet reserved
  logic [NumVcs*SpaceWidth-1:0] space, left;
  logic [NumVcs*SpaceWidth-1:0] credits_q, credits_d; // free places downstream
  logic [NumVcs-1:0] owned_q;                         // the tail of the VC's packet has not crossed yet
  logic [NumVcs-1:0] hol_valid;                       // the queue holds a flit
  logic [NumVcs*WordBits-1:0] hol;                    // the first one: {tail, head, data}
  logic [FlitBits-1:0] sent_data;
  logic pacer_ready, pacer_at_rest, meter_at_rest;
  logic held_q;                                       // HoldPacket: the link belongs to held_vc_q
  logic [VcWidth-1:0] held_vc_q;

  // Places downstream that the flit at the head of each queue needs.
  logic [NumVcs*SpaceWidth-1:0] needs;
  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_needs
    if (SingleFlit || Wormhole) begin : gen_one
      assign needs[v*SpaceWidth+:SpaceWidth] = SpaceWidth'(1);
    end else begin : gen_length
      assign needs[v*SpaceWidth+:SpaceWidth] = hol[v*WordBits+FlitBits]
          ? SpaceWidth'(hol[v*WordBits+LenLsb+:LenBits]) + SpaceWidth'(LenOffset) : SpaceWidth'(1);
    end
  end

  // Which queues may send, and whether the crossing flit may pass its empty queue.
  logic [NumVcs-1:0] eligible;
  logic [SpaceWidth-1:0] pass_credits;
  logic send, send_head, send_tail, pop, pass;
  logic [VcWidth-1:0] send_vc;
  logic [WordBits-1:0] flit_word, send_word;
  assign flit_word = {flit_tail_i, flit_head_i, flit_data_i};

  always_comb begin
    eligible = '0;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      if (hol_valid[v] && (!held_q || held_vc_q == VcWidth'(v))) begin
        eligible[v] = credits_q[v*SpaceWidth+:SpaceWidth] >= needs[v*SpaceWidth+:SpaceWidth];
      end
    end
    pop = pacer_ready && eligible != '0;
    pass_credits = '0;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      if (flit_vc_i == VcWidth'(v)) pass_credits = pass_credits | credits_q[v*SpaceWidth+:SpaceWidth];
    end
    pass = pacer_ready && eligible == '0 && flit_valid_i && !hol_valid[flit_vc_i]
        && (!held_q || held_vc_q == flit_vc_i)
        && pass_credits >= (flit_head_i ? flit_need_i : SpaceWidth'(1));
    send = pop || pass;
    chosen = first_vc(eligible, vc_ahead);
    send_vc = pop ? '0 : flit_vc_i;
    send_word = pop ? '0 : flit_word;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      if (pop && chosen[v]) begin
        send_vc = send_vc | VcWidth'(v);
        send_word = send_word | hol[v*WordBits+:WordBits];
      end
    end
    sent = send ? NumVcs'(1) << send_vc : '0;
    {send_tail, send_head} = SingleFlit ? 2'b11 : send_word[FlitBits+:2];
  end

  hw_class_turns #(.Members(NumVcs), .Ranks(Ranks), .Packets(RankPackets)) u_turns (
    .clk_i(clk_i), .rst_ni(rst_ni), .request_i(eligible), .granted_i(sent), .head_i(send_head), .ahead_o(vc_ahead)
  );

  logic [NumVcs-1:0] unused_second_valid, unused_bad, unused_second_bad;
  logic [NumVcs*WordBits-1:0] unused_second;
  hw_packet_queue #(.NumVcs(NumVcs), .Width(WordBits), .Depths({NumVcs{16'(QueueFlits)}})) u_queue (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(flit_valid_i && !pass), .push_vc_i(flit_vc_i), .push_data_i(flit_word),
    .valid_o(hol_valid), .first_o(hol), .second_valid_o(unused_second_valid), .second_o(unused_second),
    .bad_o(unused_bad), .second_bad_o(unused_second_bad), .pop_i(pop), .pop_vc_i(send_vc)
  );

  logic [SpaceWidth-1:0] taken;                       // places in the queue that the flit takes
  assign taken = Wormhole || SingleFlit ? SpaceWidth'(1) : flit_head_i ? flit_need_i : '0;

  always_comb begin
    left = space_q;
    if (flit_valid_i) begin
      for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
        if (flit_vc_i == VcWidth'(v)) left[v*SpaceWidth+:SpaceWidth] = space_q[v*SpaceWidth+:SpaceWidth] - taken;
      end
    end
    space_d = left;
    credits_d = credits_q;
    if (send) begin
      for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
        if (send_vc == VcWidth'(v)) begin
          space_d[v*SpaceWidth+:SpaceWidth] = left[v*SpaceWidth+:SpaceWidth] + SpaceWidth'(1);
          credits_d[v*SpaceWidth+:SpaceWidth] = credits_q[v*SpaceWidth+:SpaceWidth] - SpaceWidth'(1);
        end
      end
    end
    if (out_credit_valid_i) begin
      for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
        if (out_credit_vc_i == VcWidth'(v)) begin
          credits_d[v*SpaceWidth+:SpaceWidth] = credits_d[v*SpaceWidth+:SpaceWidth] + SpaceWidth'(1);
        end
      end
    end
  end

  logic out_valid_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      space_q <= {NumVcs{SpaceWidth'(QueueFlits)}};
      credits_q <= vc_depth;
      held_q <= 1'b0;
      held_vc_q <= '0;
      out_valid_q <= 1'b0;
    end else begin
      space_q <= space_d;
      credits_q <= credits_d;
      if (send) begin
        held_q <= HoldPacket && !send_tail;
        held_vc_q <= send_vc;
      end
      out_valid_q <= send;
    end
  end

  logic [VcWidth-1:0] out_vc_q;
  logic out_head_q, out_tail_q;
  logic [FlitBits-1:0] out_data_q;
  always_ff @(posedge clk_i) begin
    if (send) {out_vc_q, out_head_q, out_tail_q, out_data_q} <= {send_vc, send_head, send_tail, sent_data};
  end
  assign {out_valid_o, out_vc_o, out_head_o, out_tail_o, out_data_o} = {out_valid_q, out_vc_q, out_head_q, out_tail_q, out_data_q};

  if (SingleFlit) begin : gen_single
    assign owned_q = '0;
    logic [NumVcs-1:0] last_place;
    for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_last_place
      assign last_place[v] = space[v*SpaceWidth+:SpaceWidth] >> 1 == '0;
    end
    assign vc_taken_o = grant_valid_i ? grant_vc_i & last_place : '0;  // a flit beside this one needs a place, too
    wire unused_marks = &{1'b0, grant_head_i, grant_more_i};
  end else begin : gen_multi
    logic [NumVcs-1:0] owned_d;
    always_comb begin
      owned_d = owned_q;
      if (grant_valid_i) owned_d = (owned_q & ~grant_vc_i) | (grant_more_i ? grant_vc_i : '0);
      vc_taken_o = owned_d | (grant_head_i ? grant_vc_i : '0);
      if (HoldPacket) vc_taken_o = {NumVcs{grant_more_i || (owned_q != '0 && !grant_valid_i)}} | (grant_head_i ? grant_vc_i : '0);
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) owned_q <= '0;
      else owned_q <= owned_d;
    end
  end

  // A flit that was granted in the cycle before takes its place now.
  assign space = GrantCycles > 0 ? left : space_q;

  always_comb begin
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      flit_fits_o[v] = space[v*SpaceWidth+:SpaceWidth] != '0;
      vc_free_o[v] = flit_fits_o[v] && !owned_q[v]
          && (!Wormhole || !AdaptiveVcs[v]
              || (space[v*SpaceWidth+:SpaceWidth] == SpaceWidth'(QueueFlits)
                  && credits_q[v*SpaceWidth+:SpaceWidth] == vc_depth[v*SpaceWidth+:SpaceWidth]));
      space_o[v*SpaceWidth+:SpaceWidth] = vc_free_o[v] ? space[v*SpaceWidth+:SpaceWidth] : '0;
    end
  end

  hw_reward #(
    .FlitBits(FlitBits), .TimeBits(TimeBits), .ArrivalLsb(ArrivalLsb), .RewardBits(RewardBits), .RewardLsb(RewardLsb),
    .LinkCycles(LinkCycles), .Accumulate(AccumulateAge)
  ) u_reward (
    .now_i(now_i), .head_i(send_head), .data_i(send_word[FlitBits-1:0]), .data_o(sent_data)
  );

  hw_link_pacer #(.Num(CyclesPerFlitNum), .Den(CyclesPerFlitDen), .IdleWait(IdleWait)) u_pacer (
    .clk_i(clk_i), .rst_ni(rst_ni), .want_i(|hol_valid), .send_i(send), .ready_o(pacer_ready), .at_rest_o(pacer_at_rest)
  );

  hw_queue_meter #(
    .NumVcs(NumVcs), .VcDepths(VcDepths), .QueueFlits(QueueFlits), .QueueMetric(QueueMetric),
    .FlightCycles(FlightCycles), .QueueWidth(QueueWidth)
  ) u_meter (
    .clk_i(clk_i), .rst_ni(rst_ni), .enter_i(flit_valid_i), .send_i(send), .credit_i(out_credit_valid_i),
    .queue_o(queue_o), .at_rest_o(meter_at_rest)
  );

  assign ready_o = 1'b1;
  assign buffer_space_o = space;
  assign idle_o = pacer_at_rest && meter_at_rest && !out_valid_q && hol_valid == '0;

  wire unused = &{1'b0, unused_second_valid, unused_second, unused_bad, unused_second_bad};

  `HW_ASSUME(a_no_credit_beyond_depth,
             !out_credit_valid_i || credits_q[out_credit_vc_i*SpaceWidth+:SpaceWidth]
                                != vc_depth[out_credit_vc_i*SpaceWidth+:SpaceWidth])
  `HW_ASSERT(a_sends_only_with_credit, !send || credits_q[send_vc*SpaceWidth+:SpaceWidth] != '0)
  `HW_ASSERT(a_reserves_only_space,
             !(flit_valid_i && flit_head_i) || space_q[flit_vc_i*SpaceWidth+:SpaceWidth] >= flit_need_i)
  `HW_ASSERT(a_head_takes_a_free_vc, !grant_valid_i || grant_head_i == ((owned_q & grant_vc_i) == '0))

endmodule

`default_nettype wire
