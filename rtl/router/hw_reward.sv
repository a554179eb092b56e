// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The reward of a hop, for routings that learn: how long a packet takes from its arrival in this router's input buffer to its
// arrival in the next one's. Written into the head flit on its way to the output register. With Accumulate it is added to
// what the field holds, which is the packet's age then: the sum over its hops.
//
// Latency: combinational; the flit is on the output pins in the next cycle, and at the other end LinkCycles later.
// Assumes: the field at ArrivalLsb holds the value of now_i in the cycle in which the head was on the input pins; the
// packet stays less than 7/8 of 2^TimeBits cycles, which hw_output_port checks (with RewardBits of TimeBits it is taken modulo
// that). No other router's clock is involved.
// Guarantees: reward = cycle on the next router's input pins - cycle on this router's, at most 2^RewardBits - 1. It must
// not wrap: the longest waits would look like the shortest. An age is counted modulo 2^RewardBits instead: only differences
// between two places are used. Checked by the tests of hw_router, against the cycles that they count.
// Reference: Boyan & Littman 1993 (queueing and transmission time of a hop); Kang, Wang & Lan, HPDC 2021, section 4.
module hw_reward #(
  parameter int unsigned FlitBits = 0,
  parameter int unsigned TimeBits = 0,                   // 0: data_o is data_i
  parameter int unsigned ArrivalLsb = 0,
  parameter int unsigned RewardBits = TimeBits,          // at most TimeBits, but with Accumulate
  parameter int unsigned RewardLsb = 0,
  parameter int unsigned LinkCycles = 0,
  parameter bit Accumulate = 1'b0,
  localparam int unsigned TimeWidth = TimeBits > 0 ? TimeBits : 1
) (
  input  wire logic [TimeWidth-1:0]  now_i,              // core cycles, modulo 2^TimeBits
  input  wire logic                  head_i,
  input  wire logic [FlitBits-1:0]   data_i,
  output logic [FlitBits-1:0]        data_o
);

  if (FlitBits == 0) begin : gen_bad_size
    $error("hw_reward: FlitBits must be set");
  end

  if (TimeBits > 0) begin : gen_reward
    logic [TimeWidth-1:0] elapsed;
    logic too_long;
    always_comb begin
      elapsed = now_i + TimeWidth'(LinkCycles + 1) - data_i[ArrivalLsb+:TimeWidth];
      too_long = (64'(elapsed) >> RewardBits) != 64'd0;
      data_o = data_i;
      if (head_i && Accumulate) data_o[RewardLsb+:RewardBits] = data_i[RewardLsb+:RewardBits] + RewardBits'(elapsed);
      else if (head_i) data_o[RewardLsb+:RewardBits] = too_long ? {RewardBits{1'b1}} : RewardBits'(elapsed);
    end
  end else begin : gen_none
    assign data_o = data_i;
    wire unused_time = &{1'b0, now_i, head_i};
  end

endmodule

`default_nettype wire
