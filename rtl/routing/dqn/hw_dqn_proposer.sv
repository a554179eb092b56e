// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_dqn_proposal.svh"
`include "hw_round_robin.svh"

// The proposals of DQN-Routing: one question after the other is taken, observed (hw_dqn_observer) and given to the network
// (hw_dqn_engine), which values the output ports; of those that are allowed, the one of the largest value is greedy_o.
// proposal_o has a random one of them, and whether that is to be taken: with probability epsilon_i / 2^32.
// Allowed are, by Mask (hw_dqn_mask_pkg): all ports; not the one that the packet came in by; nor those without room when it asks.
// Questions that are forced, or all while no weights are loaded or escape_only_i is high, are left to the user (forced_o), as is
// one for which no port is allowed (no_action_o).
//
// Latency: hw_dqn_engine's latency + 1 cycles from accept_o to answer_o, and the next question is taken in that cycle at the
// earliest; with ZeroTime in the same cycle. Throughput: one proposal at a time.
// Fairness: the ports take turns, those with forced questions apart; with ZeroTime all together.
// Random bits: two states of hw_random per proposal.
// Combinational paths: ask_*, buffer_space_i -> forced_o, proposer_o, accept_o, no_action_o; with ZeroTime -> all outputs.
// Guarantees: the greedy and the random port are allowed.
// Reference: Lonardo, DQN-Routing, section 3; docs/reference/routing-dqn.md.
module hw_dqn_proposer #(
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
  parameter int unsigned AgeLsb = 0,                     // 16 bits
  parameter bit [NumVcs*16-1:0] VcDepths = '0,
  parameter bit [NumVcs-1:0] AdaptiveVcs = '0,
  parameter int unsigned SpaceWidth = 0,                 // at most 16
  parameter int unsigned InfoBits = 1,                   // of a question, handed back with the answer
  parameter int unsigned TrackBits = 1,                  // of a packet's track, handed back likewise
  parameter bit Coordinates = 1'b0,                      // see hw_dqn_observer
  parameter int unsigned Mask = hw_dqn_mask_pkg::NotBack,
  parameter int unsigned NumLayers = 0,                  // of weights
  parameter bit [(NumLayers+1)*8-1:0] Sizes = '0,        // inputs first
  parameter int unsigned Lanes = 1,
  parameter int unsigned Depth = 1,
  parameter bit ZeroTime = 1'b0,
  parameter bit Parity = 1'b0,                           // of the weights: see hw_dqn_engine
  parameter bit LongestRoom = 1'b0,                      // a packet of any length needs room for the longest: see hw_output_port
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned NumActions = 2 * NumDims,      // network ports
  localparam int unsigned NumInputs = 6 * NumDims + 1,
  localparam int unsigned ActionBits = NumActions > 1 ? $clog2(NumActions) : 1
) (
  input  wire logic                                   clk_i,
  input  wire logic                                   rst_ni,
  input  wire logic [NumDims*CoordWidth-1:0]          coord_i,         // static
  // Configuration
  input  wire logic                                   escape_only_i,
  input  wire logic                                   load_seed_i,
  input  wire logic [31:0]                            seed_i,
  input  wire logic [31:0]                            epsilon_i,       // 2^-32
  // Questions, one slice per input port
  input  wire logic [NumPorts-1:0]                    ask_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]            ask_vc_i,
  input  wire logic [NumPorts-1:0]                    ask_forced_i,
  input  wire logic [NumPorts*RouteBits-1:0]          ask_bits_i,      // the packet's head
  input  wire logic [NumPorts*InfoBits-1:0]           ask_info_i,
  input  wire logic [NumPorts*TrackBits-1:0]          ask_track_i,
  // The router: space of output VCs, owned or not; pins of its channels
  input  wire logic [NumPorts*NumVcs*SpaceWidth-1:0]  buffer_space_i,
  input  wire logic [NumPorts-1:0]                    in_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]            in_vc_i,
  input  wire logic [NumPorts-1:0]                    in_credit_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]            in_credit_vc_i,
  input  wire logic [NumPorts-1:0]                    out_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]            out_vc_i,
  input  wire logic [NumPorts-1:0]                    out_credit_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]            out_credit_vc_i,
  // Whose question: forced ones; the one whose turn it is, taken, or without an allowed port; its turn passes all the same
  output logic [NumPorts-1:0]                         forced_o,
  output logic [PortWidth-1:0]                        proposer_o,
  output logic                                        accept_o,
  output logic                                        no_action_o,
  input  wire logic                                   pass_i,
  // Proposals: proposal_t of hw_dqn_proposal.svh
  output logic                                        answer_o,
  output logic [`HW_DQN_PROPOSAL_BITS-1:0]            proposal_o,
  output logic [ActionBits-1:0]                       greedy_o,
  output logic [23:0]                                 greedy_value_o,
  output logic                                        flawed_o,        // no port is to be taken
  // Weights: see hw_dqn_engine
  input  wire logic                                   load_valid_i,
  output logic                                        load_ready_o,
  input  wire logic [15:0]                            load_addr_i,
  input  wire logic [31:0]                            load_data_i,
  output logic                                        loaded_o,
  output logic [1:0]                                  flips_o,
  output logic [31:0]                                 flip_word_o,
  output logic                                        idle_o           // nothing is under way
);

  if (NumPorts < NumActions || NumVcs == 0 || NumDims == 0 || SpaceWidth == 0 || SpaceWidth > 16) begin : gen_bad_shape
    $error("hw_dqn_proposer: NumPorts, NumVcs, NumDims must be set, SpaceWidth 1 to 16");
  end
  if (NumLayers == 0 || 32'(Sizes[7:0]) != NumInputs || 32'(Sizes[NumLayers*8+:8]) != NumActions) begin : gen_bad_sizes
    $error("hw_dqn_proposer: Sizes must begin with 6 NumDims + 1 inputs and end with 2 NumDims outputs");
  end

  `HW_ROUND_ROBIN(next_port, NumPorts, PortWidth)
  `HW_DQN_PROPOSAL

  // Whose turn it is --------------------------------------------------------------------------------------------------
  logic [NumPorts-1:0] forced, proposing;
  logic [PortWidth-1:0] start_q, proposer;
  logic [RouteBits-1:0] bits;
  logic loaded;

  always_comb begin
    forced = ask_valid_i & (ask_forced_i | {NumPorts{escape_only_i || !loaded}});
    proposing = ask_valid_i & ~forced;
    proposer = next_port(ZeroTime ? ask_valid_i : proposing, start_q);
    if (ZeroTime) begin  // one question of all
      forced = forced & (NumPorts'(1) << proposer);
      proposing = proposing & (NumPorts'(1) << proposer);
    end
    bits = ask_bits_i[proposer*RouteBits+:RouteBits];
  end

  // The proposal, and its question to the network ----------------------------------------------------------------------
  proposal_t asked;
  logic [NumInputs*8-1:0] obs;
  logic [15:0] flits, needs;                             // of the packet; room that it needs
  logic [7:0] distance;
  logic [NumActions-1:0] closer, allowed, room;
  logic [63:0] random;
  logic [ActionBits:0] left;
  logic [ActionBits-1:0] random_action;
  logic [3:0] version;
  logic busy, no_action, engine_valid, engine_ready, accept, engine_idle;

  hw_dqn_observer #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .NumDims(NumDims), .CoordWidth(CoordWidth), .DimSizes(DimSizes),
    .DstLsbs(DstLsbs), .DstBits(DstBits), .RouteBits(RouteBits), .LenLsb(LenLsb), .LenBits(LenBits), .LenOffset(LenOffset),
    .MaxFlits(MaxFlits), .VcDepths(VcDepths), .AdaptiveVcs(AdaptiveVcs), .Coordinates(Coordinates)
  ) u_observer (
    .clk_i(clk_i), .rst_ni(rst_ni), .coord_i(coord_i), .in_valid_i(in_valid_i), .in_vc_i(in_vc_i),
    .in_credit_valid_i(in_credit_valid_i), .in_credit_vc_i(in_credit_vc_i), .out_valid_i(out_valid_i), .out_vc_i(out_vc_i),
    .out_credit_valid_i(out_credit_valid_i), .out_credit_vc_i(out_credit_vc_i), .bits_i(bits), .obs_o(obs), .flits_o(flits),
    .distance_o(distance), .closer_o(closer)
  );

  hw_random #(.NumValues(2), .Salt(32'h9e3779b9)) u_random (
    .clk_i(clk_i), .rst_ni(rst_ni), .load_i(load_seed_i), .seed_i(seed_i),
    .place_i(32'(coord_i)), .advance_i(accept), .values_o(random)
  );

  assign needs = LongestRoom ? 16'(MaxFlits) : flits;
  if (Mask == hw_dqn_mask_pkg::WithRoom) begin : gen_room
    hw_dqn_room #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .NumLinks(NumActions), .SpaceWidth(SpaceWidth), .AdaptiveVcs(AdaptiveVcs)
    ) u_room (
      .space_i(buffer_space_i), .flits_i(needs), .room_o(room)
    );
  end else begin : gen_any
    assign room = '1;
    wire unused_space = &{1'b0, buffer_space_i};
  end

  always_comb begin
    allowed = '1;
    if (Mask == hw_dqn_mask_pkg::WithRoom) allowed = room;
    for (int unsigned a = 0; a < NumActions; a = a + 1) begin
      if (Mask != hw_dqn_mask_pkg::AllPorts && proposer == PortWidth'(a)) allowed[a] = 1'b0;
    end
    no_action = !busy && proposing != '0 && allowed == '0;
    engine_valid = !busy && proposing != '0 && allowed != '0;
    accept = engine_valid && engine_ready;
  end

  // The random one of the allowed.
  always_comb begin
    left = '0;
    for (int unsigned a = 0; a < NumActions; a = a + 1) left = left + (ActionBits + 1)'(allowed[a]);
    left = (ActionBits + 1)'((32'(random[47:32]) * 32'(left)) >> 16);
    random_action = '0;
    for (int unsigned a = 0; a < NumActions; a = a + 1) begin
      if (allowed[a] && left == '0) random_action = ActionBits'(a);
      if (allowed[a]) left = left - (ActionBits + 1)'(1);
    end
  end

  always_comb begin
    asked.port = proposer;
    asked.vc = ask_vc_i[proposer*VcWidth+:VcWidth];
    asked.info = ask_info_i[proposer*InfoBits+:InfoBits];
    asked.from_terminal = 32'(proposer) >= NumActions;
    asked.up = ask_track_i[proposer*TrackBits+:TrackBits];
    asked.age = bits[AgeLsb+:16];
    asked.needs = needs;
    asked.distance = distance;
    asked.closer = closer;
    asked.allowed = allowed;
    asked.explores = random[31:0] < epsilon_i;
    asked.random = random_action;
    asked.version = version;
    asked.obs = obs;
  end

  // The network's answer ------------------------------------------------------------------------------------------------
  logic engine_answers, engine_flawed, unused_any;
  logic [NumActions*24-1:0] values;
  logic [ActionBits-1:0] best;
  logic [23:0] best_value;
  logic [NumActions-1:0] asked_allowed;  // of the question that the engine has

  hw_dqn_engine #(
    .NumLayers(NumLayers), .Sizes(Sizes), .Lanes(Lanes), .Depth(Depth), .ZeroTime(ZeroTime), .Parity(Parity)
  ) u_engine (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_valid_i(engine_valid), .req_ready_o(engine_ready), .req_obs_i(obs),
    .rsp_valid_o(engine_answers), .rsp_values_o(values), .rsp_flawed_o(engine_flawed), .load_valid_i(load_valid_i),
    .load_ready_o(load_ready_o), .load_addr_i(load_addr_i), .load_data_i(load_data_i), .loaded_o(loaded), .version_o(version),
    .flips_o, .flip_word_o, .idle_o(engine_idle)
  );

  hw_dqn_argmax #(.NumActions(NumActions), .ValueBits(24)) u_argmax (
    .values_i(values), .allowed_i(asked_allowed), .best_o(best), .value_o(best_value), .any_o(unused_any)
  );

  logic answer;
  proposal_t proposal;
  logic [ActionBits-1:0] greedy;
  logic [23:0] greedy_value;

  if (ZeroTime) begin : gen_zero_time
    assign busy = 1'b0;
    assign proposal = asked;
    assign answer = accept && engine_answers;
    assign greedy = best;
    assign greedy_value = best_value;
    assign flawed_o = engine_flawed;
  end else begin : gen_time
    logic answer_q, taken_q, flawed_q;
    proposal_t proposal_q;
    logic [ActionBits-1:0] greedy_q;
    logic [23:0] greedy_value_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        taken_q <= 1'b0;
        answer_q <= 1'b0;
      end else begin
        if (accept) taken_q <= 1'b1;
        else if (answer_q) taken_q <= 1'b0;
        answer_q <= engine_answers;
      end
    end
    always_ff @(posedge clk_i) begin
      if (accept) proposal_q <= asked;
      if (engine_answers) begin
        greedy_q <= best;
        greedy_value_q <= best_value;
        flawed_q <= engine_flawed;
      end
    end
    assign busy = taken_q && !answer_q;
    assign proposal = proposal_q;
    assign answer = answer_q;
    assign greedy = greedy_q;
    assign greedy_value = greedy_value_q;
    assign flawed_o = flawed_q;
  end

  assign asked_allowed = proposal.allowed;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) start_q <= '0;
    else if (accept || pass_i) start_q <= proposer == PortWidth'(NumPorts - 1) ? '0 : proposer + PortWidth'(1);
  end

  assign forced_o = forced;
  assign proposer_o = proposer;
  assign accept_o = accept;
  assign no_action_o = no_action;
  assign answer_o = answer;
  assign proposal_o = proposal;
  assign greedy_o = greedy;
  assign greedy_value_o = greedy_value;
  assign loaded_o = loaded;
  assign idle_o = engine_idle && !busy && !answer;

  wire unused = &{1'b0, unused_any, ask_bits_i, random[63:48]};

  `HW_ASSERT(a_engine_answers_its_question, !engine_answers || (ZeroTime ? accept : busy))

endmodule

`default_nettype wire
