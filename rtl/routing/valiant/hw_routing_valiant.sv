// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_routing_ties.svh"

// Valiant's routing on tori and meshes: hw_route_compute_valiant at every input port, each terminal
// port's with a generator of its own.
//
// Latency 0 cycles, throughput one question per port and cycle; rsp_* depends combinationally on
// req_*, coord_i and registers. Every question is answered as it comes; a decision holds. State
// changes with questions alone, so the unit is always idle.
// Configuration words: 0 {31: the generators take the seed while it is set}, 1 seed.
// Assumes: see hw_route_compute_valiant. Guarantees: moves of the relation only.
// Reference: Valiant & Brebner 1981; relation `valiant` of the generator.
module hw_routing_valiant #(
  `include "hw_routing_parameters.svh"
  // Of this family
  parameter bit Torus = 1'b0,
  parameter bit [NumCoords*8-1:0] DimSizes = '0,
  parameter bit [NumCoords*8-1:0] DstLsbs = '0,  // destination coordinates in the head flit
  parameter bit [NumCoords*8-1:0] DstBits = '0,
  parameter bit [NumCoords*8-1:0] ViaLsbs = '0,  // intermediate coordinates, as wide as those
  parameter int unsigned StateLsb = 0,
  parameter int unsigned SlotLsb = 0,           // destination terminal slot
  parameter int unsigned SlotBits = 0,
  parameter bit [4*NumVcs-1:0] WayVcs = '0,     // see hw_route_compute_valiant
  `include "hw_routing_widths.svh"
) (
  `include "hw_routing_ports.svh"
);

  if (NumCands != 1 || NumCfg < 2) begin : gen_bad_shape
    $error("hw_routing_valiant: NumCands must be 1, NumCfg at least 2");
  end
  if (NumCoords == 0 || NumNetworkPorts != 2 * NumCoords) begin : gen_bad_ports
    $error("hw_routing_valiant: NumNetworkPorts must be twice NumCoords, and that be set");
  end

  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_port
    hw_route_compute_valiant #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .RouteBits(RouteBits), .StateWidth(StateWidth),
      .InPort(p), .NumDims(NumCoords), .CoordWidth(CoordWidth), .Torus(Torus),
      .DimSizes(DimSizes), .DstLsbs(DstLsbs), .DstBits(DstBits), .ViaLsbs(ViaLsbs),
      .StateLsb(StateLsb), .SlotLsb(SlotLsb), .SlotBits(SlotBits), .WayVcs(WayVcs)
    ) u_route (
      .clk_i(clk_i), .rst_ni(rst_ni), .coord_i(coord_i), .load_seed_i(cfg_i[31]),
      .seed_i(cfg_i[63:32]), .req_valid_i(req_valid_i[p]),
      .req_bits_i(req_bits_i[p*RouteBits+:RouteBits]),
      .rsp_port_o(rsp_port_o[p*PortWidth+:PortWidth]), .rsp_vcs_o(rsp_vcs_o[p*NumVcs+:NumVcs]),
      .rsp_state_o(rsp_state_o[p*StateWidth+:StateWidth])
    );
  end

  assign req_ready_o = '1;
  assign rsp_valid_o = req_valid_i;
  assign rsp_vc_o = req_vc_i;

  assign idle_o = 1'b1;

  `HW_ROUTING_NO_FEEDBACK
  `HW_ROUTING_NO_TABLE
  `HW_ROUTING_NO_COUNTERS
  `HW_ROUTING_NO_TRACE
  `HW_ROUTING_UNREAD

endmodule

`default_nettype wire
