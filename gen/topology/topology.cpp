// SPDX-License-Identifier: Apache-2.0
#include "topology/topology.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hopwise::topology {

Topology::Topology(const spec::TopologySpec& spec, const spec::LinkSpec& link)
    : spec_(spec),
      dims_(spec.dims),
      terminals_per_router_(spec.terminals_per_router),
      terminal_latency_(link.terminal_latency_cycles),
      dragonfly_(spec.dragonfly) {
  for (unsigned size : dims_) {
    stride_.push_back(static_cast<unsigned>(num_routers_));
    num_routers_ *= size;
  }
  const bool grid = is_grid();
  network_ports_ = grid ? 2 * num_dims() : dragonfly_.network_ports();
  for (unsigned p = 0; p < network_ports_; ++p) {
    const unsigned link_class = grid ? p / 2 : dragonfly_.is_local(p) ? 0 : 1;
    port_latency_.push_back(link.latency_cycles[link_class]);
  }
  out_.assign(num_routers_ * network_ports(), kNone);
  in_.assign(num_routers_ * network_ports(), kNone);
  if (grid) {
    join_grid(link);
  } else {
    join_dragonfly(link);
  }
}

void Topology::add(const Channel& c) {
  const auto id = static_cast<std::uint32_t>(channels_.size());
  out_[index(c.src) * network_ports() + index(c.src_port)] = id;
  in_[index(c.dst) * network_ports() + index(c.dst_port)] = id;
  channels_.push_back(c);
}

void Topology::join_grid(const spec::LinkSpec& link) {
  for (std::uint32_t r = 0; r < num_routers_; ++r) {
    for (unsigned d = 0; d < num_dims(); ++d) {
      for (bool plus : {true, false}) {
        const unsigned at = coordinate(RouterId{r}, d);
        const bool wraps = plus ? at == dims_[d] - 1 : at == 0;
        if (wraps && !has_wraparound()) continue;
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
        add(c);
      }
    }
  }
}

void Topology::join_dragonfly(const spec::LinkSpec& link) {
  const unsigned a = dragonfly_.routers_per_group();
  for (std::uint32_t router = 0; router < num_routers_; ++router) {
    const unsigned group = router / a, r = router % a;
    for (unsigned p = 0; p < network_ports(); ++p) {
      Channel c;
      c.src = RouterId{router};
      c.src_port = PortId(static_cast<std::uint16_t>(p));
      if (dragonfly_.is_local(p)) {
        const unsigned to = dragonfly_.neighbour(r, p);
        c.kind = ChannelKind::kLocal;
        c.dst = RouterId{group * a + to};
        c.dst_port = PortId(static_cast<std::uint16_t>(dragonfly_.local_port(to, r)));
        c.latency_cycles = link.latency_cycles[0];
      } else {
        const auto peer = dragonfly_.peer(group, r, p);
        if (!peer) continue;
        const Dragonfly::End end = dragonfly_.global_end(peer->group, group, peer->copy);
        c.kind = ChannelKind::kGlobal;
        c.dst = RouterId{peer->group * a + end.router};
        c.dst_port = PortId(static_cast<std::uint16_t>(end.port));
        c.latency_cycles = link.latency_cycles[1];
      }
      add(c);
    }
  }
}

RouterId Topology::router_at(const std::vector<unsigned>& coordinates) const {
  unsigned r = 0;
  for (unsigned d = 0; d < num_dims(); ++d) r += coordinates[d] * stride_[d];
  return RouterId{r};
}

unsigned Topology::distance(RouterId from, RouterId to) const {
  if (has_groups()) {
    const unsigned a = dragonfly_.routers_per_group();
    const auto f = static_cast<unsigned>(index(from)), t = static_cast<unsigned>(index(to));
    if (f / a == t / a) return dragonfly_.local_distance(f % a, t % a);
    unsigned fewest = 0;
    for (unsigned copy = 0; copy < dragonfly_.links_per_group_pair(); ++copy) {
      const unsigned hops =
          dragonfly_.local_distance(f % a, dragonfly_.global_end(f / a, t / a, copy).router) + 1 +
          dragonfly_.local_distance(dragonfly_.global_end(t / a, f / a, copy).router, t % a);
      if (copy == 0 || hops < fewest) fewest = hops;
    }
    return fewest;
  }
  unsigned hops = 0;
  for (unsigned d = 0; d < num_dims(); ++d)
    hops += ring_distance(d, coordinate(from, d), coordinate(to, d));
  return hops;
}

unsigned Topology::ring_distance(unsigned dim, unsigned from, unsigned to) const {
  const unsigned straight = from > to ? from - to : to - from;
  return has_wraparound() ? std::min(straight, dims_[dim] - straight) : straight;
}

Topology::MeanPath Topology::mean_minimal_path() const {
  MeanPath sum;  // over all ordered pairs of routers
  const auto take = [&](double hops, unsigned port) {
    sum.hops += hops;
    sum.wire_cycles += hops * port_latency_[port];
  };
  const double routers = static_cast<double>(num_routers_);
  if (has_groups()) {
    const unsigned a = dragonfly_.routers_per_group(), g = dragonfly_.groups();
    const auto to_all = [&](unsigned router) {  // local hops between it and all of its group
      double hops = 0;
      for (unsigned r = 0; r < a; ++r) hops += dragonfly_.local_distance(router, r);
      return hops;
    };
    double local = 0;
    for (unsigned r = 0; r < a; ++r) local += g * to_all(r);
    for (unsigned from = 0; from < g; ++from) {
      for (unsigned to = 0; to < g; ++to) {
        // Sources reach the link at one end, and the link reaches destinations at the other, a
        // times each.
        if (to != from) local += 2.0 * a * to_all(dragonfly_.global_end(from, to, 0).router);
      }
    }
    if (local > 0) take(local, 0);
    take(routers * (routers - a), dragonfly_.local_ports());
  } else {
    for (unsigned d = 0; d < num_dims(); ++d) {
      double hops = 0;
      for (unsigned a = 0; a < dims_[d]; ++a) {
        for (unsigned b = 0; b < dims_[d]; ++b) hops += ring_distance(d, a, b);
      }
      take(hops / dims_[d] / dims_[d] * routers * routers, 2 * d);
    }
  }
  const double pairs = routers * std::max(1.0, routers - 1);
  return {sum.hops / pairs, sum.wire_cycles / pairs};
}

std::string Topology::name(RouterId router) const {
  if (has_groups()) {
    return fmt::format("g{}.r{}", coordinate(router, 1), coordinate(router, 0));
  }
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
  if (has_groups()) {
    return dragonfly_.is_local(static_cast<unsigned>(p))
               ? fmt::format("l{}", p)
               : fmt::format("g{}", p - dragonfly_.local_ports());
  }
  return fmt::format("{}d{}", p % 2 == 0 ? '+' : '-', p / 2);
}

}  // namespace hopwise::topology
