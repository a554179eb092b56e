// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The route computations of a router that has a Q-table, and what each asks the agent:
// hw_route_compute_q_torus or hw_route_compute_q_dragonfly at every input port. Port p asks agent p
// modulo NumAgents; an answer of an agent is for one of its ports, the same words for all.
//
// Latency, throughput and combinational paths: see there. There is no state.
// Reference: see there.
module hw_q_ports #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumAgents = 1,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned RouteBits = 0,
  parameter int unsigned StateWidth = 1,
  parameter int unsigned NumCoords = 0,
  parameter int unsigned CoordWidth = 0,
  parameter int unsigned NumRows = 0,
  parameter int unsigned ValueBits = 0,
  parameter int unsigned FractionBits = 0,
  parameter int unsigned TimeBits = 0,
  parameter int unsigned RewardLsb = 0,
  parameter int unsigned SlotLsb = 0,
  parameter int unsigned SlotBits = 0,
  parameter int unsigned MaxHops = 1,
  parameter bit Dragonfly = 1'b0,                // else a torus
  // Of a torus: see hw_route_compute_q_torus
  parameter bit [NumCoords*8-1:0] DimSizes = '0,
  parameter bit [NumCoords*8-1:0] DstLsbs = '0,
  parameter bit [NumCoords*8-1:0] DstBits = '0,
  parameter int unsigned StateLsb = 0,
  parameter bit Balanced = 1'b0,
  parameter bit [NumVcs-1:0] EscapeVcs0 = '0,
  parameter bit [NumVcs-1:0] EscapeVcs1 = '0,
  parameter bit [NumVcs-1:0] AdaptiveVcs = '0,
  // Of a dragonfly: see hw_route_compute_q_dragonfly
  parameter int unsigned NumRouters = 0,
  parameter int unsigned NumGroups = 0,
  parameter int unsigned GlobalPorts = 0,
  parameter int unsigned Terminals = 1,
  parameter logic [1:0] Arrangement = hw_dragonfly_pkg::Absolute,
  parameter int unsigned DstRouterLsb = 0,
  parameter int unsigned DstGroupLsb = 0,
  parameter int unsigned SrcSlotLsb = 0,
  parameter bit [NumVcs*4-1:0] VcSteps = '0,
  parameter int unsigned NumSteps = 1,
  parameter bit [NumSteps*NumVcs-1:0] StepVcs = '0,
  parameter bit TwoLevel = 1'b1,
  parameter bit LocalDetours = 1'b1,
  parameter bit Progressive = 1'b0,
  localparam int unsigned NumCands = Dragonfly ? 1 : 2,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned RowBits = NumRows > 1 ? $clog2(NumRows) : 1,
  localparam int unsigned InfoBits = Dragonfly ? NumVcs : StateWidth + PortWidth + 2 * NumVcs,
  localparam int unsigned FeedbackBits = 1 + RowBits + ValueBits
) (
  input  wire logic                                clk_i,
  input  wire logic                                rst_ni,
  input  wire logic [NumCoords*CoordWidth-1:0]     coord_i,        // static
  // Questions, one slice per input port
  input  wire logic [NumPorts-1:0]                 req_valid_i,
  output logic [NumPorts-1:0]                      req_ready_o,
  input  wire logic [NumPorts*VcWidth-1:0]         req_vc_i,
  input  wire logic [NumPorts*RouteBits-1:0]       req_bits_i,
  // Questions to the agent: see hw_q_agent
  output logic [NumPorts-1:0]                      ask_valid_o,
  input  wire logic [NumPorts-1:0]                 ask_ready_i,
  output logic [NumPorts*RowBits-1:0]              ask_row_o,
  output logic [NumPorts*2-1:0]                    ask_mode_o,
  output logic [NumPorts-1:0]                      ask_narrow_o,
  output logic [NumPorts*PortWidth-1:0]            ask_minimal_o,
  output logic [NumPorts-1:0]                      ask_feedback_o,
  output logic [NumPorts*TimeBits-1:0]             ask_reward_o,
  output logic [NumPorts*InfoBits-1:0]             ask_info_o,
  // Answers, one slice per agent, and the ports that they are for
  input  wire logic [NumPorts-1:0]                 agent_valid_i,
  input  wire logic [NumAgents*VcWidth-1:0]        agent_vc_i,
  input  wire logic [NumAgents*PortWidth-1:0]      agent_port_i,
  input  wire logic [NumAgents*InfoBits-1:0]       agent_info_i,
  input  wire logic [NumAgents*FeedbackBits-1:0]   agent_feedback_i,
  // Answers, and with each the feedback for the router upstream; bit 0: valid
  output logic [NumPorts-1:0]                      rsp_valid_o,
  output logic [NumPorts*VcWidth-1:0]              rsp_vc_o,
  output logic [NumPorts*NumCands*PortWidth-1:0]   rsp_port_o,
  output logic [NumPorts*NumCands*NumVcs-1:0]      rsp_vcs_o,
  output logic [NumPorts*StateWidth-1:0]           rsp_state_o,
  output logic [NumPorts*FeedbackBits-1:0]         feedback_o
);

  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_port
    localparam int unsigned A = p % NumAgents;
    if (Dragonfly) begin : gen_dragonfly
      hw_route_compute_q_dragonfly #(
        .NumPorts(NumPorts), .NumVcs(NumVcs), .RouteBits(RouteBits), .InPort(p),
        .CoordWidth(CoordWidth), .NumRouters(NumRouters), .NumGroups(NumGroups),
        .GlobalPorts(GlobalPorts), .Terminals(Terminals), .Arrangement(Arrangement),
        .DstRouterLsb(DstRouterLsb), .DstGroupLsb(DstGroupLsb), .SlotLsb(SlotLsb),
        .SlotBits(SlotBits), .SrcSlotLsb(SrcSlotLsb), .RewardLsb(RewardLsb), .TimeBits(TimeBits),
        .VcSteps(VcSteps), .NumSteps(NumSteps), .StepVcs(StepVcs), .TwoLevel(TwoLevel),
        .MaxHops(MaxHops), .LocalDetours(LocalDetours), .Progressive(Progressive),
        .NumRows(NumRows), .ValueBits(ValueBits), .FractionBits(FractionBits)
      ) u_route (
        .clk_i(clk_i), .rst_ni(rst_ni), .coord_i(coord_i), .req_valid_i(req_valid_i[p]),
        .req_ready_o(req_ready_o[p]), .req_vc_i(req_vc_i[p*VcWidth+:VcWidth]),
        .req_bits_i(req_bits_i[p*RouteBits+:RouteBits]), .ask_valid_o(ask_valid_o[p]),
        .ask_ready_i(ask_ready_i[p]), .ask_row_o(ask_row_o[p*RowBits+:RowBits]),
        .ask_mode_o(ask_mode_o[p*2+:2]), .ask_narrow_o(ask_narrow_o[p]),
        .ask_minimal_o(ask_minimal_o[p*PortWidth+:PortWidth]), .ask_feedback_o(ask_feedback_o[p]),
        .ask_reward_o(ask_reward_o[p*TimeBits+:TimeBits]),
        .ask_info_o(ask_info_o[p*InfoBits+:InfoBits]), .agent_valid_i(agent_valid_i[p]),
        .agent_vc_i(agent_vc_i[A*VcWidth+:VcWidth]),
        .agent_port_i(agent_port_i[A*PortWidth+:PortWidth]),
        .agent_info_i(agent_info_i[A*InfoBits+:InfoBits]),
        .agent_feedback_i(agent_feedback_i[A*FeedbackBits+:FeedbackBits]),
        .rsp_valid_o(rsp_valid_o[p]),
        .rsp_vc_o(rsp_vc_o[p*VcWidth+:VcWidth]), .rsp_port_o(rsp_port_o[p*PortWidth+:PortWidth]),
        .rsp_vcs_o(rsp_vcs_o[p*NumVcs+:NumVcs]),
        .feedback_o(feedback_o[p*FeedbackBits+:FeedbackBits])
      );
    end else begin : gen_torus
      hw_route_compute_q_torus #(
        .NumPorts(NumPorts), .NumVcs(NumVcs), .RouteBits(RouteBits), .InPort(p),
        .StateLsb(StateLsb), .StateWidth(StateWidth), .NumDims(NumCoords),
        .CoordWidth(CoordWidth), .Balanced(Balanced), .DimSizes(DimSizes), .DstLsbs(DstLsbs),
        .DstBits(DstBits), .SlotLsb(SlotLsb), .SlotBits(SlotBits), .EscapeVcs0(EscapeVcs0),
        .EscapeVcs1(EscapeVcs1), .AdaptiveVcs(AdaptiveVcs), .RewardLsb(RewardLsb),
        .TimeBits(TimeBits), .MaxHops(MaxHops), .NumRows(NumRows), .ValueBits(ValueBits),
        .FractionBits(FractionBits)
      ) u_route (
        .coord_i(coord_i), .req_valid_i(req_valid_i[p]), .req_ready_o(req_ready_o[p]),
        .req_vc_i(req_vc_i[p*VcWidth+:VcWidth]), .req_bits_i(req_bits_i[p*RouteBits+:RouteBits]),
        .ask_valid_o(ask_valid_o[p]), .ask_ready_i(ask_ready_i[p]),
        .ask_row_o(ask_row_o[p*RowBits+:RowBits]), .ask_mode_o(ask_mode_o[p*2+:2]),
        .ask_narrow_o(ask_narrow_o[p]), .ask_minimal_o(ask_minimal_o[p*PortWidth+:PortWidth]),
        .ask_feedback_o(ask_feedback_o[p]), .ask_reward_o(ask_reward_o[p*TimeBits+:TimeBits]),
        .ask_info_o(ask_info_o[p*InfoBits+:InfoBits]), .agent_valid_i(agent_valid_i[p]),
        .agent_vc_i(agent_vc_i[A*VcWidth+:VcWidth]),
        .agent_port_i(agent_port_i[A*PortWidth+:PortWidth]),
        .agent_info_i(agent_info_i[A*InfoBits+:InfoBits]),
        .agent_feedback_i(agent_feedback_i[A*FeedbackBits+:FeedbackBits]),
        .rsp_valid_o(rsp_valid_o[p]),
        .rsp_vc_o(rsp_vc_o[p*VcWidth+:VcWidth]),
        .rsp_port_o(rsp_port_o[p*2*PortWidth+:2*PortWidth]),
        .rsp_vcs_o(rsp_vcs_o[p*2*NumVcs+:2*NumVcs]),
        .rsp_state_o(rsp_state_o[p*StateWidth+:StateWidth]),
        .feedback_o(feedback_o[p*FeedbackBits+:FeedbackBits])
      );
    end
  end

  if (Dragonfly) begin : gen_no_state
    assign rsp_state_o = '0;
  end

  wire unused = &{1'b0, clk_i, rst_ni};

endmodule

`default_nettype wire
