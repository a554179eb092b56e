// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The entries of a Q-table that are read to be written, on their way. An update moves the value towards its target:
//   delta = target - old;  new = old + floor(delta * rate / 2^16),  rate = alpha_i if delta < 0, beta_i otherwise
// so new is never outside old and target, falls by at least 1 for delta < 0 and alpha_i > 0, and stays where it is for
// 0 <= delta < 2^16 / beta_i. The CSR's writes write the target; its reads, and what is written anew (mend_i), are of the old value.
// Stage 1 has delta, stage 2 its product with the rate, which is read then, stage 3 the sum with the old value.
// A value with bad parity is infinity to the CSR, an update takes the target for the new one, and either is written.
//
// Latency: what is taken in cycle t ends, and is written, in t+3. Throughput: one per cycle.
// Combinational paths: look_rows_i -> held_o.
// Assumes: values_i, bad_i are of the row that was taken in the cycle before; nothing is taken of an entry that is held.
// Reference: Kang, Wang & Lan, "Q-adaptive", HPDC 2021, section 4 (the update with alpha and beta). Proved by prove_q_update.
module hw_q_update #(
  parameter int unsigned NumRows = 0,
  parameter int unsigned NumCols = 0,
  parameter int unsigned ValueBits = 0,
  localparam int unsigned RowBits = NumRows > 1 ? $clog2(NumRows) : 1
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  input  wire logic [15:0]                   alpha_i,       // 2^-16
  input  wire logic [15:0]                   beta_i,
  // An entry that is read in this cycle: an update unless csr_i or mend_i
  input  wire logic                          valid_i,
  input  wire logic                          csr_i,
  input  wire logic                          mend_i,
  input  wire logic                          write_i,
  input  wire logic [RowBits-1:0]            row_i,
  input  wire logic [NumCols-1:0]            column_i,      // one-hot
  input  wire logic [ValueBits-1:0]          target_i,
  // Its row, a cycle later, and the columns with bad parity
  input  wire logic [NumCols*ValueBits-1:0]  values_i,
  input  wire logic [NumCols-1:0]            bad_i,
  // For each column and a row: the entry is on its way, and a read would not have what is written
  input  wire logic [NumCols*RowBits-1:0]    look_rows_i,
  output logic [NumCols-1:0]                 held_o,
  output logic                               csr_busy_o,    // one of the CSR is on its way
  output logic                               mend_busy_o,
  output logic                               idle_o,
  // The entry that ends in this cycle
  output logic                               csr_o,
  output logic                               mend_o,
  output logic                               update_o,
  output logic                               write_o,
  output logic                               bad_o,         // it had bad parity
  output logic [RowBits-1:0]                 row_o,
  output logic [NumCols-1:0]                 column_o,
  output logic [ValueBits-1:0]               target_o,
  output logic [ValueBits-1:0]               old_o,         // before; of what is not learned, what is written
  output logic [ValueBits-1:0]               value_o
);

  if (NumRows == 0 || NumCols == 0 || ValueBits < 2) begin : gen_bad_shape
    $error("hw_q_update: NumRows and NumCols must be at least 1, ValueBits 2");
  end

  localparam int unsigned ProductBits = ValueBits + 18;

  // Stages 1 to 3: bits or slices 0 to 2
  logic [2:0] valid_q, csr_q, mend_q, write_q;
  logic [3*RowBits-1:0] row_q;
  logic [3*NumCols-1:0] column_q;
  logic [3*ValueBits-1:0] target_q;
  logic [2:1] bad_q;
  logic bad, given, learns;                          // given: the target is written, whatever is read
  logic [ValueBits-1:0] read, old, old2_q, old3_q;
  logic signed [ValueBits:0] delta_q;
  logic [15:0] rate;
  logic signed [ProductBits-1:0] product_q;

  always_comb begin
    held_o = '0;
    if (valid_q[1:0] != '0) begin
      for (int unsigned c = 0; c < NumCols; c = c + 1) begin
        for (int unsigned s = 0; s < 2; s = s + 1) begin
          if (valid_q[s] && column_q[s*NumCols+c] && row_q[s*RowBits+:RowBits] == look_rows_i[c*RowBits+:RowBits]) held_o[c] = 1'b1;
        end
      end
    end
  end

  // Stage 1
  always_comb begin
    read = '0;
    bad = 1'b0;
    if (valid_q[0]) begin
      bad = (column_q[NumCols-1:0] & bad_i) != '0;
      for (int unsigned c = 0; c < NumCols; c = c + 1) begin
        if (column_q[c]) read = read | values_i[c*ValueBits+:ValueBits];
      end
    end
    learns = !csr_q[0] && !mend_q[0] && !bad;
    given = csr_q[0] ? write_q[0] : bad && !mend_q[0];
    old = given ? target_q[ValueBits-1:0] : read | {ValueBits{bad}};
  end

  // Stages 2 and 3
  assign rate = delta_q[ValueBits] ? alpha_i : beta_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[1:0], valid_i};
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      {csr_q[0], mend_q[0], write_q[0]} <= {csr_i, mend_i, write_i};
      row_q[RowBits-1:0] <= row_i;
      column_q[NumCols-1:0] <= column_i;
      target_q[ValueBits-1:0] <= target_i;
    end
    if (valid_q[0]) begin
      {csr_q[1], mend_q[1], write_q[1], bad_q[1]} <= {csr_q[0], mend_q[0], write_q[0] || bad, bad};
      row_q[RowBits+:RowBits] <= row_q[RowBits-1:0];
      column_q[NumCols+:NumCols] <= column_q[NumCols-1:0];
      target_q[ValueBits+:ValueBits] <= target_q[ValueBits-1:0];
      old2_q <= old;
      delta_q <= learns ? {1'b0, target_q[ValueBits-1:0]} - {1'b0, read} : '0;
    end
    if (valid_q[1]) begin
      {csr_q[2], mend_q[2], write_q[2], bad_q[2]} <= {csr_q[1], mend_q[1], write_q[1], bad_q[1]};
      row_q[2*RowBits+:RowBits] <= row_q[RowBits+:RowBits];
      column_q[2*NumCols+:NumCols] <= column_q[NumCols+:NumCols];
      target_q[2*ValueBits+:ValueBits] <= target_q[ValueBits+:ValueBits];
      old3_q <= old2_q;
      product_q <= ProductBits'(delta_q) * ProductBits'($signed({1'b0, rate}));
    end
  end

  assign csr_busy_o = (valid_q & csr_q) != '0;
  assign mend_busy_o = (valid_q & mend_q) != '0;
  assign idle_o = valid_q == '0;
  assign csr_o = valid_q[2] && csr_q[2];
  assign mend_o = valid_q[2] && mend_q[2];
  assign update_o = valid_q[2] && !csr_q[2] && !mend_q[2];
  assign write_o = valid_q[2] && write_q[2];
  assign bad_o = valid_q[2] && bad_q[2];
  assign row_o = row_q[2*RowBits+:RowBits];
  assign column_o = column_q[2*NumCols+:NumCols];
  assign target_o = target_q[2*ValueBits+:ValueBits];
  assign old_o = old3_q;
  assign value_o = old3_q + ValueBits'(product_q >>> 16);

  `HW_ASSERT(a_value_between, !update_o || (target_o < old_o ? value_o >= target_o && value_o <= old_o
                                                             : value_o <= target_o && value_o >= old_o))

endmodule

`default_nettype wire
