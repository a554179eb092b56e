// SPDX-License-Identifier: Apache-2.0

// The arithmetic of a dragonfly's global links, as class Dragonfly of the generator defines it.
// Combinational functions; groups are numbers below 2047.
package hw_dragonfly_pkg;

  localparam int unsigned GroupBits = 11;

  // Packet classes: how far a packet is, never through which intermediate it goes.
  localparam logic [1:0] Undecided = 2'd0;  // as injected; with Reconsider also while the choice may be revised
  localparam logic [1:0] Minimal = 2'd1;    // on a minimal path to the destination
  localparam logic [1:0] ToGroup = 2'd2;    // to an intermediate, still in the source group
  localparam logic [1:0] ToRouter = 2'd3;   // to the intermediate router, in the intermediate group

  // Place of the link to group `to` among group `from`'s links, one to every other group.
  // arrangement: 0 absolute, 1 palmtree, 2 circulant.
  function automatic logic [GroupBits-1:0] position(input logic [1:0] arrangement, input logic [GroupBits-1:0] groups,
                                                    input logic [GroupBits-1:0] from, input logic [GroupBits-1:0] to);
    logic [GroupBits-1:0] ahead;  // to - from, modulo groups
    ahead = (to >= from ? '0 : groups) + to - from;
    if (arrangement == 2'd0) position = to < from ? to : to - GroupBits'(1);
    else if (arrangement == 2'd1) position = groups - ahead - GroupBits'(1);
    else if ({ahead, 1'b0} <= {1'b0, groups}) position = {ahead[GroupBits-2:0], 1'b0} - GroupBits'(2);
    else position = GroupBits'({groups - ahead, 1'b0} - (GroupBits + 1)'(1));
  endfunction

endpackage
