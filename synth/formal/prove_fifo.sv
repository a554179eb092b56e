// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_fifo, and with Ram of hw_ram_fifo: words leave in the order in which they came, none lost, none twice; count_o, full_o and empty_o tell
// how many there are, never more than Depth.
//
// One word, chosen freely, is followed: it must show when as many have left as were before it.
module prove_fifo #(
  parameter int unsigned Width = 2,
  parameter int unsigned Depth = 0,
  parameter bit Ram = 1'b0,
  localparam int unsigned CountBits = $clog2(Depth + 1)
) (
  input wire logic              clk_i,
  input wire logic              push_i,
  input wire logic              pop_i,
  input wire logic [Width-1:0]  data_i,
  input wire logic              choose_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic full, empty;
  logic [Width-1:0] data;
  logic [CountBits-1:0] count;

  if (Ram) begin : gen_ram
    hw_ram_fifo #(.Width(Width), .Depth(Depth)) u_dut (
      .clk_i, .rst_ni, .push_i, .data_i, .full_o(full), .pop_i, .data_o(data), .empty_o(empty), .count_o(count)
    );
  end else begin : gen_flip_flops
    hw_fifo #(.Width(Width), .Depth(Depth)) u_dut (
      .clk_i, .rst_ni, .push_i, .data_i, .full_o(full), .pop_i, .data_o(data), .empty_o(empty), .count_o(count)
    );
  end

  logic chosen_q, follow_q;             // a word was chosen; it is still inside
  logic [CountBits-1:0] inside_q, ahead_q;
  logic [Width-1:0] word_q;
  logic choose;

  assign choose = push_i && choose_i && !chosen_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      chosen_q <= 1'b0;
      follow_q <= 1'b0;
      inside_q <= '0;
    end else begin
      inside_q <= inside_q + CountBits'(push_i) - CountBits'(pop_i);
      if (choose) begin
        chosen_q <= 1'b1;
        follow_q <= 1'b1;
        ahead_q <= inside_q - CountBits'(pop_i);
        word_q <= data_i;
      end else if (follow_q && pop_i) begin
        follow_q <= ahead_q != '0;
        ahead_q <= ahead_q - CountBits'(1);
      end
    end
  end

  // A word that was there in the cycle before shows.
  logic waits_q;
  always_ff @(posedge clk_i) waits_q <= rst_ni && inside_q > CountBits'(pop_i);

  always @(posedge clk_i) begin
    if (rst_ni) begin
      a_counts: assert (count == inside_q && full == (32'(inside_q) == Depth) && (Ram ? empty || inside_q != '0 : empty == (inside_q == '0)));
      a_shows: assert (!waits_q || !empty);
      a_in_order: assert (!follow_q || ((Ram || !empty) && (ahead_q != '0 || empty || data == word_q)));
      c_last_place: cover (follow_q && 32'(ahead_q) == Depth - 1);
      c_done: cover (chosen_q && !follow_q);
    end
  end

endmodule

`default_nettype wire
