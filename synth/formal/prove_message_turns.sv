// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_message.svh"

// Proves of hw_message_turns, with whoever makes packets and two messages of the host: a message that is put aside comes back once and as it
// was, and while no destination is stopped there is a packet every few cycles.
module prove_message_turns #(
  parameter int unsigned AddrBits = 1,
  localparam int unsigned DstBits = 1, WindowBits = 1, KeyBits = 1, OffsetBits = 1, SlotBits = 1,
  localparam int unsigned MessageBits = `HW_MESSAGE_STATE_BITS, SlotLsb = DstBits + 4,
  localparam int unsigned Patience = 8
) (
  input wire logic                   clk_i,
  input wire logic                   stop_i,
  input wire logic                   stop_dst_i,
  input wire logic                   offer_i,     // of a message
  input wire logic [DstBits-1:0]     dst_i,
  input wire logic [2:0]             mode_i,
  input wire logic [AddrBits-1:0]    addr_i,
  input wire logic                   made_i,      // the packet at hand
  input wire logic                   last_i       // of its message
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  // Who makes packets: as hw_message_packets
  logic active_q, goes_q, made, ready, go, aside, take, new_ready, quiescent, offers, slot;
  logic [MessageBits-1:0] active_message_q, from_aside, offered;
  logic [1:0] open_q, aside_q;                     // by slot: under way; of these, aside
  logic [MessageBits-1:0] was_q[2];                // as it was put aside
  assign made = goes_q && made_i;
  assign ready = !active_q || (made && last_i) || aside;
  assign slot = open_q[0];
  assign offers = offer_i && open_q != '1;
  assign offered = MessageBits'({addr_i, 32'd1, slot, mode_i, 1'b0, dst_i});

  hw_message_turns #(
    .DstBits(DstBits), .AddrBits(AddrBits), .WindowBits(WindowBits), .KeyBits(KeyBits), .OffsetBits(OffsetBits), .SlotBits(SlotBits),
    .ModeBits(3), .Flows(1)
  ) u_dut (
    .clk_i, .rst_ni, .stop_valid_i(stop_i), .stop_dst_i(stop_dst_i), .asks_i(active_q && !goes_q), .message_i(active_message_q),
    .go_o(go), .aside_o(aside), .ready_i(ready), .new_valid_i(offers), .new_ready_o(new_ready), .take_o(take),
    .message_o(from_aside), .quiescent_o(quiescent)
  );

  logic active_slot, back_slot;
  assign active_slot = active_message_q[SlotLsb];
  assign back_slot = from_aside[SlotLsb];
  logic [3:0] idle_q;                              // cycles in which one could have gone
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      goes_q <= 1'b0;
      open_q <= '0;
      aside_q <= '0;
      idle_q <= '0;
    end else begin
      if (ready) active_q <= take || (offers && new_ready);
      if (go) goes_q <= 1'b1;
      else if (made) goes_q <= 1'b0;
      if (made && last_i) open_q[active_slot] <= 1'b0;
      if (offers && new_ready) open_q[slot] <= 1'b1;
      if (aside) aside_q[active_slot] <= 1'b1;
      if (take) aside_q[back_slot] <= 1'b0;
      idle_q <= stop_i || goes_q || go || open_q == '0 ? '0 : idle_q + 4'd1;
    end
    if (take) active_message_q <= from_aside;
    else if (offers && new_ready) active_message_q <= offered;
    if (aside) was_q[active_slot] <= active_message_q;
  end

  `HW_ASSERT(a_comes_back_once, !take || aside_q[back_slot])
  `HW_ASSERT(a_comes_back_as_it_was, !take || from_aside == was_q[back_slot])
  `HW_ASSERT(a_none_is_lost, quiescent == (aside_q == '0))
  `HW_ASSERT(a_someone_goes, 32'(idle_q) < Patience)
  `HW_ASSERT(a_one_at_a_time, !(take && offers && new_ready))

  always @(posedge clk_i) begin
    if (rst_ni) begin
      c_all_aside: cover (aside_q == '1);
      c_comes_back: cover (take);
    end
  end

endmodule

`default_nettype wire
