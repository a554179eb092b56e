// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Core cycles since reset, for whatever ages in a router: 0 in the first cycle after reset.
//
// Combinational paths: none. Reset: to 0. Guarantees: one more in every cycle, modulo 2^64.
module hw_cycle_counter (
  input  wire logic    clk_i,
  input  wire logic    rst_ni,
  output logic [63:0]  now_o
);

  logic [63:0] now_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) now_q <= '0;
    else now_q <= now_q + 64'd1;
  end

  assign now_o = now_q;

endmodule

`default_nettype wire
