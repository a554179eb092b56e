// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// What hw_dqn_array finds with bad parity: which answer is not to be believed, and the word's address in hw_dqn_engine's map.
//
// Latency: flawed_o comes with the answer, a cycle after its last step is accumulated; flips_o in the cycle of flip_*_i.
// Combinational paths: flip_*_i -> flips_o, flip_word_o. Without input nothing changes.
module hw_dqn_flaws #(
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
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  // Steps: the weights of one that is multiplied; of one that is accumulated the biases, and whether it is a request's last
  input  wire logic                  multiply_bad_i,
  input  wire logic                  accumulate_i,
  input  wire logic                  accumulate_bad_i,
  input  wire logic                  last_i,
  output logic                       flawed_o,
  // Words that are mended
  input  wire logic                  weight_flip_i,
  input  wire logic [RowBits-1:0]    weight_row_i,
  input  wire logic [ColBits-1:0]    weight_col_i,
  input  wire logic                  bias_flip_i,
  input  wire logic [GroupBits-1:0]  bias_group_i,
  input  wire logic [LaneBits-1:0]   bias_lane_i,
  output logic [1:0]                 flips_o,
  output logic [31:0]                flip_word_o    // of a bias, if there are two
);

  localparam int unsigned Cols = Lanes * Depth / 4;

  logic added_q, accumulated_q, flawed_q, flawed, answer_q;
  assign flawed = flawed_q || accumulated_q || accumulate_bad_i;
  assign flawed_o = answer_q;

  // Multiply | add | accumulate; a request's steps are one behind the other.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      added_q <= 1'b0;
      accumulated_q <= 1'b0;
      flawed_q <= 1'b0;
      answer_q <= 1'b0;
    end else begin
      added_q <= multiply_bad_i;
      accumulated_q <= added_q;
      if (accumulate_i) flawed_q <= flawed && !last_i;
      if (accumulate_i && last_i) answer_q <= flawed;
    end
  end

  assign flips_o = {bias_flip_i, weight_flip_i};
  always_comb begin
    flip_word_o = hw_dqn_shape_pkg::Weights + 32'(weight_row_i) * Cols + 32'(weight_col_i);
    for (int unsigned l = 0; l < NumLayers; l = l + 1) begin
      if (bias_flip_i && 32'(bias_group_i) >= hw_dqn_shape_pkg::groups_before(40'(Sizes), l, Lanes)) begin
        flip_word_o = hw_dqn_shape_pkg::Biases + hw_dqn_shape_pkg::groups_before(40'(Sizes), l, 1) + 32'(bias_lane_i)
                      + (32'(bias_group_i) - hw_dqn_shape_pkg::groups_before(40'(Sizes), l, Lanes)) * Lanes;
      end
    end
  end

endmodule

`default_nettype wire
