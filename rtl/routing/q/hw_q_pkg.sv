// SPDX-License-Identifier: Apache-2.0

// How a question to hw_q_agent is to be decided.
package hw_q_pkg;

  localparam logic [1:0] Minimal = 2'd0;
  localparam logic [1:0] Learned = 2'd1;
  localparam logic [1:0] Detour = 2'd2;
  localparam logic [1:0] Greedy = 2'd3;

endpackage
