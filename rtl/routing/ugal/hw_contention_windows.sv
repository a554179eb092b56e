// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The time of hw_contention_counters: windows of window_i cycles that run while there are
// observations, the clearing of all rows, and whose turn it is to be scrubbed.
//
// Windows begin with an observation, and stop after two whole ones without any; then, and after
// reset, all rows are cleared, until clear_last_i or an observation ends it. While windows run, one
// row is visited in each cycle, in turn.
// Latency: an observation of cycle c counts in tag_o's window of that cycle. Combinational paths:
// observed_i, window_i -> stop_o; all other outputs are registers.
// Assumes: window_i is not 0; observed_i is low until ready_o.
// Guarantees: without observations nothing changes once run_o and clear_o are low.
module hw_contention_windows #(
  parameter int unsigned Rows = 0,
  parameter int unsigned TagBits = 0,
  parameter int unsigned WindowBits = 0
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic [WindowBits-1:0]  window_i,        // static; a shorter one acts at once
  input  wire logic                   observed_i,
  input  wire logic                   clear_last_i,    // the last entry of the rows is being cleared
  output logic                        ready_o,         // the rows were cleared once
  output logic                        run_o,           // windows run
  output logic                        clear_o,         // all rows are being cleared
  output logic                        stop_o,          // windows stop with this cycle
  output logic [TagBits-1:0]          tag_o,           // number of the window
  output logic [Rows-1:0]             scrub_oh_o       // the row that is visited
);

  if (Rows == 0 || TagBits == 0 || WindowBits == 0) begin : gen_bad_size
    $error("hw_contention_windows: Rows, TagBits and WindowBits must be set");
  end

  logic ready_d, ready_q, run_d, run_q, clear_d, clear_q;
  logic seen_d, seen_q, seen_before_d, seen_before_q;    // observations in this window, the last
  logic [TagBits-1:0] tag_d, tag_q;
  logic [WindowBits-1:0] timer_d, timer_q;
  logic [Rows-1:0] scrub_oh_d, scrub_oh_q;
  logic seen;

  assign seen = seen_q || observed_i;

  always_comb begin
    ready_d = ready_q;
    run_d = run_q;
    clear_d = clear_q;
    seen_d = seen_q;
    seen_before_d = seen_before_q;
    tag_d = tag_q;
    timer_d = timer_q;
    scrub_oh_d = scrub_oh_q;
    stop_o = 1'b0;
    if (run_q || observed_i) begin
      run_d = 1'b1;
      clear_d = 1'b0;
      seen_d = seen;
      timer_d = timer_q + 1'b1;
      scrub_oh_d = (scrub_oh_q << 1) | (scrub_oh_q >> (Rows - 1));
      if (timer_d >= window_i) begin
        timer_d = '0;
        tag_d = tag_q + 1'b1;
        seen_d = 1'b0;
        seen_before_d = seen;
        if (!seen && !seen_before_q) begin
          stop_o = 1'b1;
          run_d = 1'b0;
          clear_d = 1'b1;
          scrub_oh_d = Rows'(1);
        end
      end
    end else if (clear_q && clear_last_i) begin
      ready_d = 1'b1;
      clear_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q <= 1'b0;
      run_q <= 1'b0;
      clear_q <= 1'b1;
      seen_q <= 1'b0;
      seen_before_q <= 1'b0;
      tag_q <= '0;
      timer_q <= '0;
      scrub_oh_q <= Rows'(1);
    end else if (run_q || clear_q || observed_i) begin
      ready_q <= ready_d;
      run_q <= run_d;
      clear_q <= clear_d;
      seen_q <= seen_d;
      seen_before_q <= seen_before_d;
      tag_q <= tag_d;
      timer_q <= timer_d;
      scrub_oh_q <= scrub_oh_d;
    end
  end

  assign ready_o = ready_q;
  assign run_o = run_q;
  assign clear_o = clear_q;
  assign tag_o = tag_q;
  assign scrub_oh_o = scrub_oh_q;

  `HW_ASSUME(a_window_is_not_zero, window_i != '0)
  `HW_ASSUME(a_nothing_is_observed_before_ready, ready_q || !observed_i)
  `HW_ASSERT(a_rest_is_at_the_start_of_a_window, run_q || (timer_q == '0 && !seen_q))
  `HW_ASSERT(a_one_row_is_visited, $onehot(scrub_oh_q))
  `HW_COVER(c_restart_while_clearing, observed_i && clear_q)

endmodule

`default_nettype wire
