// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The short part of a counter whose word is in a memory: it counts, until it is added to the word.
//
// Latency: an event of cycle c is in short_o in c+1. Combinational paths: none; anew_i and more_i go to the register alone.
// Assumes: anew_i in the first cycle after reset, as the register has none; once half_full_o is high, anew_i comes within
//   MostCycles cycles of the last one in which it was low.
// Guarantees: short_o is the sum of more_i from the last cycle with anew_i on, itself included, without cycles with hold_i.
module hw_short_counter #(
  parameter int unsigned MoreBits = 1,
  parameter int unsigned MostCycles = 0,
  localparam int unsigned Bits = (MoreBits == 1 ? 0 : MoreBits) + $clog2(MostCycles) + 1
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,       // for the checks only
  input  wire logic                anew_i,       // begin at 0
  input  wire logic                hold_i,
  input  wire logic [MoreBits-1:0] more_i,
  output logic                     half_full_o,
  output logic [Bits-1:0]          short_o
);

  if (MostCycles == 0 || MoreBits == 0 || MoreBits > 32) begin : gen_bad_parameters
    $error("hw_short_counter: MostCycles must be at least 1, MoreBits 1 to 32");
  end

  logic [Bits-1:0] short_q, held, more;
  assign held = anew_i ? '0 : short_q;
  assign more = hold_i ? '0 : Bits'(more_i);
  always_ff @(posedge clk_i) short_q <= held + more;

  assign short_o = short_q;
  assign half_full_o = short_q[Bits-1];

  wire unused = &{1'b0, rst_ni};

  `HW_ASSERT(a_no_event_is_lost, held <= ~more)

endmodule

`default_nettype wire
