// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The copies of a Q-table, written alike: one for each agent that decides, one for updates and the CSR.
//
// With Parity (hw_q_ram) a decision reads infinity for a value with bad parity, which is then to be written anew (mend_*, see
// hw_q_mend); what an update reads is told as it is, with its columns of bad parity.
// Latency: a row read in cycle t is there in t+1, until the next read, with every write up to and including its own cycle.
// Throughput: NumReads decisions, an update's read and a write per cycle. Combinational paths: none from inputs to outputs.
module hw_q_copies #(
  parameter int unsigned NumRows = 0,
  parameter int unsigned NumCols = 0,
  parameter int unsigned NumReads = 1,
  parameter int unsigned ValueBits = 0,
  parameter bit Parity = 1'b0,
  localparam int unsigned RowBits = NumRows > 1 ? $clog2(NumRows) : 1
) (
  input  wire logic                                    clk_i,
  input  wire logic                                    rst_ni,
  // Write: the columns of write_cols_i
  input  wire logic [NumCols-1:0]                      write_cols_i,
  input  wire logic [RowBits-1:0]                      write_row_i,
  input  wire logic [NumCols*ValueBits-1:0]            write_values_i,
  // Decisions, a slice per agent
  input  wire logic [NumReads-1:0]                     read_valid_i,
  input  wire logic [NumReads*RowBits-1:0]             read_row_i,
  output logic [NumReads*NumCols*ValueBits-1:0]        read_values_o,
  // Updates
  input  wire logic                                    update_valid_i,
  input  wire logic [RowBits-1:0]                      update_row_i,
  output logic [NumCols*ValueBits-1:0]                 update_values_o,
  output logic [NumCols-1:0]                           update_bad_o,
  // A value that is to be written anew, new_o in its first cycle; 0 without Parity
  output logic                                         mend_valid_o,
  output logic                                         mend_new_o,
  output logic [RowBits-1:0]                           mend_row_o,
  output logic [NumCols-1:0]                           mend_column_o,
  input  wire logic                                    mend_done_i,
  output logic                                         idle_o
);

  if (NumRows == 0 || NumCols == 0 || NumReads == 0 || ValueBits == 0) begin : gen_bad_shape
    $error("hw_q_copies: NumRows, NumCols, NumReads and ValueBits must be at least 1");
  end

  logic [NumReads*NumCols-1:0] bad;

  for (genvar r = 0; r < NumReads; r = r + 1) begin : gen_decisions
    logic [NumCols*ValueBits-1:0] values;
    hw_q_ram #(.NumRows(NumRows), .NumCols(NumCols), .ValueBits(ValueBits), .Parity(Parity)) u_copy (
      .clk_i, .rst_ni, .write_cols_i, .write_row_i, .write_values_i,
      .read_valid_i(read_valid_i[r]), .read_row_i(read_row_i[r*RowBits+:RowBits]), .read_values_o(values),
      .bad_o(bad[r*NumCols+:NumCols])
    );
    for (genvar c = 0; c < NumCols; c = c + 1) begin : gen_value
      assign read_values_o[(r*NumCols+c)*ValueBits+:ValueBits] = values[c*ValueBits+:ValueBits] | {ValueBits{bad[r*NumCols+c]}};
    end
  end

  hw_q_ram #(.NumRows(NumRows), .NumCols(NumCols), .ValueBits(ValueBits), .Parity(Parity)) u_updates (
    .clk_i, .rst_ni, .write_cols_i, .write_row_i, .write_values_i,
    .read_valid_i(update_valid_i), .read_row_i(update_row_i), .read_values_o(update_values_o), .bad_o(update_bad_o)
  );

  if (Parity) begin : gen_mend
    hw_q_mend #(.NumRows(NumRows), .NumCols(NumCols), .NumReads(NumReads)) u_mend (
      .clk_i, .rst_ni, .read_valid_i, .read_row_i, .bad_i(bad), .valid_o(mend_valid_o), .new_o(mend_new_o), .row_o(mend_row_o),
      .column_o(mend_column_o), .done_i(mend_done_i), .idle_o
    );
  end else begin : gen_no_mend
    assign {mend_valid_o, mend_new_o, mend_row_o, mend_column_o} = '0;
    assign idle_o = 1'b1;
    wire unused = &{1'b0, bad, mend_done_i};
  end

endmodule

`default_nettype wire
