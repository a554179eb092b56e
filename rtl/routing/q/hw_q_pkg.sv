// SPDX-License-Identifier: Apache-2.0

// How a question to hw_q_agent is to be decided.
package hw_q_pkg;

  typedef enum logic [1:0] {
    Minimal = 2'd0,
    Learned = 2'd1,
    Detour = 2'd2,
    Greedy = 2'd3
  } mode_e;

endpackage
