// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_q_decision.svh"

// Counts what the agents of a router (hw_q_agent) decide.
//
// sums_o, 32 bits each, modulo 2^32: decisions (questions of mode Minimal are none), those for another port than the minimal
// one, explored ones, over all decisions the sums of the best port's value and of the minimal port's (core cycles), and
// feedback words that were too large for a value.
// Latency: an answer of cycle t is in sums_o in cycle t+2. Combinational paths: none. Without answers nothing changes once
// at_rest_o is high.
module hw_q_counters #(
  parameter int unsigned NumAgents = 1,
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumRows = 0,
  parameter int unsigned ValueBits = 0,
  parameter int unsigned FractionBits = 0,
  parameter int unsigned TimeBits = 0,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned RowBits = NumRows > 1 ? $clog2(NumRows) : 1,
  localparam int unsigned FeedbackBits = 1 + RowBits + ValueBits,
  localparam int unsigned DecisionBits = 7 + 4 * PortWidth + TimeBits + FeedbackBits + 2 * ValueBits
) (
  input  wire logic                               clk_i,
  input  wire logic                               rst_ni,
  input  wire logic [NumAgents*DecisionBits-1:0]  decision_i,      // a slice per agent, as hw_q_agent has it
  output logic [191:0]                            sums_o,
  output logic                                    at_rest_o
);

  if (NumAgents == 0 || NumPorts == 0 || NumRows == 0 || ValueBits == 0 || TimeBits == 0) begin : gen_bad_size
    $error("hw_q_counters: NumAgents, NumPorts, NumRows, ValueBits and TimeBits must be set");
  end

  `HW_Q_DECISION
  localparam int unsigned CountBits = $clog2(NumAgents + 1);
  localparam int unsigned SumBits = ValueBits + CountBits;

  // Of the decisions of a cycle
  decision_t decision;
  logic [CountBits-1:0] counts, nonminimal, explored, saturated;
  logic [CountBits-1:0] counts_q, nonminimal_q, explored_q, saturated_q;
  logic [SumBits-1:0] best, minimal, best_q, minimal_q;  // core cycles

  always_comb begin
    decision = '0;
    counts = '0;
    nonminimal = '0;
    explored = '0;
    saturated = '0;
    best = '0;
    minimal = '0;
    for (int unsigned a = 0; a < NumAgents; a = a + 1) begin
      decision = decision_i[a*DecisionBits+:DecisionBits];
      if (decision.valid && decision.saturated) saturated = saturated + CountBits'(1);
      if (decision.valid && decision.mode != hw_q_pkg::Minimal) begin
        counts = counts + CountBits'(1);
        nonminimal = nonminimal + CountBits'(decision.port != decision.minimal);
        explored = explored + CountBits'(decision.explored);
        best = best + (SumBits'(decision.best) >> FractionBits);
        minimal = minimal + (SumBits'(decision.minimal_value) >> FractionBits);
      end
    end
  end

  logic [191:0] sums_q;
  assign sums_o = sums_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      counts_q <= '0;
      saturated_q <= '0;
      sums_q <= '0;
    end else begin
      counts_q <= counts;
      saturated_q <= saturated;
      if (counts_q != '0) begin
        sums_q[0+:32] <= sums_q[0+:32] + 32'(counts_q);
        sums_q[32+:32] <= sums_q[32+:32] + 32'(nonminimal_q);
        sums_q[64+:32] <= sums_q[64+:32] + 32'(explored_q);
        sums_q[96+:32] <= sums_q[96+:32] + 32'(best_q);
        sums_q[128+:32] <= sums_q[128+:32] + 32'(minimal_q);
      end
      if (saturated_q != '0) sums_q[160+:32] <= sums_q[160+:32] + 32'(saturated_q);
    end
  end

  always_ff @(posedge clk_i) begin
    if (counts != '0) begin
      nonminimal_q <= nonminimal;
      explored_q <= explored;
      best_q <= best;
      minimal_q <= minimal;
    end
  end

  assign at_rest_o = counts_q == '0 && saturated_q == '0;

  wire unused = &{1'b0, decision};

endmodule

`default_nettype wire
