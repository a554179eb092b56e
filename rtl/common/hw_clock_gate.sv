// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// A clock that stands still: a latch and an AND, as in the integrated clock gate of a cell library. Put that cell, or the clock buffer
// with enable of an FPGA, behind these pins (docs/reference/router.md, a router that rests).
//
// Latency: an edge of clk_i with en_i is an edge of clk_o. Throughput: one per cycle.
// Combinational paths: clk_i -> clk_o.
// Assumes: en_i is stable while clk_i is high, and settles before it rises. Guarantees: whole pulses only. Checked by the test ClockGate.
module hw_clock_gate (
  input  wire logic  clk_i,
  input  wire logic  en_i,
  output logic       clk_o
);

  logic en_q;

  always_latch if (!clk_i) en_q = en_i;

  assign clk_o = clk_i && en_q;

endmodule

`default_nettype wire
