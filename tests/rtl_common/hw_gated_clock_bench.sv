// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The clock of a router, as a node makes it, and a register behind it.
module hw_gated_clock_bench (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        busy_i,
  input  wire logic        comes_i,
  input  wire logic        host_i,
  output logic             clk_o,
  output logic [15:0]      edges_o
);

  logic wake;

  hw_wake #(.HoldCycles(4)) u_wake (
    .clk_i(clk_i), .rst_ni(rst_ni), .busy_i(busy_i), .comes_i(comes_i), .host_i(host_i), .wake_o(wake)
  );
  hw_clock_gate u_gate (.clk_i(clk_i), .en_i(wake), .clk_o(clk_o));

  always_ff @(posedge clk_o or negedge rst_ni) begin
    if (!rst_ni) edges_o <= '0;
    else edges_o <= edges_o + 16'd1;
  end

endmodule

`default_nettype wire
