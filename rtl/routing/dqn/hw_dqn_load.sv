// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// What an address of hw_dqn_engine writes: the swap, a layer's shift, a bias, or four weights.
//
// Latency: none; outputs depend combinationally on the address.
// Guarantees: at most one of swap_o, shift_o, bias_o and weight_o; none for an address that is nothing (checked by
// an assertion of hw_dqn_array).
module hw_dqn_load #(
  parameter int unsigned NumLayers = 0,
  parameter bit [(NumLayers+1)*8-1:0] Sizes = '0,
  parameter int unsigned Lanes = 0,
  parameter int unsigned Depth = 0,
  localparam int unsigned LaneBits = hw_dqn_shape_pkg::index_bits(Lanes),
  localparam int unsigned ColBits = hw_dqn_shape_pkg::index_bits(Lanes * Depth / 4),
  localparam int unsigned RowBits = hw_dqn_shape_pkg::index_bits(
                                      hw_dqn_shape_pkg::steps_before(40'(Sizes), NumLayers, Lanes, Depth)),
  localparam int unsigned GroupBits = hw_dqn_shape_pkg::index_bits(
                                        hw_dqn_shape_pkg::groups_before(40'(Sizes), NumLayers, Lanes))
) (
  input  wire logic [15:0]       addr_i,
  output logic                   swap_o,
  output logic                   shift_o,
  output logic [1:0]             layer_o,      // of the shift
  output logic                   bias_o,
  output logic [GroupBits-1:0]   group_o,      // of the bias, over all layers, and its lane
  output logic [LaneBits-1:0]    lane_o,
  output logic                   weight_o,
  output logic [RowBits-1:0]     row_o,        // of the weights, and their column of 32 bits
  output logic [ColBits-1:0]     col_o
);

  localparam int unsigned Cols = Lanes * Depth / 4;
  localparam int unsigned Rows = hw_dqn_shape_pkg::steps_before(40'(Sizes), NumLayers, Lanes, Depth);
  localparam int unsigned Swap = hw_dqn_shape_pkg::Swap;
  localparam int unsigned Shifts = hw_dqn_shape_pkg::Shifts;
  localparam int unsigned Biases = hw_dqn_shape_pkg::Biases;
  localparam int unsigned Weights = hw_dqn_shape_pkg::Weights;

  logic [15:0] bias, weight;

  assign swap_o = 32'(addr_i) == Swap;
  assign shift_o = 32'(addr_i) >= Shifts && 32'(addr_i) < Shifts + NumLayers;
  assign layer_o = addr_i[1:0];
  assign weight = addr_i - 16'(Weights);
  assign weight_o = 32'(addr_i) >= Weights && 32'(weight) < Rows * Cols;
  assign row_o = RowBits'(32'(weight) / Cols);
  assign col_o = ColBits'(32'(weight) % Cols);

  // The last layer that starts at or before the bias is its own.
  always_comb begin
    bias_o = 1'b0;
    group_o = '0;
    lane_o = '0;
    bias = '0;
    for (int unsigned l = 0; l < NumLayers; l = l + 1) begin
      if (32'(addr_i) >= Biases + hw_dqn_shape_pkg::groups_before(40'(Sizes), l, 1)
          && 32'(addr_i) < Biases + hw_dqn_shape_pkg::groups_before(40'(Sizes), l + 1, 1)) begin
        bias = addr_i - 16'(Biases + hw_dqn_shape_pkg::groups_before(40'(Sizes), l, 1));
        bias_o = 1'b1;
        group_o = GroupBits'(hw_dqn_shape_pkg::groups_before(40'(Sizes), l, Lanes) + 32'(bias) / Lanes);
        lane_o = LaneBits'(32'(bias) % Lanes);
      end
    end
  end

endmodule

`default_nettype wire
