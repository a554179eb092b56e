// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// A reset from outside, released in step with the clock: for the rst_ni of a network, a tile or a node.
//
// Latency: rst_no falls with rst_ni, without a clock; it rises Stages (2 are usual) edges of clk_i after rst_ni has risen.
// Combinational paths: none, but for the asynchronous reset of the registers.
// Assumes: rst_ni stays low as long as the registers' minimal pulse. Guarantees: the end of the reset reaches all flip-flops behind
//   it in the same cycle; metastability of the first register has Stages - 1 cycles to settle. Checked by the test ResetSync.
// Reference: C. E. Cummings et al., Asynchronous & Synchronous Reset Design Techniques, SNUG 2003.
module hw_reset_sync #(
  parameter int unsigned Stages = 0
) (
  input  wire logic  clk_i,
  input  wire logic  rst_ni,   // asynchronous at both ends
  output logic       rst_no    // asynchronous when it falls, in step with clk_i when it rises
);

  if (Stages < 2) begin : gen_bad_stages
    $error("hw_reset_sync: Stages must be at least 2");
  end

  (* ASYNC_REG = "TRUE" *) logic [Stages-1:0] sync_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sync_q <= '0;
    else sync_q <= {sync_q[Stages-2:0], 1'b1};
  end

  assign rst_no = sync_q[Stages-1];

endmodule

`default_nettype wire
