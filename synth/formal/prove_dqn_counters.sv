// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_dqn_counters: each counter is the sum of what was added to it up to the cycle before the last, and nothing is on
// its way to a counter while at_rest_o is high.
module prove_dqn_counters #(
  parameter int unsigned NumCounters = 0
) (
  input wire logic                      clk_i,
  input wire logic [NumCounters*9-1:0]  more_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [NumCounters*32-1:0] counts_o;
  logic at_rest_o;
  hw_dqn_counters #(.NumCounters(NumCounters)) u_dut (.*);

  logic [NumCounters*32-1:0] sum_q, late_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sum_q <= '0;
      late_q <= '0;
    end else begin
      for (int unsigned c = 0; c < NumCounters; c = c + 1) sum_q[c*32+:32] <= sum_q[c*32+:32] + 32'(more_i[c*9+:9]);
      late_q <= sum_q;
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      a_nothing_is_lost: assert (counts_o == late_q);
      a_rest_is_complete: assert (!at_rest_o || counts_o == sum_q);
      c_counted: cover (at_rest_o && counts_o != '0);
    end
  end

endmodule

`default_nettype wire
