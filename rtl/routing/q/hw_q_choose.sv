// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Last step of hw_q_agent: threshold and exploration decide the port, and what the router upstream
// is told.
//
// Latency 0, combinational: all inputs -> all outputs.
// Guarantees: a port that was asked about, or the random one where it is connected and allowed (checked by an
// assertion of hw_q_agent).
// Reference: Kang, Wang & Lan, HPDC 2021, equation 2, without the division.
module hw_q_choose #(
  parameter int unsigned NumCols = 0,
  parameter int unsigned LocalCols = 0,         // see hw_q_agent
  parameter int unsigned ValueBits = 18,
  parameter int unsigned FractionBits = 7,
  parameter int unsigned TimeBits = 14,
  localparam int unsigned ColBits = NumCols > 1 ? $clog2(NumCols) : 1
) (
  input  wire logic [NumCols-1:0]       connected_i,     // static
  // Question
  input  wire logic [1:0]               mode_i,          // hw_q_pkg
  input  wire logic                     narrow_i,
  input  wire logic                     explores_i,
  // Columns and values of the minimal port, a random local one, the best one; a random column
  input  wire logic [ColBits-1:0]       minimal_i,
  input  wire logic [ColBits-1:0]       other_i,
  input  wire logic [ColBits-1:0]       random_i,
  input  wire logic [ColBits-1:0]       best_i,
  input  wire logic [ValueBits-1:0]     minimal_value_i,
  input  wire logic [ValueBits-1:0]     other_value_i,
  input  wire logic [ValueBits-1:0]     best_value_i,
  input  wire logic [ValueBits+15:0]    margin_i,        // by which a rival must be better, 2^-16
  input  wire logic [TimeBits-1:0]      reward_i,        // core cycles
  // Answer: column, and whether it is the random one; reward and best value, at most finite
  output logic [ColBits-1:0]            chosen_o,
  output logic                          explored_o,
  output logic [ValueBits-1:0]          estimate_o,
  output logic                          saturated_o
);

  if (NumCols == 0) begin : gen_bad_shape
    $error("hw_q_choose: NumCols must be set");
  end

  localparam int unsigned SumBits = ValueBits + FractionBits + TimeBits;
  localparam logic [ValueBits-1:0] Infinity = {ValueBits{1'b1}};
  localparam bit [NumCols-1:0] Local = NumCols'((64'd1 << LocalCols) - 64'd1);

  logic [ColBits-1:0] learned;
  logic [ValueBits-1:0] rival;
  logic [SumBits-1:0] estimate;

  always_comb begin
    learned = minimal_i;
    rival = best_value_i;
    if (mode_i == hw_q_pkg::Detour) begin
      learned = other_i;
      rival = other_value_i;
    end else if (mode_i == hw_q_pkg::Learned || mode_i == hw_q_pkg::Greedy) begin
      learned = best_i;
    end
    // (minimal - rival) / minimal < threshold
    if ((mode_i == hw_q_pkg::Learned || mode_i == hw_q_pkg::Detour)
        && (rival > minimal_value_i || {minimal_value_i - rival, 16'd0} < margin_i)) begin
      learned = minimal_i;
    end
    explored_o = explores_i && connected_i[random_i]
        && (!narrow_i || random_i == minimal_i || !Local[random_i]);
    chosen_o = explored_o ? random_i : learned;
  end

  assign estimate = (SumBits'(reward_i) << FractionBits) + SumBits'(best_value_i);
  assign saturated_o = estimate >= SumBits'(Infinity);
  assign estimate_o = saturated_o ? Infinity - ValueBits'(1) : ValueBits'(estimate);

endmodule

`default_nettype wire
