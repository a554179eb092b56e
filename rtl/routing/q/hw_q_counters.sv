// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_q_decision.svh"

// Counts what hw_q_agent decides.
//
// sums_o, 32 bits each, modulo 2^32: decisions (questions of mode Minimal are none), those for another port than the minimal
// one, explored ones, over all decisions the sums of the best port's value and of the minimal port's (core cycles), and
// feedback words that were too large for a value.
// Latency: an answer of cycle t is in sums_o in cycle t+2. Combinational paths: none. Without answers nothing changes once
// at_rest_o is high.
module hw_q_counters #(
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
  input  wire logic                     clk_i,
  input  wire logic                     rst_ni,
  input  wire logic [DecisionBits-1:0]  decision_i,      // as hw_q_agent has it
  output logic [191:0]                  sums_o,
  output logic                          at_rest_o
);

  if (NumPorts == 0 || NumRows == 0 || ValueBits == 0 || TimeBits == 0) begin : gen_bad_size
    $error("hw_q_counters: NumPorts, NumRows, ValueBits and TimeBits must be set");
  end

  `HW_Q_DECISION
  decision_t decision;
  assign decision = decision_i;

  logic counts, counts_q, nonminimal_q, explored_q, saturated_q;
  logic [31:0] best_q, minimal_q;        // core cycles

  assign counts = decision.valid && decision.mode != hw_q_pkg::Minimal;

  logic [191:0] sums_q;
  assign sums_o = sums_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      counts_q <= 1'b0;
      saturated_q <= 1'b0;
      sums_q <= '0;
    end else begin
      counts_q <= counts;
      saturated_q <= decision.valid && decision.saturated;
      if (counts_q) begin
        sums_q[0+:32] <= sums_q[0+:32] + 32'd1;
        sums_q[32+:32] <= sums_q[32+:32] + 32'(nonminimal_q);
        sums_q[64+:32] <= sums_q[64+:32] + 32'(explored_q);
        sums_q[96+:32] <= sums_q[96+:32] + best_q;
        sums_q[128+:32] <= sums_q[128+:32] + minimal_q;
      end
      if (saturated_q) sums_q[160+:32] <= sums_q[160+:32] + 32'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (counts) begin
      nonminimal_q <= decision.port != decision.minimal;
      explored_q <= decision.explored;
      best_q <= 32'(decision.best) >> FractionBits;
      minimal_q <= 32'(decision.minimal_value) >> FractionBits;
    end
  end

  assign at_rest_o = !counts_q && !saturated_q;

  wire unused = &{1'b0, decision};

endmodule

`default_nettype wire
