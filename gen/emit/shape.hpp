// SPDX-License-Identifier: Apache-2.0
// The shape of a network's router: every number that its hardware depends on. All routers of a network have one shape.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "deadlock/proof.hpp"
#include "topology/packet_format.hpp"

namespace hopwise::emit {

/// Parameters of hw_router, its route computations and the network interface.
struct RouterShape {
  std::string algorithm;               ///< route computation module: hw_route_compute_<algorithm>
  unsigned ports = 0;
  unsigned network_ports = 0;
  unsigned vcs = 0;
  unsigned flit_bits = 0;
  unsigned max_flits = 0;
  unsigned min_flits = 1;              ///< shortest packet of the format
  std::vector<unsigned> vc_depths;     ///< per VC
  unsigned space_width = 0;            ///< bits that hold the largest depth
  unsigned candidates = 1;
  unsigned coord_width = 0;            ///< bits of one coordinate in coord_i
  unsigned num_cfg = 1;                ///< 32-bit configuration words
  VcMask escape0 = 0, escape1 = 0, adaptive = 0;
  bool fixed_vc_by_destination = false;  ///< injection keeps the order of a source and destination
  topology::PacketFormat format;
  std::vector<bool> turns;             ///< hw_turn_monitor's TurnTable

  unsigned port_width() const;         ///< bits of a port number
  unsigned vc_width() const;
  unsigned coord_bits() const;         ///< all coordinates
  unsigned class_width() const { return format.routing_class.width == 0 ? 1 : format.routing_class.width; }
};

RouterShape router_shape(const deadlock::ProvenNetwork& network);

/// What coord_i of a router is tied to.
std::uint64_t coordinate_value(const RouterShape& shape, const topology::Topology& topology, RouterId router);

/// A terminal's address as tuser and the header's destination field carry it.
std::uint64_t terminal_address(const RouterShape& shape, const topology::Topology& topology, TerminalId terminal);

}  // namespace hopwise::emit
