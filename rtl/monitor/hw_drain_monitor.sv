// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Checks at run time what the deadlock proof assumes of a terminal: ejected flits are always drained in the end.
//
// A check, not hardware: empty under synthesis. Fails when flits wait at the terminal (sent, their credits not back) and
// none leaves for LimitCycles cycles.
module hw_drain_monitor #(
  parameter int unsigned LimitCycles = 0                // far beyond any round trip
) (
  input  wire logic  clk_i,
  input  wire logic  rst_ni,
  input  wire logic  sent_i,    // a flit goes to the terminal
  input  wire logic  credit_i   // a flit has left the terminal
);

  if (LimitCycles == 0) begin : gen_bad_limit
    $error("hw_drain_monitor: LimitCycles must be set");
  end

`ifdef HW_CHECKS
  logic [31:0] waiting_q, still_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waiting_q <= '0;
      still_q <= '0;
    end else begin
      if (sent_i && !credit_i) waiting_q <= waiting_q + 32'd1;
      if (!sent_i && credit_i) waiting_q <= waiting_q - 32'd1;
      still_q <= credit_i || waiting_q == '0 ? '0 : still_q + 32'd1;
    end
  end
  `HW_ASSUME(a_terminal_drains, still_q < LimitCycles)
`else
  wire unused = &{1'b0, clk_i, rst_ni, sent_i, credit_i, LimitCycles[0]};
`endif

endmodule

`default_nettype wire
