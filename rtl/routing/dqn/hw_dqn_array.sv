// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The network of hw_dqn_engine on a dot-product array of Lanes x Depth multipliers, weights and biases in memories.
//
// A request takes a step per cycle: Depth inputs of Lanes neurons. A layer waits until the one before it is through the
// pipeline (read | multiply | add | accumulate), 2 cycles. With S steps in all (hw_dqn_shape_pkg::steps_before):
// Latency: answer S + 2 * NumLayers + 1 cycles after the request is accepted.
// Throughput: a request every S + 2 * (NumLayers - 1) cycles; the answer of the one before follows 3 cycles into it.
// Loads: a word is written at once, except in the 3 cycles in which an answer still needs the other bank, and where a word is mended. A swap waits for the
//   cycle of a request's last step or one without request.
// Ports, map and guarantees: hw_dqn_engine. Combinational paths: req_valid_i, load_valid_i, load_addr_i -> load_ready_o.
module hw_dqn_array #(
  parameter int unsigned NumLayers = 0,
  parameter bit [(NumLayers+1)*8-1:0] Sizes = '0,
  parameter int unsigned Lanes = 0,
  parameter int unsigned Depth = 0,
  parameter bit Parity = 1'b0,
  localparam int unsigned NumInputs = 32'(Sizes[7:0]),
  localparam int unsigned NumOutputs = 32'(Sizes[NumLayers*8+:8])
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,
  // Requests and answers
  input  wire logic                       req_valid_i,
  output logic                            req_ready_o,
  input  wire logic [NumInputs*8-1:0]     req_obs_i,
  output logic                            rsp_valid_o,
  output logic [NumOutputs*24-1:0]        rsp_values_o,
  output logic                            rsp_flawed_o,
  // Loads
  input  wire logic                       load_valid_i,
  output logic                            load_ready_o,
  input  wire logic [15:0]                load_addr_i,
  input  wire logic [31:0]                load_data_i,
  output logic                            swapped_o,     // in this cycle
  // Status
  output logic [1:0]                      flips_o,
  output logic [31:0]                     flip_word_o,
  output logic                            idle_o
);

  localparam int unsigned Rows = hw_dqn_shape_pkg::steps_before(40'(Sizes), NumLayers, Lanes, Depth);
  localparam int unsigned RowBits = hw_dqn_shape_pkg::index_bits(Rows);
  localparam int unsigned Groups = hw_dqn_shape_pkg::groups_before(40'(Sizes), NumLayers, Lanes);
  localparam int unsigned GroupBits = hw_dqn_shape_pkg::index_bits(Groups);
  localparam int unsigned Cols = Lanes * Depth / 4;
  localparam int unsigned ColBits = hw_dqn_shape_pkg::index_bits(Cols);
  localparam int unsigned LaneBits = hw_dqn_shape_pkg::index_bits(Lanes);

  localparam int unsigned EvenSteps = hw_dqn_shape_pkg::most_steps(40'(Sizes), NumLayers, 0, Depth);
  localparam int unsigned OddSteps = hw_dqn_shape_pkg::most_steps(40'(Sizes), NumLayers, 1, Depth);
  localparam int unsigned StepBits = hw_dqn_shape_pkg::index_bits(EvenSteps > OddSteps ? EvenSteps : OddSteps);

  // Of each layer: the last step of a group, the last group (over all layers), and the inputs that its last step has.
  localparam int unsigned TableBits = NumLayers * 32;
  function automatic bit [TableBits-1:0] last_steps();
    last_steps = '0;
    for (int unsigned l = 0; l < NumLayers; l = l + 1) begin
      last_steps[l*32+:32] = (32'(Sizes[l*8+:8]) + Depth - 1) / Depth - 1;
    end
  endfunction
  function automatic bit [TableBits-1:0] last_groups();
    last_groups = '0;
    for (int unsigned l = 0; l < NumLayers; l = l + 1) begin
      last_groups[l*32+:32] = hw_dqn_shape_pkg::groups_before(40'(Sizes), l + 1, Lanes) - 1;
    end
  endfunction
  localparam bit [TableBits-1:0] LastSteps = last_steps();
  localparam bit [TableBits-1:0] LastGroups = last_groups();
  // Group g of layer l is group FirstGroups + g of all.
  localparam bit [TableBits-1:0] FirstGroups = NumLayers > 1 ? TableBits'({LastGroups + {NumLayers{32'd1}}, 32'd0}) : '0;

  // The lanes of each group that have a neuron; no bias is loaded for others.
  function automatic bit [Groups*Lanes-1:0] neurons();
    neurons = '0;
    for (int unsigned l = 0; l < NumLayers; l = l + 1) begin
      for (int unsigned o = 0; o < 32'(Sizes[(l+1)*8+:8]); o = o + 1) neurons[FirstGroups[l*32+:32]*Lanes+o] = 1'b1;
    end
  endfunction

  // ---- Issue: the steps of a request, one after the other. Counters are 0 between requests.

  logic busy_q;
  logic [1:0] wait_q;
  logic [1:0] layer_q;
  logic [StepBits-1:0] step_q;
  logic [GroupBits-1:0] group_q;
  logic [RowBits-1:0] row_q;
  logic bank_q;
  logic accept, issue, last_step, last_group, last;

  assign req_ready_o = !busy_q;
  assign accept = req_valid_i && !busy_q;
  assign issue = accept || (busy_q && wait_q == '0);

  always_comb begin
    last_step = 1'b0;
    last_group = 1'b0;
    if (issue) begin
      for (int unsigned l = 0; l < NumLayers; l = l + 1) begin
        if (32'(layer_q) == l) begin
          last_step = 32'(step_q) == LastSteps[l*32+:32];
          last_group = 32'(group_q) == LastGroups[l*32+:32];
        end
      end
    end
  end
  assign last = last_step && 32'(group_q) == Groups - 1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {busy_q, wait_q, layer_q, step_q, group_q, row_q} <= '0;
    end else if (issue) begin
      busy_q <= !last;
      wait_q <= last_step && last_group && !last ? 2'd2 : 2'd0;
      layer_q <= last ? '0 : last_step && last_group ? layer_q + 2'd1 : layer_q;
      step_q <= last_step ? '0 : step_q + StepBits'(1);
      group_q <= last ? '0 : last_step ? group_q + GroupBits'(1) : group_q;
      row_q <= last ? '0 : row_q + RowBits'(1);
    end else if (busy_q) begin
      wait_q <= wait_q - 2'd1;
    end
  end

  // ---- Loads

  logic swap, shift_write, bias_write, weight_write, other_in_use, load;
  logic [1:0] shift_layer;
  logic [GroupBits-1:0] bias_group;
  logic [LaneBits-1:0] bias_lane;
  logic [RowBits-1:0] weight_row;
  logic [ColBits-1:0] weight_col;
  logic [2*NumLayers*4-1:0] shifts_q;   // bank 0 below

  hw_dqn_load #(.NumLayers(NumLayers), .Sizes(Sizes), .Lanes(Lanes), .Depth(Depth)) u_load (
    .addr_i(load_addr_i), .swap_o(swap), .shift_o(shift_write), .layer_o(shift_layer), .bias_o(bias_write),
    .group_o(bias_group), .lane_o(bias_lane), .weight_o(weight_write), .row_o(weight_row), .col_o(weight_col)
  );

  logic weights_ready, biases_ready, weights_bad, biases_bad, weight_flip, bias_flip;
  logic [RowBits-1:0] flip_row;
  logic [ColBits-1:0] flip_col;
  logic [GroupBits-1:0] flip_group;
  logic [LaneBits-1:0] flip_lane;

  assign load_ready_o = swap ? last || (!busy_q && !req_valid_i) : !other_in_use && weights_ready && biases_ready;
  assign load = load_valid_i && load_ready_o && !swap;
  assign swapped_o = load_valid_i && load_ready_o && swap;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bank_q <= 1'b0;
      shifts_q <= '0;
    end else begin
      if (swapped_o) bank_q <= !bank_q;
      if (load && shift_write) begin
        for (int unsigned l = 0; l < 2 * NumLayers; l = l + 1) begin
          if (32'(shift_layer) == l % NumLayers && bank_q == (l < NumLayers)) shifts_q[l*4+:4] <= load_data_i[3:0];
        end
      end
    end
  end

  logic [Lanes*Depth*8-1:0] weights;
  logic [Lanes*24-1:0] biases;

  hw_dqn_weights #(.NumRows(Rows), .NumCols(Cols), .ColumnBits(32), .Parity(Parity)) u_weights (
    .clk_i, .rst_ni, .write_ready_o(weights_ready),
    .write_valid_i(load && weight_write), .write_bank_i(!bank_q), .write_row_i(weight_row), .write_col_i(weight_col),
    .write_data_i(load_data_i), .read_valid_i(issue), .read_bank_i(bank_q), .read_row_i(row_q), .read_data_o(weights),
    .bad_o(weights_bad), .flip_o(weight_flip), .flip_row_o(flip_row), .flip_col_o(flip_col)
  );

  // ---- Multiply

  typedef struct packed {
    logic bank;
    logic [1:0] layer;
    logic [GroupBits-1:0] group;
    logic last_step;                     // of a group
    logic last;                          // of the request
  } step_t;

  logic s1_valid_q, s1_first_q, s2_valid_q, s2_first_q, s3_valid_q, rsp_valid_q;
  step_t s1_q, s2_q, s3_q;
  logic [StepBits-1:0] s1_step_q;
  logic [Depth*8-1:0] inputs;
  logic [Lanes*8-1:0] outputs;
  logic write;

  hw_dqn_inputs #(
    .NumLayers(NumLayers), .Sizes(Sizes), .Lanes(Lanes), .Depth(Depth), .LastSteps(LastSteps), .FirstGroups(FirstGroups)
  ) u_inputs (
    .clk_i, .rst_ni,
    .start_i(accept), .obs_i(req_obs_i),
    .write_valid_i(write), .write_layer_i(s3_q.layer), .write_group_i(s3_q.group), .outputs_i(outputs),
    .read_valid_i(s1_valid_q), .read_layer_i(s1_q.layer), .read_step_i(s1_step_q), .read_last_i(s1_q.last_step),
    .inputs_o(inputs)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {s1_valid_q, s2_valid_q, s3_valid_q, rsp_valid_q} <= '0;
    end else begin
      {s1_valid_q, s2_valid_q, s3_valid_q} <= {issue, s1_valid_q, s2_valid_q};
      rsp_valid_q <= s3_valid_q && s3_q.last;
    end
  end

  always_ff @(posedge clk_i) begin
    if (issue) begin
      s1_q <= {bank_q, layer_q, group_q, last_step, last};
      s1_step_q <= step_q;
      s1_first_q <= step_q == '0;
    end
    if (s1_valid_q) begin
      s2_q <= s1_q;
      s2_first_q <= s1_first_q;
    end
    if (s2_valid_q) s3_q <= s2_q;
  end

  assign other_in_use = (s1_valid_q && s1_q.bank != bank_q) || (s2_valid_q && s2_q.bank != bank_q)
                        || (s3_valid_q && s3_q.bank != bank_q);

  // ---- Add: biases are read meanwhile. Accumulate: shifts.

  logic [3:0] shift;

  hw_dqn_weights #(.NumRows(Groups), .NumCols(Lanes), .ColumnBits(24), .Parity(Parity), .Used(neurons())) u_biases (
    .clk_i, .rst_ni, .write_ready_o(biases_ready),
    .write_valid_i(load && bias_write), .write_bank_i(!bank_q), .write_row_i(bias_group), .write_col_i(bias_lane),
    .write_data_i(load_data_i[23:0]), .read_valid_i(s2_valid_q && s2_first_q), .read_bank_i(s2_q.bank), .read_row_i(s2_q.group),
    .read_data_o(biases), .bad_o(biases_bad), .flip_o(bias_flip), .flip_row_o(flip_group), .flip_col_o(flip_lane)
  );

  hw_dqn_flaws #(.NumLayers(NumLayers), .Sizes(Sizes), .Lanes(Lanes), .Depth(Depth)) u_flaws (
    .clk_i, .rst_ni, .multiply_bad_i(weights_bad), .accumulate_i(s3_valid_q), .accumulate_bad_i(biases_bad), .last_i(s3_q.last),
    .flawed_o(rsp_flawed_o), .weight_flip_i(weight_flip), .weight_row_i(flip_row), .weight_col_i(flip_col),
    .bias_flip_i(bias_flip), .bias_group_i(flip_group), .bias_lane_i(flip_lane), .flips_o, .flip_word_o
  );

  always_comb begin
    shift = '0;
    if (s3_valid_q) begin
      for (int unsigned l = 0; l < 2 * NumLayers; l = l + 1) begin
        if (32'(s3_q.layer) == l % NumLayers && s3_q.bank == (l >= NumLayers)) shift = shifts_q[l*4+:4];
      end
    end
  end

  logic [Lanes*24-1:0] values;

  for (genvar lane = 0; lane < Lanes; lane = lane + 1) begin : gen_lane
    hw_dqn_neuron #(.Depth(Depth)) u_neuron (
      .clk_i, .rst_ni,
      .valid_i(s1_valid_q), .first_i(s1_first_q), .weights_i(weights[lane*Depth*8+:Depth*8]), .inputs_i(inputs),
      .bias_i(biases[lane*24+:24]), .shift_i(shift),
      .value_o(values[lane*24+:24]), .output_o(outputs[lane*8+:8])
    );
  end

  // ---- Outputs: to the inputs of the next layer, or to the answer.

  logic [NumOutputs*24-1:0] rsp_values_d, rsp_values_q;
  assign rsp_values_o = rsp_values_q;
  assign rsp_valid_o = rsp_valid_q;

  assign write = s3_valid_q && s3_q.last_step;

  always_comb begin
    rsp_values_d = rsp_values_q;
    if (write) begin
      for (int unsigned o = 0; o < NumOutputs; o = o + 1) begin
        if (32'(s3_q.group) == FirstGroups[(NumLayers-1)*32+:32] + o / Lanes) begin
          rsp_values_d[o*24+:24] = values[(o%Lanes)*24+:24];
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (write) rsp_values_q <= rsp_values_d;
  end

  assign idle_o = !busy_q && !s1_valid_q && !s2_valid_q && !s3_valid_q && !rsp_valid_q && weights_ready && biases_ready;

  `HW_ASSERT(a_address_means_one_thing, 32'(swap) + 32'(shift_write) + 32'(bias_write) + 32'(weight_write) <= 32'd1)
  `HW_ASSERT(a_bank_in_use_is_not_written, !load || !((s1_valid_q && s1_q.bank != bank_q)
                                             || (s2_valid_q && s2_q.bank != bank_q) || (s3_valid_q && s3_q.bank != bank_q)))
  `HW_ASSERT(a_swap_between_decisions, !swapped_o || !issue || last)
  `HW_COVER(c_load_waits, load_valid_i && !load_ready_o && !swap)
  `HW_COVER(c_swap_at_last_step, swapped_o && last)

endmodule

`default_nettype wire
