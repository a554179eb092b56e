// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// In the place of hw_dqn_neuron, with its ports and its latencies: instead of adding up it notes of which colours the
// weights, biases, shifts and inputs were, {0 seen, 1 seen}. A colour is the lowest bit of a loaded word, which holds four
// weights; an input carries those of the layers before in its lowest two.
module hw_dqn_neuron #(
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
  output logic [23:0]              value_o,
  output logic [7:0]               output_o
);

  logic [1:0] seen, products_q, sum_q, value, value_q;
  logic added_q, accumulate_q, add_first_q, accumulate_first_q;

  always_comb begin
    seen = '0;
    for (int unsigned i = 0; i < Depth; i = i + 1) begin
      seen = seen | inputs_i[i*8+:2];
      if (i % 4 == 0) seen = seen | {!weights_i[i*8], weights_i[i*8]};
    end
  end

  assign value = sum_q | (accumulate_first_q ? {!bias_i[0], bias_i[0]} : value_q);
  assign value_o = 24'(value);
  assign output_o = 8'(value | {!shift_i[0], shift_i[0]});

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      added_q <= 1'b0;
      accumulate_q <= 1'b0;
    end else begin
      added_q <= valid_i;
      accumulate_q <= added_q;
    end
  end

  always_ff @(posedge clk_i) begin
    add_first_q <= first_i;
    accumulate_first_q <= add_first_q;
    if (valid_i) products_q <= seen;
    if (added_q) sum_q <= products_q;
    if (accumulate_q) value_q <= value;
  end

endmodule

`default_nettype wire
