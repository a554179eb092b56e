// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_routing_ties.svh"

// UGAL through a router, for one input port, with an estimate of its own: a queue counts by the
// flits beyond NearFlits. Paths, choice and VCs are hw_route_compute_dragonfly's, as are latency,
// throughput, assumptions and guarantees.
module my_ugal_route #(
  `include "hw_one_port_parameters.svh"
  // Of this family
  parameter int unsigned NearFlits = 0,
  // Of UGAL: see hw_route_compute_dragonfly
  parameter int unsigned NumRouters = 0,
  parameter int unsigned NumGroups = 0,
  parameter int unsigned GlobalPorts = 0,
  parameter int unsigned Links = 1,
  parameter int unsigned Columns = 0,
  parameter int unsigned ColumnLinks = 1,
  parameter logic [1:0] Arrangement = hw_dragonfly_pkg::Absolute,
  parameter int unsigned DstRouterLsb = 0,
  parameter int unsigned DstGroupLsb = 0,
  parameter int unsigned SlotLsb = 0,
  parameter int unsigned SlotBits = 0,
  parameter int unsigned StateLsb = 0,
  parameter bit [NumVcs*4-1:0] VcSteps = '0,
  parameter int unsigned NumSteps = 1,
  parameter bit [NumSteps*NumVcs-1:0] StepVcs = '0,
  parameter bit TakesMinimal = 1'b1,
  parameter bit TakesNonminimal = 1'b0,
  parameter bit ThroughRouter = 1'b1,
  parameter bit Reconsider = 1'b0,
  parameter int unsigned NumMinimal = 1,
  parameter int unsigned NumNonminimal = 1,
  parameter bit OneTwo = 1'b0,
  parameter bit Oracle = 1'b0,
  parameter int unsigned RouteCycles = 0,
  `include "hw_one_port_widths.svh"
) (
  `include "hw_one_port_ports.svh"
);

  // The estimate
  logic [NumPorts*QueueWidth-1:0] estimate;
  always_comb begin
    for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
      estimate[p*QueueWidth+:QueueWidth] = 32'(queue_i[p*QueueWidth+:QueueWidth]) > NearFlits
        ? queue_i[p*QueueWidth+:QueueWidth] - QueueWidth'(NearFlits) : '0;
    end
  end

  logic answered;
  logic [VcWidth-1:0] answered_vc;
  logic [RouteBits-1:0] answered_bits;
  logic [QueueWidth*2+26-1:0] decision;
  hw_route_compute_dragonfly #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .QueueWidth(QueueWidth), .RouteBits(RouteBits),
    .StateWidth(StateWidth), .InPort(InPort), .CoordWidth(CoordWidth), .NumRouters(NumRouters),
    .NumGroups(NumGroups), .GlobalPorts(GlobalPorts), .Links(Links), .Columns(Columns), .ColumnLinks(ColumnLinks),
    .Arrangement(Arrangement), .DstRouterLsb(DstRouterLsb), .DstGroupLsb(DstGroupLsb),
    .SlotLsb(SlotLsb), .SlotBits(SlotBits), .StateLsb(StateLsb), .VcSteps(VcSteps),
    .NumSteps(NumSteps), .StepVcs(StepVcs), .TakesMinimal(TakesMinimal),
    .TakesNonminimal(TakesNonminimal), .ThroughRouter(ThroughRouter), .Reconsider(Reconsider),
    .NumMinimal(NumMinimal), .NumNonminimal(NumNonminimal), .OneTwo(OneTwo), .Oracle(Oracle),
    .RouteCycles(RouteCycles)
  ) u_ugal (
    .clk_i(clk_i), .rst_ni(rst_ni), .coord_i(coord_i), .load_seed_i(cfg_i[31]),
    .seed_i(cfg_i[32+:32]), .mode_i(cfg_i[1:0]), .bias_i(cfg_i[64+:16]),
    .req_valid_i(req_valid_i), .req_vc_i(req_vc_i), .req_bits_i(req_bits_i),
    .ctx_queue_i(estimate), .ctx_min_used_i('0), .ctx_non_used_i('0), .ctx_count_i('0), .ctx_bias_i('0), .rsp_valid_o(answered),
    .rsp_vc_o(answered_vc), .rsp_port_o(rsp_port_o), .rsp_vcs_o(rsp_vcs_o),
    .rsp_state_o(rsp_state_o), .rsp_bits_o(answered_bits), .decision_o(decision)
  );

  wire unused = &{1'b0, answered, answered_vc, answered_bits, decision};
  `HW_ONE_PORT_UNREAD

endmodule

`default_nettype wire
