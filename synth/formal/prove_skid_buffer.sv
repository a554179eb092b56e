// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_skid_buffer: words leave in the order in which they came, none lost, none twice; what it offers stays until
// it is taken; never more than two words are inside.
//
// One word, chosen freely, is followed: it must show when as many have left as were before it.
module prove_skid_buffer #(
  parameter int unsigned Width = 0
) (
  input wire logic              clk_i,
  input wire logic              valid_i,
  input wire logic              ready_i,
  input wire logic [Width-1:0]  data_i,
  input wire logic              choose_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic ready, valid;
  logic [Width-1:0] data;

  hw_skid_buffer #(.Width(Width)) u_dut (
    .clk_i, .rst_ni, .valid_i, .ready_o(ready), .data_i, .valid_o(valid), .ready_i, .data_o(data)
  );

  logic push, pop, choose;
  assign push = valid_i && ready;
  assign pop = valid && ready_i;
  assign choose = push && choose_i && !chosen_q;

  logic chosen_q, follow_q;             // a word was chosen; it is still inside
  logic [1:0] inside_q, ahead_q;
  logic [Width-1:0] word_q;
  logic waits_q;
  logic [Width-1:0] waiting_q;

  always_ff @(posedge clk_i) begin
    waiting_q <= data;
    if (!rst_ni) begin
      chosen_q <= 1'b0;
      follow_q <= 1'b0;
      inside_q <= '0;
      waits_q <= 1'b0;
    end else begin
      waits_q <= valid && !ready_i;
      inside_q <= inside_q + 2'(push) - 2'(pop);
      if (choose) begin
        chosen_q <= 1'b1;
        follow_q <= 1'b1;
        ahead_q <= inside_q - 2'(pop);
        word_q <= data_i;
      end else if (follow_q && pop) begin
        follow_q <= ahead_q != '0;
        ahead_q <= ahead_q - 2'd1;
      end
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      a_at_most_two: assert (inside_q <= 2'd2 && valid == (inside_q != '0) && ready == (inside_q != 2'd2));
      a_in_order: assert (!follow_q || (valid && (ahead_q != '0 || data == word_q)));
      a_offer_stays: assert (!waits_q || (valid && data == waiting_q));
      c_second_place: cover (follow_q && ahead_q == 2'd1);
      c_done: cover (chosen_q && !follow_q);
    end
  end

endmodule

`default_nettype wire
