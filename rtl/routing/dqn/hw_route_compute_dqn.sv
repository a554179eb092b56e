// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// DQN-Routing on a torus, for one input port: the question to hw_dqn_agent, and dimension order as the escape.
//
// A packet on the adaptive VCs goes where the agent proposes, any way round, if the agent accepts its own proposal (the VC
// there has room for the whole packet); else in its dateline class of dimension order, where it stays (sticky escape), as
// after MaxHops routers. Questions whose answer is known (a forced one) go to the agent only for the packets that it tracks. With
// Returns forced packets may take minimal ports on the adaptive VCs, which the agent names; they have the class MaxHops from then on.
//
// Candidates, in the order of preference: {proposed port, adaptive VCs or none} of each proposal, {dimension order, escape VCs}.
// The state in the head flit is {track, class}: the entry {index, generation, valid} that the agent of the router before
// keeps for the packet (TrackBits 0: none), and the routers passed so far, up to MaxHops. Packets from terminals are taken as untracked.
// Latency: 0 cycles at the destination and, without Returns, for forced packets that are not tracked, else the agent's; an
// answer from the agent goes first.
// Combinational paths: req_*, coord_i -> ask_*, rsp_*, arrived_o; agent_* -> rsp_*; ask_ready_i, agent_valid_i -> req_ready_o;
// agent_valid_i -> arrived_o.
// Reference: Lonardo, DQN-Routing, sections 3 and 4 (algorithm 2); Duato, Yalamanchili & Ni, section 3.1.4 (escape channels);
// relation `dqn` of the generator.
module hw_route_compute_dqn #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned RouteBits = 0,
  parameter int unsigned InPort = 0,
  parameter int unsigned StateLsb = 0,
  parameter int unsigned ClassBits = 1,                  // routers passed, up to MaxHops
  parameter int unsigned TrackBits = 4,
  parameter int unsigned NumProposals = 1,               // ports of an agent's answer
  parameter bit Returns = 1'b0,                          // a packet that has escaped goes on in any minimal way
  parameter int unsigned NumDims = 0,
  parameter int unsigned CoordWidth = 0,                 // bits of a coordinate in coord_i, at most 6
  parameter bit Balanced = 1'b0,                         // datelines: see hw_dimension_order
  parameter bit [NumDims*8-1:0] DimSizes = '0,
  parameter bit [NumDims*8-1:0] DstLsbs = '0,            // destination coordinates in the head flit
  parameter bit [NumDims*8-1:0] DstBits = '0,
  parameter int unsigned SlotLsb = 0,                    // destination terminal slot
  parameter int unsigned SlotBits = 0,
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
  input  wire logic [NumDims*CoordWidth-1:0] coord_i,    // static: where this router stands
  // Request
  input  wire logic                          req_valid_i,
  output logic                               req_ready_o,
  input  wire logic [VcWidth-1:0]            req_vc_i,
  input  wire logic [RouteBits-1:0]          req_bits_i,
  // Question to the agent; its info is {class, escape port, escape VCs}
  output logic                               ask_valid_o,
  input  wire logic                          ask_ready_i,
  output logic                               ask_forced_o,
  output logic [InfoBits-1:0]                ask_info_o,
  // The packet at hand is answered with ejection in this cycle
  output logic                               arrived_o,
  // The agent's answer
  input  wire logic                          agent_valid_i,
  input  wire logic [VcWidth-1:0]            agent_vc_i,
  input  wire logic [NumProposals*PortWidth-1:0] agent_port_i,
  input  wire logic [NumProposals-1:0]       agent_accept_i,
  input  wire logic [TrackWidth-1:0]         agent_track_i,
  input  wire logic [InfoBits-1:0]           agent_info_i,
  // Response
  output logic                               rsp_valid_o,
  output logic [VcWidth-1:0]                 rsp_vc_o,
  output logic [NumCands*PortWidth-1:0]      rsp_port_o,
  output logic [NumCands*NumVcs-1:0]         rsp_vcs_o,
  output logic [StateWidth-1:0]              rsp_state_o
);

  if (MaxHops == 0 || (MaxHops >> ClassBits) != 0) begin : gen_bad_hops
    $error("hw_route_compute_dqn: MaxHops must be at least 1 and fit into ClassBits");
  end

  localparam bit FromTerminal = InPort >= 2 * NumDims;

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

  logic arrived, escaped, tracked, alone;
  logic [ClassBits-1:0] passed, class_next;

  if (TrackBits > 0 && !FromTerminal) begin : gen_track
    assign tracked = req_bits_i[StateLsb+ClassBits];
  end else begin : gen_no_track
    assign tracked = 1'b0;
  end

  always_comb begin
    passed = req_bits_i[StateLsb+:ClassBits];
    arrived = 32'(way) >= 2 * NumDims;
    escaped = !FromTerminal && !AdaptiveVcs[req_vc_i];
    ask_forced_o = escaped || passed >= ClassBits'(MaxHops);
    class_next = passed >= ClassBits'(MaxHops) || (Returns && escaped) ? ClassBits'(MaxHops) : passed + ClassBits'(1);
    alone = arrived || (ask_forced_o && !tracked && !Returns);  // answered without the agent
    ask_valid_o = req_valid_i && !alone;
    ask_info_o = {class_next, way, way_vcs};
  end

  assign req_ready_o = alone ? !agent_valid_i : ask_ready_i;
  assign arrived_o = req_valid_i && arrived && !agent_valid_i;

  always_comb begin
    rsp_valid_o = agent_valid_i || (req_valid_i && alone);
    rsp_vc_o = agent_vc_i;
    rsp_port_o = {agent_info_i[NumVcs+:PortWidth], agent_port_i};
    rsp_vcs_o = '0;
    for (int unsigned k = 0; k < NumProposals; k = k + 1) begin
      if (agent_accept_i[k]) rsp_vcs_o[k*NumVcs+:NumVcs] = AdaptiveVcs;
    end
    rsp_vcs_o[NumProposals*NumVcs+:NumVcs] = agent_info_i[NumVcs-1:0];
    rsp_state_o = StateWidth'({agent_track_i, agent_info_i[NumVcs+PortWidth+:ClassBits]});
    if (!agent_valid_i) begin
      rsp_vc_o = req_vc_i;
      rsp_port_o = {NumCands{way}};
      rsp_vcs_o = '0;
      if (arrived) rsp_vcs_o[NumVcs-1:0] = way_vcs;
      else rsp_vcs_o[NumProposals*NumVcs+:NumVcs] = way_vcs;
      rsp_state_o = StateWidth'(class_next);
    end
  end

  wire unused = &{1'b0, req_bits_i, agent_track_i};

endmodule

`default_nettype wire
