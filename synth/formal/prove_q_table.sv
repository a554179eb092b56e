// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_q_table, for any step sizes: a value changes only by the initialisation, by the CSR, which writes what it was
// given, and by an update, which leaves it between the old value and the target (so that it never wraps), and lower than the
// old one if the target is and alpha is not 0; one update at a time, each on top of the one before.
//
// One entry, chosen freely, is watched through the port of the decisions.
module prove_q_table #(
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
  input wire logic [ValueBits-1:0]                    csr_wdata_i,
  input wire logic [RowBits-1:0]                      row_i,        // the entry that is watched
  input wire logic [ColBits-1:0]                      col_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [RowBits-1:0] row_q, init_row, write_row;
  logic [ColBits-1:0] col_q, write_col;
  logic [NumCols*ValueBits-1:0] values;
  logic [ValueBits-1:0] target;
  logic init, ack, written;

  hw_q_table #(.NumRows(NumRows), .NumCols(NumCols), .ValueBits(ValueBits), .FifoDepth(FifoDepth)) u_dut (
    .clk_i, .rst_ni, .alpha_i, .beta_i, .freeze_i, .init_o(init), .init_row_o(init_row), .init_values_i,
    .read_valid_i(1'b1), .read_row_i(row_q), .read_values_o(values),
    .feedback_valid_i, .feedback_i, .csr_req_i, .csr_we_i, .csr_row_i, .csr_col_i, .csr_wdata_i,
    .csr_ack_o(ack), .csr_rdata_o(), .updates_o(), .dropped_o(),
    .write_valid_o(written), .write_row_o(write_row), .write_col_o(write_col), .write_target_o(target), .idle_o()
  );

  // The entry's value as of the cycle before, and what was written to it then.
  logic [ValueBits-1:0] value, before_q, target_q;
  logic known_q, init_q, update_q, csr_q, falls_q, steps_q, waits_q;
  logic [1+RowBits+ColBits+ValueBits-1:0] request_q;
  assign value = values[col_q*ValueBits+:ValueBits];

  always_ff @(posedge clk_i) begin
    before_q <= value;
    target_q <= init ? init_values_i[col_q*ValueBits+:ValueBits] : ack ? csr_wdata_i : target;
    {falls_q, steps_q} <= {steps_q, alpha_i != '0};  // the step size is that of the cycle before the write
    request_q <= {csr_we_i, csr_row_i, csr_col_i, csr_wdata_i};
    if (!rst_ni) begin
      row_q <= row_i;
      col_q <= col_i;
      known_q <= 1'b0;
      init_q <= 1'b0;
      update_q <= 1'b0;
      csr_q <= 1'b0;
      waits_q <= 1'b0;
    end else begin
      init_q <= init && init_row == row_q;
      known_q <= known_q || init_q;
      update_q <= written && write_row == row_q && write_col == col_q;
      csr_q <= ack && csr_we_i && csr_row_i == row_q && csr_col_i == col_q;
      waits_q <= csr_req_i && !ack;
    end
  end

  logic between;
  assign between = target_q < before_q ? value >= target_q && value <= before_q
                                       : value <= target_q && value >= before_q;

  always @(posedge clk_i) begin
    assume (32'(row_i) < NumRows && 32'(col_i) < NumCols);
    if (rst_ni) begin
      assume (!waits_q || (csr_req_i && request_q == {csr_we_i, csr_row_i, csr_col_i, csr_wdata_i}));
      a_initialised: assert (!init_q || value == target_q);
      a_csr: assert (!csr_q || value == target_q);
      a_monotone: assert (!(known_q && update_q) || between);
      a_falls: assert (!(known_q && update_q && falls_q && target_q < before_q) || value < before_q);
      a_nothing_else: assert (!known_q || update_q || csr_q || value == before_q);
      c_rises: cover (known_q && update_q && value > before_q && target_q == '1);
      c_falls: cover (known_q && update_q && value < before_q && value > target_q);
      c_csr: cover (csr_q);
    end
  end

endmodule

`default_nettype wire
