// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Checks at run time what the deadlock proof assumes of the router: a head flit goes only from an (input port, VC) to an
// (output port, VC) that the proved relation contains.
//
// A check, not hardware: empty under synthesis. One lookup per granted head flit.
// TurnTable: bit ((in_port * NumVcs + in_vc) * NumPorts + out_port) * NumVcs + out_vc; the generator collects it while
// it proves the network, over all routers and destinations.
module hw_turn_monitor #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter bit [NumPorts*NumVcs*NumPorts*NumVcs-1:0] TurnTable = {NumPorts*NumVcs*NumPorts*NumVcs{1'b1}},
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,
  // The matching of this cycle, per output port
  input  wire logic [NumPorts-1:0]            head_i,     // a head flit crosses to this output port
  input  wire logic [NumPorts*PortWidth-1:0]  in_port_i,
  input  wire logic [NumPorts*VcWidth-1:0]    in_vc_i,
  input  wire logic [NumPorts*VcWidth-1:0]    out_vc_i
);

  if (NumPorts == 0 || NumVcs == 0) begin : gen_bad_size
    $error("hw_turn_monitor: NumPorts and NumVcs must be set");
  end

`ifdef HW_CHECKS
  localparam int unsigned Row = NumPorts * NumVcs;
  logic [NumPorts-1:0] allowed;
  always_comb begin
    allowed = '1;
    for (int unsigned o = 0; o < NumPorts; o = o + 1) begin
      if (head_i[o]) begin
        allowed[o] = TurnTable[(32'(in_port_i[o*PortWidth+:PortWidth]) * NumVcs
                                + 32'(in_vc_i[o*VcWidth+:VcWidth])) * Row
                               + o * NumVcs + 32'(out_vc_i[o*VcWidth+:VcWidth])];
      end
    end
  end
  `HW_ASSERT(a_turn_is_in_the_proved_relation, allowed == '1)
`else
  wire unused = &{1'b0, clk_i, rst_ni, head_i, in_port_i, in_vc_i, out_vc_i, TurnTable[0]};
`endif

endmodule

`default_nettype wire
