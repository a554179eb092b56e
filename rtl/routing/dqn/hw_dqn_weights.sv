// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Two banks of weights or biases: rows are read whole, one column of a row is written, in every cycle.
//
// Latency: the row read in cycle t is on read_data_o in t+1 and holds until the next read.
// Throughput: one read and one write per cycle.
// Combinational paths: none from inputs to outputs.
// Assumes: rows below NumRows, columns below NumCols; no write to the bank that is read.
// Storage: one write port with an enable per column, one synchronous read port, no reset: block RAM.
module hw_dqn_weights #(
  parameter int unsigned NumRows = 0,                    // of a bank
  parameter int unsigned NumCols = 0,
  parameter int unsigned ColumnBits = 32,
  localparam int unsigned RowBits = NumRows > 1 ? $clog2(NumRows) : 1,
  localparam int unsigned ColBits = NumCols > 1 ? $clog2(NumCols) : 1
) (
  input  wire logic                           clk_i,
  // Write
  input  wire logic                           write_valid_i,
  input  wire logic                           write_bank_i,
  input  wire logic [RowBits-1:0]             write_row_i,
  input  wire logic [ColBits-1:0]             write_col_i,
  input  wire logic [ColumnBits-1:0]          write_data_i,
  // Read
  input  wire logic                           read_valid_i,
  input  wire logic                           read_bank_i,
  input  wire logic [RowBits-1:0]             read_row_i,
  output logic [NumCols*ColumnBits-1:0]       read_data_o
);

  if (NumRows == 0 || NumCols == 0 || ColumnBits == 0) begin : gen_bad_shape
    $error("hw_dqn_weights: NumRows, NumCols and ColumnBits must be at least 1");
  end

  logic [NumCols*ColumnBits-1:0] mem [0:2**(RowBits+1)-1];

  always_ff @(posedge clk_i) begin
    if (write_valid_i) begin
      for (int unsigned c = 0; c < NumCols; c = c + 1) begin
        if (32'(write_col_i) == c) mem[{write_bank_i, write_row_i}][c*ColumnBits+:ColumnBits] <= write_data_i;
      end
    end
  end

  logic [NumCols*ColumnBits-1:0] read_data_q;
  assign read_data_o = read_data_q;

  always_ff @(posedge clk_i) begin
    if (read_valid_i) read_data_q <= mem[{read_bank_i, read_row_i}];
  end

endmodule

`default_nettype wire
