// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_round_robin.svh"

// Proves of HW_ROUND_ROBIN: the result is a member of the set, the first from `start` on, going round; and of an arbiter
// that starts behind the last winner: who keeps asking wins after at most Width - 1 others. HW_ROUND_ROBIN_ONE_HOT makes the
// same choices, and so does HW_LEAST_RECENT by the order that it gives.
module prove_round_robin #(
  parameter int unsigned Width = 0,
  localparam int unsigned IndexWidth = Width > 1 ? $clog2(Width) : 1
) (
  input wire logic                   clk_i,
  input wire logic [Width-1:0]       set_i,
  input wire logic [IndexWidth-1:0]  one_i    // the one that is watched
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  `HW_ROUND_ROBIN(next, Width, IndexWidth)
  `HW_ROUND_ROBIN_ONE_HOT(hot, Width)
  `HW_LEAST_RECENT(first, Width)

  logic [IndexWidth-1:0] start_q, winner, one_q;
  logic [Width-1:0] behind_q, hot_winner;
  logic [IndexWidth:0] others_q;        // that won while the watched one asked
  logic asks_q;
  assign winner = next(set_i, start_q);
  assign hot_winner = hot(set_i, behind_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      start_q <= '0;
      behind_q <= '0;
      others_q <= '0;
      asks_q <= 1'b0;
      one_q <= one_i;
    end else if (set_i != '0) begin
      behind_q <= hot_behind(hot_winner);
      start_q <= winner == IndexWidth'(Width - 1) ? '0 : winner + IndexWidth'(1);
      asks_q <= set_i[one_q] && winner != one_q;
      others_q <= set_i[one_q] && winner != one_q ? others_q + (IndexWidth+1)'(1) : '0;
    end
  end

  // How far a place is from the start, going round.
  function automatic int unsigned distance(input logic [IndexWidth-1:0] place, input logic [IndexWidth-1:0] start);
    distance = place >= start ? 32'(place) - 32'(start) : 32'(place) + Width - 32'(start);
  endfunction

  always @(posedge clk_i) begin
    assume (32'(one_i) < Width);
    if (rst_ni) begin
      assume (set_i[one_q] || !asks_q);                // who asks keeps asking until it wins
      a_exists: assert (32'(winner) < Width);
      a_member: assert (set_i == '0 || set_i[winner]);
      a_same: assert (hot_winner == (set_i == '0 ? {Width{1'b0}} : Width'(1) << winner) && hot_index(hot_winner) == (set_i == '0 ? '0 : winner));
      a_same_by_order: assert (first(set_i, hot_ahead(behind_q, '0)) == hot_winner);
      a_first: assert (!set_i[one_q] || distance(winner, start_q) <= distance(one_q, start_q));
      a_no_starvation: assert (32'(others_q) < Width);
      c_longest_wait: cover (32'(others_q) == Width - 1 && winner == one_q);
    end
  end

endmodule

`default_nettype wire
