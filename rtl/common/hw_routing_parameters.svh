// SPDX-License-Identifier: Apache-2.0
// Parameters of every routing unit; the head of its parameter list. A unit is
//
//   module hw_routing_x #(
//     `include "hw_routing_parameters.svh"
//     parameter ... of this routing, each with a comma behind it
//     `include "hw_routing_widths.svh"
//   ) (
//     `include "hw_routing_ports.svh"
//   );
//
// Included once per unit, so without a guard. Headers lie in rtl/common, the one include directory.
parameter int unsigned NumPorts = 0,
parameter int unsigned NumNetworkPorts = 0,   // the lowest ports; the others are terminals
parameter int unsigned NumVcs = 0,
parameter int unsigned NumCands = 1,          // candidates of an answer
parameter int unsigned SpaceWidth = 1,        // holds the largest depth of a VC
parameter int unsigned QueueWidth = 1,        // bits of a port's queue metric
parameter int unsigned RouteBits = 0,         // low bits of a head flit that routing reads
parameter int unsigned StateWidth = 1,        // of a head flit's state that an answer writes
parameter int unsigned NumCoords = 0,         // a router's coordinates, CoordWidth bits each
parameter int unsigned CoordWidth = 0,
parameter int unsigned NumCfg = 1,            // 32-bit configuration words
parameter int unsigned NumCounters = 0,       // 32-bit words of counters_o
parameter int unsigned FeedbackBits = 0,      // of a network port's reverse wires; bit 0: valid
parameter int unsigned TraceBits = 0,
parameter int unsigned NumFlips = 0,          // words that can be found with bad parity in a cycle
