// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// What decisions find with bad parity in their copies of a Q-table, one value at a time: hw_q_table writes it anew in all copies, from
// the copy that updates read. What is found while one is on its way is left for the next decision that reads it.
//
// Latency: a row read in cycle t is looked at in t+1, and told from t+2 on, until done_i. Combinational paths: none.
// Guarantees: what is told is told in new_o once, in its first cycle. Without input and with idle_o high nothing changes. Checked by the
// tests of hw_q_table.
module hw_q_mend #(
  parameter int unsigned NumRows = 0,
  parameter int unsigned NumCols = 0,
  parameter int unsigned NumReads = 1,
  localparam int unsigned RowBits = NumRows > 1 ? $clog2(NumRows) : 1
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,
  // Decisions, and in the cycle after each the columns of its row with bad parity
  input  wire logic [NumReads-1:0]            read_valid_i,
  input  wire logic [NumReads*RowBits-1:0]    read_row_i,
  input  wire logic [NumReads*NumCols-1:0]    bad_i,
  // The value that is to be written
  output logic                                valid_o,
  output logic                                new_o,
  output logic [RowBits-1:0]                  row_o,
  output logic [NumCols-1:0]                  column_o,    // one-hot
  input  wire logic                           done_i,      // it is, in this cycle
  output logic                                idle_o
);

  if (NumRows == 0 || NumCols == 0 || NumReads == 0) begin : gen_bad_shape
    $error("hw_q_mend: NumRows, NumCols and NumReads must be at least 1");
  end

  logic [NumReads-1:0] read_q;
  logic [NumReads*RowBits-1:0] rows_q;
  logic valid_q, new_q, found;
  logic [RowBits-1:0] row_q, row;
  logic [NumCols-1:0] column_q, column;

  always_comb begin
    found = 1'b0;
    row = '0;
    column = '0;
    for (int unsigned r = 0; r < NumReads; r = r + 1) begin
      for (int unsigned c = 0; c < NumCols; c = c + 1) begin
        if (read_q[r] && bad_i[r*NumCols+c] && !found) begin
          found = 1'b1;
          row = rows_q[r*RowBits+:RowBits];
          column[c] = 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q <= '0;
      valid_q <= 1'b0;
      new_q <= 1'b0;
    end else begin
      read_q <= read_valid_i;
      valid_q <= valid_q ? !done_i : found;
      new_q <= found && !valid_q;
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned r = 0; r < NumReads; r = r + 1) begin
      if (read_valid_i[r]) rows_q[r*RowBits+:RowBits] <= read_row_i[r*RowBits+:RowBits];
    end
    if (!valid_q) begin
      row_q <= row;
      column_q <= column;
    end
  end

  assign valid_o = valid_q;
  assign new_o = new_q;
  assign row_o = row_q;
  assign column_o = column_q;
  assign idle_o = read_q == '0 && !valid_q;

  `HW_ASSUME(a_done_with_one, !done_i || valid_q)
  `HW_COVER(c_found_while_busy, found && valid_q)

endmodule

`default_nettype wire
