// SPDX-License-Identifier: Apache-2.0

// Which ports an agent of DQN-Routing may propose.
package hw_dqn_mask_pkg;

  typedef enum int unsigned {
    AllPorts = 0,
    NotBack = 1,   // not the one that the packet came in by
    WithRoom = 2   // nor those without room when it asks
  } mask_e;

endpackage
