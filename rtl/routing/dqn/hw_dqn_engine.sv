// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The network of DQN-Routing: the values of a router's ports for what a packet and its router look like.
//
//   layer l:        acc[o] = bias[o] + sum over i of w[o][i] * a[i]     w signed, a unsigned 8 bits, bias signed 24
//   hidden layers:  a'[o] = min(255, max(0, acc[o]) >> shift[l])        shift 0 to 15
//   last layer:     rsp_values_o[o] = acc[o], saturated at 24 bits
//
// Latency: answer S + 2 * NumLayers + 1 cycles after the request is accepted, S being the steps of a request (hw_dqn_array);
//   with ZeroTime in the same cycle.
// Throughput: a request every S + 2 * (NumLayers - 1) cycles; with ZeroTime one in every cycle. Answers hold until they are
//   overwritten by the next one's.
// Loads: weights are written to the bank that is not in use, and address 16 swaps the banks between two requests:
//   16 swap | 32 + l shift of layer l | 64 + b bias b, those of all layers one after the other |
//   1024 + j four weights: of row j / (Lanes * Depth / 4), a step, the bytes from 4 * (j mod (Lanes * Depth / 4)) on; byte
//   lane * Depth + input. What is behind a layer's last input or output is not used. Other addresses do nothing.
//   A word waits for at most 3 cycles, a swap for at most the latency.
// Combinational paths: load_valid_i, load_addr_i, req_valid_i -> load_ready_o; with ZeroTime req_valid_i, req_obs_i ->
//   rsp_valid_o, rsp_values_o. Others none.
// With Parity and without ZeroTime the memories of weights and biases have parity: a word in which it is wrong becomes 0 and is told once
//   (flips_o, flip_word_o: its address), and the answer that read it is flawed.
// Assumes: with Parity all biases and all weights, used or not, are loaded before a swap; a load holds until it is ready; the first swap comes before the first request.
// Guarantees: an answer is that of one bank as it is when its request is accepted: the one that version_o tells in that cycle.
// Without input and with idle_o high nothing changes.
// Reference: Lonardo, "DQN-Routing" (thesis, 2019), chapter 3; docs/reference/dqn-engine.md.
module hw_dqn_engine #(
  parameter int unsigned NumLayers = 0,                     // of weights, 1 to 4
  parameter bit [(NumLayers+1)*8-1:0] Sizes = '0,           // inputs in the lowest 8 bits, then each layer's outputs
  parameter int unsigned Lanes = 0,                         // powers of two
  parameter int unsigned Depth = 0,
  parameter bit ZeroTime = 1'b0,
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
  output logic                            rsp_valid_o,      // one cycle
  output logic [NumOutputs*24-1:0]        rsp_values_o,
  output logic                            rsp_flawed_o,     // with the answer: it is not to be believed
  // Loads
  input  wire logic                       load_valid_i,
  output logic                            load_ready_o,
  input  wire logic [15:0]                load_addr_i,
  input  wire logic [31:0]                load_data_i,
  // Status: the banks were swapped since reset; how often, modulo 16, for the next request
  output logic                            loaded_o,
  output logic [3:0]                      version_o,
  output logic [1:0]                      flips_o,
  output logic [31:0]                     flip_word_o,
  output logic                            idle_o
);

  if (NumLayers == 0 || NumLayers > 4) begin : gen_bad_layers
    $error("hw_dqn_engine: NumLayers must be 1 to 4");
  end
  for (genvar l = 0; l <= NumLayers; l = l + 1) begin : gen_sizes
    if (Sizes[l*8+:8] == 8'd0) begin : gen_bad_size
      $error("hw_dqn_engine: every size must be at least 1");
    end
  end
  if (Lanes * Depth < 4 || 2 ** $clog2(Lanes) != Lanes || 2 ** $clog2(Depth) != Depth) begin : gen_bad_array
    $error("hw_dqn_engine: Lanes and Depth must be powers of two, their product at least 4");
  end

  logic swapped;

  if (ZeroTime) begin : gen_zero
    hw_dqn_engine_zero #(.NumLayers(NumLayers), .Sizes(Sizes), .Lanes(Lanes), .Depth(Depth)) u_network (
      .clk_i, .req_valid_i, .req_ready_o, .req_obs_i, .rsp_valid_o, .rsp_values_o,
      .load_valid_i, .load_ready_o, .load_addr_i, .load_data_i, .swapped_o(swapped), .idle_o
    );
    assign {rsp_flawed_o, flips_o, flip_word_o} = '0;
  end else begin : gen_array
    hw_dqn_array #(.NumLayers(NumLayers), .Sizes(Sizes), .Lanes(Lanes), .Depth(Depth), .Parity(Parity)) u_network (
      .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .req_obs_i, .rsp_valid_o, .rsp_values_o, .rsp_flawed_o,
      .load_valid_i, .load_ready_o, .load_addr_i, .load_data_i, .swapped_o(swapped), .flips_o, .flip_word_o, .idle_o
    );
  end

  logic loaded_q;
  logic [3:0] version_q;
  assign loaded_o = loaded_q;
  assign version_o = version_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      loaded_q <= 1'b0;
      version_q <= '0;
    end else if (swapped) begin
      loaded_q <= 1'b1;
      version_q <= version_q + 4'd1;
    end
  end

`ifdef HW_CHECKS
  logic waits_q;
  logic [47:0] waiting_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waits_q <= 1'b0;
    else waits_q <= load_valid_i && !load_ready_o;
  end
  always_ff @(posedge clk_i) waiting_q <= {load_addr_i, load_data_i};
`endif
  `HW_ASSUME(a_load_holds, !waits_q || (load_valid_i && waiting_q == {load_addr_i, load_data_i}))
  `HW_ASSUME(a_loaded_before_asked, !req_valid_i || loaded_q)

endmodule

`default_nettype wire
