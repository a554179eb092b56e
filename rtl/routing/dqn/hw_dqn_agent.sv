// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_dqn_proposal.svh"
`include "hw_round_robin.svh"

// DQN-Routing: one agent for all input ports of a router, with its network, its observation and its pending packets.
//
// A question is about a packet on the adaptive VCs that may go any way. The agent proposes the allowed port that its network
// values most, or a random one (hw_dqn_proposer). It accepts its proposal if an adaptive VC of that port then has room for
// the whole packet (with LongestRoom for the longest), be it owned by another packet at the moment; else the packet is sent to the escape.
// Forced questions (the escape is the only way, no weights loaded, escape_only_i, no port allowed) are answered without it.
//
// Tracking: of the packets from terminals whose proposal is accepted, every ack_ratio_i-th gets an entry in hw_dqn_pending
// (0: none), and in the routers after, whatever is answered there. A packet for which there is no entry left goes untracked.
//
// Latency: a forced question is answered in the cycle in which it is taken. A proposal: hw_dqn_engine's latency + 1 cycles
// after, and the next one is taken in that cycle at the earliest; with ZeroTime in the same cycle. What it tells of shows in
// event_o a cycle later, in counts_o two.
// Throughput: one proposal at a time; one answer a cycle.
// Fairness: the ports take turns, those with forced questions apart; with ZeroTime all together.
// Combinational paths: ask_*, buffer_space_i -> ask_ready_o, rsp_*.
// Assumes: packets of an input VC cross (turn_*) in the order in which they are answered, each before the next.
// Guarantees: an accepted proposal has room for the packet; a proposed port is allowed.
// Reference: Lonardo, DQN-Routing, sections 3 and 4; docs/reference/routing-dqn.md.
module hw_dqn_agent #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned NumDims = 0,
  parameter int unsigned CoordWidth = 0,                 // bits of a coordinate in coord_i, at most 6
  parameter bit [NumDims*8-1:0] DimSizes = '0,
  parameter bit [NumDims*8-1:0] DstLsbs = '0,            // destination coordinates in the head flit
  parameter bit [NumDims*8-1:0] DstBits = '0,
  parameter int unsigned RouteBits = 0,
  parameter int unsigned LenLsb = 0,                     // length field of the head flit; unused if MaxFlits is 1
  parameter int unsigned LenBits = 1,
  parameter int unsigned LenOffset = 0,
  parameter int unsigned MaxFlits = 0,
  parameter int unsigned StateLsb = 0,                   // {track, class}
  parameter int unsigned ClassBits = 1,
  parameter int unsigned AgeLsb = 0,                     // 16 bits
  parameter bit [NumVcs*16-1:0] VcDepths = '0,
  parameter bit [NumVcs-1:0] AdaptiveVcs = '0,
  parameter int unsigned SpaceWidth = 0,                 // at most 16
  parameter int unsigned InfoBits = 1,                   // of a question, handed back with the answer
  parameter bit Coordinates = 1'b0,                      // see hw_dqn_observer
  parameter int unsigned Mask = hw_dqn_mask_pkg::NotBack,
  parameter int unsigned NumEntries = 0,
  parameter int unsigned TickLsb = 0,                    // see hw_dqn_pending
  parameter int unsigned NumLayers = 0,                  // of weights
  parameter bit [(NumLayers+1)*8-1:0] Sizes = '0,        // inputs first
  parameter int unsigned Lanes = 1,
  parameter int unsigned Depth = 1,
  parameter bit ZeroTime = 1'b0,
  parameter bit Counts = 1'b1,                           // else counts_o is 0
  parameter bit Parity = 1'b0,                           // of the weights: an answer of hw_dqn_engine that is flawed is not accepted
  parameter bit LongestRoom = 1'b0,                      // see hw_dqn_proposer
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned NumActions = 2 * NumDims,      // network ports
  localparam int unsigned NumInputs = 6 * NumDims + 1,
  localparam int unsigned ActionBits = NumActions > 1 ? $clog2(NumActions) : 1,
  localparam int unsigned EntryBits = NumEntries > 1 ? $clog2(NumEntries) : 1,
  localparam int unsigned TrackBits = 3 + EntryBits,
  localparam int unsigned AckBits = 17 + TrackBits,
  localparam int unsigned RewardBits = 27 + EntryBits,
  localparam int unsigned DecisionBits = 10 + EntryBits + 3 * ActionBits + NumActions + PortWidth + 24 + 8 * NumInputs
) (
  input  wire logic                                   clk_i,
  input  wire logic                                   rst_ni,
  input  wire logic [63:0]                            now_i,           // core cycles
  input  wire logic [NumDims*CoordWidth-1:0]          coord_i,         // static
  // Configuration
  input  wire logic                                   escape_only_i,
  input  wire logic                                   load_seed_i,
  input  wire logic [31:0]                            seed_i,
  input  wire logic [31:0]                            epsilon_i,       // 2^-32
  input  wire logic [15:0]                            ack_ratio_i,
  // Questions, one slice per input port
  input  wire logic [NumPorts-1:0]                    ask_valid_i,
  output logic [NumPorts-1:0]                         ask_ready_o,
  input  wire logic [NumPorts*VcWidth-1:0]            ask_vc_i,
  input  wire logic [NumPorts-1:0]                    ask_forced_i,
  input  wire logic [NumPorts*RouteBits-1:0]          ask_bits_i,      // the packet's head, also of packets that arrive
  input  wire logic [NumPorts*InfoBits-1:0]           ask_info_i,
  input  wire logic [NumPorts-1:0]                    arrived_i,       // the port's packet ends here
  // The router: space of output VCs, owned or not; pins of its channels; heads that cross, per input port
  input  wire logic [NumPorts*NumVcs*SpaceWidth-1:0]  buffer_space_i,
  input  wire logic [NumPorts-1:0]                    in_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]            in_vc_i,
  input  wire logic [NumPorts-1:0]                    in_credit_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]            in_credit_vc_i,
  input  wire logic [NumPorts-1:0]                    out_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]            out_vc_i,
  input  wire logic [NumPorts-1:0]                    out_credit_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]            out_credit_vc_i,
  input  wire logic [NumPorts-1:0]                    turn_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]            turn_vc_i,
  input  wire logic [NumPorts*VcWidth-1:0]            turn_out_vc_i,
  // Answers: the port they are for, one-hot
  output logic [NumPorts-1:0]                         rsp_valid_o,
  output logic [VcWidth-1:0]                          rsp_vc_o,
  output logic [PortWidth-1:0]                        rsp_port_o,
  output logic                                        rsp_accept_o,
  output logic [TrackBits-1:0]                        rsp_track_o,
  output logic [InfoBits-1:0]                         rsp_info_o,
  // Acknowledges, one slice per network port: from downstream, and to upstream
  input  wire logic [NumActions*AckBits-1:0]          ack_i,
  output logic [NumActions*AckBits-1:0]               ack_o,
  // Weights: see hw_dqn_engine
  input  wire logic                                   load_valid_i,
  output logic                                        load_ready_o,
  input  wire logic [15:0]                            load_addr_i,
  input  wire logic [31:0]                            load_data_i,
  output logic                                        loaded_o,
  // Counters modulo 2^32: proposals, accepted, explored, accepted though not minimal, cycles that packets waited to be taken
  // as proposals, rewards, packets untracked for want of an entry, acknowledges dropped, entries expired, stale
  // acknowledges, packets that left for the escape after acceptance, forced questions
  output logic [12*32-1:0]                            counts_o,
  // {decision, reward}: see hw_dqn_pending; decision: {observation, value of greedy, version of the weights, input port,
  // allowed, random, greedy, action, generation, index, explored, accepted, sampled, valid}
  output logic [DecisionBits+RewardBits-1:0]          event_o,
  output logic [1:0]                                  flips_o,         // see hw_dqn_engine
  output logic [31:0]                                 flip_word_o,
  output logic                                        idle_o           // nothing changes without input
);

  if (NumPorts < NumActions || NumVcs == 0 || NumDims == 0 || SpaceWidth == 0 || SpaceWidth > 16) begin : gen_bad_shape
    $error("hw_dqn_agent: NumPorts, NumVcs, NumDims must be set, SpaceWidth 1 to 16");
  end
  if (NumLayers == 0 || 32'(Sizes[7:0]) != NumInputs || 32'(Sizes[NumLayers*8+:8]) != NumActions) begin : gen_bad_sizes
    $error("hw_dqn_agent: Sizes must begin with 6 NumDims + 1 inputs and end with 2 NumDims outputs");
  end
  `HW_ROUND_ROBIN(next_port, NumPorts, PortWidth)
  `HW_DQN_PROPOSAL

  // Tracks of the packets in the router before; packets from terminals have none ------------------------------------
  logic [NumPorts*TrackBits-1:0] tracks;
  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_track
    logic [TrackBits-1:0] track_of;
    assign track_of = ask_bits_i[p*RouteBits+StateLsb+ClassBits+:TrackBits];
    assign tracks[p*TrackBits+:TrackBits] = p < NumActions && track_of[0] ? track_of : '0;
  end

  // Proposals --------------------------------------------------------------------------------------------------------
  logic [NumPorts-1:0] forced;
  logic [PortWidth-1:0] proposer;
  logic [`HW_DQN_PROPOSAL_BITS-1:0] proposal_bits;
  proposal_t proposal;
  logic accept, no_action, turn_passes, answer, flawed, proposer_idle;
  logic [ActionBits-1:0] greedy;
  logic [23:0] greedy_value;

  hw_dqn_proposer #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .NumDims(NumDims), .CoordWidth(CoordWidth), .DimSizes(DimSizes),
    .DstLsbs(DstLsbs), .DstBits(DstBits), .RouteBits(RouteBits), .LenLsb(LenLsb), .LenBits(LenBits), .LenOffset(LenOffset),
    .MaxFlits(MaxFlits), .AgeLsb(AgeLsb), .VcDepths(VcDepths), .AdaptiveVcs(AdaptiveVcs), .SpaceWidth(SpaceWidth),
    .InfoBits(InfoBits), .TrackBits(TrackBits), .Coordinates(Coordinates), .Mask(Mask),
    .NumLayers(NumLayers), .Sizes(Sizes), .Lanes(Lanes), .Depth(Depth), .ZeroTime(ZeroTime), .Parity(Parity), .LongestRoom(LongestRoom)
  ) u_proposer (
    .clk_i, .rst_ni, .coord_i, .escape_only_i, .load_seed_i, .seed_i, .epsilon_i,
    .ask_valid_i, .ask_vc_i, .ask_forced_i, .ask_bits_i, .ask_info_i, .ask_track_i(tracks), .buffer_space_i,
    .in_valid_i, .in_vc_i, .in_credit_valid_i, .in_credit_vc_i, .out_valid_i, .out_vc_i, .out_credit_valid_i, .out_credit_vc_i,
    .forced_o(forced), .proposer_o(proposer), .accept_o(accept), .no_action_o(no_action), .pass_i(turn_passes),
    .answer_o(answer), .proposal_o(proposal_bits), .greedy_o(greedy), .greedy_value_o(greedy_value),
    .flawed_o(flawed), .load_valid_i, .load_ready_o, .load_addr_i, .load_data_i, .loaded_o, .flips_o, .flip_word_o,
    .idle_o(proposer_idle)
  );
  assign proposal = proposal_bits;

  // Answers -------------------------------------------------------------------------------------------------------------
  logic [NumPorts-1:0] forced_all;
  logic [PortWidth-1:0] forced_start_q, forcer;
  logic force_serve, accepted, acks, wanted, counted, decision_valid_q;
  logic [ActionBits-1:0] action;
  logic [NumActions-1:0] room;
  logic [15:0] ack_count_q;
  logic [TrackBits-1:0] up, track;
  logic [PortWidth-1:0] answered_port;
  logic [VcWidth-1:0] answered_vc;

  hw_dqn_room #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .NumLinks(NumActions), .SpaceWidth(SpaceWidth), .AdaptiveVcs(AdaptiveVcs)
  ) u_room (
    .space_i(buffer_space_i), .flits_i(proposal.needs), .room_o(room)
  );

  always_comb begin
    action = proposal.explores ? proposal.random : greedy;
    accepted = answer && !flawed && room[action];
    acks = ack_ratio_i != '0 && ack_count_q == '0;

    forced_all = forced;
    if (no_action) forced_all[proposer] = 1'b1;
    force_serve = !answer && forced_all != '0;
    forcer = next_port(forced_all, forced_start_q);

    answered_port = answer ? proposal.port : forcer;
    answered_vc = answer ? proposal.vc : ask_vc_i[forcer*VcWidth+:VcWidth];
    up = answer ? proposal.up : tracks[forcer*TrackBits+:TrackBits];
    turn_passes = force_serve && (ZeroTime || (no_action && forcer == proposer));
    wanted = up[0] || (accepted && proposal.from_terminal && acks);
  end

  always_comb begin
    ask_ready_o = '0;
    if (accept) ask_ready_o[proposer] = 1'b1;
    if (force_serve) ask_ready_o[forcer] = 1'b1;
    rsp_valid_o = '0;
    if (answer || force_serve) rsp_valid_o[answered_port] = 1'b1;
    rsp_vc_o = answered_vc;
    rsp_port_o = PortWidth'(action);
    rsp_accept_o = accepted;
    rsp_track_o = track;
    rsp_info_o = answer ? proposal.info : ask_info_i[forcer*InfoBits+:InfoBits];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {forced_start_q, ack_count_q} <= '0;
    end else begin
      if (force_serve) forced_start_q <= forcer == PortWidth'(NumPorts - 1) ? '0 : forcer + PortWidth'(1);
      if (accepted && proposal.from_terminal) begin
        ack_count_q <= ack_count_q + 16'd1 >= ack_ratio_i ? 16'd0 : ack_count_q + 16'd1;
      end
    end
  end

  // Pending packets -----------------------------------------------------------------------------------------------------
  logic [NumActions*16-1:0] arrived_age;
  logic [RewardBits-1:0] reward;
  logic no_entry, stale, pending_idle;
  logic [7:0] drops, turned;
  logic [8:0] expired;

  for (genvar a = 0; a < NumActions; a = a + 1) begin : gen_arrived
    assign arrived_age[a*16+:16] = ask_bits_i[a*RouteBits+AgeLsb+:16];
  end

  hw_dqn_pending #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .NumLinks(NumActions), .AdaptiveVcs(AdaptiveVcs), .NumEntries(NumEntries),
    .TickLsb(TickLsb)
  ) u_pending (
    .clk_i(clk_i), .rst_ni(rst_ni), .now_i(now_i),
    .make_valid_i(answer || force_serve), .make_wanted_i(wanted), .make_accepted_i(accepted), .make_port_i(answered_port),
    .make_vc_i(answered_vc), .make_up_i(up), .make_distance_i(proposal.distance), .make_age_i(proposal.age),
    .made_track_o(track),
    .turn_valid_i(turn_valid_i), .turn_vc_i(turn_vc_i), .turn_out_vc_i(turn_out_vc_i),
    .arrived_i(arrived_i[NumActions-1:0]), .arrived_track_i(tracks[NumActions*TrackBits-1:0]), .arrived_age_i(arrived_age),
    .ack_i(ack_i), .ack_o(ack_o), .reward_o(reward),
    .full_o(no_entry), .stale_o(stale), .drops_o(drops), .expired_o(expired), .turned_o(turned), .idle_o(pending_idle)
  );

  // Events and counters -------------------------------------------------------------------------------------------------
  logic [DecisionBits-2:0] decision_q;
  logic [7:0] waiting;
  logic [12*9-1:0] more;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) decision_valid_q <= 1'b0;
    else decision_valid_q <= answer;
  end
  always_ff @(posedge clk_i) begin
    if (answer) begin
      decision_q <= {proposal.obs, greedy_value, proposal.version, proposal.port, proposal.allowed, proposal.random, greedy,
                     action, track[2:1], track[3+:EntryBits], proposal.explores, accepted, accepted && track[0]};
    end
  end
  assign event_o = {decision_q, decision_valid_q, reward};

  always_comb begin
    waiting = '0;
    for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
      waiting = waiting + 8'(ask_valid_i[p] && !ask_forced_i[p] && !escape_only_i && loaded_o && !ask_ready_o[p]);
    end
    more = {9'(force_serve), 9'(turned), 9'(stale), expired, 9'(drops), 9'(no_entry), 9'(reward[0]), 9'(waiting),
            9'(accepted && !proposal.closer[action]), 9'(answer && proposal.explores), 9'(accepted), 9'(answer)};
  end

  if (Counts) begin : gen_counters
    hw_dqn_counters #(.NumCounters(12)) u_counters (
      .clk_i(clk_i), .rst_ni(rst_ni), .more_i(more), .counts_o(counts_o), .at_rest_o(counted)
    );
  end else begin : gen_no_counters
    assign counts_o = '0;
    assign counted = 1'b1;
  end

  assign idle_o = pending_idle && proposer_idle && !decision_valid_q && counted && !load_valid_i;
  wire unused = &{1'b0, arrived_i, ask_bits_i, more};

`ifdef HW_CHECKS
  logic proposed_allowed;
  assign proposed_allowed = !answer || proposal.allowed[action];
`endif
  `HW_ASSERT(a_proposes_what_is_allowed, proposed_allowed)
  `HW_COVER(c_forced_beside_answer, answer && forced_all != '0)
endmodule

`default_nettype wire
