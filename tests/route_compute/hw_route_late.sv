// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_routing_ties.svh"

// A one-port computation that answers two cycles after the question: dimension order on a mesh of
// 4 x 3 routers behind two registers. For the test of hw_one_port_unit.svh.
module hw_route_late #(
  `include "hw_one_port_parameters.svh"
  `include "hw_one_port_widths.svh"
) (
  `include "hw_one_port_ports.svh"
);

  logic [PortWidth-1:0] port, port_q;
  logic [NumVcs-1:0] vcs, vcs_q;
  logic [StateWidth-1:0] state, state_q;

  hw_route_compute_dor #(
    .NumPorts(NumPorts), .NumNetworkPorts(NumNetworkPorts), .NumVcs(NumVcs), .NumCands(NumCands),
    .SpaceWidth(SpaceWidth), .QueueWidth(QueueWidth), .RouteBits(RouteBits),
    .StateWidth(StateWidth), .NumCoords(NumCoords), .CoordWidth(CoordWidth), .NumCfg(NumCfg),
    .InPort(InPort), .DimSizes(16'h0304), .DstLsbs(16'h0200), .DstBits(16'h0202),
    .EscapeVcs0(NumVcs'(2))
  ) u_dor (
    .clk_i(clk_i), .rst_ni(rst_ni), .coord_i(coord_i), .cfg_i(cfg_i), .now_i(now_i),
    .req_valid_i(req_valid_i), .req_vc_i(req_vc_i), .req_bits_i(req_bits_i), .space_i(space_i),
    .queue_i(queue_i), .rsp_port_o(port), .rsp_vcs_o(vcs), .rsp_state_o(state)
  );

  always_ff @(posedge clk_i) begin
    {port_q, vcs_q, state_q} <= {port, vcs, state};
    {rsp_port_o, rsp_vcs_o, rsp_state_o} <= {port_q, vcs_q, state_q};
  end

  `HW_ONE_PORT_UNREAD

endmodule

`default_nettype wire
