// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Joins two streams; words of the first go before those of the second.
//
// Latency: 0. Throughput: one word per cycle.
// Combinational paths: valid_i, data_i -> valid_o, data_o; valid_i[0], ready_i -> ready_o.
// Fairness: the second stream waits while the first has words.
// Assumes: valid_i stays high, and data_i the same, until the word is accepted.
// Guarantees: the same of valid_o and data_o: a word that is offered is not replaced by one of the other stream.
module hw_stream_merge #(
  parameter int unsigned Width = 0
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  // The two streams, the first in the low bits
  input  wire logic [1:0]          valid_i,
  output logic [1:0]               ready_o,
  input  wire logic [2*Width-1:0]  data_i,

  // Both of them
  output logic                     valid_o,
  input  wire logic                ready_i,
  output logic [Width-1:0]         data_o,
  output logic                     first_o         // the word is of the first one
);

  if (Width == 0) begin : gen_bad_width
    $error("hw_stream_merge: Width must be at least 1");
  end

  logic waits_q, first_q, first;
  assign first = waits_q ? first_q : valid_i[0];
  assign valid_o = first ? valid_i[0] : valid_i[1];
  assign data_o = first ? data_i[Width-1:0] : data_i[Width+:Width];
  assign ready_o = {ready_i && !first, ready_i && first};
  assign first_o = first;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waits_q <= 1'b0;
    else waits_q <= valid_o && !ready_i;
  end
  always_ff @(posedge clk_i) first_q <= first;

`ifdef HW_CHECKS
  logic [Width-1:0] waiting_q;
  always_ff @(posedge clk_i) waiting_q <= data_o;
`endif
  `HW_ASSUME(a_valid_waits_for_ready, !waits_q || (first_q ? valid_i[0] : valid_i[1]))
  `HW_ASSERT(a_offered_word_stays, !waits_q || (valid_o && data_o == waiting_q))
  `HW_COVER(c_second_is_kept, waits_q && !first_q && valid_i[0])

endmodule

`default_nettype wire
