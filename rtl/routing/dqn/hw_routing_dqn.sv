// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_routing_ties.svh"

// DQN-Routing on a torus: route computations of all ports (hw_dqn_ports), and one agent
// (hw_dqn_agent) with its network, its observation and its pending packets for all of them.
//
// Feedback: acknowledges {lost, age, index, generation, valid}, from downstream and to upstream.
// Latency: 0 cycles from req_* to rsp_* at the destination and, without Ranks, for forced questions,
// else that of the agent; throughput: one proposal at a time, one answer a cycle; the ports take turns.
// Combinational paths: req_*, buffer_space_i, coord_i -> req_ready_o, rsp_*; table_* ->
// table_ack_o, table_rdata_o. With Ranks none from req_* to an answer of the agent. A decision holds.
// Configuration words (with Ranks only 0 counts): 0 {31: the generator takes the seed while it is set, 0: escape only}, 1
// seed, 2 epsilon, 3 {15:0 every how many-th packet is tracked}; see hw_dqn_agent.
// With Ranks the agent is hw_dqn_preference_agent: no packet waits for the network, none is tracked, and there is no feedback.
// Counters, if NumCounters is not 0, and trace: counts_o and event_o of the agent. With Parity above it {what was found with bad parity,
// a bit each; the last one's word in the table window}.
// Table window: words 0 to 11 the counters, or 0; 16 reads whether there are weights; from 16 on what is
// written loads the engine, see hw_dqn_engine.
// Assumes: questions hold until ready; packets of an input VC cross (turn_*) in the order in which
// they are answered, each before the next; destinations that exist.
// Guarantees: moves of the proved relation, whatever the weights say (checked by `hopwise verify`).
// Reference: Lonardo, DQN-Routing, sections 3 and 4; docs/reference/routing-dqn.md.
module hw_routing_dqn #(
  `include "hw_routing_parameters.svh"
  // Of this family
  parameter bit [NumCoords*8-1:0] DimSizes = '0,
  parameter bit [NumCoords*8-1:0] DstLsbs = '0,  // destination coordinates in the head flit
  parameter bit [NumCoords*8-1:0] DstBits = '0,
  parameter bit Balanced = 1'b0,                // datelines: see hw_dimension_order
  parameter int unsigned SlotLsb = 0,           // destination terminal slot
  parameter int unsigned SlotBits = 0,
  parameter int unsigned LenLsb = 0,            // length field; unused if MaxFlits is 1
  parameter int unsigned LenBits = 1,
  parameter int unsigned LenOffset = 0,
  parameter int unsigned MaxFlits = 0,
  parameter int unsigned StateLsb = 0,          // {track, class}
  parameter int unsigned ClassBits = 1,
  parameter int unsigned AgeLsb = 0,            // 16 bits
  parameter bit [NumVcs*16-1:0] VcDepths = '0,
  parameter bit [NumVcs-1:0] EscapeVcs0 = '0,
  parameter bit [NumVcs-1:0] EscapeVcs1 = '0,
  parameter bit [NumVcs-1:0] AdaptiveVcs = '0,
  parameter int unsigned MaxHops = 1,           // before a packet goes in dimension order
  parameter bit Coordinates = 1'b0,             // see hw_dqn_observer
  parameter int unsigned Mask = hw_dqn_mask_pkg::NotBack,
  parameter int unsigned NumEntries = 0,        // pending packets
  parameter int unsigned TickLsb = 0,           // they live two to three ticks of 2^this cycles
  parameter int unsigned NumLayers = 0,         // see hw_dqn_engine
  parameter bit [(NumLayers+1)*8-1:0] Sizes = '0,
  parameter int unsigned Lanes = 1,
  parameter int unsigned Depth = 1,
  parameter bit ZeroTime = 1'b0,
  parameter bit Parity = 1'b0,                  // of weights and biases: see hw_dqn_engine
  parameter bit LongestRoom = 1'b0,             // see hw_dqn_proposer
  parameter int unsigned Ranks = 0,             // preferred ports that an answer has; 0: it is a proposal
  parameter int unsigned MarginShift = 0,       // see hw_dqn_preferences
  `include "hw_routing_widths.svh"
) (
  `include "hw_routing_ports.svh"
);

  localparam int unsigned EntryBits = NumEntries > 1 ? $clog2(NumEntries) : 1;
  localparam int unsigned TrackBits = Ranks > 0 ? 0 : 3 + EntryBits;
  localparam int unsigned TrackWidth = TrackBits > 0 ? TrackBits : 1;
  localparam int unsigned NumProposals = Ranks > 0 ? Ranks : 1;
  localparam int unsigned InfoBits = ClassBits + PortWidth + NumVcs;
  localparam int unsigned ActionBits = NumNetworkPorts > 1 ? $clog2(NumNetworkPorts) : 1;
  localparam int unsigned Load = 16;            // first word of the table window that loads
  localparam int unsigned Stored = Ranks < NumNetworkPorts ? Ranks + 1 : NumNetworkPorts;
  localparam int unsigned DstWidth =            // destination coordinates lie side by side
      32'(DstLsbs[(NumCoords-1)*8+:8]) + 32'(DstBits[(NumCoords-1)*8+:8]) - 32'(DstLsbs[7:0]);
  localparam int unsigned ObsBits = 8 * (6 * NumCoords + 1);
  localparam int unsigned EventBits =
      Ranks > 0 ? 5 + DstWidth + Stored * (ActionBits + 1) + ObsBits
                : 37 + 2 * EntryBits + 3 * ActionBits + NumNetworkPorts + PortWidth + 24 + ObsBits;
  localparam int unsigned Counts = Ranks > 0 ? 4 : 12;

  if (NumCands != NumProposals + 1 || NumCfg != 4 || (NumCounters != 0 && NumCounters != Counts)) begin : gen_bad_shape
    $error("hw_routing_dqn: NumCands must be 2, or Ranks + 1, NumCfg 4, NumCounters 0 or 12, with Ranks 0 or 4");
  end
  if (NumNetworkPorts != 2 * NumCoords || StateWidth != ClassBits + TrackBits) begin : gen_bad_state
    $error("hw_routing_dqn: NumNetworkPorts or StateWidth do not fit");
  end
  if (FeedbackBits != (Ranks > 0 ? 0 : 17 + TrackBits) || TraceBits != EventBits
      || NumFlips != (Parity ? 2 : 0)) begin : gen_bad_widths
    $error("hw_routing_dqn: FeedbackBits, TraceBits or NumFlips do not fit the agent");
  end

  // What the ports ask the agent, one slice per input port, and its answer
  logic [NumPorts-1:0] ask_valid, ask_ready, ask_forced, arrived, agent_valid;
  logic [NumPorts*InfoBits-1:0] ask_info;
  logic [VcWidth-1:0] agent_vc;
  logic [NumProposals*PortWidth-1:0] agent_port;
  logic [NumProposals-1:0] agent_accept;
  logic [TrackWidth-1:0] agent_track;
  logic [InfoBits-1:0] agent_info;

  hw_dqn_ports #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .RouteBits(RouteBits), .NumCoords(NumCoords),
    .CoordWidth(CoordWidth), .Balanced(Balanced), .DimSizes(DimSizes), .DstLsbs(DstLsbs),
    .DstBits(DstBits), .SlotLsb(SlotLsb), .SlotBits(SlotBits), .StateLsb(StateLsb),
    .ClassBits(ClassBits), .TrackBits(TrackBits), .NumProposals(NumProposals),
    .Returns(Ranks > 0), .EscapeVcs0(EscapeVcs0), .EscapeVcs1(EscapeVcs1), .AdaptiveVcs(AdaptiveVcs), .MaxHops(MaxHops)
  ) u_ports (
    .coord_i(coord_i), .req_valid_i(req_valid_i), .req_ready_o(req_ready_o), .req_vc_i(req_vc_i),
    .req_bits_i(req_bits_i), .ask_valid_o(ask_valid), .ask_ready_i(ask_ready),
    .ask_forced_o(ask_forced), .ask_info_o(ask_info), .arrived_o(arrived),
    .agent_valid_i(agent_valid), .agent_vc_i(agent_vc), .agent_port_i(agent_port),
    .agent_accept_i(agent_accept), .agent_track_i(agent_track), .agent_info_i(agent_info),
    .rsp_valid_o(rsp_valid_o), .rsp_vc_o(rsp_vc_o), .rsp_port_o(rsp_port_o),
    .rsp_vcs_o(rsp_vcs_o), .rsp_state_o(rsp_state_o)
  );

  logic loads, load_ready, loaded, answered_q;
  logic [1:0] flips;
  logic [EventBits-1:0] events;
  logic [Counts*32-1:0] counts;

  if (Ranks > 0) begin : gen_preferences
    hw_dqn_preference_agent #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .NumDims(NumCoords), .CoordWidth(CoordWidth),
      .DimSizes(DimSizes), .DstLsbs(DstLsbs), .DstBits(DstBits), .RouteBits(RouteBits),
      .LenLsb(LenLsb), .LenBits(LenBits), .LenOffset(LenOffset), .MaxFlits(MaxFlits),
      .VcDepths(VcDepths), .AdaptiveVcs(AdaptiveVcs), .InfoBits(InfoBits),
      .Coordinates(Coordinates), .Mask(Mask), .Ranks(Ranks), .MarginShift(MarginShift),
      .NumLayers(NumLayers), .Sizes(Sizes), .Lanes(Lanes), .Depth(Depth), .ZeroTime(ZeroTime),
      .Counts(NumCounters > 0), .Parity(Parity)
    ) u_agent (
      .clk_i(clk_i), .rst_ni(rst_ni), .coord_i(coord_i), .escape_only_i(cfg_i[0]),
      .ask_valid_i(ask_valid), .ask_ready_o(ask_ready), .ask_vc_i(req_vc_i),
      .ask_forced_i(ask_forced), .ask_bits_i(req_bits_i), .ask_info_i(ask_info),
      .in_valid_i(in_valid_i), .in_vc_i(in_vc_i), .in_credit_valid_i(in_credit_valid_i),
      .in_credit_vc_i(in_credit_vc_i), .out_valid_i(out_valid_i), .out_vc_i(out_vc_i),
      .out_credit_valid_i(out_credit_valid_i), .out_credit_vc_i(out_credit_vc_i),
      .rsp_valid_o(agent_valid), .rsp_vc_o(agent_vc), .rsp_port_o(agent_port),
      .rsp_accept_o(agent_accept), .rsp_info_o(agent_info), .load_valid_i(loads),
      .load_ready_o(load_ready), .load_addr_i(table_addr_i[15:0]), .load_data_i(table_wdata_i),
      .loaded_o(loaded), .counts_o(counts), .event_o(events), .flips_o(flips),
      .flip_word_o(flip_word_o), .idle_o(idle_o)
    );
    assign agent_track = '0;
    assign in_feedback_o = '0;
    wire unused_arrived = &{1'b0, arrived};
  end else begin : gen_proposals
    hw_dqn_agent #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .NumDims(NumCoords), .CoordWidth(CoordWidth),
      .DimSizes(DimSizes), .DstLsbs(DstLsbs), .DstBits(DstBits), .RouteBits(RouteBits),
      .LenLsb(LenLsb), .LenBits(LenBits), .LenOffset(LenOffset), .MaxFlits(MaxFlits),
      .StateLsb(StateLsb), .ClassBits(ClassBits), .AgeLsb(AgeLsb), .VcDepths(VcDepths),
      .AdaptiveVcs(AdaptiveVcs), .SpaceWidth(SpaceWidth), .InfoBits(InfoBits),
      .Coordinates(Coordinates), .Mask(Mask), .NumEntries(NumEntries), .TickLsb(TickLsb),
      .NumLayers(NumLayers), .Sizes(Sizes), .Lanes(Lanes), .Depth(Depth), .ZeroTime(ZeroTime),
      .Counts(NumCounters > 0), .Parity(Parity), .LongestRoom(LongestRoom)
    ) u_agent (
      .clk_i(clk_i), .rst_ni(rst_ni), .now_i(now_i), .coord_i(coord_i), .escape_only_i(cfg_i[0]),
      .load_seed_i(cfg_i[31]), .seed_i(cfg_i[1*32+:32]), .epsilon_i(cfg_i[2*32+:32]),
      .ack_ratio_i(cfg_i[3*32+:16]), .ask_valid_i(ask_valid), .ask_ready_o(ask_ready),
      .ask_vc_i(req_vc_i), .ask_forced_i(ask_forced), .ask_bits_i(req_bits_i),
      .ask_info_i(ask_info), .arrived_i(arrived), .buffer_space_i(buffer_space_i),
      .in_valid_i(in_valid_i), .in_vc_i(in_vc_i), .in_credit_valid_i(in_credit_valid_i),
      .in_credit_vc_i(in_credit_vc_i), .out_valid_i(out_valid_i), .out_vc_i(out_vc_i),
      .out_credit_valid_i(out_credit_valid_i), .out_credit_vc_i(out_credit_vc_i),
      .turn_valid_i(turn_valid_i), .turn_vc_i(turn_vc_i), .turn_out_vc_i(turn_out_vc_i),
      .rsp_valid_o(agent_valid), .rsp_vc_o(agent_vc), .rsp_port_o(agent_port),
      .rsp_accept_o(agent_accept), .rsp_track_o(agent_track), .rsp_info_o(agent_info),
      .ack_i(out_feedback_i), .ack_o(in_feedback_o), .load_valid_i(loads),
      .load_ready_o(load_ready), .load_addr_i(table_addr_i[15:0]), .load_data_i(table_wdata_i),
      .loaded_o(loaded), .counts_o(counts), .event_o(events), .flips_o(flips),
      .flip_word_o(flip_word_o), .idle_o(idle_o)
    );
  end

  // Table window: counters, then what loads the engine, which is written only.
  logic [31:0] rdata;
  assign loads = table_req_i && table_we_i && table_addr_i >= Load;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) answered_q <= 1'b0;
    else answered_q <= table_req_i && !loads && !answered_q;
  end
  always_comb begin
    rdata = '0;
    for (int unsigned n = 0; n < Counts; n = n + 1) begin
      if (table_addr_i == n) rdata = counts[n*32+:32];
    end
    if (table_addr_i == Load) rdata[0] = loaded;
  end
  assign table_ack_o = loads ? load_ready : answered_q && table_req_i;
  assign table_rdata_o = rdata;
  assign counters_o = CountersWidth'(counts);
  assign trace_o = TraceWidth'(events);
  assign flips_o = FlipsWidth'(flips);
  wire unused_flips = &{1'b0, flips};

  `HW_ROUTING_UNREAD

endmodule

`default_nettype wire
