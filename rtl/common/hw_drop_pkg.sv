// SPDX-License-Identifier: Apache-2.0

// Causes for which packets are dropped, by routers and by network interfaces.
package hw_drop_pkg;

  // Why a packet is dropped. HopLimit is the last for which routers drop; Broken is for terminals.
  localparam int unsigned CauseBits = 3;
  typedef enum logic [CauseBits-1:0] {
    NoCause = 3'd0,
    BadDestination = 3'd1,  // not in the network
    BadLength = 3'd2,       // 0, or above MaxFlits
    BadClass = 3'd3,        // it comes from a terminal, and has begun to be routed
    NoRoute = 3'd4,         // routing names no output VC that is wired
    BadParity = 3'd5,       // a bit of the head has flipped
    HopLimit = 3'd6,        // it has crossed more links than any packet may
    Broken = 3'd7           // its tail is poisoned: flits of it are made up, or it is not what its stream was to bring
  } cause_e;

endpackage
