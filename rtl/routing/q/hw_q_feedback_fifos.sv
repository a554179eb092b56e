// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The words of feedback that wait for the Q-table: a FIFO per column.
//
// Latency: a word that comes in cycle t is on oldest_o in t+1, if no other waits; a dropped one is in dropped_o in t+2.
// Throughput: a word in and a word out per cycle and column.
// Combinational paths: none; every output is a register.
// Assumes: only FIFOs with a word are popped.
// Guarantees: a word that finds its FIFO full (FifoDepth words, none popped in this cycle) is dropped and counted, and holds up
// nothing else. Without input nothing changes once the last drop is counted, which it is before the FIFOs are empty.
// Reference: docs/reference/learning.md.
module hw_q_feedback_fifos #(
  parameter int unsigned NumCols = 0,
  parameter int unsigned WordBits = 0,
  parameter int unsigned FifoDepth = 0
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,
  // One slice per column
  input  wire logic [NumCols-1:0]           push_i,
  input  wire logic [NumCols*WordBits-1:0]  words_i,
  input  wire logic [NumCols-1:0]           pop_i,
  output logic [NumCols-1:0]                valid_o,    // it has a word
  output logic [NumCols*WordBits-1:0]       oldest_o,
  // Counter, modulo 2^32
  output logic [31:0]                       dropped_o
);

  localparam int unsigned FifoBits = FifoDepth * WordBits;
  localparam int unsigned CountBits = $clog2(FifoDepth + 1);
  localparam int unsigned DropBits = $clog2(NumCols + 1);

  if (NumCols == 0 || WordBits == 0 || FifoDepth == 0) begin : gen_bad_size
    $error("hw_q_feedback_fifos: NumCols, WordBits and FifoDepth must be at least 1");
  end

  // FIFO c: its oldest word in the lowest bits of its FifoBits
  logic [NumCols*FifoBits-1:0] words_d, words_q;
  logic [NumCols*CountBits-1:0] count_d, count_q;
  logic [NumCols-1:0] valid_d, valid_q;
  logic [FifoBits-1:0] fifo;
  logic [CountBits-1:0] count;
  logic [DropBits-1:0] drops, drops_q;
  logic [31:0] dropped_q;

  always_comb begin
    words_d = words_q;
    count_d = count_q;
    valid_d = valid_q;
    fifo = '0;
    count = '0;
    drops = '0;
    if (pop_i != '0 || push_i != '0) begin
      for (int unsigned c = 0; c < NumCols; c = c + 1) begin
        if (push_i[c] || pop_i[c]) begin
          fifo = words_q[c*FifoBits+:FifoBits];
          count = count_q[c*CountBits+:CountBits];
          if (pop_i[c]) begin
            fifo = fifo >> WordBits;
            count = count - CountBits'(1);
          end
          if (push_i[c]) begin
            if (count == CountBits'(FifoDepth)) begin
              drops = drops + DropBits'(1);
            end else begin
              for (int unsigned d = 0; d < FifoDepth; d = d + 1) begin
                if (32'(count) == d) fifo[d*WordBits+:WordBits] = words_i[c*WordBits+:WordBits];
              end
              count = count + CountBits'(1);
            end
          end
          words_d[c*FifoBits+:FifoBits] = fifo;
          count_d[c*CountBits+:CountBits] = count;
          valid_d[c] = count != '0;
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      valid_q <= '0;
      drops_q <= '0;
      dropped_q <= '0;
    end else begin
      if (pop_i != '0 || push_i != '0) begin
        count_q <= count_d;
        valid_q <= valid_d;
      end
      drops_q <= drops;
      if (drops_q != '0) dropped_q <= dropped_q + 32'(drops_q);
    end
  end

  always_ff @(posedge clk_i) begin
    if (pop_i != '0 || push_i != '0) words_q <= words_d;
  end

  assign valid_o = valid_q;
  assign dropped_o = dropped_q;
  for (genvar c = 0; c < NumCols; c = c + 1) begin : gen_oldest
    assign oldest_o[c*WordBits+:WordBits] = words_q[c*FifoBits+:WordBits];
  end

  `HW_ASSUME(a_pop_only_valid, (pop_i & ~valid_q) == '0)
  `HW_ASSERT(a_counted_before_idle, drops_q == '0 || valid_q != '0)
  `HW_COVER(c_dropped, drops != '0)

endmodule

`default_nettype wire
