// SPDX-License-Identifier: Apache-2.0
#include "topology/topology.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace hopwise::topology {

Topology::Topology(Kinds kinds, const spec::TopologySpec& spec, const spec::LinkSpec& link)
    : spec_(spec),
      graph_(kind_of(kinds, spec).build(spec)),
      class_latency_(link.latency_cycles),
      terminal_latency_(link.terminal_latency_cycles) {
  unsigned stride = 1;
  for (const unsigned size : dims()) {
    stride_.push_back(stride);
    stride *= size;
  }
  for (const RouterShape& s : graph_.shapes) {
    network_ports_ = std::max(network_ports_, s.num_network_ports());
    num_ports_ = std::max(num_ports_, s.num_ports());
    terminals_per_router_ = std::max(terminals_per_router_, s.terminals);
  }
  for (std::uint32_t r = 0; r < num_routers(); ++r) {
    const RouterId router{r};
    first_terminal_.push_back(static_cast<std::uint32_t>(router_of_.size()));
    if (terminals_at(router) > 0) first_terminals_.push_back(terminal_at(router, 0));
    router_of_.insert(router_of_.end(), terminals_at(router), router);
  }
  out_.assign(num_routers() * network_ports_, kNone);
  in_ = out_;
  for (const Joint& joint : graph_.channels) {
    const auto id = static_cast<std::uint32_t>(channels_.size());
    out_[index(joint.src) * network_ports_ + index(joint.src_port)] = id;
    in_[index(joint.dst) * network_ports_ + index(joint.dst_port)] = id;
    const unsigned link_class = shape(joint.src).network_ports[index(joint.src_port)].link_class;
    channels_.push_back({joint, class_latency_.at(link_class), link_class});
  }
}

RouterId Topology::router_at(const std::vector<unsigned>& coordinates) const {
  unsigned r = 0;
  for (unsigned d = 0; d < num_dims(); ++d) r += coordinates[d] * stride_[d];
  return RouterId{r};
}

/// Hops to every router, and the core cycles on the wires of the path that the search finds first.
std::vector<unsigned> Topology::distances_from(RouterId router,
                                               std::vector<double>& wire_cycles) const {
  std::vector<unsigned> hops(num_routers(), kNone);
  wire_cycles.assign(num_routers(), 0);
  std::vector<RouterId> found{router};
  hops[index(router)] = 0;
  for (std::size_t next = 0; next < found.size(); ++next) {
    const RouterId at = found[next];
    for (unsigned p = 0; p < network_ports(at); ++p) {
      const auto id = out_channel(at, PortId{static_cast<std::uint16_t>(p)});
      if (!id || hops[index(channel(*id).dst)] != kNone) continue;
      const Channel& c = channel(*id);
      hops[index(c.dst)] = hops[index(at)] + 1;
      wire_cycles[index(c.dst)] = wire_cycles[index(at)] + c.latency_cycles;
      found.push_back(c.dst);
    }
  }
  return hops;
}

unsigned Topology::distance(RouterId from, RouterId to) const {
  std::vector<double> wires;
  return distances_from(from, wires)[index(to)];
}

MeanPath Topology::mean_minimal_path() const {
  if (graph_.mean_path) return graph_.mean_path(class_latency_);
  MeanPath sum;
  double pairs = 0;
  std::vector<double> wires;
  for (std::uint32_t from = 0; from < num_routers(); ++from) {
    if (terminals_at(RouterId{from}) == 0) continue;
    const std::vector<unsigned> hops = distances_from(RouterId{from}, wires);
    for (std::uint32_t to = 0; to < num_routers(); ++to) {
      if (to == from) continue;
      const double both = double{1} * terminals_at(RouterId{from}) * terminals_at(RouterId{to});
      pairs += both;
      sum.hops += both * hops[to];
      sum.wire_cycles += both * wires[to];
    }
  }
  pairs = std::max(1.0, pairs);
  return {sum.hops / pairs, sum.wire_cycles / pairs};
}

std::string Topology::name(ChannelId id) const {
  const Channel& c = channel(id);
  return fmt::format("{} -> {} [{}]", name(c.src), name(c.dst), port_name(c.src, c.src_port));
}

std::string Topology::port_name(RouterId router, PortId port) const {
  if (is_terminal_port(router, port))
    return fmt::format("t{}", index(port) - network_ports(router));
  return shape(router).network_ports[index(port)].name;
}

}  // namespace hopwise::topology
