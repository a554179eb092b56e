// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Says when a router needs its clock: while it does not rest, in the very cycle in which something comes to it, and for some cycles
// around an access of software.
//
// Latency: 0. Throughput: every cycle. Combinational paths: busy_i, comes_i, host_i -> wake_o.
// Assumes: what an access of software changes, the router has seen HoldCycles after the last cycle of host_i.
// Guarantees: without wake_o no state of the router would change. Checked by the tests ClockGate and NetworkTop.
module hw_wake #(
  parameter int unsigned HoldCycles = 0
) (
  input  wire logic  clk_i,   // always on
  input  wire logic  rst_ni,
  input  wire logic  busy_i,  // something inside changes without an input
  input  wire logic  comes_i, // an input
  input  wire logic  host_i,  // software is at its registers
  output logic       wake_o
);

  if (HoldCycles == 0) begin : gen_bad_hold
    $error("hw_wake: HoldCycles must be at least 1");
  end

  localparam int unsigned Width = $clog2(HoldCycles + 1);
  logic [Width-1:0] hold_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hold_q <= Width'(HoldCycles);
    else if (host_i) hold_q <= Width'(HoldCycles);
    else if (hold_q != '0) hold_q <= hold_q - Width'(1);
  end

  assign wake_o = busy_i || comes_i || host_i || hold_q != '0;

endmodule

`default_nettype wire
