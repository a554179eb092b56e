// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Q-routing on a torus, for one input port: the question to hw_q_agent, and dimension order as the escape.
//
// A packet on the adaptive VCs goes where the table says, any way round, and after MaxHops such hops in dimension order.
// Where that port has no room it turns to its dateline class of dimension order, and stays there (sticky escape). The row of
// the table is the destination's coordinates as the head flit has them.
//
// Two candidates, in the order of preference: {learned port, adaptive VCs}, {dimension order, escape VCs}.
// Latency: 0 cycles at the destination, else the agent's; an answer from the agent goes first.
// Combinational paths: req_*, coord_i -> ask_*, rsp_*; agent_* -> rsp_*; ask_ready_i, agent_valid_i -> req_ready_o.
// Reference: Boyan & Littman 1993; Duato, Yalamanchili & Ni, section 3.1.4 (escape channels); relation `q_routing`
// (gen/routing/q/relation.cpp).
module hw_route_compute_q_torus #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned RouteBits = 0,
  parameter int unsigned InPort = 0,
  parameter int unsigned StateLsb = 0,                   // hops on adaptive VCs, up to MaxHops
  parameter int unsigned StateWidth = 1,
  parameter int unsigned NumDims = 0,
  parameter int unsigned CoordWidth = 0,                 // bits of a coordinate in coord_i, at most 6
  parameter bit Balanced = 1'b0,                         // datelines: see hw_dimension_order
  parameter bit [NumDims*8-1:0] DimSizes = '0,
  parameter bit [NumDims*8-1:0] DstLsbs = '0,            // destination coordinates in the head flit, without gaps
  parameter bit [NumDims*8-1:0] DstBits = '0,
  parameter int unsigned SlotLsb = 0,                    // destination terminal slot
  parameter int unsigned SlotBits = 0,
  parameter bit [NumVcs-1:0] EscapeVcs0 = '0,
  parameter bit [NumVcs-1:0] EscapeVcs1 = '0,
  parameter bit [NumVcs-1:0] AdaptiveVcs = '0,
  parameter int unsigned RewardLsb = 0,
  parameter int unsigned TimeBits = 0,
  parameter int unsigned MaxHops = 1,
  parameter int unsigned NumRows = 0,
  parameter int unsigned ValueBits = 0,
  parameter int unsigned FractionBits = 0,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned RowBits = NumRows > 1 ? $clog2(NumRows) : 1,
  localparam int unsigned InfoBits = StateWidth + PortWidth + 2 * NumVcs,
  localparam int unsigned FeedbackBits = 1 + RowBits + ValueBits
) (
  input  wire logic [NumDims*CoordWidth-1:0] coord_i,    // static: where this router stands
  // Request
  input  wire logic                          req_valid_i,
  output logic                               req_ready_o,
  input  wire logic [VcWidth-1:0]            req_vc_i,
  input  wire logic [RouteBits-1:0]          req_bits_i,
  // Question to the agent; its info is {state, escape port, escape VCs, adaptive VCs}
  output logic                               ask_valid_o,
  input  wire logic                          ask_ready_i,
  output logic [RowBits-1:0]                 ask_row_o,
  output logic [1:0]                         ask_mode_o,
  output logic                               ask_narrow_o,
  output logic [PortWidth-1:0]               ask_minimal_o,
  output logic                               ask_feedback_o,
  output logic [TimeBits-1:0]                ask_reward_o,
  output logic [InfoBits-1:0]                ask_info_o,
  // Its answer
  input  wire logic                          agent_valid_i,
  input  wire logic [VcWidth-1:0]            agent_vc_i,
  input  wire logic [PortWidth-1:0]          agent_port_i,
  input  wire logic [InfoBits-1:0]           agent_info_i,
  input  wire logic [FeedbackBits-1:0]       agent_feedback_i,
  // Response
  output logic                               rsp_valid_o,
  output logic [VcWidth-1:0]                 rsp_vc_o,
  output logic [2*PortWidth-1:0]             rsp_port_o,
  output logic [2*NumVcs-1:0]                rsp_vcs_o,
  output logic [StateWidth-1:0]              rsp_state_o,
  output logic [FeedbackBits-1:0]            feedback_o   // with a response, for the router upstream; bit 0: valid
);

  localparam bit FromTerminal = InPort >= 2 * NumDims;
  localparam logic [ValueBits-1:0] Most = {{(ValueBits - 1){1'b1}}, 1'b0};  // of a feedback's value

  logic [PortWidth-1:0] way;                             // dimension order, or the terminal
  logic [NumVcs-1:0] way_vcs;

  hw_dimension_order #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .RouteBits(RouteBits), .InPort(InPort),
    .NumDims(NumDims), .CoordWidth(CoordWidth), .Torus(1'b1), .Balanced(Balanced),
    .DimSizes(DimSizes), .DstLsbs(DstLsbs), .DstBits(DstBits), .SlotLsb(SlotLsb),
    .SlotBits(SlotBits), .EscapeVcs0(EscapeVcs0), .EscapeVcs1(EscapeVcs1)
  ) u_dor (
    .coord_i(coord_i), .req_valid_i(req_valid_i), .req_vc_i(req_vc_i), .req_bits_i(req_bits_i),
    .rsp_port_o(way), .rsp_vcs_o(way_vcs)
  );

  logic arrived, escaped;
  logic [StateWidth-1:0] hops, state;

  always_comb begin
    arrived = 32'(way) >= 2 * NumDims;
    escaped = !FromTerminal && !AdaptiveVcs[req_vc_i];
    hops = StateWidth'(64'(req_bits_i) >> StateLsb);
    state = hops >= StateWidth'(MaxHops) ? hops : hops + StateWidth'(1);
    ask_valid_o = req_valid_i && !arrived;
    ask_row_o = RowBits'(64'(req_bits_i) >> DstLsbs[7:0]);
    ask_mode_o = escaped || hops >= StateWidth'(MaxHops) ? hw_q_pkg::Minimal : hw_q_pkg::Greedy;
    ask_narrow_o = 1'b0;
    ask_minimal_o = way;
    ask_feedback_o = !FromTerminal;
    ask_reward_o = req_bits_i[RewardLsb+:TimeBits];
    ask_info_o = {state, way, way_vcs, escaped ? {NumVcs{1'b0}} : AdaptiveVcs};
  end

  assign req_ready_o = arrived ? !agent_valid_i : ask_ready_i;

  logic [ValueBits+TimeBits-1:0] reward_value;

  always_comb begin
    rsp_valid_o = agent_valid_i || (req_valid_i && arrived);
    rsp_vc_o = agent_vc_i;
    rsp_port_o = {agent_info_i[2*NumVcs+:PortWidth], agent_port_i};
    rsp_vcs_o = agent_info_i[2*NumVcs-1:0];
    rsp_state_o = agent_info_i[2*NumVcs+PortWidth+:StateWidth];
    feedback_o = agent_feedback_i;
    feedback_o[0] = agent_valid_i && agent_feedback_i[0];
    reward_value = (ValueBits+TimeBits)'(ask_reward_o) << FractionBits;
    if (!agent_valid_i) begin
      rsp_vc_o = req_vc_i;
      rsp_port_o = {way, way};
      rsp_vcs_o = {{NumVcs{1'b0}}, way_vcs};
      rsp_state_o = state;
      feedback_o = {reward_value > (ValueBits+TimeBits)'(Most) ? Most : ValueBits'(reward_value), ask_row_o,
                    req_valid_i && arrived && !FromTerminal};
    end
  end

  wire unused = &{1'b0, req_bits_i};

endmodule

`default_nettype wire
