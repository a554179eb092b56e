// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Where bursts are read to: whoever asks the memory reserves the places first, so that what comes is always taken.
//
// A burst is offered once all of it has come. Latency: of a burst whose last word comes in cycle c, whole_o is high in c+1, and its
// first word on data_o in c+2 at the latest. Throughput: one word in and one out per cycle.
// Combinational paths: none from inputs to outputs.
// Assumes: reserve_i only while room_o is high, for at most MaxBeats words, and a burst has as many as were reserved; bursts come in
//   the order of their reservations; pop_i only while valid_o is high, pop_last_i with the last word of a burst.
// Guarantees: bursts in order; error_o of the one that is offered says that a word of it came with an error.
module hw_read_buffer #(
  parameter int unsigned Width = 0,
  parameter int unsigned MaxBeats = 0,     // of a burst
  parameter int unsigned Depth = 0,        // words; one place stays free, so that take_o is a register that is high
  parameter int unsigned Bursts = 0,       // at most, of those that have not been popped
  localparam int unsigned BeatBits = $clog2(MaxBeats + 1)
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,

  // Who asks
  output logic                      room_o,
  input  wire logic                 reserve_i,
  input  wire logic [BeatBits-1:0]  beats_i,

  // Memory
  input  wire logic                 read_i,
  input  wire logic [Width-1:0]     read_data_i,
  input  wire logic                 read_last_i,
  input  wire logic                 read_error_i,
  output logic                      take_o,    // always high: there is the place that has been reserved

  // Oldest burst
  output logic                      whole_o,
  output logic                      error_o,
  output logic                      valid_o,   // its next word is there
  output logic [Width-1:0]          data_o,
  input  wire logic                 pop_i,
  input  wire logic                 pop_last_i,
  output logic                      quiescent_o
);

  if (MaxBeats == 0 || Depth <= MaxBeats || Bursts == 0) begin : gen_bad_shape
    $error("hw_read_buffer: MaxBeats and Bursts must be at least 1, Depth more than MaxBeats");
  end

  localparam int unsigned RoomBits = $clog2(Depth + 1);
  localparam int unsigned BurstBits = $clog2(Bursts + 2);

  logic [RoomBits-1:0] room_q, stored;
  logic [BurstBits-1:0] bursts_q, whole;
  logic error_q, empty, no_burst, words_full, bursts_full;

  assign room_o = 32'(room_q) >= MaxBeats && 32'(bursts_q) != Bursts;
  assign whole_o = !no_burst;
  assign valid_o = !empty && !no_burst;
  assign take_o = !words_full && !bursts_full;
  assign quiescent_o = bursts_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      room_q <= RoomBits'(Depth - 1);
      bursts_q <= '0;
      error_q <= 1'b0;
    end else begin
      room_q <= room_q - (reserve_i ? RoomBits'(beats_i) : '0) + RoomBits'(pop_i);
      bursts_q <= bursts_q + BurstBits'(reserve_i) - BurstBits'(pop_i && pop_last_i);
      if (read_i) error_q <= !read_last_i && (error_q || read_error_i);
    end
  end

  hw_ram_fifo #(.Width(Width), .Depth(Depth)) u_words (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(read_i), .data_i(read_data_i), .full_o(words_full),
    .pop_i(pop_i), .data_o(data_o), .empty_o(empty), .count_o(stored)
  );
  hw_fifo #(.Width(1), .Depth(Bursts + 1)) u_bursts (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(read_i && read_last_i), .data_i(error_q || read_error_i), .full_o(bursts_full),
    .pop_i(pop_i && pop_last_i), .data_o(error_o), .empty_o(no_burst), .count_o(whole)
  );

  wire unused = &{1'b0, stored, whole};
  `HW_ASSUME(a_reserve_with_room, !reserve_i || room_o)
  `HW_ASSUME(a_reserve_a_burst, !reserve_i || beats_i != '0)
  `HW_ASSUME(a_pop_what_is_there, !pop_i || valid_o)
  `HW_ASSERT(a_what_comes_has_a_place, take_o || !read_i)
  `HW_ASSERT(a_places_are_reserved, 32'(stored) + 32'(room_q) < Depth)

  if (MaxBeats + 1 < 2 ** BeatBits) begin : gen_bound
    `HW_ASSUME(a_reserve_at_most, !reserve_i || 32'(beats_i) <= MaxBeats)
  end

endmodule

`default_nettype wire
