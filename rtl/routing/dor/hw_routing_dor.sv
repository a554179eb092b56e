// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_routing_ties.svh"

// Dimension-order routing on tori and meshes: hw_route_compute_dor at every input port.
//
// Latency 0 cycles, throughput one question per port and cycle; rsp_* depends combinationally on
// req_* and coord_i. Every question is answered as it comes; a decision holds. There is no state.
// Configuration words: 0, not read.
// Assumes: see hw_route_compute_dor. Guarantees: the relation's only move.
// Reference: Dally & Towles, sections 8.4.1 and 14.2.3; relation `dor` of the generator.
module hw_routing_dor #(
  `include "hw_routing_parameters.svh"
  // Of this family
  parameter bit Torus = 1'b0,
  parameter bit [NumCoords*8-1:0] DimSizes = '0,
  parameter bit [NumCoords*8-1:0] DstLsbs = '0,  // destination coordinates in the head flit
  parameter bit [NumCoords*8-1:0] DstBits = '0,
  parameter bit Balanced = 1'b0,                // datelines: see hw_route_compute_dor
  parameter int unsigned SlotLsb = 0,           // destination terminal slot
  parameter int unsigned SlotBits = 0,
  parameter bit [NumVcs-1:0] EscapeVcs0 = '0,   // dateline class 0; a mesh has no other
  parameter bit [NumVcs-1:0] EscapeVcs1 = '0,
  `include "hw_routing_widths.svh"
) (
  `include "hw_routing_ports.svh"
);

  if (NumCands != 1 || NumCfg < 1) begin : gen_bad_shape
    $error("hw_routing_dor: NumCands must be 1, NumCfg at least 1");
  end
  if (NumCoords == 0 || NumNetworkPorts != 2 * NumCoords) begin : gen_bad_ports
    $error("hw_routing_dor: NumNetworkPorts must be twice NumCoords, and that be set");
  end

  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_port
    hw_route_compute_dor #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .RouteBits(RouteBits), .InPort(p),
      .NumDims(NumCoords), .CoordWidth(CoordWidth), .Torus(Torus), .Balanced(Balanced),
      .DimSizes(DimSizes), .DstLsbs(DstLsbs), .DstBits(DstBits), .SlotLsb(SlotLsb),
      .SlotBits(SlotBits), .EscapeVcs0(EscapeVcs0), .EscapeVcs1(EscapeVcs1)
    ) u_route (
      .coord_i(coord_i), .req_valid_i(req_valid_i[p]), .req_vc_i(req_vc_i[p*VcWidth+:VcWidth]),
      .req_bits_i(req_bits_i[p*RouteBits+:RouteBits]),
      .rsp_port_o(rsp_port_o[p*PortWidth+:PortWidth]), .rsp_vcs_o(rsp_vcs_o[p*NumVcs+:NumVcs])
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
