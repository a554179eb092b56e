// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Two banks of weights or biases: rows are read whole, one column of a row is written, in every cycle.
//
// Latency: the row read in cycle t is on read_data_o in t+1 and holds until the next read.
// Throughput: one read and one write per cycle.
// Combinational paths: none from inputs to outputs.
// Assumes: rows below NumRows, columns below NumCols; no write to the bank that is read; none while write_ready_o is low.
// With Parity a column lies there with a bit that makes its number of ones even. Where that is odd, bad_o says so in the cycle after the
// read, and in the next cycle the column becomes 0, the first one of a row: flip_* tells of it, once. Columns that Used does not have
// may have never been written.
// Storage: one write port with an enable per column, one synchronous read port, no reset: block RAM.
module hw_dqn_weights #(
  parameter int unsigned NumRows = 0,                    // of a bank
  parameter int unsigned NumCols = 0,
  parameter int unsigned ColumnBits = 32,
  parameter bit Parity = 1'b0,
  parameter bit [NumRows*NumCols-1:0] Used = {NumRows*NumCols{1'b1}},  // a bit per column of each row
  localparam int unsigned RowBits = NumRows > 1 ? $clog2(NumRows) : 1,
  localparam int unsigned ColBits = NumCols > 1 ? $clog2(NumCols) : 1
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,
  // Write
  output logic                                write_ready_o,
  input  wire logic                           write_valid_i,
  input  wire logic                           write_bank_i,
  input  wire logic [RowBits-1:0]             write_row_i,
  input  wire logic [ColBits-1:0]             write_col_i,
  input  wire logic [ColumnBits-1:0]          write_data_i,
  // Read
  input  wire logic                           read_valid_i,
  input  wire logic                           read_bank_i,
  input  wire logic [RowBits-1:0]             read_row_i,
  output logic [NumCols*ColumnBits-1:0]       read_data_o,
  // Parity; 0 without
  output logic                                bad_o,
  output logic                                flip_o,
  output logic [RowBits-1:0]                  flip_row_o,
  output logic [ColBits-1:0]                  flip_col_o
);

  if (NumRows == 0 || NumCols == 0 || ColumnBits == 0) begin : gen_bad_shape
    $error("hw_dqn_weights: NumRows, NumCols and ColumnBits must be at least 1");
  end

  localparam int unsigned WordBits = ColumnBits + (Parity ? 1 : 0);

  logic [NumCols*WordBits-1:0] mem [0:2**(RowBits+1)-1];
  logic write;
  logic [RowBits:0] write_row;                           // bank and row
  logic [ColBits-1:0] write_col;
  logic [WordBits-1:0] write_word;

  always_ff @(posedge clk_i) begin
    if (write) begin
      for (int unsigned c = 0; c < NumCols; c = c + 1) begin
        if (32'(write_col) == c) mem[write_row][c*WordBits+:WordBits] <= write_word;
      end
    end
  end

  logic [NumCols*WordBits-1:0] read_data_q;
  for (genvar c = 0; c < NumCols; c = c + 1) begin : gen_read
    assign read_data_o[c*ColumnBits+:ColumnBits] = read_data_q[c*WordBits+:ColumnBits];
  end

  always_ff @(posedge clk_i) begin
    if (read_valid_i) read_data_q <= mem[{read_bank_i, read_row_i}];
  end

  if (Parity) begin : gen_parity
    logic [NumCols-1:0] bad;
    logic read_q, mend_q, mended_q;
    logic [RowBits:0] row_q, mend_row_q;
    logic [ColBits-1:0] col, mend_col_q;

    always_comb begin
      bad = '0;
      col = '0;
      for (int unsigned c = NumCols; c > 0; c = c - 1) begin
        bad[c-1] = read_q && Used[32'(row_q[RowBits-1:0])*NumCols+c-1] && ^read_data_q[(c-1)*WordBits+:WordBits];
        if (bad[c-1]) col = ColBits'(c - 1);
      end
    end

    // A row that is read while one of its columns is mended is as it was.
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        read_q <= 1'b0;
        mend_q <= 1'b0;
        mended_q <= 1'b0;
      end else begin
        read_q <= read_valid_i;
        mend_q <= bad_o && !mend_q && !mended_q;
        mended_q <= mend_q;
      end
    end
    always_ff @(posedge clk_i) begin
      if (read_valid_i) row_q <= {read_bank_i, read_row_i};
      if (!mend_q) begin
        mend_row_q <= row_q;
        mend_col_q <= col;
      end
    end

    assign bad_o = bad != '0;
    assign write_ready_o = !mend_q;
    assign write = write_valid_i || mend_q;
    assign write_row = mend_q ? mend_row_q : {write_bank_i, write_row_i};
    assign write_col = mend_q ? mend_col_q : write_col_i;
    assign write_word = mend_q ? '0 : WordBits'({^write_data_i, write_data_i});
    assign flip_o = mend_q;
    assign flip_row_o = mend_row_q[RowBits-1:0];
    assign flip_col_o = mend_col_q;
  end else begin : gen_no_parity
    assign write_ready_o = 1'b1;
    assign write = write_valid_i;
    assign write_row = {write_bank_i, write_row_i};
    assign write_col = write_col_i;
    assign write_word = WordBits'(write_data_i);
    assign {bad_o, flip_o, flip_row_o, flip_col_o} = '0;
    wire unused = &{1'b0, rst_ni};
  end

endmodule

`default_nettype wire
