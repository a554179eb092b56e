// SPDX-License-Identifier: Apache-2.0

// The packet classes of the routings that choose between minimal and non-minimal paths of a dragonfly: how far a packet
// is, never through which intermediate it goes.
package hw_dragonfly_class_pkg;

  typedef enum logic [1:0] {
    Undecided = 2'd0,  // as injected; with Reconsider also while the choice may be revised
    Minimal = 2'd1,    // on a minimal path to the destination
    ToGroup = 2'd2,    // to an intermediate, still in the source group
    ToRouter = 2'd3    // to the intermediate router, in the intermediate group
  } class_e;

endpackage
