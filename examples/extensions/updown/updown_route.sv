// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_routing_ties.svh"

// Up*/down* routing on a fat tree, for one input port. A leaf offers all ports up, a spine the port
// to the destination's leaf; the router takes the candidate with the most space.
//
// Latency 0 cycles, throughput one question per cycle: rsp_* depends combinationally on req_* and
// coord_i. Without a question rsp_* is 0. There is no state.
// Assumes: coordinates of leaves that exist. Guarantees: the moves of the relation, all of them.
module updown_route #(
  `include "hw_one_port_parameters.svh"
  // Of this family
  parameter int unsigned NumLeaves = 0,         // routers below this number are leaves
  parameter int unsigned DstLsb = 0,            // destination leaf in the head flit
  parameter int unsigned SlotLsb = 0,           // destination terminal slot
  parameter int unsigned SlotBits = 0,
  `include "hw_one_port_widths.svh"
) (
  `include "hw_one_port_ports.svh"
);

  wire [CoordWidth-1:0] dst = CoordWidth'(64'(req_bits_i) >> DstLsb);
  wire [7:0] slot = 8'(64'(req_bits_i) >> SlotLsb) & 8'((9'd1 << SlotBits) - 9'd1);
  wire is_leaf = 32'(coord_i) < NumLeaves;

  always_comb begin
    rsp_port_o = '0;
    rsp_vcs_o = '0;
    if (req_valid_i) begin
      if (!is_leaf) begin
        rsp_port_o[PortWidth-1:0] = PortWidth'(dst);
        rsp_vcs_o[NumVcs-1:0] = '1;
      end else if (dst == coord_i) begin
        rsp_port_o[PortWidth-1:0] = PortWidth'(NumNetworkPorts + 32'(slot));
        rsp_vcs_o[NumVcs-1:0] = NumVcs'(1);
      end else begin
        for (int unsigned up = 0; up < NumCands; up = up + 1) begin
          rsp_port_o[up*PortWidth+:PortWidth] = PortWidth'(up);
          rsp_vcs_o[up*NumVcs+:NumVcs] = '1;
        end
      end
    end
  end
  assign rsp_state_o = '0;

  `HW_ONE_PORT_UNREAD

endmodule

`default_nettype wire
