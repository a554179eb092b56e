// SPDX-License-Identifier: Apache-2.0

// Codes of the message interface: how a request ends, as its response and the completion of its message say, and the order of the
// counters. docs/reference/messages.md.
package hw_message_pkg;

  localparam int unsigned CodeBits = 3;
  typedef enum logic [CodeBits-1:0] {
    Done = 3'd0,
    Closed = 3'd1,         // the window is not open
    BadKey = 3'd2,
    Forbidden = 3'd3,      // the window is not to be written, or not to be read
    OutOfBounds = 3'd4,
    MemoryError = 3'd5,    // of either side
    TimedOut = 3'd6,
    BadDescriptor = 3'd7
  } code_e;

  // Places of the counters
  typedef enum logic [3:0] {
    ReqFlits = 4'd0,       // request flits sent
    ReqStalled = 4'd1,     // cycles in which a request flit was there, and no credit for it
    ReqPackets = 4'd2,
    RspPackets = 4'd3,     // responses to own requests
    RspLatency = 4'd4,     // cycles from the head of a request on the pins to the last flit of its response, over all of them
    RspFlits = 4'd5,       // response flits sent
    RspStalled = 4'd6,
    RefusedClosed = 4'd7,  // requests of others, by cause
    RefusedKey = 4'd8,
    RefusedForbidden = 4'd9,
    RefusedBounds = 4'd10,
    MemoryErrors = 4'd11,  // requests of either side that the memory here answered with an error
    BadDescriptors = 4'd12,
    Timeouts = 4'd13,      // requests
    Late = 4'd14,          // responses to requests that are over
    NumCounters = 4'd15
  } counter_e;

endpackage
