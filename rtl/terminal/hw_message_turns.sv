// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_message.svh"

// Under congestion control: which message under way hw_message_packets works on. Before each packet a message whose destination is stopped
// is put aside, and so is one that has had a packet while another waits here that may go: these take turns, packet by packet. Whoever waits
// here and the host's next message take turns, too.
//
// Messages with the routing mode InOrder stay where they are, and others wait for them: put aside they might overtake each other.
//
// Latency: a message that is put aside in cycle t is taken again in t+2 at the earliest; each stopped one before it takes a cycle.
// Throughput: a message a cycle each way.
// Combinational paths: asks_i, message_i, ready_i, new_valid_i -> all outputs but quiescent_o; ready_i not to aside_o and go_o.
// Assumes: at most 2^SlotBits messages under way, whose slots differ.
// Guarantees: of the messages here one that may go is taken before the second message of the host, so that none waits for ever while its
//   destination is not stopped for ever.
// Reference: docs/reference/congestion.md.
module hw_message_turns #(
  parameter int unsigned DstBits = 0,
  parameter int unsigned AddrBits = 0,
  parameter int unsigned WindowBits = 0,
  parameter int unsigned KeyBits = 0,
  parameter int unsigned OffsetBits = 0,
  parameter int unsigned SlotBits = 0,
  parameter int unsigned ModeBits = 0,             // 0: no message is InOrder
  parameter int unsigned Flows = 1,                // destinations that may be stopped
  localparam int unsigned MessageBits = `HW_MESSAGE_STATE_BITS
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_ni,

  input  wire logic [Flows-1:0]         stop_valid_i,
  input  wire logic [Flows*DstBits-1:0] stop_dst_i,

  // The message that packets are made of: it asks for its next one
  input  wire logic                     asks_i,
  input  wire logic [MessageBits-1:0]   message_i,
  output logic                          go_o,
  output logic                          aside_o,

  // The next one: from here, or that of the host
  input  wire logic                     ready_i,
  input  wire logic                     new_valid_i,  // there is one, and it can be taken now
  output logic                          new_ready_o,
  output logic                          take_o,       // the one from here
  output logic [MessageBits-1:0]        message_o,
  output logic                          quiescent_o
);

  if (DstBits == 0 || Flows == 0 || SlotBits == 0) begin : gen_bad_size
    $error("hw_message_turns: DstBits, Flows and SlotBits must be at least 1");
  end

  localparam int unsigned Places = (1 << SlotBits) + 1;    // one more than messages, so that those here can go round
  localparam int unsigned CountBits = $clog2(Places + 1);
  localparam int unsigned ModeLsb = DstBits + 1;

  logic stopped, here_stopped, here_may, in_order, goes_round, empty, unused_full, new_went_q, had_turn_q;
  logic [CountBits-1:0] count;

  always_comb begin
    stopped = 1'b0;
    here_stopped = 1'b0;
    for (int unsigned f = 0; f < Flows; f = f + 1) begin
      if (stop_valid_i[f] && stop_dst_i[f*DstBits+:DstBits] == message_i[DstBits-1:0]) stopped = 1'b1;
      if (stop_valid_i[f] && stop_dst_i[f*DstBits+:DstBits] == message_o[DstBits-1:0]) here_stopped = 1'b1;
    end
  end
  assign in_order = ModeBits != 0 && message_i[ModeLsb+:3] == hw_mode_pkg::InOrder;
  assign here_may = !empty && !here_stopped;
  assign aside_o = asks_i && !in_order && (stopped || (here_may && had_turn_q));
  assign go_o = asks_i && !stopped && !aside_o;

  // The host's message goes first where one from here went last.
  assign take_o = ready_i && here_may && (new_went_q || !new_valid_i);
  assign new_ready_o = ready_i && !take_o;
  // Whoever is stopped makes place for the one behind.
  assign goes_round = !empty && here_stopped && count > CountBits'(1) && !aside_o;

  hw_ram_fifo #(.Width(MessageBits), .Depth(Places)) u_aside (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(aside_o || goes_round), .data_i(aside_o ? message_i : message_o), .full_o(unused_full),
    .pop_i(take_o || goes_round), .data_o(message_o), .empty_o(empty), .count_o(count)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      new_went_q <= 1'b0;
      had_turn_q <= 1'b0;
    end else begin
      if (take_o) new_went_q <= 1'b0;
      else if (new_valid_i && new_ready_o) new_went_q <= 1'b1;
      if (go_o) had_turn_q <= 1'b1;
      else if (take_o || (new_valid_i && new_ready_o)) had_turn_q <= 1'b0;
    end
  end

  assign quiescent_o = count == '0;
  wire unused = &{1'b0, unused_full};

  `HW_ASSERT(a_there_are_places, !((aside_o || goes_round) && unused_full))
  `HW_COVER(c_goes_round, goes_round)
  `HW_COVER(c_gives_way, aside_o && !stopped)

endmodule

`default_nettype wire
