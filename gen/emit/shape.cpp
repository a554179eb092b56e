// SPDX-License-Identifier: Apache-2.0
#include "emit/shape.hpp"

#include <algorithm>
#include <bit>

namespace hopwise::emit {

namespace {

unsigned clog2(std::size_t values) { return values <= 1 ? 0 : static_cast<unsigned>(std::bit_width(values - 1)); }

}  // namespace

unsigned RouterShape::port_width() const { return std::max(1u, clog2(ports)); }
unsigned RouterShape::vc_width() const { return std::max(1u, clog2(vcs)); }
unsigned RouterShape::coord_bits() const { return coord_width * static_cast<unsigned>(format.dst_coord.size()); }

RouterShape router_shape(const deadlock::ProvenNetwork& network) {
  const config::NetworkSpec& spec = network.spec().network;
  const topology::Topology& topology = network.topology();
  const routing::RoutingRelation& relation = network.relation();
  RouterShape s;
  s.algorithm = relation.name();
  s.ports = topology.num_ports();
  s.network_ports = topology.network_ports();
  s.vcs = spec.router.vcs;
  s.flit_bits = spec.packet.flit_bits;
  s.max_flits = spec.packet.max_flits;
  s.min_flits = spec.packet.format == config::PacketFormatKind::kApenet ? 2 : 1;
  s.vc_depths = spec.router.vc_depth_flits;
  const unsigned deepest = std::max(*std::max_element(s.vc_depths.begin(), s.vc_depths.end()),
                                    spec.router.output_queue_flits);
  s.space_width = clog2(deepest + 1);
  s.candidates = spec.routing.algorithm == config::Algorithm::kDor ? 1 : topology.num_dims() + 1;
  for (unsigned size : topology.dims()) s.coord_width = std::max(s.coord_width, clog2(size));
  for (const auto& vc_class : relation.vc_classes()) {
    if (!vc_class.escape) s.adaptive |= vc_class.mask();
    else if (s.escape0 == 0) s.escape0 = vc_class.mask();
    else s.escape1 |= vc_class.mask();
  }
  s.fixed_vc_by_destination = relation.in_order();
  // The configuration was checked against the format when it was loaded.
  s.format = topology::make_packet_format(spec.topology, spec.packet, relation.num_packet_classes()).value();
  s.turns = network.turns();
  return s;
}

std::uint64_t coordinate_value(const RouterShape& shape, const topology::Topology& topology, RouterId router) {
  std::uint64_t value = 0;
  for (unsigned d = 0; d < topology.num_dims(); ++d) {
    value |= std::uint64_t{topology.coordinate(router, d)} << (d * shape.coord_width);
  }
  return value;
}

std::uint64_t terminal_address(const RouterShape& shape, const topology::Topology& topology, TerminalId terminal) {
  const RouterId router = topology.router_of(terminal);
  std::uint64_t value = 0;
  for (unsigned d = 0; d < topology.num_dims(); ++d) {
    value |= std::uint64_t{topology.coordinate(router, d)} << shape.format.dst_coord[d].lsb;
  }
  return value | std::uint64_t{topology.slot_of(terminal)} << shape.format.dst_slot.lsb;
}

}  // namespace hopwise::emit
