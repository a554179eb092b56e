// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// One lane of the dot-product array: Depth products a cycle, added up, one neuron after the other.
//
//   value = bias + sum over the steps of a neuron of w * a      w signed, a unsigned 8 bits; bias signed 24
//   output = min(255, max(0, value) >> shift)                  value_o saturates at 24 bits
//
// Latency: multiply | add | accumulate: a step of cycle t is in value_o and output_o in t+2, if the bias of its neuron's first
//   step and the shift are there in t+2, too.
// Throughput: a step per cycle; pauses at will.
// Combinational paths: bias_i, shift_i -> value_o, output_o.
// Assumes: a neuron has at most 255 inputs that are not 0. Then its sum fits 25 bits, whatever weights and biases are: 2^23 + 255 *
// 128 * 255 < 2^24.
module hw_dqn_neuron #(
  parameter int unsigned Depth = 0
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  // Step
  input  wire logic                valid_i,
  input  wire logic                first_i,       // of a neuron
  input  wire logic [Depth*8-1:0]  weights_i,
  input  wire logic [Depth*8-1:0]  inputs_i,
  // Two cycles later
  input  wire logic [23:0]         bias_i,        // with the first step
  input  wire logic [3:0]          shift_i,
  output logic [23:0]              value_o,
  output logic [7:0]               output_o
);

  if (Depth == 0) begin : gen_bad_depth
    $error("hw_dqn_neuron: Depth must be set");
  end

  localparam int unsigned SumBits = 16 + $clog2(Depth);

  // ---- Multiply: -128 * 255 to 127 * 255 fits in 16 bits.

  logic added_q, add_first_q;
  logic [Depth*16-1:0] products_d, products_q;

  always_comb begin
    products_d = products_q;
    if (valid_i) begin
      for (int unsigned i = 0; i < Depth; i = i + 1) begin
        products_d[i*16+:16] = 16'($signed(weights_i[i*8+:8]) * $signed({1'b0, inputs_i[i*8+:8]}));
      end
    end
  end

  // ---- Add: a tree; node i is the sum of nodes 2i+1 and 2i+2, the products are the leaves.

  logic accumulate_q, accumulate_first_q;
  logic [(2*Depth-1)*SumBits-1:0] nodes;
  logic [SumBits-1:0] sum_q;

  always_comb begin
    nodes = '0;
    if (added_q) begin
      for (int unsigned i = 0; i < Depth; i = i + 1) begin
        nodes[(Depth-1+i)*SumBits+:SumBits] = SumBits'($signed(products_q[i*16+:16]));
      end
      for (int unsigned i = 0; i + 1 < Depth; i = i + 1) begin
        nodes[(Depth-2-i)*SumBits+:SumBits] =
            nodes[(2*(Depth-2-i)+1)*SumBits+:SumBits] + nodes[(2*(Depth-2-i)+2)*SumBits+:SumBits];
      end
    end
  end

  // ---- Accumulate, activate

  logic [24:0] value, value_q, base, scaled;

  assign base = accumulate_first_q ? 25'($signed(bias_i)) : value_q;
  assign value = base + 25'($signed(sum_q));
  assign value_o = value[24] == value[23] ? value[23:0] : {value[24], {23{!value[24]}}};
  assign scaled = value >> shift_i;

  always_comb begin
    output_o = scaled[7:0];
    if (value[24]) output_o = 8'd0;
    else if (scaled[24:8] != '0) output_o = 8'hff;
  end

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
    if (valid_i) products_q <= products_d;
    if (added_q) sum_q <= nodes[SumBits-1:0];
    if (accumulate_q) value_q <= value;
  end

  `HW_ASSUME(a_sum_stays_within_25_bits, !accumulate_q || base[24] != sum_q[SumBits-1] || value[24] == base[24])
  `HW_COVER(c_saturates, accumulate_q && !value[24] && scaled[24:8] != '0)
  `HW_COVER(c_value_saturates, accumulate_q && value[24] != value[23])

endmodule

`default_nettype wire
