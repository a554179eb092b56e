// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_link_pacer: of the flits that follow one that is sent from rest, the k-th is sent at least k * Num / Den
// cycles after it, and may be sent as soon as that time is over while none lets its time pass; of those that follow any flit,
// at least k * Num / Den - (1 - 1 / Den) cycles after it.
module prove_link_pacer #(
  parameter int unsigned Num = 0,
  parameter int unsigned Den = 0
) (
  input wire logic clk_i,
  input wire logic send_i,
  input wire logic choose_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic ready, at_rest;
  hw_link_pacer #(.Num(Num), .Den(Den)) u_dut (
    .clk_i, .rst_ni, .want_i(1'b0), .send_i, .ready_o(ready), .at_rest_o(at_rest)
  );

  localparam int unsigned Bits = $clog2(2 * Num + Den + 1) + 1;
  localparam logic [Bits-1:0] Most = Bits'(2 * Num);

  // Cycles * Den - flits * Num (+ Den - 1 if not from rest) since the chosen flit, in units of 1/Den cycle; more than 2 * Num counts as that.
  logic chosen_q, steady_q;
  logic [Bits-1:0] ahead_q, ahead;
  assign ahead = ahead_q + Bits'(Den) > Most ? Most : ahead_q + Bits'(Den);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      chosen_q <= 1'b0;
      steady_q <= 1'b0;
      ahead_q <= '0;
    end else if (!chosen_q) begin
      chosen_q <= send_i && choose_i;
      steady_q <= send_i && at_rest;
      ahead_q <= at_rest ? '0 : Bits'(Den - 1);
    end else begin
      ahead_q <= send_i ? ahead - Bits'(Num) : ahead;
      if (!send_i && ahead >= Bits'(Num)) steady_q <= 1'b0;   // it could have been sent
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      a_not_too_fast: assert (!(chosen_q && send_i) || ahead >= Bits'(Num));
      a_not_too_slow: assert (!(chosen_q && steady_q && ahead >= Bits'(Num)) || ready);
      a_rest_is_ready: assert (!at_rest || ready);
      c_steady: cover (chosen_q && steady_q && send_i);
    end
  end

endmodule

`default_nettype wire
