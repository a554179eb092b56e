// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The network of hw_dqn_engine without time: the answer is there in the cycle of the request. For comparisons with work that
// does not count the time of the network; every weight has a multiplier and lies in flip-flops.
//
// Latency: none. Throughput: a request per cycle. Loads are taken at once; a swap counts from the next cycle on.
// Combinational paths: req_valid_i, req_obs_i -> rsp_valid_o, rsp_values_o.
// Ports, map and guarantees: hw_dqn_engine.
module hw_dqn_engine_zero #(
  parameter int unsigned NumLayers = 0,
  parameter bit [(NumLayers+1)*8-1:0] Sizes = '0,
  parameter int unsigned Lanes = 0,
  parameter int unsigned Depth = 0,
  localparam int unsigned NumInputs = 32'(Sizes[7:0]),
  localparam int unsigned NumOutputs = 32'(Sizes[NumLayers*8+:8])
) (
  input  wire logic                       clk_i,
  // Requests and answers
  input  wire logic                       req_valid_i,
  output logic                            req_ready_o,
  input  wire logic [NumInputs*8-1:0]     req_obs_i,
  output logic                            rsp_valid_o,
  output logic [NumOutputs*24-1:0]        rsp_values_o,
  // Loads
  input  wire logic                       load_valid_i,
  output logic                            load_ready_o,
  input  wire logic [15:0]                load_addr_i,
  input  wire logic [31:0]                load_data_i,
  output logic                            swapped_o,
  // Status
  output logic                            idle_o
);

  localparam int unsigned Rows = hw_dqn_shape_pkg::steps_before(40'(Sizes), NumLayers, Lanes, Depth);
  localparam int unsigned RowBits = hw_dqn_shape_pkg::index_bits(Rows);
  localparam int unsigned Groups = hw_dqn_shape_pkg::groups_before(40'(Sizes), NumLayers, Lanes);
  localparam int unsigned GroupBits = hw_dqn_shape_pkg::index_bits(Groups);
  localparam int unsigned Cols = Lanes * Depth / 4;
  localparam int unsigned ColBits = hw_dqn_shape_pkg::index_bits(Cols);
  localparam int unsigned LaneBits = hw_dqn_shape_pkg::index_bits(Lanes);

  // ---- Loads: the banks change places.

  logic swap, shift_write, bias_write, weight_write;
  logic [1:0] shift_layer;
  logic [GroupBits-1:0] bias_group;
  logic [LaneBits-1:0] bias_lane;
  logic [RowBits-1:0] weight_row;
  logic [ColBits-1:0] weight_col;
  logic [Rows*Cols*32-1:0] weights_q, other_weights_q;
  logic [Groups*Lanes*24-1:0] biases_q, other_biases_q;
  logic [NumLayers*4-1:0] shifts_q, other_shifts_q;

  hw_dqn_load #(.NumLayers(NumLayers), .Sizes(Sizes), .Lanes(Lanes), .Depth(Depth)) u_load (
    .addr_i(load_addr_i), .swap_o(swap), .shift_o(shift_write), .layer_o(shift_layer), .bias_o(bias_write),
    .group_o(bias_group), .lane_o(bias_lane), .weight_o(weight_write), .row_o(weight_row), .col_o(weight_col)
  );

  assign load_ready_o = 1'b1;
  assign swapped_o = load_valid_i && swap;

  always_ff @(posedge clk_i) begin
    if (swapped_o) begin
      weights_q <= other_weights_q;
      other_weights_q <= weights_q;
      biases_q <= other_biases_q;
      other_biases_q <= biases_q;
      shifts_q <= other_shifts_q;
      other_shifts_q <= shifts_q;
    end else if (load_valid_i) begin
      if (weight_write) other_weights_q[(32'(weight_row)*Cols+32'(weight_col))*32+:32] <= load_data_i;
      if (bias_write) other_biases_q[(32'(bias_group)*Lanes+32'(bias_lane))*24+:24] <= load_data_i[23:0];
      if (shift_write) other_shifts_q[32'(shift_layer)*4+:4] <= load_data_i[3:0];
    end
  end

  // ---- Layers

  for (genvar l = 0; l < NumLayers; l = l + 1) begin : gen_layer
    localparam int unsigned Inputs = 32'(Sizes[l*8+:8]);
    localparam int unsigned Outputs = 32'(Sizes[(l+1)*8+:8]);
    localparam int unsigned FirstRow = hw_dqn_shape_pkg::steps_before(40'(Sizes), l, Lanes, Depth);
    localparam int unsigned FirstGroup = hw_dqn_shape_pkg::groups_before(40'(Sizes), l, Lanes);
    localparam int unsigned Steps = (Inputs + Depth - 1) / Depth;
    logic [Inputs*8-1:0] inputs;
    logic [Outputs*25-1:0] values;     // whole: see hw_dqn_neuron
    logic [24:0] value;

    if (l == 0) begin : gen_first
      assign inputs = req_obs_i;
    end else begin : gen_next
      logic [Inputs*25-1:0] before_values;
      logic [24:0] scaled;
      assign before_values = gen_layer[l-1].values;
      always_comb begin
        inputs = '0;
        scaled = '0;
        if (req_valid_i) begin
          for (int unsigned i = 0; i < Inputs; i = i + 1) begin
            scaled = before_values[i*25+:25] >> shifts_q[(l-1)*4+:4];
            if (!before_values[i*25+24]) inputs[i*8+:8] = scaled[24:8] != '0 ? 8'hff : scaled[7:0];
          end
        end
      end
    end

    always_comb begin
      values = '0;
      value = '0;
      if (req_valid_i) begin
        for (int unsigned o = 0; o < Outputs; o = o + 1) begin
          value = 25'($signed(biases_q[(FirstGroup*Lanes+o)*24+:24]));
          for (int unsigned i = 0; i < Inputs; i = i + 1) begin
            value = value + 25'($signed(weights_q[((FirstRow+o/Lanes*Steps+i/Depth)*Lanes*Depth+o%Lanes*Depth+i%Depth)*8+:8])
                                * $signed({1'b0, inputs[i*8+:8]}));
          end
          values[o*25+:25] = value;
        end
      end
    end
  end

  assign rsp_valid_o = req_valid_i;
  logic [NumOutputs*25-1:0] last_values;
  assign last_values = gen_layer[NumLayers-1].values;
  for (genvar o = 0; o < NumOutputs; o = o + 1) begin : gen_output
    logic [24:0] value;
    assign value = last_values[o*25+:25];
    assign rsp_values_o[o*24+:24] = value[24] == value[23] ? value[23:0] : {value[24], {23{!value[24]}}};
  end
  assign req_ready_o = 1'b1;
  assign idle_o = 1'b1;

endmodule

`default_nettype wire
