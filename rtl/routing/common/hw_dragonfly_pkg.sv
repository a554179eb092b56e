// SPDX-License-Identifier: Apache-2.0

// The arithmetic of a dragonfly's global links, as class Dragonfly of the generator defines it.
// Combinational functions; groups are numbers below 2047.
package hw_dragonfly_pkg;

  localparam int unsigned GroupBits = 11;
  localparam int unsigned RouterBits = 7;
  // A router's number in its group, at most 128. The type uses the width where no dragonfly does, in a lint of the whole library.
  typedef logic [RouterBits-1:0] router_t;

  // Arrangements: which router of a group has the link to which other group.
  localparam logic [1:0] Absolute = 2'd0;
  localparam logic [1:0] Palmtree = 2'd1;
  localparam logic [1:0] Circulant = 2'd2;

  // Place of the link to group `to` among group `from`'s links, one to every other group.
  function automatic logic [GroupBits-1:0] position(input logic [1:0] arrangement,
                                                    input logic [GroupBits-1:0] groups,
                                                    input logic [GroupBits-1:0] from,
                                                    input logic [GroupBits-1:0] to);
    logic [GroupBits-1:0] ahead;  // to - from, modulo groups
    ahead = (to >= from ? '0 : groups) + to - from;
    if (arrangement == Absolute) position = to < from ? to : to - GroupBits'(1);
    else if (arrangement == Palmtree) position = groups - ahead - GroupBits'(1);
    else if ({ahead, 1'b0} <= {1'b0, groups}) position = {ahead[GroupBits-2:0], 1'b0} - GroupBits'(2);
    else position = GroupBits'({groups - ahead, 1'b0} - (GroupBits + 1)'(1));
  endfunction

  // The group at the other end of link `place`, the inverse of position.
  function automatic logic [GroupBits-1:0] group_at(input logic [1:0] arrangement,
                                                    input logic [GroupBits-1:0] groups,
                                                    input logic [GroupBits-1:0] from,
                                                    input logic [GroupBits-1:0] place);
    logic [GroupBits:0] to;
    if (arrangement == Absolute) begin
      to = {1'b0, place} + (place < from ? '0 : (GroupBits + 1)'(1));
    end else if (arrangement == Palmtree) begin
      to = {1'b0, from} + {1'b0, groups} - {1'b0, place} - (GroupBits + 1)'(1);
    end else if (arrangement == Circulant && !place[0]) begin
      to = {1'b0, from} + {2'b0, place[GroupBits-1:1]} + (GroupBits + 1)'(1);
    end else begin
      to = {1'b0, from} + {1'b0, groups} - {2'b0, place[GroupBits-1:1]} - (GroupBits + 1)'(1);
    end
    if (arrangement != Absolute && to >= {1'b0, groups}) to = to - {1'b0, groups};
    group_at = GroupBits'(to);
  endfunction

endpackage
