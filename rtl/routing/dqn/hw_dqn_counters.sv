// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Counters of an agent, modulo 2^32: each grows by up to 511 in a cycle.
//
// Latency: what is added in cycle t is in counts_o in t+2. Combinational paths: none.
// Guarantees: nothing that is added is lost; without events nothing changes once at_rest_o is high.
// Reference: docs/reference/routing-dqn.md (counters).
module hw_dqn_counters #(
  parameter int unsigned NumCounters = 0
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,
  input  wire logic [NumCounters*9-1:0]   more_i,
  output logic [NumCounters*32-1:0]       counts_o,
  output logic                            at_rest_o
);

  if (NumCounters == 0) begin : gen_bad_size
    $error("hw_dqn_counters: NumCounters must be set");
  end

  logic [NumCounters*9-1:0] more_q;
  logic [NumCounters*32-1:0] counts_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      more_q <= '0;
      counts_q <= '0;
    end else begin
      more_q <= more_i;
      for (int unsigned c = 0; c < NumCounters; c = c + 1) begin
        if (more_q[c*9+:9] != '0) counts_q[c*32+:32] <= counts_q[c*32+:32] + 32'(more_q[c*9+:9]);
      end
    end
  end

  assign counts_o = counts_q;
  assign at_rest_o = more_q == '0;

endmodule

`default_nettype wire
