// SPDX-License-Identifier: Apache-2.0
// Checks that modules carry with them, sampled at the rising edge of `clk_i` while `rst_ni` is
// high.
//
//   `HW_ASSERT(a_name, cond)   what the module promises
//   `HW_ASSUME(a_name, cond)   what the module's user owes
//   `HW_COVER(c_name, cond)    the corner that one fears, and wants to know was visited
//
// Written at module level, without a semicolon. `cond` is one bit wide. A comma in `cond` must
// stand inside parentheses or braces. Names are unique in their module and say what went wrong.
//
//   simulation (default)  a failing check prints module path and name and ends the run ($fatal),
//                         with or without the simulator's --assert; HW_COVER counts with
//                         --coverage-user
//   HW_ASSERT_OFF         nothing; for long campaigns
//   SYNTHESIS             nothing (Yosys defines it by itself)
//   FORMAL                immediate assert, assume and cover in a clocked block
//                         (Yosys `read_verilog -formal`); with HW_CLOSED HW_ASSUME asserts, too: the
//                         modules have their users around them
//
// HW_CHECKS is defined where checks exist: put logic that only they use between `ifdef HW_CHECKS
// and `endif, so that no build has unused signals.
`ifndef HW_ASSERT_SVH
`define HW_ASSERT_SVH

`ifdef FORMAL
  `define HW_CHECKS
  `define HW_ASSERT(name, cond) \
    always @(posedge clk_i) if (rst_ni) begin : name assert (cond); end
`ifdef HW_CLOSED
  `define HW_ASSUME(name, cond) `HW_ASSERT(name, cond)
`else
  `define HW_ASSUME(name, cond) \
    always @(posedge clk_i) if (rst_ni) begin : name assume (cond); end
`endif
  `define HW_COVER(name, cond) \
    always @(posedge clk_i) if (rst_ni) begin : name cover (cond); end
`else
`ifdef SYNTHESIS
  `define HW_ASSERT(name, cond)
  `define HW_ASSUME(name, cond)
  `define HW_COVER(name, cond)
`else
`ifdef HW_ASSERT_OFF
  `define HW_ASSERT(name, cond)
  `define HW_ASSUME(name, cond)
  `define HW_COVER(name, cond)
`else
  // The reset stands in the sensitivity list so that it stays an asynchronous net for lint; a
  // falling reset checks nothing. An unknown condition (four-state simulators) counts as a failure.
  `define HW_CHECKS
  `define HW_ASSERT(name, cond) \
    always @(posedge clk_i or negedge rst_ni) \
      if (rst_ni) begin : name \
        if ((cond) !== 1'b1) $fatal(1, "assertion name failed in %m"); \
      end
  `define HW_ASSUME(name, cond) \
    always @(posedge clk_i or negedge rst_ni) \
      if (rst_ni) begin : name \
        if ((cond) !== 1'b1) $fatal(1, "assumption name failed in %m"); \
      end
  `define HW_COVER(name, cond) \
    always @(posedge clk_i or negedge rst_ni) \
      if (rst_ni) begin : name \
        cover (cond); \
      end
`endif
`endif
`endif

`endif
