// SPDX-License-Identifier: Apache-2.0
#include "topology/topology.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hopwise::topology {

Topology::Topology(const config::TopologySpec& spec, const config::LinkSpec& link)
    : kind_(spec.kind),
      dims_(spec.dims),
      terminals_per_router_(spec.terminals_per_router),
      terminal_latency_(link.terminal_latency_cycles) {
  for (unsigned size : dims_) {
    stride_.push_back(static_cast<unsigned>(num_routers_));
    num_routers_ *= size;
  }
  out_.assign(num_routers_ * network_ports(), kNone);
  in_.assign(num_routers_ * network_ports(), kNone);
  for (std::uint32_t r = 0; r < num_routers_; ++r) {
    for (unsigned d = 0; d < num_dims(); ++d) {
      for (bool plus : {true, false}) {
        const unsigned at = coordinate(RouterId{r}, d);
        const bool wraps = plus ? at == dims_[d] - 1 : at == 0;
        if (wraps && kind_ == config::TopologyKind::kMesh) continue;
        const unsigned to = plus ? (at + 1) % dims_[d] : (at + dims_[d] - 1) % dims_[d];
        Channel c;
        c.src = RouterId{r};
        c.src_port = PortId(2 * d + (plus ? 0 : 1));
        c.dst = RouterId{r - at * stride_[d] + to * stride_[d]};
        c.dst_port = PortId(2 * d + (plus ? 1 : 0));
        c.latency_cycles = link.latency_cycles[d];
        c.dim = d;
        c.plus = plus;
        c.wraparound = wraps;
        const auto id = static_cast<std::uint32_t>(channels_.size());
        out_[r * network_ports() + index(c.src_port)] = id;
        in_[index(c.dst) * network_ports() + index(c.dst_port)] = id;
        channels_.push_back(c);
      }
    }
  }
}

RouterId Topology::router_at(const std::vector<unsigned>& coordinates) const {
  unsigned r = 0;
  for (unsigned d = 0; d < num_dims(); ++d) r += coordinates[d] * stride_[d];
  return RouterId{r};
}

unsigned Topology::distance(RouterId from, RouterId to) const {
  unsigned hops = 0;
  for (unsigned d = 0; d < num_dims(); ++d) {
    const unsigned a = coordinate(from, d), b = coordinate(to, d);
    const unsigned straight = a > b ? a - b : b - a;
    hops += kind_ == config::TopologyKind::kTorus ? std::min(straight, dims_[d] - straight) : straight;
  }
  return hops;
}

std::string Topology::name(RouterId router) const {
  std::vector<unsigned> c;
  for (unsigned d = 0; d < num_dims(); ++d) c.push_back(coordinate(router, d));
  return fmt::format("({})", fmt::join(c, ","));
}

std::string Topology::name(ChannelId id) const {
  const Channel& c = channel(id);
  return fmt::format("{} -> {} [{}]", name(c.src), name(c.dst), port_name(c.src_port));
}

std::string Topology::port_name(PortId port) const {
  const auto p = index(port);
  if (is_terminal_port(port)) return fmt::format("t{}", p - network_ports());
  return fmt::format("{}d{}", p % 2 == 0 ? '+' : '-', p / 2);
}

}  // namespace hopwise::topology
