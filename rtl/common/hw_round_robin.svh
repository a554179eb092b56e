// SPDX-License-Identifier: Apache-2.0
// `HW_ROUND_ROBIN(name, Width, IndexWidth) declares a function: one step of round-robin.
//
//   name(set, start)   the lowest member of `set` at or above `start`; the lowest of all if there is none.
//
// `set` has Width bits and is not empty (the result is 0 for an empty set). A function, not a module, so that an
// allocator can be one process: separate arbiters in a loop would hand single bits back and forth between instances.
`ifndef HW_ROUND_ROBIN_SVH
`define HW_ROUND_ROBIN_SVH

`define HW_ROUND_ROBIN(name, Width, IndexWidth) \
  function automatic logic [IndexWidth-1:0] name(input logic [Width-1:0] set, \
                                                 input logic [IndexWidth-1:0] start); \
    logic [Width-1:0] from_start; \
    from_start = set & ({Width{1'b1}} << start); \
    if (from_start == '0) from_start = set; \
    name = '0; \
    for (int unsigned i = 0; i < Width; i = i + 1) begin \
      if (from_start[Width-1-i]) name = IndexWidth'(Width - 1 - i); \
    end \
  endfunction

// `HW_ROUND_ROBIN_ONE_HOT(name, Width): the same choice among sets, for an arbiter that keeps `behind`, the members behind the last
// winner; none at first. Every member looks by itself whether another one goes ahead of it, so that the choice is as deep
// as two wide gates.
//
//   name(set, behind)  the lowest member of `set` that is in `behind`; the lowest of all if there is none; empty for an empty set.
//   name``_behind(one) the members behind this one: `behind` from then on
//   name``_ahead(behind, above) the same choice for HW_LEAST_RECENT: for each member those that go ahead of it; first of all those of
//                      `above`, of which of two members one at most has the other
//   name``_index(one)  its number; 0 for an empty set
`define HW_ROUND_ROBIN_ONE_HOT(name, Width) \
  function automatic logic [Width-1:0] name(input logic [Width-1:0] set, \
                                            input logic [Width-1:0] behind); \
    logic [Width-1:0] below, others; \
    for (int unsigned i = 0; i < Width; i = i + 1) begin \
      below = (Width'(1) << i) - Width'(1); \
      others = behind[i] ? behind & below : behind | below; \
      name[i] = set[i] && (set & others) == '0; \
    end \
  endfunction \
  function automatic logic [Width-1:0] name``_behind(input logic [Width-1:0] one); \
    logic [Width-1:0] below; \
    for (int unsigned i = 0; i < Width; i = i + 1) begin \
      below = (Width'(1) << i) - Width'(1); \
      name``_behind[i] = (one & below) != '0; \
    end \
  endfunction \
  function automatic logic [Width*Width-1:0] name``_ahead(input logic [Width-1:0] behind, \
                                                        input logic [Width*Width-1:0] above); \
    logic [Width-1:0] below, first; \
    for (int unsigned i = 0; i < Width; i = i + 1) begin \
      for (int unsigned j = 0; j < Width; j = j + 1) below[j] = j < i; \
      first = behind[i] ? behind & below : behind | below; \
      for (int unsigned j = 0; j < Width; j = j + 1) first[j] = above[i*Width+j] || (first[j] && !above[j*Width+i]); \
      name``_ahead[i*Width+:Width] = first; \
    end \
  endfunction \
  function automatic logic [(Width > 1 ? $clog2(Width) : 1)-1:0] name``_index(input logic [Width-1:0] one); \
    name``_index = '0; \
    for (int unsigned i = 0; i < Width; i = i + 1) begin \
      if (one[i]) name``_index = name``_index | (Width > 1 ? $clog2(Width) : 1)'(i); \
    end \
  endfunction

// `HW_LEAST_RECENT(name, Width): the choice of the member that was served least recently (a matrix arbiter; Dally & Towles,
// section 18.5), for an arbiter that keeps `order`: a row of Width bits for each member, the lower members that go ahead of it. Of
// the higher ones their rows tell, so half of the bits are constants.
//
//   name(set, ahead)               the member of `set` that no other one goes ahead of; empty for an empty set
//   name``_ahead(order, above)     for each member the members that go ahead of it: those of `above`, of which of two members one at
//                                  most has the other; else those that `order` puts first
//   name``_prefer(ahead, preferred) the same with the preferred ones ahead of the others; among equals as before
//   name``_served(order, one)      the order from then on: `one` behind all others. Of all bits set and an empty `one`: the order
//                                  at first, where lower members go ahead
`define HW_LEAST_RECENT(name, Width) \
  function automatic logic [Width-1:0] name(input logic [Width-1:0] set, \
                                            input logic [Width*Width-1:0] ahead); \
    for (int unsigned i = 0; i < Width; i = i + 1) begin \
      name[i] = set[i] && (set & ahead[i*Width+:Width]) == '0; \
    end \
  endfunction \
  function automatic logic [Width*Width-1:0] name``_ahead(input logic [Width*Width-1:0] order, \
                                                        input logic [Width*Width-1:0] above); \
    logic [Width-1:0] first; \
    for (int unsigned i = 0; i < Width; i = i + 1) begin \
      first = order[i*Width+:Width]; \
      for (int unsigned j = i + 1; j < Width; j = j + 1) first[j] = !order[j*Width+i]; \
      for (int unsigned j = 0; j < Width; j = j + 1) first[j] = above[i*Width+j] || (first[j] && !above[j*Width+i]); \
      name``_ahead[i*Width+:Width] = first; \
    end \
  endfunction \
  function automatic logic [Width*Width-1:0] name``_prefer(input logic [Width*Width-1:0] ahead, \
                                                         input logic [Width-1:0] preferred); \
    for (int unsigned i = 0; i < Width; i = i + 1) begin \
      name``_prefer[i*Width+:Width] = preferred[i] ? ahead[i*Width+:Width] & preferred : ahead[i*Width+:Width] | preferred; \
    end \
  endfunction \
  function automatic logic [Width*Width-1:0] name``_served(input logic [Width*Width-1:0] order, \
                                                         input logic [Width-1:0] one); \
    for (int unsigned i = 0; i < Width; i = i + 1) begin \
      name``_served[i*Width+:Width] = ((Width'(1) << i) - Width'(1)) & (one[i] ? {Width{1'b1}} : order[i*Width+:Width] & ~one); \
    end \
  endfunction

`endif
