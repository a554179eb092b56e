// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_round_robin.svh"

// The agent of a router whose packets do not wait for its network: questions are answered from the preferences of their destination
// (hw_dqn_preferences), and the network values the ports for one of them after the other, whenever it is free, for the next.
//
// Allowed are all ports but, unless Mask is AllPorts, the one that the packet came in by; for a forced question those that shorten
// the way. While no weights are loaded or escape_only_i is high there is none, nor where nothing is known yet: packets are left to the
// escape.
// There are no samples: an agent learns in hw_dqn_agent, with the same weights.
//
// Latency: 1 cycle from ask_ready_o to rsp_*. Throughput: one question per cycle, but none in the cycle in which a valuation is
// written; valuations as the engine has them. Fairness: the ports take turns.
// Combinational paths: ask_valid_i -> ask_ready_o; with ZeroTime none further. Everything else starts from registers.
// Assumes, guarantees: those of hw_dqn_observer, hw_dqn_engine.
// Reference: Lonardo, DQN-Routing, section 3 (what is observed and valued); docs/reference/routing-dqn.md (preferences).
module hw_dqn_preference_agent #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned NumDims = 0,
  parameter int unsigned CoordWidth = 0,                 // bits of a coordinate in coord_i, at most 6
  parameter bit [NumDims*8-1:0] DimSizes = '0,
  parameter bit [NumDims*8-1:0] DstLsbs = '0,            // destination coordinates in the head flit, without gaps
  parameter bit [NumDims*8-1:0] DstBits = '0,
  parameter int unsigned RouteBits = 0,
  parameter int unsigned LenLsb = 0,                     // length field of the head flit; unused if MaxFlits is 1
  parameter int unsigned LenBits = 1,
  parameter int unsigned LenOffset = 0,
  parameter int unsigned MaxFlits = 0,
  parameter bit [NumVcs*16-1:0] VcDepths = '0,
  parameter bit [NumVcs-1:0] AdaptiveVcs = '0,
  parameter int unsigned InfoBits = 1,                   // of a question, handed back with the answer
  parameter bit Coordinates = 1'b0,                      // see hw_dqn_observer
  parameter int unsigned Mask = hw_dqn_mask_pkg::NotBack,
  parameter int unsigned Ranks = 1,                      // see hw_dqn_preferences, as MarginShift
  parameter int unsigned MarginShift = 0,
  parameter int unsigned NumLayers = 0,                  // of weights
  parameter bit [(NumLayers+1)*8-1:0] Sizes = '0,        // inputs first
  parameter int unsigned Lanes = 1,
  parameter int unsigned Depth = 1,
  parameter bit ZeroTime = 1'b0,
  parameter bit Counts = 1'b1,                           // else counts_o is 0
  parameter bit Parity = 1'b0,                           // of the weights: a flawed valuation is not kept
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned NumActions = 2 * NumDims,      // network ports
  localparam int unsigned NumInputs = 6 * NumDims + 1,
  localparam int unsigned ActionBits = $clog2(NumActions),
  localparam int unsigned DstLsb = 32'(DstLsbs[7:0]),
  localparam int unsigned AddrWidth = 32'(DstLsbs[(NumDims-1)*8+:8]) + 32'(DstBits[(NumDims-1)*8+:8]) - DstLsb,  // of a destination
  localparam int unsigned Stored = Ranks < NumActions ? Ranks + 1 : NumActions,
  localparam int unsigned ValuationBits = 5 + AddrWidth + Stored * (ActionBits + 1) + 8 * NumInputs
) (
  input  wire logic                                   clk_i,
  input  wire logic                                   rst_ni,
  input  wire logic [NumDims*CoordWidth-1:0]          coord_i,         // static
  input  wire logic                                   escape_only_i,   // configuration
  // Questions, one slice per input port
  input  wire logic [NumPorts-1:0]                    ask_valid_i,
  output logic [NumPorts-1:0]                         ask_ready_o,
  input  wire logic [NumPorts*VcWidth-1:0]            ask_vc_i,
  input  wire logic [NumPorts-1:0]                    ask_forced_i,
  input  wire logic [NumPorts*RouteBits-1:0]          ask_bits_i,      // the packet's head
  input  wire logic [NumPorts*InfoBits-1:0]           ask_info_i,
  // Pins of the router's channels
  input  wire logic [NumPorts-1:0]                    in_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]            in_vc_i,
  input  wire logic [NumPorts-1:0]                    in_credit_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]            in_credit_vc_i,
  input  wire logic [NumPorts-1:0]                    out_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]            out_vc_i,
  input  wire logic [NumPorts-1:0]                    out_credit_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]            out_credit_vc_i,
  // Answers: the port they are for, one-hot; the preferred ports, the best first, and how many there are
  output logic [NumPorts-1:0]                         rsp_valid_o,
  output logic [VcWidth-1:0]                          rsp_vc_o,
  output logic [Ranks*PortWidth-1:0]                  rsp_port_o,
  output logic [Ranks-1:0]                            rsp_accept_o,
  output logic [InfoBits-1:0]                         rsp_info_o,
  // Weights: see hw_dqn_engine
  input  wire logic                                   load_valid_i,
  output logic                                        load_ready_o,
  input  wire logic [15:0]                            load_addr_i,
  input  wire logic [31:0]                            load_data_i,
  output logic                                        loaded_o,
  // Counters modulo 2^32: questions that got ports, those whose first one is not minimal, questions of which nothing was known,
  // valuations
  output logic [4*32-1:0]                             counts_o,
  // A valuation that is kept: {observation, entry of hw_dqn_preferences, destination, version of the weights, valid}
  output logic [ValuationBits-1:0]                    event_o,
  output logic [1:0]                                  flips_o,         // see hw_dqn_engine
  output logic [31:0]                                 flip_word_o,
  output logic                                        idle_o           // nothing changes without input
);

  if (NumPorts < NumActions || NumVcs == 0 || NumDims == 0) begin : gen_bad_shape
    $error("hw_dqn_preference_agent: NumPorts, NumVcs and NumDims must be set");
  end
  if (NumLayers == 0 || 32'(Sizes[7:0]) != NumInputs || 32'(Sizes[NumLayers*8+:8]) != NumActions) begin : gen_bad_sizes
    $error("hw_dqn_preference_agent: Sizes must begin with 6 NumDims + 1 inputs and end with 2 NumDims outputs");
  end
  if (Mask == hw_dqn_mask_pkg::WithRoom) begin : gen_bad_mask
    $error("hw_dqn_preference_agent: preferences are older than the room that a packet finds");
  end

  `HW_ROUND_ROBIN(next_port, NumPorts, PortWidth)

  // Whose turn it is; its question, from registers ----------------------------------------------------------------------
  logic [PortWidth-1:0] start_q, asker, asker_q;
  logic table_ready, accept, asked_q, forced_q, alone_q, loaded;
  logic [VcWidth-1:0] vc_q;
  logic [InfoBits-1:0] info_q;
  logic [RouteBits-1:0] bits_q;

  assign asker = next_port(ask_valid_i, start_q);
  assign accept = ask_valid_i != '0 && table_ready;
  assign ask_ready_o = accept ? NumPorts'(1) << asker : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      start_q <= '0;
      asked_q <= 1'b0;
    end else begin
      if (accept) start_q <= asker == PortWidth'(NumPorts - 1) ? '0 : asker + PortWidth'(1);
      asked_q <= accept;
    end
  end
  always_ff @(posedge clk_i) begin
    if (accept) begin
      asker_q <= asker;
      vc_q <= ask_vc_i[asker*VcWidth+:VcWidth];
      info_q <= ask_info_i[asker*InfoBits+:InfoBits];
      bits_q <= ask_bits_i[asker*RouteBits+:RouteBits];
      forced_q <= ask_forced_i[asker];
      alone_q <= escape_only_i || !loaded;
    end
  end

  // The answer ----------------------------------------------------------------------------------------------------------
  logic [NumActions*24-1:0] values;
  logic [Stored*(ActionBits+1)-1:0] entry;
  logic [Ranks*ActionBits-1:0] ports;
  logic [Ranks-1:0] known;
  logic blank;
  logic [NumActions-1:0] refused, closer;                // closer: ports that shorten the way
  logic [AddrWidth-1:0] valued_dst;                      // of the valuation that ends
  logic writes, table_idle;

  always_comb begin
    refused = '0;
    for (int unsigned a = 0; a < NumActions; a = a + 1) begin
      refused[a] = (Mask != hw_dqn_mask_pkg::AllPorts && asker_q == PortWidth'(a)) || (forced_q && !closer[a]);
    end
  end

  hw_dqn_preferences #(.NumActions(NumActions), .Words(1 << AddrWidth), .Ranks(Ranks), .MarginShift(MarginShift)) u_preferences (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_i(writes), .write_addr_i(valued_dst), .values_i(values), .entry_o(entry),
    .ready_o(table_ready), .read_i(accept), .read_addr_i(ask_bits_i[asker*RouteBits+DstLsb+:AddrWidth]), .not_i(refused),
    .ports_o(ports), .known_o(known), .blank_o(blank), .idle_o(table_idle)
  );

  always_comb begin
    rsp_valid_o = asked_q ? NumPorts'(1) << asker_q : '0;
    rsp_vc_o = vc_q;
    rsp_info_o = info_q;
    rsp_accept_o = alone_q ? '0 : known;
    for (int unsigned k = 0; k < Ranks; k = k + 1) rsp_port_o[k*PortWidth+:PortWidth] = PortWidth'(ports[k*ActionBits+:ActionBits]);
  end

  // The valuation -------------------------------------------------------------------------------------------------------
  logic [NumInputs*8-1:0] obs, valued_obs;
  logic [15:0] unused_flits;
  logic [7:0] unused_distance;
  logic engine_valid, engine_ready, engine_answers, engine_flawed, engine_idle, busy;
  logic [3:0] version, valued_version;

  hw_dqn_observer #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .NumDims(NumDims), .CoordWidth(CoordWidth), .DimSizes(DimSizes),
    .DstLsbs(DstLsbs), .DstBits(DstBits), .RouteBits(RouteBits), .LenLsb(LenLsb), .LenBits(LenBits), .LenOffset(LenOffset),
    .MaxFlits(MaxFlits), .VcDepths(VcDepths), .AdaptiveVcs(AdaptiveVcs), .Coordinates(Coordinates)
  ) u_observer (
    .clk_i(clk_i), .rst_ni(rst_ni), .coord_i(coord_i), .in_valid_i(in_valid_i), .in_vc_i(in_vc_i),
    .in_credit_valid_i(in_credit_valid_i), .in_credit_vc_i(in_credit_vc_i), .out_valid_i(out_valid_i), .out_vc_i(out_vc_i),
    .out_credit_valid_i(out_credit_valid_i), .out_credit_vc_i(out_credit_vc_i), .bits_i(bits_q), .obs_o(obs), .flits_o(unused_flits),
    .distance_o(unused_distance), .closer_o(closer)
  );

  assign engine_valid = asked_q && !alone_q && !busy;
  hw_dqn_engine #(
    .NumLayers(NumLayers), .Sizes(Sizes), .Lanes(Lanes), .Depth(Depth), .ZeroTime(ZeroTime), .Parity(Parity)
  ) u_engine (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_valid_i(engine_valid), .req_ready_o(engine_ready), .req_obs_i(obs),
    .rsp_valid_o(engine_answers), .rsp_values_o(values), .rsp_flawed_o(engine_flawed), .load_valid_i(load_valid_i),
    .load_ready_o(load_ready_o), .load_addr_i(load_addr_i), .load_data_i(load_data_i), .loaded_o(loaded), .version_o(version),
    .flips_o(flips_o), .flip_word_o(flip_word_o), .idle_o(engine_idle)
  );
  assign loaded_o = loaded;

  if (ZeroTime) begin : gen_zero_time
    assign busy = 1'b0;
    assign valued_dst = bits_q[DstLsb+:AddrWidth];
    assign valued_obs = obs;
    assign valued_version = version;
    assign writes = engine_valid && engine_ready && engine_answers;
  end else begin : gen_time
    logic busy_q;
    logic [AddrWidth-1:0] dst_q;
    logic [NumInputs*8-1:0] obs_q;
    logic [3:0] version_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) busy_q <= 1'b0;
      else if (engine_valid && engine_ready) busy_q <= 1'b1;
      else if (engine_answers) busy_q <= 1'b0;
    end
    always_ff @(posedge clk_i) begin
      if (engine_valid && engine_ready) begin
        dst_q <= bits_q[DstLsb+:AddrWidth];
        obs_q <= obs;
        version_q <= version;
      end
    end
    assign busy = busy_q;
    assign valued_dst = dst_q;
    assign valued_obs = obs_q;
    assign valued_version = version_q;
    assign writes = engine_answers && !engine_flawed;
  end

  // Events and counters -------------------------------------------------------------------------------------------------
  logic [ValuationBits-2:0] event_q;
  logic event_valid_q, counted, unknown;
  logic [4*9-1:0] more;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) event_valid_q <= 1'b0;
    else event_valid_q <= writes && table_idle;
  end
  always_ff @(posedge clk_i) if (writes) event_q <= {valued_obs, entry, valued_dst, valued_version};
  assign event_o = {event_q, event_valid_q};

  assign unknown = asked_q && !alone_q && blank;
  assign more = {9'(writes && table_idle), 9'(unknown),
                 9'(asked_q && !alone_q && known[0] && (closer & (NumActions'(1) << ports[ActionBits-1:0])) == '0),
                 9'(asked_q && !alone_q && known[0])};
  if (Counts) begin : gen_counters
    hw_dqn_counters #(.NumCounters(4)) u_counters (
      .clk_i(clk_i), .rst_ni(rst_ni), .more_i(more), .counts_o(counts_o), .at_rest_o(counted)
    );
  end else begin : gen_no_counters
    assign counts_o = '0;
    assign counted = 1'b1;
  end

  assign idle_o = table_idle && engine_idle && !asked_q && !busy && !event_valid_q && counted && !load_valid_i;
  wire unused = &{1'b0, ask_bits_i, bits_q, more, closer, unused_flits, unused_distance, engine_flawed};

  `HW_COVER(c_question_waits_for_a_valuation, ask_valid_i != '0 && !table_ready)

endmodule

`default_nettype wire
