// SPDX-License-Identifier: Apache-2.0

// Modes of the choice between minimal and non-minimal paths, in configuration word 0; any other
// code is the adaptive choice. All are subsets of the proved relation.
package hw_ugal_pkg;

  typedef enum logic [1:0] {
    AlwaysMinimal = 2'd1,
    AlwaysNonminimal = 2'd2
  } mode_e;

endpackage
