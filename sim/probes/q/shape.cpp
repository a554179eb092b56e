// SPDX-License-Identifier: Apache-2.0
#include "probes/q/shape.hpp"
#include "routing/q/q.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "support/bits.hpp"
#include "topology/dragonfly.hpp"

namespace hopwise::probes::q {
namespace {

std::uint32_t part_of_65536(double part) {
  return static_cast<std::uint32_t>(std::min(std::llround(part * 65536), 65535LL));
}

/// Minimal ways and what they take.
class Walk {
 public:
  Walk(const Shape& shape, const spec::NetworkSpec& network, const topology::Topology& topology)
      : shape_(shape), network_(network), topology_(topology) {
    if (topology.has_groups()) dragonfly_.emplace(topology.spec());
  }

  std::uint64_t hop(unsigned port) const {
    std::uint64_t cycles = network_.router.pipeline_cycles + shape_.table_cycles +
                           topology_.port_latency_cycles(topology_.shapes().front(), id(port));
    if (network_.link.idle_wait)
      cycles += static_cast<std::uint64_t>(std::ceil(network_.link.cycles_per_flit.value())) + 1;
    return cycles << shape_.fraction_bits;
  }

  std::optional<RouterId> behind(RouterId router, unsigned port) const {
    const auto channel = topology_.out_channel(router, id(port));
    return channel ? std::optional(topology_.channel(*channel).dst) : std::nullopt;
  }

  /// From one router minimally to another, or (two levels) to any router of its group.
  std::uint64_t time(RouterId at, RouterId to) const {
    std::uint64_t sum = 0;
    while (!arrived(at, to)) {
      const unsigned port = dragonfly_ ? next_in_dragonfly(at, to) : next_in_torus(at, to);
      sum += hop(port);
      at = behind(at, port).value();
    }
    return sum;
  }

  bool arrived(RouterId at, RouterId to) const {
    return shape_.two_level ? group(at) == group(to) : at == to;
  }
  unsigned group(RouterId r) const { return topology_.coordinate(r, 1); }

 private:
  static PortId id(unsigned port) { return PortId(static_cast<std::uint16_t>(port)); }

  unsigned next_in_dragonfly(RouterId at, RouterId to) const {
    const topology::Dragonfly& d = *dragonfly_;
    const unsigned here = static_cast<unsigned>(index(at)) % d.routers_per_group();
    if (group(at) == group(to))
      return d.local_port(here, static_cast<unsigned>(index(to)) % d.routers_per_group());
    const auto gateway = d.global_end(group(at), group(to), 0);
    return gateway.router == here ? gateway.port : d.local_port(here, gateway.router);
  }

  unsigned next_in_torus(RouterId at, RouterId to) const {
    for (unsigned d = 0;; ++d) {
      const unsigned from = topology_.coordinate(at, d), goal = topology_.coordinate(to, d),
                     size = topology_.dims()[d];
      if (from == goal) continue;
      return 2 * d + (2 * ((goal + size - from) % size) <= size ? 0 : 1);
    }
  }

  const Shape& shape_;
  const spec::NetworkSpec& network_;
  const topology::Topology& topology_;
  std::optional<topology::Dragonfly> dragonfly_;
};

/// The router that a row stands for; with two levels any one of its group.
RouterId destination(const Shape& shape, const topology::Topology& topology,
                     const topology::PacketFormat& format, std::size_t row) {
  if (topology.has_groups()) {
    if (!shape.two_level) return RouterId(static_cast<std::uint32_t>(row));
    const std::size_t group = row / topology.terminals_per_router();
    return RouterId(static_cast<std::uint32_t>(group * topology.dims()[0]));
  }
  std::vector<unsigned> coordinates;
  for (unsigned d = 0; d < topology.num_dims(); ++d) {
    const auto& field = format.dst_coord[d];
    const auto c = static_cast<unsigned>(row >> field.lsb) & ((1u << field.width) - 1);
    coordinates.push_back(c < topology.dims()[d] ? c : 0);  // rows of no router
  }
  return topology.router_at(coordinates);
}

}  // namespace

Shape shape_of(const spec::NetworkSpec& network, const topology::Topology& topology,
               const topology::PacketFormat& format) {
  const routing::q::Settings q = routing::q::settings(network.routing);
  Shape s;
  s.columns = topology.network_ports();
  if (topology.has_groups()) {
    const topology::Dragonfly d(topology.spec());
    s.two_level = !routing::q::settings(network.routing).everywhere;
    s.rows = std::size_t{d.groups()} *
             (s.two_level ? topology.terminals_per_router() : d.routers_per_group());
    s.local_columns = d.local_ports();
  } else {
    unsigned width = 0;
    for (const auto& field : format.dst_coord) width += field.width;
    s.rows = std::size_t{1} << width;
  }
  s.row_bits = width_for(s.rows);
  s.column_bits = width_for(s.columns);
  s.port_bits = width_for(topology.num_ports());
  s.time_bits = format.reward.width;
  s.value_bits = q.value_bits;
  s.fraction_bits = q.fraction_bits;
  s.table_cycles = q.table_cycles;
  s.banks = q.banks;
  s.admissible = q.feedback == routing::q::Feedback::kAdmissible;
  s.queues = q.queues;
  s.flit_cycles =
      static_cast<std::uint32_t>(std::llround(16 * network.link.cycles_per_flit.value()));
  s.alpha = part_of_65536(q.alpha);
  s.beta = part_of_65536(q.beta);
  s.threshold_source = part_of_65536(q.threshold_source);
  s.threshold_detour = part_of_65536(q.threshold_intermediate);
  return s;
}

std::vector<std::uint32_t> start_values(const Shape& shape, const spec::NetworkSpec& network,
                                        const topology::Topology& topology,
                                        const topology::PacketFormat& format, RouterId router) {
  const Walk walk(shape, network, topology);
  const bool optimistic =
      routing::q::settings(network.routing).initial == routing::q::Initial::kOptimistic;
  const bool dragonfly = topology.has_groups();
  const auto columns = static_cast<unsigned>(shape.columns);
  const std::uint64_t most = shape.infinity() - 1;
  std::vector<std::uint32_t> values;
  values.reserve(shape.rows * shape.columns);
  std::vector<std::uint64_t> times(columns);
  for (std::size_t row = 0; row < shape.rows; ++row) {
    const RouterId to = destination(shape, topology, format, row);
    for (unsigned c = 0; c < columns; ++c) {
      const auto next = walk.behind(router, c);
      times[c] = next ? walk.hop(c) + walk.time(*next, to) : shape.infinity();
      if (!optimistic || !dragonfly || !next) continue;
      const std::uint64_t local = walk.hop(0), global = walk.hop(columns - 1);
      if (!shape.two_level && walk.group(to) == walk.group(router))
        times[c] = 2 * walk.hop(c);
      else if (c >= shape.local_columns && walk.group(*next) == walk.group(to))
        times[c] = global;
      else
        times[c] = global + local;
    }
    if (optimistic && !dragonfly)
      std::fill(times.begin(), times.end(), *std::min_element(times.begin(), times.end()));
    for (unsigned c = 0; c < columns; ++c) {
      values.push_back(walk.behind(router, c) ? static_cast<std::uint32_t>(std::min(times[c], most))
                                              : shape.infinity());
    }
  }
  return values;
}

}  // namespace hopwise::probes::q
