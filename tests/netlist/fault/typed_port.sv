// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// A seeded fault for port_widths.sh: a port which Yosys 0.23 takes for one element of its array, without a word.
package typed_port_pkg;
  typedef logic [7:0] byte_t;
endpackage

module typed_port_leaf #(
  parameter int unsigned Width = 0
) (
  input  wire typed_port_pkg::byte_t [Width-1:0] bytes_i,
  output wire logic [7:0]                        first_o
);
  assign first_o = bytes_i[0];
endmodule

module typed_port #(
  parameter int unsigned Width = 0
) (
  input  wire logic [8*Width-1:0] bytes_i,
  output wire logic [7:0]         first_o
);
  typed_port_leaf #(.Width(Width)) u_leaf (.bytes_i(bytes_i), .first_o(first_o));
endmodule

`default_nettype wire
