// SPDX-License-Identifier: Apache-2.0
// Distances and mean paths of every kind of network against breadth-first search and sums over all
// pairs.
#include <gtest/gtest.h>

#include <deque>
#include <limits>

#include "dragonflies.hpp"
#include "topology/grid.hpp"

namespace hopwise::topology {
namespace {

/// Breadth-first search; over at most one global channel, as minimal paths of dragonflies are
/// defined.
std::vector<unsigned> hops_from(const Topology& t, std::uint32_t from) {
  constexpr unsigned kFar = std::numeric_limits<unsigned>::max();
  const std::size_t n = t.num_routers();
  // [router], then [n + router]: a global channel is behind it
  std::vector<unsigned> hops(2 * n, kFar);
  std::deque<std::size_t> open{from};
  hops[from] = 0;
  for (; !open.empty(); open.pop_front()) {
    const std::size_t here = open.front();
    for (std::uint16_t p = 0; p < t.network_ports(); ++p) {
      const auto out = t.out_channel(RouterId{static_cast<std::uint32_t>(here % n)}, PortId(p));
      if (!out) continue;
      const bool global = t.has_groups() && t.channel(*out).link_class == kGlobalLinks;
      if (global && here >= n) continue;
      const std::size_t to = index(t.channel(*out).dst) + (global || here >= n ? n : 0);
      if (hops[to] != kFar) continue;
      hops[to] = hops[here] + 1;
      open.push_back(to);
    }
  }
  std::vector<unsigned> fewest(n);
  for (std::size_t r = 0; r < n; ++r) fewest[r] = std::min(hops[r], hops[n + r]);
  return fewest;
}

/// The minimal path of a dragonfly: row before column, one global link. Hops and cycles on its
/// wires.
struct Walk {
  unsigned hops = 0, cycles = 0;
};
Walk dragonfly_walk(const Topology& t, std::uint32_t from, std::uint32_t to, unsigned copy) {
  const Dragonfly& d = Dragonfly(t.spec());
  const unsigned a = d.routers_per_group();
  Walk walk;
  while (from != to) {
    unsigned port;
    if (from / a == to / a) {
      port = d.local_port(from % a, to % a);
    } else {
      const auto end = d.global_end(from / a, to / a, copy);
      port = end.router == from % a ? end.port : d.local_port(from % a, end.router);
    }
    const Channel& c =
        t.channel(t.out_channel(RouterId{from}, PortId(static_cast<std::uint16_t>(port))).value());
    ++walk.hops;
    walk.cycles += c.latency_cycles;
    from = static_cast<std::uint32_t>(index(c.dst));
  }
  return walk;
}

/// Links between two groups that minimal routing takes with the same likelihood: a router's own,
/// or without one all.
std::vector<unsigned> minimal_copies(const Topology& t, std::uint32_t from, std::uint32_t to) {
  const Dragonfly& d = Dragonfly(t.spec());
  const unsigned a = d.routers_per_group();
  if (from / a == to / a) return {0};
  std::vector<unsigned> own, all;
  for (unsigned copy = 0; copy < d.links_per_group_pair(); ++copy) {
    all.push_back(copy);
    if (d.global_end(from / a, to / a, copy).router == from % a) own.push_back(copy);
  }
  return own.empty() ? all : own;
}

TEST(Distance, IsTheShortestLocalGlobalLocalPathOfADragonfly) {
  for (const Shape& s : all_shapes(60)) {
    SCOPED_TRACE(text(s));
    const Topology t = make(s);
    for (std::uint32_t from = 0; from < t.num_routers(); ++from) {
      const auto hops = hops_from(t, from);
      for (std::uint32_t to = 0; to < t.num_routers(); ++to) {
        unsigned fewest = std::numeric_limits<unsigned>::max();
        for (unsigned copy = 0; copy < s.l; ++copy)
          fewest = std::min(fewest, dragonfly_walk(t, from, to, copy).hops);
        const unsigned distance = Dragonfly(t.spec()).distance(from, to);
        ASSERT_EQ(distance, fewest) << from << " to " << to;
        ASSERT_EQ(distance, hops[to]) << from << " to " << to;
      }
    }
  }
}

TEST(MeanPath, IsTheMeanOverAllPairsOfADragonfly) {
  for (const Shape& s : all_shapes(90)) {
    SCOPED_TRACE(text(s));
    const Topology t = make(s);
    double hops = 0, cycles = 0;
    for (std::uint32_t from = 0; from < t.num_routers(); ++from) {
      for (std::uint32_t to = 0; to < t.num_routers(); ++to) {
        const auto copies = minimal_copies(t, from, to);
        for (const unsigned copy : copies) {
          const Walk walk = dragonfly_walk(t, from, to, copy);
          hops += walk.hops / static_cast<double>(copies.size());
          cycles += walk.cycles / static_cast<double>(copies.size());
        }
      }
    }
    const double pairs = static_cast<double>(t.num_routers() * (t.num_routers() - 1));
    const auto mean = t.mean_minimal_path();
    ASSERT_NEAR(mean.hops, hops / pairs, 1e-9);
    ASSERT_NEAR(mean.wire_cycles, cycles / pairs, 1e-9);
  }
}

TEST(MeanPath, IsTheMeanOverAllPairsOfATorusAndAMesh) {
  for (const bool ring : {true, false}) {
    for (const auto& dims :
         std::vector<std::vector<unsigned>>{{2}, {5}, {4, 4}, {3, 5, 2}, {2, 3, 2, 2}, {6, 2}}) {
      spec::LinkSpec link;
      for (unsigned d = 0; d < dims.size(); ++d) link.latency_cycles.push_back(2 + 3 * d);
      const Topology t(builtin_kinds(), ring ? torus(dims) : mesh(dims), link);
      double hops = 0, cycles = 0;
      for (std::uint32_t from = 0; from < t.num_routers(); ++from) {
        const auto search = hops_from(t, from);
        for (std::uint32_t to = 0; to < t.num_routers(); ++to) {
          ASSERT_EQ(t.distance(RouterId{from}, RouterId{to}), search[to]);
          hops += search[to];
          for (unsigned d = 0; d < dims.size(); ++d) {
            const unsigned x = t.coordinate(RouterId{from}, d), y = t.coordinate(RouterId{to}, d);
            const unsigned straight = x > y ? x - y : y - x;
            const unsigned steps = ring ? std::min(straight, dims[d] - straight) : straight;
            cycles += steps * link.latency_cycles[d];
          }
        }
      }
      const double pairs = static_cast<double>(t.num_routers() * (t.num_routers() - 1));
      EXPECT_NEAR(t.mean_minimal_path().hops, hops / pairs, 1e-9);
      EXPECT_NEAR(t.mean_minimal_path().wire_cycles, cycles / pairs, 1e-9);
    }
  }
}

}  // namespace
}  // namespace hopwise::topology
