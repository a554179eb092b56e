// SPDX-License-Identifier: Apache-2.0

// Which ports an agent of DQN-Routing may propose.
package hw_dqn_mask_pkg;

  localparam int unsigned AllPorts = 0;
  localparam int unsigned NotBack = 1;      // not the one that the packet came in by
  localparam int unsigned WithRoom = 2;     // nor those without room when it asks

endpackage
