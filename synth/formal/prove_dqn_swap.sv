// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_dqn_engine: an answer is computed from the weights, biases and shifts of one bank, the one that version_o tells
// when the request is accepted, whatever is loaded and swapped meanwhile. Loads may pause, requests come at any time.
//
// Each bank gets one colour, 0 or 1, chosen freely when its first word is loaded; the harness swaps only when every word of
// the bank has been loaded. In the place of the neurons stands colour_neuron.sv, which says what colours it has seen.
module prove_dqn_swap #(
  parameter int unsigned NumLayers = 0,
  parameter bit [(NumLayers+1)*8-1:0] Sizes = '0,
  parameter int unsigned Lanes = 0,
  parameter int unsigned Depth = 0,
  localparam int unsigned NumInputs = 32'(Sizes[7:0]),
  localparam int unsigned NumOutputs = 32'(Sizes[NumLayers*8+:8]),
  localparam int unsigned Rows = hw_dqn_shape_pkg::steps_before(40'(Sizes), NumLayers, Lanes, Depth),
  localparam int unsigned Weights = Rows * Lanes * Depth / 4,
  localparam int unsigned Biases = hw_dqn_shape_pkg::groups_before(40'(Sizes), NumLayers, 1),
  localparam int unsigned Words = Weights + Biases + NumLayers
) (
  input wire logic        clk_i,
  input wire logic        req_valid_i,
  input wire logic        load_valid_i,
  input wire logic        swap_i,       // load the swap, else word word_i
  input wire logic [7:0]  word_i,
  input wire logic        colour_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic req_ready, rsp_valid, load_ready, loaded, idle;
  logic [NumOutputs*24-1:0] values;
  logic [3:0] version;
  logic [15:0] addr;
  logic [31:0] data;

  hw_dqn_engine #(.NumLayers(NumLayers), .Sizes(Sizes), .Lanes(Lanes), .Depth(Depth)) u_dut (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(req_ready), .req_obs_i({NumInputs{8'd0}}),
    .rsp_valid_o(rsp_valid), .rsp_values_o(values),
    .load_valid_i, .load_ready_o(load_ready), .load_addr_i(addr), .load_data_i(data),
    .loaded_o(loaded), .version_o(version), .idle_o(idle)
  );

  // Words 0 on are weights, then biases, then shifts.
  logic [Words-1:0] written_q;          // of the bank that is not in use
  logic colour, colour_q, in_use_q;     // colour of that bank, and of the one in use
  logic [3:0] expected_q;               // colours of the requests under way, the newest below
  logic [2:0] under_way_q;
  logic accept, load;

  assign colour = written_q == '0 ? colour_i : colour_q;
  always_comb begin
    data = colour ? 32'h01010101 : 32'd0;
    addr = 16'd1024 + 16'(word_i);
    if (32'(word_i) >= Weights) addr = 16'd64 + 16'(word_i) - 16'(Weights);
    if (32'(word_i) >= Weights + Biases) addr = 16'd32 + 16'(word_i) - 16'(Weights + Biases);
    if (swap_i) addr = 16'd16;
  end
  assign accept = req_valid_i && req_ready;
  assign load = load_valid_i && load_ready;

  logic waits_q;
  logic [9:0] waiting_q;
  always_ff @(posedge clk_i) begin
    waiting_q <= {swap_i, colour, word_i};
    if (!rst_ni) begin
      written_q <= '0;
      under_way_q <= '0;
      waits_q <= 1'b0;
      in_use_q <= 1'b0;
      expected_q <= '0;
    end else begin
      waits_q <= load_valid_i && !load_ready;
      if (load && swap_i) begin
        written_q <= '0;
        in_use_q <= colour_q;
      end else if (load) begin
        written_q <= written_q | (Words'(1) << word_i);
        colour_q <= colour;
      end
      under_way_q <= under_way_q + 3'(accept) - 3'(rsp_valid);
      if (accept) expected_q <= {expected_q[2:0], in_use_q};
    end
  end

  logic answer_colour;
  assign answer_colour = expected_q[2'(under_way_q - 3'd1)];

  always @(posedge clk_i) begin
    if (rst_ni) begin
      assume (!load_valid_i || (swap_i ? written_q == '1 : 32'(word_i) < Words));
      assume (!waits_q || (load_valid_i && waiting_q == {swap_i, colour, word_i}));
      assume (!req_valid_i || loaded);
      a_under_way: assert (!rsp_valid || (under_way_q >= 3'd1 && under_way_q <= 3'd4));
      a_one_bank: assert (!rsp_valid || values == (answer_colour ? {NumOutputs{24'd1}} : {NumOutputs{24'd2}}));
      c_answers_1: cover (rsp_valid && answer_colour && written_q != '0);
    end
  end

endmodule

`default_nettype wire
