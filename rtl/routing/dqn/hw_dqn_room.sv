// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Which network ports have room for so many flits in an adaptive VC, be it owned by another packet at the moment.
//
// Latency: 0. Combinational paths: all inputs -> room_o.
// Reference: Lonardo, DQN-Routing, section 3; docs/reference/routing-dqn.md.
module hw_dqn_room #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned NumLinks = 0,                   // network ports, the lowest ones
  parameter int unsigned SpaceWidth = 0,                 // at most 16
  parameter bit [NumVcs-1:0] AdaptiveVcs = '0
) (
  input  wire logic [NumPorts*NumVcs*SpaceWidth-1:0]  space_i,   // of every output VC
  input  wire logic [15:0]                            flits_i,
  output logic [NumLinks-1:0]                         room_o
);

  if (NumPorts < NumLinks || NumLinks == 0 || NumVcs == 0 || SpaceWidth == 0 || SpaceWidth > 16) begin : gen_bad_shape
    $error("hw_dqn_room: NumPorts, NumVcs and NumLinks must be set, SpaceWidth 1 to 16");
  end

  always_comb begin
    room_o = '0;
    for (int unsigned a = 0; a < NumLinks; a = a + 1) begin
      for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
        if (AdaptiveVcs[v] && 16'(space_i[(a*NumVcs+v)*SpaceWidth+:SpaceWidth]) >= flits_i) room_o[a] = 1'b1;
      end
    end
  end

  wire unused = &{1'b0, space_i};

endmodule

`default_nettype wire
