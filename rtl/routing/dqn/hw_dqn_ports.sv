// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The route computations of a router that has a DQN agent, and what each asks it:
// hw_route_compute_dqn at every input port. An answer of the agent is for one port, the same words
// for all.
//
// Latency, throughput and combinational paths: see there. There is no state.
// Reference: see there.
module hw_dqn_ports #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned RouteBits = 0,
  parameter int unsigned NumCoords = 0,
  parameter int unsigned CoordWidth = 0,
  // See hw_route_compute_dqn
  parameter bit Balanced = 1'b0,
  parameter bit [NumCoords*8-1:0] DimSizes = '0,
  parameter bit [NumCoords*8-1:0] DstLsbs = '0,
  parameter bit [NumCoords*8-1:0] DstBits = '0,
  parameter int unsigned SlotLsb = 0,
  parameter int unsigned SlotBits = 0,
  parameter int unsigned StateLsb = 0,
  parameter int unsigned ClassBits = 1,
  parameter int unsigned TrackBits = 4,
  parameter int unsigned NumProposals = 1,
  parameter bit Returns = 1'b0,
  parameter bit [NumVcs-1:0] EscapeVcs0 = '0,
  parameter bit [NumVcs-1:0] EscapeVcs1 = '0,
  parameter bit [NumVcs-1:0] AdaptiveVcs = '0,
  parameter int unsigned MaxHops = 1,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned StateWidth = ClassBits + TrackBits,
  localparam int unsigned TrackWidth = TrackBits > 0 ? TrackBits : 1,
  localparam int unsigned NumCands = NumProposals + 1,
  localparam int unsigned InfoBits = ClassBits + PortWidth + NumVcs
) (
  input  wire logic [NumCoords*CoordWidth-1:0]  coord_i,         // static
  // Questions, one slice per input port
  input  wire logic [NumPorts-1:0]              req_valid_i,
  output logic [NumPorts-1:0]                   req_ready_o,
  input  wire logic [NumPorts*VcWidth-1:0]      req_vc_i,
  input  wire logic [NumPorts*RouteBits-1:0]    req_bits_i,
  // Questions to the agent: see hw_dqn_agent; and packets that end here
  output logic [NumPorts-1:0]                   ask_valid_o,
  input  wire logic [NumPorts-1:0]              ask_ready_i,
  output logic [NumPorts-1:0]                   ask_forced_o,
  output logic [NumPorts*InfoBits-1:0]          ask_info_o,
  output logic [NumPorts-1:0]                   arrived_o,
  // Its answer, and the port that it is for
  input  wire logic [NumPorts-1:0]              agent_valid_i,
  input  wire logic [VcWidth-1:0]               agent_vc_i,
  input  wire logic [NumProposals*PortWidth-1:0] agent_port_i,
  input  wire logic [NumProposals-1:0]          agent_accept_i,
  input  wire logic [TrackWidth-1:0]            agent_track_i,
  input  wire logic [InfoBits-1:0]              agent_info_i,
  // Answers
  output logic [NumPorts-1:0]                   rsp_valid_o,
  output logic [NumPorts*VcWidth-1:0]           rsp_vc_o,
  output logic [NumPorts*NumCands*PortWidth-1:0]       rsp_port_o,
  output logic [NumPorts*NumCands*NumVcs-1:0]          rsp_vcs_o,
  output logic [NumPorts*StateWidth-1:0]        rsp_state_o
);

  if (NumPorts == 0 || NumVcs == 0 || NumCoords == 0) begin : gen_bad_size
    $error("hw_dqn_ports: NumPorts, NumVcs and NumCoords must be set");
  end

  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_port
    hw_route_compute_dqn #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .RouteBits(RouteBits), .InPort(p),
      .StateLsb(StateLsb), .ClassBits(ClassBits), .TrackBits(TrackBits),
      .NumProposals(NumProposals), .Returns(Returns), .NumDims(NumCoords),
      .CoordWidth(CoordWidth), .Balanced(Balanced), .DimSizes(DimSizes), .DstLsbs(DstLsbs), .DstBits(DstBits),
      .SlotLsb(SlotLsb), .SlotBits(SlotBits), .EscapeVcs0(EscapeVcs0), .EscapeVcs1(EscapeVcs1),
      .AdaptiveVcs(AdaptiveVcs), .MaxHops(MaxHops)
    ) u_route (
      .coord_i(coord_i), .req_valid_i(req_valid_i[p]), .req_ready_o(req_ready_o[p]),
      .req_vc_i(req_vc_i[p*VcWidth+:VcWidth]), .req_bits_i(req_bits_i[p*RouteBits+:RouteBits]),
      .ask_valid_o(ask_valid_o[p]), .ask_ready_i(ask_ready_i[p]), .ask_forced_o(ask_forced_o[p]),
      .ask_info_o(ask_info_o[p*InfoBits+:InfoBits]), .arrived_o(arrived_o[p]),
      .agent_valid_i(agent_valid_i[p]), .agent_vc_i(agent_vc_i), .agent_port_i(agent_port_i),
      .agent_accept_i(agent_accept_i), .agent_track_i(agent_track_i),
      .agent_info_i(agent_info_i), .rsp_valid_o(rsp_valid_o[p]),
      .rsp_vc_o(rsp_vc_o[p*VcWidth+:VcWidth]),
      .rsp_port_o(rsp_port_o[p*NumCands*PortWidth+:NumCands*PortWidth]),
      .rsp_vcs_o(rsp_vcs_o[p*NumCands*NumVcs+:NumCands*NumVcs]),
      .rsp_state_o(rsp_state_o[p*StateWidth+:StateWidth])
    );
  end

endmodule

`default_nettype wire
