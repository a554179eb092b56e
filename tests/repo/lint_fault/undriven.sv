// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// A seeded fault for lint_rtl.sh: half of the output is not driven.
module undriven #(
  parameter int unsigned Width = 0
) (
  input  wire  [Width-1:0]   a_i,
  output logic [2*Width-1:0] pair_o
);
  if (Width == 0) begin : gen_bad_width
    $error("undriven: Width must be at least 1");
  end
  assign pair_o[Width-1:0] = a_i;
endmodule

`default_nettype wire
