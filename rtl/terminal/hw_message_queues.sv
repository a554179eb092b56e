// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_message.svh"

// Two hosts share a message interface: one has its streams, the other pushes and pops words of queues, as registers do. The interface
// has a bit more of tag, which says whose a descriptor is: its completion goes back there.
//
// Latency: a descriptor or window that is pushed in cycle c is offered in c+1; a completion that is taken in c can be popped in c+1.
// Throughput: one of each per cycle.
// Combinational paths: host_desc_valid_i, host_desc_i, host_win_valid_i, host_win_index_i, host_win_i -> the same of the interface;
//   host_cpl_ready_i, cpl_i -> cpl_ready_o; host_evt_ready_i, pop_evt_i, events_i -> evt_ready_o; readies and completions the other way.
// Fairness: what is pushed goes before what the streams bring: 2^SlotBits descriptors without a popped completion, and windows as
//   fast as registers write them.
// Assumes: a push only with room, a pop only of what is there; events_i does not change while an event waits.
// Guarantees: completions of pushed descriptors always have a place, so a host that does not pop them does not hold up the other one's.
module hw_message_queues #(
  parameter int unsigned SlotBits = 0,           // 2^SlotBits descriptors without a popped completion
  parameter int unsigned Windows = 4,            // that wait
  parameter int unsigned TagBits = 0,
  parameter int unsigned DescBits = 0,           // with TagBits of tag
  parameter int unsigned WindowBits = 0,
  parameter int unsigned WinBits = 0,
  localparam int unsigned CplBits = `HW_MESSAGE_CPL_BITS,
  localparam int unsigned WindowsBits = $clog2(Windows + 1)
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,

  // The host with registers
  input  wire logic                   push_desc_i,
  input  wire logic [DescBits-1:0]    push_desc_word_i,
  output logic [SlotBits:0]           desc_room_o,
  input  wire logic                   push_win_i,
  input  wire logic [WindowBits-1:0]  push_win_index_i,
  input  wire logic [WinBits-1:0]     push_win_word_i,
  output logic [WindowsBits-1:0]      win_room_o,
  input  wire logic                   pop_cpl_i,
  output logic [SlotBits:0]           cpl_count_o,
  output logic [CplBits-1:0]          cpl_word_o,
  input  wire logic                   events_i,          // events are for this host
  input  wire logic                   pop_evt_i,
  output logic                        evt_there_o,

  // The host with streams
  input  wire logic                   host_desc_valid_i,
  output logic                        host_desc_ready_o,
  input  wire logic [DescBits-1:0]    host_desc_i,
  output logic                        host_cpl_valid_o,
  input  wire logic                   host_cpl_ready_i,
  output logic [CplBits-1:0]          host_cpl_o,
  output logic                        host_evt_valid_o,
  input  wire logic                   host_evt_ready_i,
  input  wire logic                   host_win_valid_i,
  output logic                        host_win_ready_o,
  input  wire logic [WindowBits-1:0]  host_win_index_i,
  input  wire logic [WinBits-1:0]     host_win_i,

  // The interface
  output logic                        desc_valid_o,
  input  wire logic                   desc_ready_i,
  output logic [DescBits:0]           desc_o,
  input  wire logic                   cpl_valid_i,
  output logic                        cpl_ready_o,
  input  wire logic [CplBits:0]       cpl_i,
  input  wire logic                   evt_valid_i,
  output logic                        evt_ready_o,
  output logic                        win_valid_o,
  input  wire logic                   win_ready_i,
  output logic [WindowBits-1:0]       win_index_o,
  output logic [WinBits-1:0]          win_o,
  output logic                        quiescent_o         // nothing that was pushed waits for the interface
);

  localparam int unsigned Slots = 1 << SlotBits;

  if (SlotBits == 0 || Windows == 0 || TagBits == 0 || DescBits <= TagBits) begin : gen_bad_shape
    $error("hw_message_queues: SlotBits, Windows and TagBits must be at least 1, and a descriptor more than its tag");
  end

  // ---- Descriptors

  logic [SlotBits:0] owed_q;                     // pushed descriptors whose completions have not been popped
  logic desc_empty, pushed_ready, pushed_first, unused_desc_full;
  logic [SlotBits:0] unused_desc_count;
  logic [DescBits-1:0] pushed_desc, desc;
  hw_fifo #(.Width(DescBits), .Depth(Slots)) u_descriptors (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(push_desc_i), .data_i(push_desc_word_i), .full_o(unused_desc_full),
    .pop_i(pushed_ready && !desc_empty), .data_o(pushed_desc), .empty_o(desc_empty), .count_o(unused_desc_count)
  );
  hw_stream_merge #(.Width(DescBits)) u_merge (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i({host_desc_valid_i, !desc_empty}), .ready_o({host_desc_ready_o, pushed_ready}),
    .data_i({host_desc_i, pushed_desc}), .valid_o(desc_valid_o), .ready_i(desc_ready_i), .data_o(desc), .first_o(pushed_first)
  );
  assign desc_o = {pushed_first, desc};          // the tag is the highest field
  assign desc_room_o = (SlotBits + 1)'(Slots) - owed_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) owed_q <= '0;
    else if (push_desc_i != pop_cpl_i) owed_q <= push_desc_i ? owed_q + 1'b1 : owed_q - 1'b1;
  end

  // ---- Completions: the bit above the tag says whose

  logic cpl_empty, cpl_full, of_pushed;
  logic [CplBits-1:0] completion;
  assign of_pushed = cpl_i[TagBits];
  assign completion = {cpl_i[CplBits:TagBits+1], cpl_i[TagBits-1:0]};
  hw_fifo #(.Width(CplBits), .Depth(Slots)) u_completions (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(cpl_valid_i && of_pushed && !cpl_full), .data_i(completion), .full_o(cpl_full),
    .pop_i(pop_cpl_i), .data_o(cpl_word_o), .empty_o(cpl_empty), .count_o(cpl_count_o)
  );
  assign host_cpl_valid_o = cpl_valid_i && !of_pushed;
  assign host_cpl_o = completion;
  assign cpl_ready_o = of_pushed ? !cpl_full : host_cpl_ready_i;

  // ---- Events

  assign evt_there_o = evt_valid_i && events_i;
  assign host_evt_valid_o = evt_valid_i && !events_i;
  assign evt_ready_o = events_i ? pop_evt_i : host_evt_ready_i;

  // ---- Windows

  logic win_empty, pushed_win_ready, unused_win_full, unused_win_first;
  logic [WindowsBits-1:0] win_count;
  logic [WindowBits+WinBits-1:0] pushed_win;
  hw_fifo #(.Width(WindowBits + WinBits), .Depth(Windows)) u_windows (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(push_win_i), .data_i({push_win_index_i, push_win_word_i}), .full_o(unused_win_full),
    .pop_i(pushed_win_ready && !win_empty), .data_o(pushed_win), .empty_o(win_empty), .count_o(win_count)
  );
  hw_stream_merge #(.Width(WindowBits + WinBits)) u_merge_windows (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i({host_win_valid_i, !win_empty}), .ready_o({host_win_ready_o, pushed_win_ready}),
    .data_i({host_win_index_i, host_win_i, pushed_win}), .valid_o(win_valid_o), .ready_i(win_ready_i),
    .data_o({win_index_o, win_o}), .first_o(unused_win_first)
  );
  assign win_room_o = WindowsBits'(Windows) - win_count;

  assign quiescent_o = desc_empty && win_empty;
  wire unused = &{1'b0, unused_desc_full, unused_desc_count, unused_win_full, unused_win_first, cpl_empty};

  `HW_ASSUME(a_push_with_room, (!push_desc_i || desc_room_o != '0) && (!push_win_i || win_room_o != '0))
  `HW_ASSUME(a_pop_what_is_there, (!pop_cpl_i || !cpl_empty) && (!pop_evt_i || evt_there_o))
  `HW_ASSERT(a_completions_have_a_place, !(cpl_valid_i && of_pushed && cpl_full))
  `HW_COVER(c_no_room, desc_room_o == '0)

endmodule

`default_nettype wire
