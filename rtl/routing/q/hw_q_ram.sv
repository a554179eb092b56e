// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Memory of a Q-table: a row is read, any columns of a row are written, in every cycle.
//
// Latency: the row read in cycle t is on read_values_o in t+1 and holds until the next read.
// Throughput: one read and one write per cycle.
// Combinational paths: none from inputs to outputs.
// Assumes: rows below NumRows; a row was written before it is read.
// Guarantees: a read contains every write up to and including its own cycle. What is written in the cycle of a read of the
//   same row is kept beside the array (NumCols * (ValueBits + 1) flip-flops), so that the array is block RAM: one write
//   port with an enable per column, one synchronous read port. The array is not reset.
//   With Parity a value lies there with a bit that makes its number of ones even; bad_o has the columns of the row read in which it
//   is odd. One flipped bit of a value is found, two are not.
//   Checked by the proof of hw_q_table.
module hw_q_ram #(
  parameter int unsigned NumRows = 0,
  parameter int unsigned NumCols = 0,
  parameter int unsigned ValueBits = 0,
  parameter bit Parity = 1'b0,
  localparam int unsigned RowBits = NumRows > 1 ? $clog2(NumRows) : 1
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  // Write: the columns of write_cols_i
  input  wire logic [NumCols-1:0]            write_cols_i,
  input  wire logic [RowBits-1:0]            write_row_i,
  input  wire logic [NumCols*ValueBits-1:0]  write_values_i,
  // Read
  input  wire logic                          read_valid_i,
  input  wire logic [RowBits-1:0]            read_row_i,
  output logic [NumCols*ValueBits-1:0]       read_values_o,
  output logic [NumCols-1:0]                 bad_o            // 0 without Parity
);

  if (NumRows == 0 || NumCols == 0 || ValueBits == 0) begin : gen_bad_shape
    $error("hw_q_ram: NumRows, NumCols and ValueBits must be at least 1");
  end

  localparam int unsigned WordBits = ValueBits + (Parity ? 1 : 0);  // of a column

  logic [NumCols*WordBits-1:0] mem [0:NumRows-1];
  logic [NumCols*WordBits-1:0] words, read_q;
  logic [NumCols*ValueBits-1:0] written_q;
  logic [NumCols-1:0] written_cols_q;   // of the row read, in the cycle of the read

  for (genvar c = 0; c < NumCols; c = c + 1) begin : gen_word
    assign words[c*WordBits+:ValueBits] = write_values_i[c*ValueBits+:ValueBits];
    if (Parity) begin : gen_parity
      assign words[c*WordBits+ValueBits] = ^write_values_i[c*ValueBits+:ValueBits];
      assign bad_o[c] = ^read_q[c*WordBits+:WordBits] && !written_cols_q[c];
    end else begin : gen_no_parity
      assign bad_o[c] = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (write_cols_i != '0) begin
      for (int unsigned c = 0; c < NumCols; c = c + 1) begin
        if (write_cols_i[c]) mem[write_row_i][c*WordBits+:WordBits] <= words[c*WordBits+:WordBits];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (read_valid_i) read_q <= mem[read_row_i];
    if (read_valid_i && write_cols_i != '0) written_q <= write_values_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) written_cols_q <= '0;
    else if (read_valid_i) written_cols_q <= write_row_i == read_row_i ? write_cols_i : '0;
  end

  always_comb begin
    read_values_o = '0;
    for (int unsigned c = 0; c < NumCols; c = c + 1) read_values_o[c*ValueBits+:ValueBits] = read_q[c*WordBits+:ValueBits];
    if (written_cols_q != '0) begin
      for (int unsigned c = 0; c < NumCols; c = c + 1) begin
        if (written_cols_q[c]) read_values_o[c*ValueBits+:ValueBits] = written_q[c*ValueBits+:ValueBits];
      end
    end
  end

  `HW_ASSUME(a_row_read_exists, !read_valid_i || 32'(read_row_i) < NumRows)
  `HW_ASSUME(a_row_written_exists, write_cols_i == '0 || 32'(write_row_i) < NumRows)
  `HW_COVER(c_read_meets_write, written_cols_q != '0)

endmodule

`default_nettype wire
