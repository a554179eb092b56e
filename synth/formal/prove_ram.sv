// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves that hw_ram_1r1w gives the same with its register at the address, as for small memories, and at the data, as for large ones:
// the word written last, in the cycle after the read. One word, chosen freely, is watched.
module prove_ram #(
  parameter int unsigned Words = 0,
  localparam int unsigned AddrWidth = Words > 1 ? $clog2(Words) : 1
) (
  input wire logic                  clk_i,
  input wire logic                  write_i,
  input wire logic [AddrWidth-1:0]  write_addr_i,
  input wire logic                  write_data_i,
  input wire logic                  read_i,
  input wire logic [AddrWidth-1:0]  read_addr_i,
  input wire logic [AddrWidth-1:0]  watched_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic small, large, read_q, known_q, word_q;
  logic [AddrWidth-1:0] watched_q;
  hw_ram_1r1w #(.Words(Words), .Width(1)) u_small (
    .clk_i, .rst_ni, .write_i, .write_addr_i, .write_data_i, .read_i, .read_addr_i, .read_data_o(small)
  );
  hw_ram_1r1w #(.Words(Words), .Width(1), .SmallWords(0)) u_large (
    .clk_i, .rst_ni, .write_i, .write_addr_i, .write_data_i, .read_i, .read_addr_i, .read_data_o(large)
  );

  always_ff @(posedge clk_i) begin
    read_q <= rst_ni && read_i && read_addr_i == watched_q && known_q;
    if (!rst_ni) begin
      watched_q <= watched_i;
      known_q <= 1'b0;
    end else if (write_i && write_addr_i == watched_q) begin
      known_q <= 1'b1;
      word_q <= write_data_i;
    end
  end

  // What the read gave: the word may be written in the cycle after it.
  logic given_q;
  always_ff @(posedge clk_i) given_q <= word_q;

  always @(posedge clk_i) begin
    if (rst_ni) begin
      a_small: assert (!read_q || small == given_q);
      a_large: assert (!read_q || large == given_q);
      c_read: cover (read_q && given_q);
    end
  end

endmodule

`default_nettype wire
