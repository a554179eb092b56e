// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The destinations to which a terminal sends less, each with a rate. The first notification of a destination takes a flow for it, at a rate
// of 1 - 2^-shift. Every `period` cycles each rate changes: by -2^-shift of itself where a notification has come since, else by
// +increase; a flow whose rate would reach one flit per cycle is given up. Flits that are sent make a debt, which the rate pays off.
// While there is a debt the destination is stopped: no packet to it is to begin.
//
// Rates take turns, one a cycle, the last flow first, and have one adder: a cycle in which one changes takes no flow.
//
// Latency: what comes in cycle t is on stop_*_o in t+1. Throughput: a notification, and flits of each stream, each cycle.
// Combinational paths: none. Rates and debts count 2^-16 flits; a rate is per core cycle.
// Fairness: where all flows are taken, and where a rate changes, notifications of further destinations are forgotten.
// Assumes: whoever sends heeds stop_*_o, and counts a packet's flits, at most MaxFlits, before it begins another; period is at least
// Flows + 1, without which the last flows have no turn; shift is 1 to 8.
// Guarantees: a rate is never 0, so no destination is stopped for ever. While enable is low nothing is stopped. While quiescent_o is high
// nothing changes without input. Equal in every cycle to hopwise::engine::Throttle, which a test compares.
// Reference: Chiu & Jain 1989 (additive increase, multiplicative decrease); docs/reference/congestion.md.
module hw_congestion_throttle #(
  parameter int unsigned DstBits = 0,
  parameter int unsigned MaxFlits = 1,
  parameter int unsigned Flows = 8,
  parameter int unsigned NumStreams = 1,                 // packets of so many are sent at a time
  parameter int unsigned SentBits = 1                    // of a number of flits
) (
  input  wire logic                      clk_i,
  input  wire logic                      rst_ni,

  // Configuration, two words as in the registers: {increase, period}, {enable, shift, that of the notifier}
  input  wire logic [63:0]               congestion_i,

  // A notification of a destination, and flits that are sent to one
  input  wire logic                      note_valid_i,
  input  wire logic [DstBits-1:0]        note_dst_i,
  input  wire logic [NumStreams*SentBits-1:0] sent_flits_i,
  input  wire logic [NumStreams*DstBits-1:0] sent_dst_i,

  // Destinations to which no packet is to begin
  output logic [Flows-1:0]               stop_valid_o,
  output logic [Flows*DstBits-1:0]       stop_dst_o,

  // Status
  output logic                           quiescent_o
);

  if (DstBits == 0 || MaxFlits == 0 || Flows == 0 || NumStreams == 0 || SentBits == 0) begin : gen_bad_size
    $error("hw_congestion_throttle: DstBits, MaxFlits, Flows, NumStreams and SentBits must be at least 1");
  end

  logic enable;
  logic [3:0] shift;
  logic [15:0] period, increase;
  assign {increase, period, enable, shift} = {congestion_i[63:31], congestion_i[19:16]};
  wire unused = &{1'b0, congestion_i[30:20], congestion_i[15:0]};

  localparam int unsigned DebtBits = 1 + $clog2(NumStreams * MaxFlits + 1);

  logic [Flows-1:0] valid_q, match, takes, turn_q, freed;
  logic [15:0] timer_q;
  logic enter;

  assign enter = enable && note_valid_i && match == '0 && turn_q == '0;
  // The lowest free flow.
  assign takes = enter ? ~valid_q & (valid_q + Flows'(1)) : '0;
  assign quiescent_o = valid_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      timer_q <= '0;
    end else begin
      valid_q <= enable ? (valid_q & ~freed) | takes : '0;
      if (valid_q == '0 && takes == '0) timer_q <= '0;
      else if (valid_q == '0 || timer_q == '0) timer_q <= period - 16'd1;
      else timer_q <= timer_q - 16'd1;
    end
  end

  // ---- Rates: that of flow f is read where the timer is at f + 1, and changes a cycle later.

  logic [Flows-1:0] noted_q, turn_d;
  logic [Flows*16-1:0] rates;
  logic [15:0] rate_d, rate_q, step, first;
  logic [16:0] next;
  logic falls;

  always_comb begin
    rate_d = '0;
    for (int unsigned f = 0; f < Flows; f = f + 1) begin
      turn_d[f] = valid_q[f] && timer_q == 16'(f + 1);
      if (turn_d[f]) rate_d = rate_d | rates[f*16+:16];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= '0;
    else turn_q <= turn_d;
  end

  always_ff @(posedge clk_i) rate_q <= rate_d;

  assign falls = (noted_q & turn_q) != '0;
  assign step = falls ? ~(rate_q >> shift) : increase;
  assign next = {1'b0, rate_q} + {falls, step} + 17'(falls);
  assign first = ~(16'hffff >> shift);
  assign freed = next[16] ? turn_q : '0;

  // ---- Flows: a debt is whole flits, less the part that has been paid of the next.

  for (genvar f = 0; f < Flows; f = f + 1) begin : gen_flow
    logic [DstBits-1:0] dst_q;
    logic [15:0] rate_of_q, part_q, paid;
    logic [DebtBits-1:0] debt_q, rest, more;
    logic pays;

    assign match[f] = valid_q[f] && dst_q == note_dst_i;
    assign rates[f*16+:16] = rate_of_q;
    assign {pays, paid} = 17'(part_q) + 17'(rate_of_q);
    assign rest = debt_q - DebtBits'(pays && debt_q != '0);
    assign stop_valid_o[f] = valid_q[f] && debt_q != '0;
    assign stop_dst_o[f*DstBits+:DstBits] = dst_q;

    always_comb begin
      more = '0;
      for (int unsigned s = 0; s < NumStreams; s = s + 1) begin
        if (sent_dst_i[s*DstBits+:DstBits] == dst_q) more = more + DebtBits'(sent_flits_i[s*SentBits+:SentBits]);
      end
    end

    always_ff @(posedge clk_i) begin
      if (takes[f]) dst_q <= note_dst_i;
      if (takes[f] || turn_q[f]) rate_of_q <= enter ? first : next[15:0];
      debt_q <= valid_q[f] ? rest + more : '0;
      part_q <= valid_q[f] && rest != '0 ? paid : '0;
      noted_q[f] <= valid_q[f] && ((note_valid_i && match[f]) || (noted_q[f] && !turn_q[f]));
    end
    `HW_ASSERT(a_rate_is_not_0, !valid_q[f] || rate_of_q != '0)
  end

  `HW_ASSERT(a_one_rate_is_written, !(enter && turn_q != '0))
  `HW_ASSERT(a_one_flow_is_taken, $onehot0(takes))
  `HW_COVER(c_flows_are_full, enter && valid_q == '1)
  `HW_COVER(c_flow_is_given_up, freed != '0)

endmodule

`default_nettype wire
