// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// A stand-in for hw_dqn_engine with its ports: the value of action a is bytes a and NumInputs - 1 - a of the observation, one
// xor the other, plus 256 times the version, less 32768; the answer takes Lanes cycles. A load of address 16 is a swap, which waits until no answer is due.
module hw_dqn_engine #(
  parameter int unsigned NumLayers = 1,
  parameter bit [(NumLayers+1)*8-1:0] Sizes = '0,
  parameter int unsigned Lanes = 1,
  parameter int unsigned Depth = 1,
  parameter bit ZeroTime = 1'b0,
  parameter bit Parity = 1'b0,
  localparam int unsigned NumInputs = 32'(Sizes[7:0]),
  localparam int unsigned NumOutputs = 32'(Sizes[NumLayers*8+:8])
) (
  input  wire logic                      clk_i,
  input  wire logic                      rst_ni,
  input  wire logic                      req_valid_i,
  output logic                           req_ready_o,
  input  wire logic [NumInputs*8-1:0]    req_obs_i,
  output logic                           rsp_valid_o,
  output logic [NumOutputs*24-1:0]       rsp_values_o,
  output logic                           rsp_flawed_o,
  input  wire logic                      load_valid_i,
  output logic                           load_ready_o,
  input  wire logic [15:0]               load_addr_i,
  input  wire logic [31:0]               load_data_i,
  output logic                           loaded_o,
  output logic [3:0]                     version_o,
  output logic [1:0]                     flips_o,
  output logic [31:0]                    flip_word_o,
  output logic                           idle_o
);

  logic [7:0] left_q;
  logic [NumInputs*8-1:0] obs_q, obs;
  logic loaded_q;
  logic [3:0] version_q;

  assign obs = ZeroTime ? req_obs_i : obs_q;
  always_comb begin
    for (int unsigned o = 0; o < NumOutputs; o = o + 1) begin
      rsp_values_o[o*24+:24] = {16'd0, obs[(NumInputs-1-o)*8+:8] ^ obs[o*8+:8]} + (24'(version_q) << 8) - 24'd32768;
    end
  end
  assign rsp_valid_o = ZeroTime ? req_valid_i && req_ready_o : left_q == 8'd1;
  assign req_ready_o = ZeroTime ? !load_valid_i : left_q <= 8'd1 && !load_valid_i;
  assign load_ready_o = left_q == 8'd0;
  assign loaded_o = loaded_q;
  assign version_o = version_q;
  assign {rsp_flawed_o, flips_o, flip_word_o} = '0;
  assign idle_o = left_q == 8'd0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q <= '0;
      loaded_q <= 1'b0;
      version_q <= '0;
    end else begin
      if (!ZeroTime && req_valid_i && req_ready_o) left_q <= 8'(Lanes);
      else if (left_q != '0) left_q <= left_q - 8'd1;
      if (load_valid_i && load_ready_o && load_addr_i == 16'd16) begin
        loaded_q <= 1'b1;
        version_q <= version_q + 4'd1;
      end
    end
  end
  always_ff @(posedge clk_i) if (req_valid_i && req_ready_o) obs_q <= req_obs_i;

  wire unused = &{1'b0, load_data_i, Depth[0], Parity, obs};

endmodule

`default_nettype wire
