// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// hw_dqn_neuron beside one expression per step, for proofs: right_o is low where they differ.
module hw_dqn_neuron_bench #(
  parameter int unsigned Depth = 0
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic                valid_i,
  input  wire logic                first_i,
  input  wire logic [Depth*8-1:0]  weights_i,
  input  wire logic [Depth*8-1:0]  inputs_i,
  input  wire logic [23:0]         bias_i,
  input  wire logic [3:0]          shift_i,
  output logic                     right_o
);

  logic [23:0] value, saturated;
  logic [24:0] sum, sum_q, sum2_q, total, total_q;
  logic [7:0] out, expected;
  logic valid_q, valid2_q, first_q, first2_q;

  hw_dqn_neuron #(.Depth(Depth)) u_neuron (
    .clk_i, .rst_ni, .valid_i, .first_i, .weights_i, .inputs_i, .bias_i, .shift_i, .value_o(value), .output_o(out)
  );

  always_comb begin
    sum = '0;
    for (int unsigned i = 0; i < Depth; i = i + 1) begin
      sum = sum + 25'($signed(weights_i[i*8+:8]) * $signed({1'b0, inputs_i[i*8+:8]}));
    end
    total = (first2_q ? 25'($signed(bias_i)) : total_q) + sum2_q;
    saturated = total[23:0];
    if ($signed(total) > 25'sd8388607) saturated = 24'h7fffff;
    if ($signed(total) < -25'sd8388608) saturated = 24'h800000;
    expected = 8'd0;
    if (!total[24]) expected = (total >> shift_i) > 25'd255 ? 8'd255 : 8'(total >> shift_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      valid2_q <= 1'b0;
    end else begin
      valid_q <= valid_i;
      valid2_q <= valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    first_q <= first_i;
    first2_q <= first_q;
    sum_q <= sum;
    sum2_q <= sum_q;
    if (valid2_q) total_q <= total;
  end

  assign right_o = !valid2_q || (value == saturated && out == expected);

endmodule

`default_nettype wire
