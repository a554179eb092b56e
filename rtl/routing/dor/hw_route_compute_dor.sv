// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_routing_ties.svh"

// Dimension-order routing on tori and meshes: hw_dimension_order as a one-port computation.
//
// Latency 0 cycles, throughput one question per cycle: rsp_* depends combinationally on req_* and
// coord_i. Without a question rsp_* is 0. A decision holds. There is no state.
// Configuration words: 0, not read.
// Assumes and guarantees: see hw_dimension_order.
// Reference: Dally & Towles, sections 8.4.1 and 14.2.3; relation `dor` of the generator.
module hw_route_compute_dor #(
  `include "hw_one_port_parameters.svh"
  // Of this family
  parameter bit Torus = 1'b0,
  parameter bit [NumCoords*8-1:0] DimSizes = '0,
  parameter bit [NumCoords*8-1:0] DstLsbs = '0,  // destination coordinates in the head flit
  parameter bit [NumCoords*8-1:0] DstBits = '0,
  parameter int unsigned SlotLsb = 0,           // destination terminal slot
  parameter int unsigned SlotBits = 0,
  parameter bit Balanced = 1'b0,                // datelines: see hw_dimension_order
  parameter bit [NumVcs-1:0] EscapeVcs0 = '0,   // dateline class 0; a mesh has no other
  parameter bit [NumVcs-1:0] EscapeVcs1 = '0,
  `include "hw_one_port_widths.svh"
) (
  `include "hw_one_port_ports.svh"
);

  if (NumPorts == 0 || NumVcs == 0 || NumCoords == 0) begin : gen_bad_size
    $error("hw_route_compute_dor: NumPorts, NumVcs and NumCoords must be set");
  end
  if (NumCands != 1 || NumNetworkPorts != 2 * NumCoords) begin : gen_bad_shape
    $error("hw_route_compute_dor: NumCands must be 1, NumNetworkPorts twice NumCoords");
  end

  hw_dimension_order #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .RouteBits(RouteBits), .InPort(InPort),
    .NumDims(NumCoords), .CoordWidth(CoordWidth), .Torus(Torus), .Balanced(Balanced),
    .DimSizes(DimSizes), .DstLsbs(DstLsbs), .DstBits(DstBits), .SlotLsb(SlotLsb),
    .SlotBits(SlotBits), .EscapeVcs0(EscapeVcs0), .EscapeVcs1(EscapeVcs1)
  ) u_order (
    .coord_i(coord_i), .req_valid_i(req_valid_i), .req_vc_i(req_vc_i), .req_bits_i(req_bits_i),
    .rsp_port_o(rsp_port_o), .rsp_vcs_o(rsp_vcs_o)
  );
  assign rsp_state_o = '0;

  `HW_ONE_PORT_UNREAD

endmodule

`default_nettype wire
