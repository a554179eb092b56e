// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_q_decision.svh"
`include "hw_round_robin.svh"

// The decisions of Q-routing and Q-adaptive: an agent for the input ports of a router that Ports has, in front of its Q-table.
//
// A question names a row of the table, the port of the minimal path and how to decide:
//   Minimal    take the minimal port;
//   Learned    the port of the smallest value, if it is better than the minimal port's by threshold_source_i of that;
//   Detour     a random other router of the group, if better by threshold_detour_i;
//   Greedy     the port of the smallest value.
// All but Minimal explore: with probability epsilon_i / 2^32 a random port is taken instead. A narrow question knows only
// the minimal port and global ports. Of equal values the lowest port's counts. With Queues, the time that the flits now
// queued at a port take on its link is added to its value.
// The answer comes with the feedback for the router upstream: {reward + value of the best port, row, valid}. The best is
// over all connected ports; with Admissible, and for narrow questions, over those that the packet may take here.
//
// Latency: answer Latency cycles after the question is accepted; initiation interval 1. The ports take turns. Random bits: two
// states of hw_random per accepted question.
// Combinational paths: ask_* -> ask_ready_o, read_*; answers come from registers.
// Assumes: read_values_i is the row that was asked for in the cycle before. Values with all bits set mean infinity.
// Guarantees: answers in the order of questions; never a port that is not connected.
// Reference: Boyan & Littman 1993; Kang, Wang & Lan, HPDC 2021, section 4 and figure 4; docs/reference/routing-q.md.
module hw_q_agent #(
  parameter int unsigned NumPorts = 0,                   // input ports of the router
  parameter bit [NumPorts-1:0] Ports = {NumPorts{1'b1}}, // those that this agent answers
  parameter int unsigned NumCols = 0,                    // output ports that are learned: network ports
  parameter int unsigned LocalCols = 0,                  // of them, those to routers of the group; 0: no groups
  parameter int unsigned NumRows = 0,
  parameter int unsigned ValueBits = 18,
  parameter int unsigned FractionBits = 7,               // of a core cycle
  parameter int unsigned TimeBits = 14,
  parameter int unsigned VcWidth = 1,
  parameter int unsigned InfoBits = 1,                   // of a question, handed back with the answer
  parameter int unsigned Latency = 3,                    // 2 or 3
  parameter bit [31:0] Salt = 32'h9e3779b9,              // see hw_random: each agent of a router has its own
  parameter bit Admissible = 1'b0,
  parameter bit Queues = 1'b0,
  parameter int unsigned QueueWidth = 1,
  parameter int unsigned FlitCycles = 1,                 // core cycles of a flit on a link, 2^-4
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned RowBits = NumRows > 1 ? $clog2(NumRows) : 1,
  localparam int unsigned FeedbackBits = 1 + RowBits + ValueBits,
  localparam int unsigned DecisionBits = 7 + 4 * PortWidth + TimeBits + FeedbackBits + 2 * ValueBits
) (
  input  wire logic                              clk_i,
  input  wire logic                              rst_ni,
  input  wire logic [31:0]                       epsilon_i,            // 2^-32
  input  wire logic [15:0]                       threshold_source_i,   // 2^-16
  input  wire logic [15:0]                       threshold_detour_i,   // 2^-16
  input  wire logic                              load_seed_i,
  input  wire logic [31:0]                       seed_i,
  input  wire logic [31:0]                       place_i,              // static: see hw_random
  input  wire logic [NumCols-1:0]                connected_i,          // static
  // Questions, one slice per input port; held until ready
  input  wire logic [NumPorts-1:0]               ask_valid_i,
  output logic [NumPorts-1:0]                    ask_ready_o,
  input  wire logic [NumPorts*VcWidth-1:0]       ask_vc_i,
  input  wire logic [NumPorts*RowBits-1:0]       ask_row_i,
  input  wire logic [NumPorts*2-1:0]             ask_mode_i,           // hw_q_pkg
  input  wire logic [NumPorts-1:0]               ask_narrow_i,
  input  wire logic [NumPorts*PortWidth-1:0]     ask_minimal_i,        // port of the minimal path
  input  wire logic [NumPorts-1:0]               ask_feedback_i,       // the router upstream wants to know
  input  wire logic [NumPorts*TimeBits-1:0]      ask_reward_i,         // core cycles
  input  wire logic [NumPorts*InfoBits-1:0]      ask_info_i,
  // Table
  input  wire logic                              table_ready_i,
  output logic                                   read_valid_o,
  output logic [RowBits-1:0]                     read_row_o,
  input  wire logic [NumCols*ValueBits-1:0]      read_values_i,
  input  wire logic [NumPorts*QueueWidth-1:0]    queue_i,              // flits; Queues only
  // Answers: the port they are for, one-hot
  output logic [NumPorts-1:0]                    rsp_valid_o,
  output logic [VcWidth-1:0]                     rsp_vc_o,
  output logic [PortWidth-1:0]                   rsp_port_o,
  output logic [InfoBits-1:0]                    rsp_info_o,
  output logic [FeedbackBits-1:0]                rsp_feedback_o,
  // For counters and checks: the row whose values are compared in this cycle, and the answer of this cycle (hw_q_decision.svh)
  output logic                                   compare_valid_o,
  output logic [RowBits-1:0]                     compare_row_o,
  output logic [DecisionBits-1:0]                decision_o,
  output logic                                   idle_o
);

  if (NumPorts == 0 || NumCols == 0 || NumRows == 0) begin : gen_bad_shape
    $error("hw_q_agent: NumPorts, NumCols and NumRows must be set");
  end
  if (Latency != 2 && Latency != 3) begin : gen_bad_latency
    $error("hw_q_agent: Latency must be 2 or 3");
  end
  localparam int unsigned ColBits = NumCols > 1 ? $clog2(NumCols) : 1;
  localparam logic [ValueBits-1:0] Infinity = {ValueBits{1'b1}};
  localparam int unsigned QuestionBits = PortWidth + VcWidth + RowBits + 5 + 3 * ColBits + TimeBits + InfoBits;

  `HW_ROUND_ROBIN_ONE_HOT(next_port, NumPorts)
  `HW_Q_DECISION
  // A question on its way through the pipeline.
  typedef struct packed {
    logic [PortWidth-1:0] port;        // asks
    logic [VcWidth-1:0] vc;
    logic [RowBits-1:0] row;
    logic [1:0] mode;
    logic narrow;
    logic [ColBits-1:0] minimal;
    logic feedback;
    logic [TimeBits-1:0] reward;
    logic [InfoBits-1:0] info;
    logic explores;
    logic [ColBits-1:0] random;        // port to explore
    logic [ColBits-1:0] other;         // local port of a random other router
  } question_t;

  // Stage 0: whose turn it is -----------------------------------------------------------------------------------------
  logic [NumPorts-1:0] behind_q;         // the ports behind the last one that asked
  logic [63:0] random;
  logic accept;
  question_t asked;

  hw_random #(.NumValues(2), .Salt(Salt)) u_random (
    .clk_i(clk_i), .rst_ni(rst_ni), .load_i(load_seed_i), .seed_i(seed_i), .place_i(place_i), .advance_i(accept), .values_o(random)
  );

  always_comb begin
    accept = table_ready_i && (ask_valid_i & Ports) != '0;
    ask_ready_o = '0;
    asked = '0;
    if (accept) begin
      ask_ready_o = next_port(ask_valid_i & Ports, behind_q);
      asked.port = next_port_index(ask_ready_o);
      for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
        if (ask_ready_o[p]) begin
          asked.vc = asked.vc | ask_vc_i[p*VcWidth+:VcWidth];
          asked.row = asked.row | ask_row_i[p*RowBits+:RowBits];
          asked.mode = asked.mode | ask_mode_i[p*2+:2];
          asked.narrow = asked.narrow | ask_narrow_i[p];
          asked.minimal = asked.minimal | ColBits'(ask_minimal_i[p*PortWidth+:PortWidth]);
          asked.feedback = asked.feedback | ask_feedback_i[p];
          asked.reward = asked.reward | ask_reward_i[p*TimeBits+:TimeBits];
          asked.info = asked.info | ask_info_i[p*InfoBits+:InfoBits];
        end
      end
      asked.explores = asked.mode != hw_q_pkg::Minimal && random[31:0] < epsilon_i;
      asked.random = ColBits'((32'(random[47:32]) * NumCols) >> 16);
      asked.other = ColBits'((32'(random[63:48]) * LocalCols) >> 16);
    end
    read_valid_o = accept;
    read_row_o = asked.row;
  end

  // The best port, Latency - 2 cycles later -----------------------------------------------------------------------------
  logic valid1_q, valid2, compares_nothing;
  question_t q1_q, q2;
  logic [QuestionBits-1:0] tag2;
  logic [ValueBits-1:0] minimal2, other2, best2;
  logic [ColBits-1:0] first2;
  hw_q_compare #(
    .NumCols(NumCols), .LocalCols(LocalCols), .ValueBits(ValueBits), .FractionBits(FractionBits), .Admissible(Admissible),
    .Queues(Queues), .QueueWidth(QueueWidth), .FlitCycles(FlitCycles), .TagBits(QuestionBits), .Registered(Latency == 3)
  ) u_compare (
    .clk_i, .rst_ni, .connected_i, .valid_i(valid1_q), .tag_i(q1_q), .mode_i(q1_q.mode), .narrow_i(q1_q.narrow),
    .minimal_i(q1_q.minimal), .other_i(q1_q.other), .values_i(read_values_i), .queue_i(queue_i[NumCols*QueueWidth-1:0]),
    .valid_o(valid2), .tag_o(tag2), .col_o(first2), .value_o(best2), .minimal_o(minimal2), .other_o(other2), .idle_o(compares_nothing)
  );
  assign q2 = tag2;

  // By how much a rival has to be better than the minimal port, 2^-16.
  logic [15:0] threshold2;
  logic [ValueBits+15:0] margin2;
  always_comb begin
    threshold2 = q2.mode == hw_q_pkg::Detour ? threshold_detour_i : threshold_source_i;
    margin2 = '0;
    if (valid2) margin2 = (ValueBits + 16)'(minimal2) * (ValueBits + 16)'(threshold2);
  end

  // Last stage: threshold and exploration -----------------------------------------------------------------------------
  logic valid_q;
  question_t question_q;
  logic [ValueBits-1:0] minimal_q, other_q, best_q;
  logic [ColBits-1:0] best_col_q, chosen;
  logic [ValueBits+15:0] margin_q;
  logic [ValueBits-1:0] estimate;
  logic may_explore, saturated;
  decision_t decision;

  hw_q_choose #(
    .NumCols(NumCols), .LocalCols(LocalCols), .ValueBits(ValueBits), .FractionBits(FractionBits),
    .TimeBits(TimeBits)
  ) u_choose (
    .connected_i(connected_i), .mode_i(question_q.mode), .narrow_i(question_q.narrow),
    .explores_i(question_q.explores), .minimal_i(question_q.minimal), .other_i(question_q.other),
    .random_i(question_q.random), .best_i(best_col_q), .minimal_value_i(minimal_q),
    .other_value_i(other_q), .best_value_i(best_q), .margin_i(margin_q),
    .reward_i(question_q.reward), .chosen_o(chosen), .explored_o(may_explore), .estimate_o(estimate),
    .saturated_o(saturated)
  );

  always_comb begin
    rsp_valid_o = '0;
    if (valid_q) rsp_valid_o[question_q.port] = 1'b1;
    rsp_feedback_o = valid_q ? {estimate, question_q.row, question_q.feedback} : '0;
    rsp_vc_o = question_q.vc;
    rsp_port_o = PortWidth'(chosen);
    rsp_info_o = question_q.info;
    decision.best = best_q;
    decision.minimal_value = minimal_q;
    decision.saturated = valid_q && saturated && question_q.feedback;
    decision.explored = valid_q && may_explore;
    decision.feedback = rsp_feedback_o;
    decision.reward = question_q.reward;
    decision.port = PortWidth'(chosen);
    decision.other = PortWidth'(question_q.other);
    decision.random = PortWidth'(question_q.random);
    decision.minimal = PortWidth'(question_q.minimal);
    decision.explores = question_q.explores;
    decision.narrow = question_q.narrow;
    decision.mode = question_q.mode;
    decision.valid = valid_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      behind_q <= '0;
      valid1_q <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      if (accept) behind_q <= next_port_behind(ask_ready_o);
      valid1_q <= accept;
      valid_q <= valid2;
    end
  end

  always_ff @(posedge clk_i) begin
    if (accept) q1_q <= asked;
    if (valid2) begin
      question_q <= q2;
      minimal_q <= minimal2;
      other_q <= other2;
      margin_q <= margin2;
      best_q <= best2;
      best_col_q <= best2 == Infinity ? q2.minimal : first2;
    end
  end

  assign decision_o = decision;
  assign compare_valid_o = valid1_q;
  assign compare_row_o = q1_q.row;
  assign idle_o = compares_nothing && !valid_q;

  wire unused = &{1'b0, queue_i};
  `HW_ASSERT(a_port_is_connected, !valid_q || connected_i[chosen])

endmodule

`default_nettype wire
