// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Q-adaptive and Q-routing on a dragonfly, for one input port: what a packet may do here, and the question to hw_q_agent
// that decides it. The VC's step says how many hops lie behind: a packet takes step n for hop n.
//
// Two levels (Q-adaptive): in the destination group the way is minimal and nothing is asked. The source router decides
// by the whole row, the first router of an intermediate group between the minimal port and a random router; everywhere else
// the packet goes minimally, and only the feedback is asked for. With Progressive the routers of the source group decide,
// too, between their own global ports and the minimal one. Otherwise (Q-routing) every router before hop MaxHops decides by
// the whole row of the destination router, and only that router needs no table.
//
// Latency: 0 cycles where nothing is asked, else the agent's; an answer from the agent goes first.
// Combinational paths: req_*, coord_i -> ask_*, rsp_*; agent_* -> rsp_*; ask_ready_i, agent_valid_i -> req_ready_o.
// Guarantees: a packet takes at most NumSteps hops from router to router (asserted).
// Reference: Kang, Wang & Lan, HPDC 2021, sections 2.3.2 and 4; relation `q_routing` of the generator.
module hw_route_compute_q_dragonfly #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned RouteBits = 0,
  parameter int unsigned InPort = 0,
  parameter int unsigned CoordWidth = 0,                  // of a coordinate in coord_i: {group, router}
  parameter int unsigned NumRouters = 0,                  // a
  parameter int unsigned NumGroups = 0,                   // g
  parameter int unsigned GlobalPorts = 0,                 // h
  parameter int unsigned Terminals = 1,                   // p
  parameter logic [1:0] Arrangement = hw_dragonfly_pkg::Absolute,
  parameter int unsigned DstRouterLsb = 0,                // fields of the head flit
  parameter int unsigned DstGroupLsb = 0,
  parameter int unsigned SlotLsb = 0,
  parameter int unsigned SlotBits = 0,
  parameter int unsigned SrcSlotLsb = 0,
  parameter int unsigned RewardLsb = 0,
  parameter int unsigned TimeBits = 0,
  parameter bit [NumVcs*4-1:0] VcSteps = '0,              // step of each VC
  parameter int unsigned NumSteps = 1,
  parameter bit [NumSteps*NumVcs-1:0] StepVcs = '0,       // VCs of each step
  parameter bit TwoLevel = 1'b1,
  parameter int unsigned MaxHops = 1,                     // Q-routing: routers that decide
  parameter bit LocalDetours = 1'b1,                      // the source router may send any packet to any router of its group
  parameter bit Progressive = 1'b0,
  parameter int unsigned NumRows = 0,
  parameter int unsigned ValueBits = 0,
  parameter int unsigned FractionBits = 0,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned RowBits = NumRows > 1 ? $clog2(NumRows) : 1,
  localparam int unsigned FeedbackBits = 1 + RowBits + ValueBits
) (
  input  wire logic                      clk_i,
  input  wire logic                      rst_ni,
  input  wire logic [2*CoordWidth-1:0]   coord_i,         // static: where this router stands
  // Request
  input  wire logic                      req_valid_i,
  output logic                           req_ready_o,
  input  wire logic [VcWidth-1:0]        req_vc_i,
  input  wire logic [RouteBits-1:0]      req_bits_i,
  // Question to the agent; its info is the set of VCs
  output logic                           ask_valid_o,
  input  wire logic                      ask_ready_i,
  output logic [RowBits-1:0]             ask_row_o,
  output logic [1:0]                     ask_mode_o,
  output logic                           ask_narrow_o,
  output logic [PortWidth-1:0]           ask_minimal_o,
  output logic                           ask_feedback_o,
  output logic [TimeBits-1:0]            ask_reward_o,
  output logic [NumVcs-1:0]              ask_info_o,
  // Its answer
  input  wire logic                      agent_valid_i,
  input  wire logic [VcWidth-1:0]        agent_vc_i,
  input  wire logic [PortWidth-1:0]      agent_port_i,
  input  wire logic [NumVcs-1:0]         agent_info_i,
  input  wire logic [FeedbackBits-1:0]   agent_feedback_i,
  // Response
  output logic                           rsp_valid_o,
  output logic [VcWidth-1:0]             rsp_vc_o,
  output logic [PortWidth-1:0]           rsp_port_o,
  output logic [NumVcs-1:0]              rsp_vcs_o,
  output logic [FeedbackBits-1:0]        feedback_o       // with a response, for the router upstream; bit 0: valid
);

  localparam int unsigned G = hw_dragonfly_pkg::GroupBits;
  localparam int unsigned R = hw_dragonfly_pkg::RouterBits;
  localparam int unsigned RouterBits = NumRouters > 1 ? $clog2(NumRouters) : 1;
  localparam int unsigned GroupWidth = $clog2(NumGroups);
  localparam int unsigned LocalPorts = NumRouters - 1;
  localparam int unsigned WideBits = RouteBits > 64 ? RouteBits : 64;  // a source slot may lie beyond bit 63
  localparam int unsigned NetworkPorts = LocalPorts + GlobalPorts;
  localparam bit FromTerminal = InPort >= NetworkPorts;
  localparam bit FromGlobal = !FromTerminal && InPort >= LocalPorts;
  localparam bit FromLocal = !FromTerminal && !FromGlobal;
  // Division by a constant: exact for links up to 1024.
  localparam int unsigned PerPort = (65536 + GlobalPorts - 1) / GlobalPorts;
  localparam logic [ValueBits-1:0] Most = {{(ValueBits - 1){1'b1}}, 1'b0};  // of a feedback's value

  if (NumRouters < 2 || NumRouters > 64 || GlobalPorts > 16 || NumRouters * GlobalPorts > 1024) begin : gen_bad_size
    $error("hw_route_compute_q_dragonfly: 2 to 64 routers with at most 16 global ports");
  end

  // The way ------------------------------------------------------------------------------------------------------------
  logic [R-1:0] here, dst, at;
  logic [G-1:0] group, dst_group;
  logic [15:0] number;                                    // of the link to the destination's group
  logic [PortWidth-1:0] minimal;
  logic arrived, at_group, direct;
  logic [4:0] hops;

  always_comb begin
    here = R'(coord_i[0+:CoordWidth]);
    group = G'(coord_i[CoordWidth+:CoordWidth]);
    dst = R'(req_bits_i[DstRouterLsb+:RouterBits]);
    dst_group = G'(req_bits_i[DstGroupLsb+:GroupWidth]);
    at_group = dst_group == group;
    arrived = at_group && dst == here;
    number = 16'(hw_dragonfly_pkg::position(Arrangement, G'(NumGroups), group, dst_group));
    at = R'((32'(number) * PerPort) >> 16);
    direct = !at_group && at == here;
    if (at_group) at = dst;
    minimal = PortWidth'(at) - PortWidth'(at < here ? 0 : 1);
    if (direct) minimal = PortWidth'(LocalPorts + 32'(number) - 32'(here) * GlobalPorts);
    if (arrived) minimal = PortWidth'(NetworkPorts + (32'(64'(req_bits_i) >> SlotLsb) & ((1 << SlotBits) - 1)));
    hops = FromTerminal ? 5'd0 : 5'(VcSteps[req_vc_i*4+:4]) + 5'd1;
  end

  // The question -------------------------------------------------------------------------------------------------------
  logic asks, overrun;
  logic [15:0] row;
  logic [NumVcs-1:0] vcs;

  always_comb begin
    asks = TwoLevel ? !at_group : !arrived;
    overrun = !arrived && hops >= 5'(NumSteps);
    vcs = '0;
    for (int unsigned s = 0; s < NumSteps; s = s + 1) begin
      if (hops == 5'(s)) vcs = StepVcs[s*NumVcs+:NumVcs];
    end
    if (arrived) vcs = NumVcs'(1);
    if (TwoLevel) row = 16'(32'(dst_group) * Terminals + (32'(WideBits'(req_bits_i) >> SrcSlotLsb) & ((1 << SlotBits) - 1)));
    else row = 16'(32'(dst_group) * NumRouters + 32'(dst));
    ask_mode_o = hw_q_pkg::Minimal;
    ask_narrow_o = 1'b0;
    if (!TwoLevel) begin
      if (hops < 5'(MaxHops)) ask_mode_o = hw_q_pkg::Greedy;
    end else if (FromTerminal) begin
      ask_mode_o = hw_q_pkg::Learned;
      ask_narrow_o = !LocalDetours;
    end else if (FromGlobal && hops == 5'd1 && !direct) begin
      ask_mode_o = hw_q_pkg::Detour;
    end else if (FromLocal && Progressive && hops == 5'd1) begin
      ask_mode_o = hw_q_pkg::Learned;
      ask_narrow_o = 1'b1;
    end
    ask_valid_o = req_valid_i && asks;
    ask_row_o = RowBits'(row);
    ask_minimal_o = minimal;
    ask_feedback_o = !FromTerminal;
    ask_reward_o = req_bits_i[RewardLsb+:TimeBits];
    ask_info_o = vcs;
  end

  assign req_ready_o = asks ? ask_ready_i : !agent_valid_i;

  // The answer ---------------------------------------------------------------------------------------------------------
  logic [ValueBits+TimeBits-1:0] reward_value;

  always_comb begin
    rsp_valid_o = agent_valid_i || (req_valid_i && !asks);
    rsp_vc_o = agent_vc_i;
    rsp_port_o = agent_port_i;
    rsp_vcs_o = agent_info_i;
    feedback_o = agent_feedback_i;
    feedback_o[0] = agent_valid_i && agent_feedback_i[0];
    reward_value = (ValueBits+TimeBits)'(ask_reward_o) << FractionBits;
    if (!agent_valid_i) begin
      rsp_vc_o = req_vc_i;
      rsp_port_o = minimal;
      rsp_vcs_o = vcs;
      feedback_o = {reward_value > (ValueBits+TimeBits)'(Most) ? Most : ValueBits'(reward_value), ask_row_o,
                    req_valid_i && !asks && (FromGlobal || (FromLocal && !TwoLevel))};
    end
  end

  wire unused = &{1'b0, clk_i, rst_ni, row, overrun, req_bits_i};

  `HW_ASSERT(a_hops_stay_below_the_steps, !(req_valid_i && overrun))

endmodule

`default_nettype wire
