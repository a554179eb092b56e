// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_round_robin.svh"

// The words that wait to be served by hw_dqn_pending: a queue of two words per network port for acknowledges that come in from
// downstream, and one for the packets from that port that end here or are lost sight of.
//
// Words: {lost, age, index, generation}; those that come in as they are, those of packets that end here with their age and
// track, those of lost ones with the track that they had in the router before.
// Latency: a word that comes in cycle t is served in t+1, if no other waits. Throughput: a word served per cycle.
// Fairness: round-robin over the queues.
// Combinational paths: ack_i, lost_*, arrived_i -> drops_o; the other outputs from registers.
// Guarantees: a word that finds its queue full is dropped and counted in drops_o; one word a cycle is served.
// Reference: Lonardo, DQN-Routing, section 4; docs/reference/routing-dqn.md.
module hw_dqn_ack_queues #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumLinks = 0,                   // network ports, the lowest ones
  parameter int unsigned TrackBits = 0,                  // {index, generation, valid}
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned AckBits = 17 + TrackBits,
  localparam int unsigned WordBits = AckBits - 1,        // without the valid bit
  localparam int unsigned NumQueues = 2 * NumLinks       // incoming words, then those of packets that end here
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  // Acknowledges from downstream, one slice per network port
  input  wire logic [NumLinks*AckBits-1:0]   ack_i,
  // A packet goes on untracked: the port that it came in by, its track there
  input  wire logic                          lost_valid_i,
  input  wire logic [PortWidth-1:0]          lost_port_i,
  input  wire logic [TrackBits-1:0]          lost_up_i,
  // Packets from network ports that end here
  input  wire logic [NumLinks-1:0]           arrived_i,
  input  wire logic [NumLinks*TrackBits-1:0] arrived_track_i,
  input  wire logic [NumLinks*16-1:0]        arrived_age_i,
  // The word that is served in this cycle, and its queue, one-hot; 0: none
  output logic [NumQueues-1:0]               served_o,
  output logic [WordBits-1:0]                word_o,
  output logic [7:0]                         drops_o,      // words, of this cycle
  output logic                               empty_o
);

  if (NumPorts < NumLinks || NumLinks == 0 || TrackBits < 4) begin : gen_bad_shape
    $error("hw_dqn_ack_queues: NumPorts and NumLinks must be set, TrackBits at least 4");
  end

  `HW_ROUND_ROBIN_ONE_HOT(next_queue, NumQueues)

  logic [NumQueues-1:0] offered, full, push, pop, empty;
  logic [NumQueues*WordBits-1:0] offered_word, oldest;

  for (genvar q = 0; q < NumQueues; q = q + 1) begin : gen_queue
    logic [1:0] unused_count;
    if (q < NumLinks) begin : gen_incoming
      assign offered[q] = ack_i[q*AckBits];
      assign offered_word[q*WordBits+:WordBits] = ack_i[q*AckBits+1+:WordBits];
    end else begin : gen_ends_here
      // A packet ends here, or goes on untracked, which goes first: an input port has one answer a cycle.
      logic loses;
      assign loses = lost_valid_i && 32'(lost_port_i) == q - NumLinks;
      assign offered[q] = loses || (arrived_i[q-NumLinks] && arrived_track_i[(q-NumLinks)*TrackBits]);
      assign offered_word[q*WordBits+:WordBits] = loses
          ? {1'b1, 16'd0, lost_up_i[TrackBits-1:1]}
          : {1'b0, arrived_age_i[(q-NumLinks)*16+:16], arrived_track_i[(q-NumLinks)*TrackBits+1+:TrackBits-1]};
    end
    hw_fifo #(.Width(WordBits), .Depth(2)) u_words (
      .clk_i(clk_i), .rst_ni(rst_ni), .push_i(push[q]), .data_i(offered_word[q*WordBits+:WordBits]), .full_o(full[q]),
      .pop_i(pop[q]), .data_o(oldest[q*WordBits+:WordBits]), .empty_o(empty[q]), .count_o(unused_count)
    );
  end

  assign push = offered & ~full;

  always_comb begin
    drops_o = '0;
    for (int unsigned q = 0; q < NumQueues; q = q + 1) drops_o = drops_o + 8'(offered[q] && full[q]);
  end

  logic [NumQueues-1:0] behind_q;                        // behind the last one that was served

  always_comb begin
    pop = next_queue(~empty, behind_q);
    word_o = '0;
    for (int unsigned q = 0; q < NumQueues; q = q + 1) begin
      if (pop[q]) word_o = word_o | oldest[q*WordBits+:WordBits];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) behind_q <= '0;
    else if (empty != '1) behind_q <= next_queue_behind(pop);
  end

  assign served_o = pop;
  assign empty_o = empty == '1;

  wire unused = &{1'b0, lost_port_i, lost_up_i};

  `HW_ASSERT(a_one_word_is_served, (pop & (pop - NumQueues'(1))) == '0 && (pop == '0) == (empty == '1))
  `HW_COVER(c_dropped, drops_o != '0)

endmodule

`default_nettype wire
