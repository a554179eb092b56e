// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Synchronous first-in first-out queue, first-word fall-through: data_o is the oldest word whenever
// empty_o is low.
//
// Latency: a word pushed in cycle c is on data_o in cycle c+1 if the queue was empty.
// Throughput: one push and one pop per cycle at any fill level between 1 and Depth-1; with Depth 1
//   every other cycle, since full_o does not look at pop_i.
// Combinational paths: none from inputs to outputs; empty_o, full_o and count_o are registers,
//   data_o is read from the storage at a registered address.
// Assumes: push_i only while full_o is low, pop_i only while empty_o is low.
// Guarantees: words leave in the order in which they came, none lost, none twice. Depth is any
//   number from 1 on, not only powers of two. The storage is not reset.
module hw_fifo #(
  parameter int unsigned Width = 0,
  parameter int unsigned Depth = 0,
  localparam int unsigned CountBits = (Depth > 0) ? $clog2(Depth + 1) : 1
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  // Producer
  input  wire logic              push_i,
  input  wire logic [Width-1:0]  data_i,
  output logic                   full_o,

  // Consumer
  input  wire logic              pop_i,
  output logic [Width-1:0]       data_o,
  output logic                   empty_o,

  // Status
  output logic [CountBits-1:0]   count_o
);

  if (Width == 0) begin : gen_bad_width
    $error("hw_fifo: Width must be at least 1");
  end
  if (Depth == 0) begin : gen_bad_depth
    $error("hw_fifo: Depth must be at least 1");
  end

  localparam int unsigned PtrBits = (Depth > 1) ? $clog2(Depth) : 1;
  localparam logic [PtrBits-1:0] Last = PtrBits'(Depth - 1);

  logic [Width-1:0] mem_q [0:Depth-1];
  logic [PtrBits-1:0] wr_d, wr_q, rd_d, rd_q;
  logic [CountBits-1:0] count_d, count_q;
  logic full_q, empty_q;

  always_comb begin
    wr_d = wr_q;
    rd_d = rd_q;
    count_d = count_q;
    if (push_i) wr_d = (wr_q == Last) ? '0 : wr_q + 1'b1;
    if (pop_i) rd_d = (rd_q == Last) ? '0 : rd_q + 1'b1;
    if (push_i && !pop_i) count_d = count_q + 1'b1;
    else if (!push_i && pop_i) count_d = count_q - 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wr_q <= '0;
      rd_q <= '0;
      count_q <= '0;
      full_q <= 1'b0;
      empty_q <= 1'b1;
    end else if (push_i || pop_i) begin
      wr_q <= wr_d;
      rd_q <= rd_d;
      count_q <= count_d;
      full_q <= (count_d == CountBits'(Depth));
      empty_q <= (count_d == '0);
    end
  end

  always_ff @(posedge clk_i) begin
    if (push_i) mem_q[wr_q] <= data_i;
  end

  assign data_o = mem_q[rd_q];
  assign full_o = full_q;
  assign empty_o = empty_q;
  assign count_o = count_q;

  `HW_ASSUME(a_no_push_when_full, !(push_i && full_q))
  `HW_ASSUME(a_no_pop_when_empty, !(pop_i && empty_q))
  `HW_ASSERT(a_flags_match_count, (full_q == (count_q == CountBits'(Depth))) &&
                                  (empty_q == (count_q == '0)))
  `HW_COVER(c_full, full_q)

endmodule

`default_nettype wire
