// SPDX-License-Identifier: Apache-2.0

// One dimension of a torus or mesh: which way to go from coordinate `from` to `to`, and which dateline class.
// Combinational functions over coordinates below 64; size 2 to 64.
package hw_ring_pkg;

  // 1: direction +. On a torus the shorter way; of two equal ways the + one from even coordinates, which loads both
  // directions alike. Meaningless where from == to.
  function automatic logic plus(input logic torus, input logic [6:0] size, input logic [5:0] from,
                                input logic [5:0] to);
    logic [6:0] ahead;
    ahead = (to >= from ? 7'd0 : size) + {1'b0, to} - {1'b0, from};
    if (!torus) plus = to > from;
    else if ({ahead, 1'b0} == {1'b0, size}) plus = !from[0];
    else plus = {ahead, 1'b0} < {1'b0, size};
  endfunction

  // 1: the rest of the way, in direction `go_plus`, crosses the wraparound channel: dateline class 0
  // (Dally & Seitz 1987). Never on a mesh, whose only class is 0, too.
  function automatic logic wraps(input logic go_plus, input logic [5:0] from, input logic [5:0] to);
    wraps = go_plus ? to < from : to > from;
  endfunction

endpackage
