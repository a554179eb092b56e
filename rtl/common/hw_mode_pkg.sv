// SPDX-License-Identifier: Apache-2.0

// Routing modes of packets, as their head flits have them (De Sensi et al. 2019, section 2.2). gen/spec/mode.hpp has the same
// codes. What a routing does not tell apart it takes for Adaptive0.
package hw_mode_pkg;

  typedef enum logic [2:0] {
    Adaptive0 = 3'd0,  // no bias
    Adaptive1 = 3'd1,  // a bias towards minimal paths that grows along the way
    Adaptive2 = 3'd2,  // a low one
    Adaptive3 = 3'd3,  // a high one
    MinHash = 3'd4,    // the minimal path that source, destination and flow label say
    NminHash = 3'd5,   // the non-minimal one
    InOrder = 3'd6     // a minimal one, the same for all packets of a source and destination
  } mode_e;

endpackage
