// SPDX-License-Identifier: Apache-2.0
// Parameters of every one-port computation; the head of its parameter list. Such a module is the
// part of a routing that differs: the question of one input port in, its candidates out.
//
//   module my_route #(
//     `include "hw_one_port_parameters.svh"
//     parameter ... of this routing, each with a comma behind it
//     `include "hw_one_port_widths.svh"
//   ) (
//     `include "hw_one_port_ports.svh"
//   );
//
// The routing unit around one instance per input port is hw_one_port_unit.svh.
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
parameter int unsigned InPort = 0,            // the input port that this instance serves
