// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Messages that are under way, 2^SlotBits of them: what is still to come of each, and how it ends. Of a message all of whose bytes
// are accounted for, as done or not, there is a completion: status is that of the first request that failed.
//
// Latency: the completion is there 3 cycles after the last account. Throughput: an account each second cycle, one of a message that
//   opens in between. Combinational paths: valid_i of both sides -> open_ready_o, account_ready_o.
// Assumes: accounts only of open messages and of as many bytes as these have.
// Guarantees: a slot is given again once the completion has been taken; so completions always have room, and accounts never wait for
//   the host.
module hw_message_slots #(
  parameter int unsigned SlotBits = 0,
  parameter int unsigned TagBits = 0
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,

  // A message begins
  output logic                      free_o,          // there is a slot
  output logic [SlotBits-1:0]       slot_o,          // and this is it
  input  wire logic                 open_valid_i,
  output logic                      open_ready_o,
  input  wire logic [TagBits-1:0]   open_tag_i,
  input  wire logic [2:0]           open_mode_i,
  input  wire logic [31:0]          open_bytes_i,
  input  wire logic                 open_decides_i,  // a sample of the counters is to follow
  input  wire logic                 open_bad_i,      // it ends at once, as a bad descriptor

  // A request is over: bytes of the message that are done, or have failed
  input  wire logic                 account_valid_i,
  output logic                      account_ready_o,
  input  wire logic [SlotBits-1:0]  account_slot_i,
  input  wire logic [31:0]          account_bytes_i,
  input  wire logic [hw_message_pkg::CodeBits-1:0] account_status_i,

  // It is over
  output logic                      cpl_valid_o,
  input  wire logic                 cpl_ready_i,
  output logic [TagBits-1:0]        cpl_tag_o,
  output logic [hw_message_pkg::CodeBits-1:0] cpl_status_o,
  output logic [31:0]               cpl_bytes_o,     // that are done
  output logic [2:0]                cpl_mode_o,
  output logic                      decided_over_o,  // one with open_decides_i, for a cycle
  output logic                      quiescent_o
);

  if (SlotBits == 0 || SlotBits > 8 || TagBits == 0) begin : gen_bad_widths
    $error("hw_message_slots: SlotBits must be 1 to 8, TagBits at least 1");
  end

  localparam int unsigned Slots = 1 << SlotBits;
  localparam int unsigned CodeBits = hw_message_pkg::CodeBits;
  localparam int unsigned StateBits = TagBits + 4 + 64 + CodeBits;

  logic [Slots-1:0] used_q;
  logic account_q, over, push, empty, opens, pops, decides, over_decides, unused_full;
  logic [SlotBits-1:0] slot, slot_q, cpl_slot;
  logic [31:0] left, done, left_next, done_next, bytes_q;
  logic [CodeBits-1:0] status, status_next, status_q;
  logic [TagBits-1:0] tag;
  logic [2:0] mode;
  logic [SlotBits:0] waiting;

  always_comb begin
    slot = '0;
    for (int unsigned s = 0; s < Slots; s = s + 1) if (!used_q[Slots-1-s]) slot = SlotBits'(Slots - 1 - s);
  end
  assign free_o = used_q != '1;
  assign slot_o = slot;

  // An account takes a cycle to read and one to write; a message opens in the cycle of neither.
  assign account_ready_o = !account_q;
  assign open_ready_o = free_o && !account_q && !account_valid_i;
  assign opens = open_valid_i && open_ready_o;
  assign left_next = left - bytes_q;
  assign done_next = status_q == hw_message_pkg::Done ? done + bytes_q : done;
  assign status_next = status == hw_message_pkg::Done ? status_q : status;
  assign over = account_q && left_next == '0;
  assign push = over || (opens && open_bad_i);
  assign over_decides = opens ? open_decides_i : decides;

  hw_ram_1r1w #(.Words(Slots), .Width(StateBits)) u_state (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_i(opens || account_q), .write_addr_i(account_q ? slot_q : slot),
    .write_data_i(account_q ? {decides, mode, tag, left_next, done_next, status_next}
                            : {open_decides_i, open_mode_i, open_tag_i, open_bytes_i, 32'd0, hw_message_pkg::Done}),
    .read_i(account_valid_i && account_ready_o), .read_addr_i(account_slot_i),
    .read_data_o({decides, mode, tag, left, done, status})
  );

  hw_fifo #(.Width(SlotBits + TagBits + 3 + 32 + CodeBits), .Depth(Slots)) u_completions (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(push),
    .data_i(account_q ? {slot_q, tag, mode, done_next, status_next}
                      : {slot, open_tag_i, open_mode_i, 32'd0, hw_message_pkg::BadDescriptor}),
    .full_o(unused_full), .pop_i(pops), .data_o({cpl_slot, cpl_tag_o, cpl_mode_o, cpl_bytes_o, cpl_status_o}),
    .empty_o(empty), .count_o(waiting)
  );
  assign cpl_valid_o = !empty;
  assign pops = cpl_ready_i && !empty;

  logic decided_over_q;
  assign decided_over_o = decided_over_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q <= '0;
      account_q <= 1'b0;
      decided_over_q <= 1'b0;
    end else begin
      for (int unsigned s = 0; s < Slots; s = s + 1) begin
        if (opens && 32'(slot) == s) used_q[s] <= 1'b1;
        else if (pops && 32'(cpl_slot) == s) used_q[s] <= 1'b0;
      end
      account_q <= account_valid_i && account_ready_o;
      decided_over_q <= push && over_decides;
    end
  end
  always_ff @(posedge clk_i) begin
    if (account_ready_o) begin
      slot_q <= account_slot_i;
      bytes_q <= account_bytes_i;
      status_q <= account_status_i;
    end
  end

  assign quiescent_o = used_q == '0 && !decided_over_q;
  wire unused = &{1'b0, unused_full, waiting};

  `HW_ASSUME(a_accounts_of_open_messages, !account_valid_i || used_q[account_slot_i])
  `HW_ASSUME(a_no_more_than_the_message, !account_q || bytes_q <= left)
  `HW_ASSERT(a_completions_have_room, !(push && unused_full))
  `HW_COVER(c_all_slots, used_q == '1)

endmodule

`default_nettype wire
