// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Queue in a memory with a clocked read port (hw_ram_1r1w), first-word fall-through: for words that are too many for flip-flops.
//
// Latency: a word that is pushed in cycle c is on data_o in c+2 if the queue was empty.
// Throughput: one push and one pop per cycle.
// Combinational paths: none from inputs to outputs; empty_o and full_o are registers, data_o is the memory's or a register.
// Assumes: push_i only while full_o is low, pop_i only while empty_o is low.
// Guarantees: words leave in the order in which they came, none lost, none twice. Depth is any number from 2 on; the words in front
//   of the memory's read port count among them.
module hw_ram_fifo #(
  parameter int unsigned Width = 0,
  parameter int unsigned Depth = 0,
  localparam int unsigned CountBits = (Depth > 0) ? $clog2(Depth + 1) : 1
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic              push_i,
  input  wire logic [Width-1:0]  data_i,
  output logic                   full_o,
  input  wire logic              pop_i,
  output logic [Width-1:0]       data_o,
  output logic                   empty_o,
  output logic [CountBits-1:0]   count_o
);

  if (Width == 0 || Depth < 2) begin : gen_bad_shape
    $error("hw_ram_fifo: Width must be at least 1, Depth at least 2");
  end

  localparam int unsigned PtrBits = (Depth > 1) ? $clog2(Depth) : 1;
  localparam logic [PtrBits-1:0] Last = PtrBits'(Depth - 1);

  // In memory: words from rd_q up to wr_q. Beyond it: the word that was read in the cycle before (read_q), and that which it would
  // push out (hold_q).
  logic [PtrBits-1:0] wr_q, rd_q;
  logic [CountBits-1:0] count_q, stored_q;         // all words; those in the memory
  logic full_q, read_q, hold_q, read, take;
  logic [Width-1:0] word, hold_word_q;

  // What is out of the memory after this cycle: at most one word, which read_q or hold_q has then.
  assign take = (read_q || hold_q) && !pop_i;
  assign read = stored_q != '0 && !take;
  assign empty_o = !read_q && !hold_q;
  assign data_o = hold_q ? hold_word_q : word;
  assign full_o = full_q;
  assign count_o = count_q;

  hw_ram_1r1w #(.Words(Depth), .Width(Width)) u_words (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_i(push_i), .write_addr_i(wr_q), .write_data_i(data_i),
    .read_i(read), .read_addr_i(rd_q), .read_data_o(word)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wr_q <= '0;
      rd_q <= '0;
      count_q <= '0;
      stored_q <= '0;
      full_q <= 1'b0;
      read_q <= 1'b0;
      hold_q <= 1'b0;
    end else begin
      if (push_i) wr_q <= (wr_q == Last) ? '0 : wr_q + 1'b1;
      if (read) rd_q <= (rd_q == Last) ? '0 : rd_q + 1'b1;
      if (push_i != read) stored_q <= push_i ? stored_q + 1'b1 : stored_q - 1'b1;
      if (push_i != pop_i) begin
        count_q <= push_i ? count_q + 1'b1 : count_q - 1'b1;
        full_q <= push_i && count_q == CountBits'(Depth - 1);
      end
      read_q <= read;
      hold_q <= take;
    end
  end
  always_ff @(posedge clk_i) begin
    if (read_q && !pop_i) hold_word_q <= word;
  end

  `HW_ASSUME(a_no_push_when_full, !(push_i && full_q))
  `HW_ASSUME(a_no_pop_when_empty, !(pop_i && empty_o))
  `HW_ASSERT(a_one_word_out, !(read_q && hold_q))
  `HW_ASSERT(a_words_are_somewhere, count_q == stored_q + CountBits'(read_q || hold_q))
  `HW_COVER(c_full, full_q)

endmodule

`default_nettype wire
