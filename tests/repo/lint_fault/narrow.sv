// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// A seeded fault for lint_rtl.sh: a sum that does not fit, in a module that accepts its default parameters.
module narrow #(
  parameter int unsigned Width = 4
) (
  input  wire  [Width-1:0] a_i,
  output logic [Width-1:0] sum_o
);
  assign sum_o = {1'b0, a_i} + 5'd1;
endmodule

`default_nettype wire
