// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The inputs of a layer in hw_dqn_array: Depth of them per step. Even and odd layers have a buffer each: while the one is read,
// the outputs of its layer are written to the other.
//
// Latency: what is written in cycle t is read from t+1 on; a read is combinational. Throughput: a read and a write per cycle.
// Combinational paths: read_* -> inputs_o.
// Assumes: a layer is read when the one before it is written; a request starts when layer 0 is not read any more.
// Guarantees: inputs that the layer does not have are 0, whatever a layer before left behind (checked by the tests of
// hw_dqn_engine, against the network's arithmetic).
// Reference: docs/reference/dqn-engine.md.
module hw_dqn_inputs #(
  parameter int unsigned NumLayers = 0,
  parameter bit [(NumLayers+1)*8-1:0] Sizes = '0,
  parameter int unsigned Lanes = 0,
  parameter int unsigned Depth = 0,
  parameter bit [NumLayers*32-1:0] LastSteps = '0,       // of each layer: the last step of a group
  parameter bit [NumLayers*32-1:0] FirstGroups = '0,     // of each layer: the first group, over all layers
  localparam int unsigned NumInputs = 32'(Sizes[7:0]),
  localparam int unsigned EvenSteps = hw_dqn_shape_pkg::most_steps(40'(Sizes), NumLayers, 0, Depth),
  localparam int unsigned OddSteps = hw_dqn_shape_pkg::most_steps(40'(Sizes), NumLayers, 1, Depth),
  localparam int unsigned StepBits = hw_dqn_shape_pkg::index_bits(EvenSteps > OddSteps ? EvenSteps : OddSteps),
  localparam int unsigned GroupBits =
      hw_dqn_shape_pkg::index_bits(hw_dqn_shape_pkg::groups_before(40'(Sizes), NumLayers, Lanes))
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_ni,
  // A request starts: the inputs of layer 0
  input  wire logic                     start_i,
  input  wire logic [NumInputs*8-1:0]   obs_i,
  // The outputs of a group of neurons
  input  wire logic                     write_valid_i,
  input  wire logic [1:0]               write_layer_i,  // whose outputs they are
  input  wire logic [GroupBits-1:0]     write_group_i,
  input  wire logic [Lanes*8-1:0]       outputs_i,
  // The inputs of a step
  input  wire logic                     read_valid_i,
  input  wire logic [1:0]               read_layer_i,
  input  wire logic [StepBits-1:0]      read_step_i,
  input  wire logic                     read_last_i,    // the last step of its group
  output logic [Depth*8-1:0]            inputs_o
);

  localparam int unsigned EvenBytes = EvenSteps * Depth;
  localparam int unsigned OddBytes = OddSteps * Depth;

  logic [EvenBytes*8-1:0] even_d, even_q;
  logic [OddBytes*8-1:0] odd_d, odd_q;

  always_comb begin
    inputs_o = '0;
    if (read_valid_i) begin
      for (int unsigned s = 0; s < EvenSteps; s = s + 1) begin
        if (!read_layer_i[0] && 32'(read_step_i) == s) inputs_o = even_q[s*Depth*8+:Depth*8];
      end
      for (int unsigned s = 0; s < OddSteps; s = s + 1) begin
        if (read_layer_i[0] && 32'(read_step_i) == s) inputs_o = odd_q[s*Depth*8+:Depth*8];
      end
      // What a layer before left behind the last input does not count.
      for (int unsigned l = 0; l < NumLayers; l = l + 1) begin
        for (int unsigned i = 0; i < Depth; i = i + 1) begin
          if (32'(read_layer_i) == l && read_last_i && LastSteps[l*32+:32] * Depth + i >= 32'(Sizes[l*8+:8])) begin
            inputs_o[i*8+:8] = 8'd0;
          end
        end
      end
    end
  end

  always_comb begin
    even_d = even_q;
    odd_d = odd_q;
    if (write_valid_i) begin
      for (int unsigned l = 0; l + 1 < NumLayers; l = l + 1) begin
        for (int unsigned o = 0; o < 32'(Sizes[(l+1)*8+:8]); o = o + 1) begin
          if (32'(write_layer_i) == l && 32'(write_group_i) == FirstGroups[l*32+:32] + o / Lanes) begin
            if (l % 2 == 0) odd_d[o*8+:8] = outputs_i[(o%Lanes)*8+:8];
            else even_d[o*8+:8] = outputs_i[(o%Lanes)*8+:8];
          end
        end
      end
    end
    if (start_i) even_d[NumInputs*8-1:0] = obs_i;
  end

  always_ff @(posedge clk_i) begin
    if (start_i || write_valid_i) even_q <= even_d;
    if (write_valid_i) odd_q <= odd_d;
  end

  wire unused = rst_ni;

  // A layer is not read in the cycle in which its inputs are written: they would be those of before.
  `HW_ASSUME(a_inputs_are_not_read_while_written,
             !read_valid_i || !write_valid_i || 32'(write_layer_i) + 1 == NumLayers || read_layer_i[0] == write_layer_i[0])

endmodule

`default_nettype wire
