// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Flits in the input buffers of a router: a credit goes back for every flit that leaves one.
//
// Latency: a flit or credit of cycle t counts from cycle t+1 on; all ports in every cycle.
// Combinational paths: none. Without flits and credits nothing changes.
// Assumes: the buffers hold fewer than 2^Width flits. Guarantees: never below 0 where the channels
// follow the credit protocol.
module hw_occupancy #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned Width = 0
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  // Channels, one bit per port: flits that come, credits that are sent
  input  wire logic [NumPorts-1:0]  in_valid_i,
  input  wire logic [NumPorts-1:0]  in_credit_valid_i,
  output logic [Width-1:0]          flits_o,
  output logic                      empty_o
);

  if (NumPorts == 0 || Width == 0) begin : gen_bad_size
    $error("hw_occupancy: NumPorts and Width must be set");
  end

  logic [Width-1:0] flits_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      flits_q <= '0;
    end else if (in_valid_i != '0 || in_credit_valid_i != '0) begin
      flits_q <= flits_q + Width'($countones(in_valid_i)) - Width'($countones(in_credit_valid_i));
    end
  end

  assign flits_o = flits_q;
  assign empty_o = flits_q == '0;

endmodule

`default_nettype wire
