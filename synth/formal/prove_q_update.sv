// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_q_table, for any step sizes and whatever the tables hold: what an update writes lies between the value that it
// has read and the target, so that it never wraps, and below that value if the target does and alpha is not 0.
//
// prove_q_table proves that it has read the entry as it is. Here the entry is not followed, so that words may be wide.
module prove_q_update #(
  parameter int unsigned NumRows = 0,
  parameter int unsigned NumCols = 0,
  parameter int unsigned ValueBits = 0,
  parameter int unsigned FifoDepth = 1,
  localparam int unsigned RowBits = NumRows > 1 ? $clog2(NumRows) : 1,
  localparam int unsigned ColBits = NumCols > 1 ? $clog2(NumCols) : 1
) (
  input wire logic                                    clk_i,
  input wire logic [15:0]                             alpha_i,
  input wire logic [15:0]                             beta_i,
  input wire logic                                    freeze_i,
  input wire logic [NumCols*ValueBits-1:0]            init_values_i,
  input wire logic [NumCols-1:0]                      feedback_valid_i,
  input wire logic [NumCols*(ValueBits+RowBits)-1:0]  feedback_i,
  input wire logic                                    csr_req_i,
  input wire logic                                    csr_we_i,
  input wire logic [RowBits-1:0]                      csr_row_i,
  input wire logic [ColBits-1:0]                      csr_col_i,
  input wire logic [ValueBits-1:0]                    csr_wdata_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [RowBits-1:0] write_row;
  logic [ColBits-1:0] write_col;
  logic [NumCols*ValueBits-1:0] values;
  logic [ValueBits-1:0] target, old;
  logic written;

  // The port of the decisions shows the row that is written in the cycle before, as it is then; the CSR's port what was read.
  hw_q_table #(.NumRows(NumRows), .NumCols(NumCols), .ValueBits(ValueBits), .FifoDepth(FifoDepth)) u_dut (
    .clk_i, .rst_ni, .alpha_i, .beta_i, .freeze_i, .init_o(), .init_row_o(), .init_values_i,
    .read_valid_i(written), .read_row_i(write_row), .read_values_o(values),
    .feedback_valid_i, .feedback_i, .csr_req_i, .csr_we_i, .csr_row_i, .csr_col_i, .csr_wdata_i,
    .csr_ack_o(), .csr_rdata_o(old), .updates_o(), .dropped_o(),
    .write_valid_o(written), .write_row_o(write_row), .write_col_o(write_col), .write_target_o(target), .idle_o()
  );

  logic [ValueBits-1:0] value, old_q, target_q;
  logic [ColBits-1:0] col_q;
  logic update_q, falls_q, steps_q, between;
  assign value = values[col_q*ValueBits+:ValueBits];
  assign between = target_q < old_q ? value >= target_q && value <= old_q : value <= target_q && value >= old_q;

  always_ff @(posedge clk_i) begin
    update_q <= rst_ni && written;
    col_q <= write_col;
    old_q <= old;
    target_q <= target;
    {falls_q, steps_q} <= {steps_q, alpha_i != '0};  // the step size is that of the cycle before the write
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      a_between: assert (!update_q || between);
      a_falls: assert (!(update_q && falls_q && target_q < old_q) || value < old_q);
      c_rises: cover (update_q && value > old_q && target_q == '1);
      c_falls_by_one: cover (update_q && value == old_q - ValueBits'(1) && value > target_q);
    end
  end

endmodule

`default_nettype wire
