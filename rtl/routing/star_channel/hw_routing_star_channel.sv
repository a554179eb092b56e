// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_routing_ties.svh"

// Star-channel routing on tori and meshes: hw_route_compute_star_channel at every input port.
//
// Latency 0 cycles, throughput one question per port and cycle; rsp_* depends combinationally on
// req_*, coord_i and cfg_i. Every question is answered as it comes; which candidate is taken is
// chosen again in every cycle by the input unit. There is no state.
// Configuration words: 0 {0: the escape candidate alone, plain dimension order on the escape VCs: a
// subset of the proved relation, so it may change while packets are under way}.
// Assumes: see hw_route_compute_star_channel. Guarantees: the moves of the relation, all of them.
// Reference: Gravano et al. 1994; Duato 1993; relation `star_channel` of the generator.
module hw_routing_star_channel #(
  `include "hw_routing_parameters.svh"
  // Of this family
  parameter bit Torus = 1'b0,
  parameter bit [NumCoords*8-1:0] DimSizes = '0,
  parameter bit [NumCoords*8-1:0] DstLsbs = '0,  // destination coordinates in the head flit
  parameter bit [NumCoords*8-1:0] DstBits = '0,
  parameter int unsigned SlotLsb = 0,           // destination terminal slot
  parameter int unsigned SlotBits = 0,
  parameter bit [NumVcs-1:0] EscapeVcs0 = '0,   // dateline class 0; a mesh has no other
  parameter bit [NumVcs-1:0] EscapeVcs1 = '0,
  parameter bit [NumVcs-1:0] AdaptiveVcs = '0,
  `include "hw_routing_widths.svh"
) (
  `include "hw_routing_ports.svh"
);

  if (NumCands != NumCoords + 1 || NumCfg < 1) begin : gen_bad_shape
    $error("hw_routing_star_channel: NumCands must be NumCoords + 1, NumCfg at least 1");
  end
  if (NumCoords == 0 || NumNetworkPorts != 2 * NumCoords) begin : gen_bad_ports
    $error("hw_routing_star_channel: NumNetworkPorts must be twice NumCoords, and that be set");
  end

  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_port
    hw_route_compute_star_channel #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .RouteBits(RouteBits), .NumDims(NumCoords),
      .CoordWidth(CoordWidth), .Torus(Torus), .DimSizes(DimSizes), .DstLsbs(DstLsbs),
      .DstBits(DstBits), .SlotLsb(SlotLsb), .SlotBits(SlotBits), .EscapeVcs0(EscapeVcs0),
      .EscapeVcs1(EscapeVcs1), .AdaptiveVcs(AdaptiveVcs)
    ) u_route (
      .coord_i(coord_i), .escape_only_i(cfg_i[0]), .req_valid_i(req_valid_i[p]),
      .req_bits_i(req_bits_i[p*RouteBits+:RouteBits]),
      .rsp_port_o(rsp_port_o[p*NumCands*PortWidth+:NumCands*PortWidth]),
      .rsp_vcs_o(rsp_vcs_o[p*NumCands*NumVcs+:NumCands*NumVcs])
    );
  end

  assign req_ready_o = '1;
  assign rsp_valid_o = req_valid_i;
  assign rsp_vc_o = req_vc_i;
  assign rsp_state_o = '0;

  assign idle_o = 1'b1;

  `HW_ROUTING_NO_FEEDBACK
  `HW_ROUTING_NO_TABLE
  `HW_ROUTING_NO_COUNTERS
  `HW_ROUTING_NO_TRACE
  `HW_ROUTING_UNREAD

endmodule

`default_nettype wire
