// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_round_robin.svh"

// The decisions of Q-routing and Q-adaptive: one agent for all input ports of a router, in front of its Q-table.
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
// Latency: answer Latency cycles after the question is accepted; initiation interval 1. The ports take turns.
// Random bits: two states of hw_random per accepted question.
// Combinational paths: ask_* -> ask_ready_o, read_*; answers come from registers.
// Assumes: read_values_i is the row that was asked for in the cycle before. Values with all bits set mean infinity.
// Guarantees: answers in the order of questions; never a port that is not connected.
// Reference: Boyan & Littman 1993; Kang, Wang & Lan, HPDC 2021, section 4 and figure 4; docs/reference/routing-q.md.
module hw_q_agent #(
  parameter int unsigned NumPorts = 0,                   // input ports of the router
  parameter int unsigned NumCols = 0,                    // output ports that are learned: network ports
  parameter int unsigned LocalCols = 0,                  // of them, those to routers of the group; 0: no groups
  parameter int unsigned NumRows = 0,
  parameter int unsigned ValueBits = 18,
  parameter int unsigned FractionBits = 7,               // of a core cycle
  parameter int unsigned TimeBits = 14,
  parameter int unsigned VcWidth = 1,
  parameter int unsigned InfoBits = 1,                   // of a question, handed back with the answer
  parameter int unsigned Latency = 3,                    // 2 or 3
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
  // Configuration
  input  wire logic [31:0]                       epsilon_i,            // 2^-32
  input  wire logic [15:0]                       threshold_source_i,   // 2^-16
  input  wire logic [15:0]                       threshold_detour_i,   // 2^-16
  input  wire logic                              load_seed_i,
  input  wire logic [31:0]                       seed_i,
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
  // For counters and checks: the row whose values are compared in this cycle, and the answer of this cycle, {best value,
  // minimal port's value, feedback saturated, explored, feedback, reward, port, random local port, random port, minimal
  // port, explores, narrow, mode, valid}
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
  localparam bit [NumCols-1:0] Local = NumCols'((64'd1 << LocalCols) - 64'd1);
  localparam int unsigned PartCols = Latency == 3 ? 4 : NumCols;  // columns that one comparator tree of stage 1 takes
  localparam int unsigned Parts = (NumCols + PartCols - 1) / PartCols;

  `HW_ROUND_ROBIN_ONE_HOT(next_port, NumPorts)

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
  logic accept;
  logic [63:0] random;
  question_t asked;

  hw_random #(.NumValues(2), .Salt(32'h9e3779b9)) u_random (
    .clk_i(clk_i), .rst_ni(rst_ni), .load_i(load_seed_i), .seed_i(seed_i), .advance_i(accept), .values_o(random)
  );

  always_comb begin
    accept = table_ready_i && ask_valid_i != '0;
    ask_ready_o = '0;
    asked = '0;
    if (accept) begin
      ask_ready_o = next_port(ask_valid_i, behind_q);
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

  // Stage 1: values, and the best of each part ------------------------------------------------------------------------
  logic valid1_q;
  question_t q1_q;
  logic [NumCols*ValueBits-1:0] value;
  logic [NumCols-1:0] known;             // ports that the best is taken of
  logic [Parts*ValueBits-1:0] part_value;
  logic [Parts*ColBits-1:0] part_col;
  logic [NumCols*ValueBits-1:0] best;    // of a group of columns, in the slice of its first one
  logic [NumCols*ColBits-1:0] best_col;
  logic [ValueBits-1:0] minimal1, other1;

  // Time that the flits queued at a port take on its link, saturating.
  function automatic logic [ValueBits-1:0] with_queue(input logic [ValueBits-1:0] learned,
                                                      input logic [QueueWidth-1:0] flits);
    logic [63:0] sum;
    sum = 64'(learned) + (((64'(flits) * FlitCycles) << FractionBits) >> 4);
    with_queue = sum >= 64'(Infinity) ? Infinity : ValueBits'(sum);
  endfunction

  always_comb begin
    value = read_values_i;
    known = '0;
    best = {NumCols{Infinity}};
    best_col = '0;
    minimal1 = '0;
    other1 = '0;
    if (valid1_q) begin
      for (int unsigned c = 0; c < NumCols; c = c + 1) begin
        if (Queues) begin
          value[c*ValueBits+:ValueBits] = with_queue(read_values_i[c*ValueBits+:ValueBits], queue_i[c*QueueWidth+:QueueWidth]);
        end
        known[c] = connected_i[c];
        if (q1_q.narrow) known[c] = connected_i[c] && (!Local[c] || q1_q.minimal == ColBits'(c));
        else if (Admissible && q1_q.mode == hw_q_pkg::Minimal) known[c] = q1_q.minimal == ColBits'(c);
        else if (Admissible && q1_q.mode == hw_q_pkg::Detour) known[c] = Local[c];
      end
      // In pairs, pairs of pairs, and so on, within each part.
      for (int unsigned c = 0; c < NumCols; c = c + 1) begin
        if (known[c]) best[c*ValueBits+:ValueBits] = value[c*ValueBits+:ValueBits];
        best_col[c*ColBits+:ColBits] = ColBits'(c);
        if (q1_q.minimal == ColBits'(c)) minimal1 = minimal1 | value[c*ValueBits+:ValueBits];
        if (q1_q.other == ColBits'(c)) other1 = other1 | value[c*ValueBits+:ValueBits];
      end
      for (int unsigned step = 1; step < PartCols; step = step * 2) begin
        for (int unsigned c = 0; c + step < NumCols; c = c + 2 * step) begin
          if (best[(c+step)*ValueBits+:ValueBits] < best[c*ValueBits+:ValueBits]) begin
            best[c*ValueBits+:ValueBits] = best[(c+step)*ValueBits+:ValueBits];
            best_col[c*ColBits+:ColBits] = best_col[(c+step)*ColBits+:ColBits];
          end
        end
      end
    end
    for (int unsigned p = 0; p < Parts; p = p + 1) begin
      part_value[p*ValueBits+:ValueBits] = best[p*PartCols*ValueBits+:ValueBits];
      part_col[p*ColBits+:ColBits] = best_col[p*PartCols*ColBits+:ColBits];
    end
  end

  // Stage 2 (Latency 3): the best of the parts ------------------------------------------------------------------------
  logic valid2;
  question_t q2;
  logic [Parts*ValueBits-1:0] parts2;
  logic [Parts*ColBits-1:0] cols2;
  logic [ValueBits-1:0] minimal2, other2, best2;
  logic [ColBits-1:0] best_col2;

  if (Latency == 3) begin : gen_stage2
    logic valid_q;
    question_t question_q;
    logic [Parts*ValueBits-1:0] parts_q;
    logic [Parts*ColBits-1:0] cols_q;
    logic [ValueBits-1:0] minimal_q, other_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else valid_q <= valid1_q;
    end
    always_ff @(posedge clk_i) begin
      if (valid1_q) begin
        question_q <= q1_q;
        parts_q <= part_value;
        cols_q <= part_col;
        minimal_q <= minimal1;
        other_q <= other1;
      end
    end
    assign valid2 = valid_q;
    assign q2 = question_q;
    assign parts2 = parts_q;
    assign cols2 = cols_q;
    assign minimal2 = minimal_q;
    assign other2 = other_q;
  end else begin : gen_no_stage2
    assign valid2 = valid1_q;
    assign q2 = q1_q;
    assign parts2 = part_value;
    assign cols2 = part_col;
    assign minimal2 = minimal1;
    assign other2 = other1;
  end

  // By how much a rival has to be better than the minimal port, 2^-16.
  logic [15:0] threshold2;
  logic [ValueBits+15:0] margin2;

  always_comb begin
    best2 = Infinity;
    best_col2 = q2.minimal;
    threshold2 = q2.mode == hw_q_pkg::Detour ? threshold_detour_i : threshold_source_i;
    margin2 = '0;
    if (valid2) begin
      margin2 = (ValueBits + 16)'(minimal2) * (ValueBits + 16)'(threshold2);
      for (int unsigned p = 0; p < Parts; p = p + 1) begin
        if (parts2[p*ValueBits+:ValueBits] < best2) begin
          best2 = parts2[p*ValueBits+:ValueBits];
          best_col2 = cols2[p*ColBits+:ColBits];
        end
      end
    end
  end

  // Last stage: threshold and exploration -----------------------------------------------------------------------------
  logic valid_q;
  question_t question_q;
  logic [ValueBits-1:0] minimal_q, other_q, best_q;
  logic [ColBits-1:0] best_col_q;
  logic [ColBits-1:0] temp, chosen;
  logic [ValueBits-1:0] rival;
  logic [ValueBits+15:0] margin_q;
  logic may_explore;
  logic [ValueBits+FractionBits+TimeBits-1:0] told;  // wide enough for the sum
  logic saturated;

  always_comb begin
    temp = question_q.minimal;
    chosen = question_q.minimal;
    rival = best_q;
    may_explore = 1'b0;
    told = '0;
    saturated = 1'b0;
    rsp_valid_o = '0;
    rsp_feedback_o = '0;
    if (valid_q) begin
      if (question_q.mode == hw_q_pkg::Detour) begin
        temp = question_q.other;
        rival = other_q;
      end else if (question_q.mode == hw_q_pkg::Learned || question_q.mode == hw_q_pkg::Greedy) begin
        temp = best_col_q;
      end
      // Equation (2) of the paper, without the division: (minimal - rival) / minimal < threshold.
      if ((question_q.mode == hw_q_pkg::Learned || question_q.mode == hw_q_pkg::Detour)
          && (rival > minimal_q
              || {minimal_q - rival, 16'd0} < margin_q)) begin
        temp = question_q.minimal;
      end
      may_explore = question_q.explores && connected_i[question_q.random]
          && (!question_q.narrow || question_q.random == question_q.minimal || !Local[question_q.random]);
      chosen = may_explore ? question_q.random : temp;
      rsp_valid_o[question_q.port] = 1'b1;
      told = ((ValueBits+FractionBits+TimeBits)'(question_q.reward) << FractionBits)
           + (ValueBits+FractionBits+TimeBits)'(best_q);
      saturated = question_q.feedback && told >= (ValueBits+FractionBits+TimeBits)'(Infinity);
      rsp_feedback_o = {saturated ? Infinity - ValueBits'(1) : ValueBits'(told), question_q.row, question_q.feedback};
    end
    rsp_vc_o = question_q.vc;
    rsp_port_o = PortWidth'(chosen);
    rsp_info_o = question_q.info;
    decision_o = {best_q, minimal_q, saturated, may_explore, rsp_feedback_o, question_q.reward, PortWidth'(chosen),
                  PortWidth'(question_q.other), PortWidth'(question_q.random), PortWidth'(question_q.minimal),
                  question_q.explores, question_q.narrow, question_q.mode, valid_q};
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
      best_col_q <= best_col2;
    end
  end

  assign compare_valid_o = valid1_q;
  assign compare_row_o = q1_q.row;
  assign idle_o = !valid1_q && !valid2 && !valid_q;

  wire unused = &{1'b0, queue_i};

  `HW_ASSERT(a_port_is_connected, !valid_q || connected_i[chosen])

endmodule

`default_nettype wire
