// SPDX-License-Identifier: Apache-2.0

// Codes of the router's parameters. The parameters are of type int unsigned: tools that set a parameter from outside give a
// number, which an enumeration would refuse.
package hw_router_pkg;

  // When a head may leave for the next router.
  typedef enum int unsigned {
    VirtualCutThrough = 0,  // there is room for the whole packet
    StoreAndForward = 1,    // the same, and its tail is here
    Wormhole = 2            // there is room for a flit
  } switching_e;

  // What a head finds in an output VC that it takes, under VirtualCutThrough and StoreAndForward.
  typedef enum int unsigned {
    PacketRoom = 0,         // room for its packet
    LongestRoom = 1,        // room for the longest packet
    CollectedRoom = 2       // room for its packet; from time to time for the longest one: see hw_room_collector
  } room_e;

  // What hw_queue_meter counts.
  typedef enum int unsigned {
    NoMetric = 0,
    LocalQueue = 1,
    UsedCredits = 2,
    Both = 3,
    InFlightCorrected = 4
  } queue_metric_e;

  // For want of what a VC does not move, as hw_vc_watch tells; WaitSwitch is the last.
  localparam int unsigned WaitBits = 3;
  typedef enum logic [WaitBits-1:0] {
    NoWait = 3'd0,
    WaitRoute = 3'd1,       // routing has not answered
    WaitTail = 3'd2,        // StoreAndForward: its tail has not come
    WaitOwner = 3'd3,       // another packet has the output VC, which has room
    WaitRoom = 3'd4,        // the output VC has no room
    WaitSwitch = 3'd5       // it may go, and others go
  } wait_e;

endpackage
