// SPDX-License-Identifier: Apache-2.0
// Every small dragonfly, channel by channel. What is expected follows from (p, a, h, g), not from
// class Dragonfly.
#include "topology/dragonfly.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "dragonflies.hpp"

namespace hopwise::topology {
namespace {

constexpr unsigned kMostRouters = 90;

std::size_t at(RouterId router) { return index(router); }

TEST(Dragonfly, EveryChannelHasItsReverseOverTheSamePorts) {
  for (const Shape& s : all_shapes(kMostRouters)) {
    SCOPED_TRACE(text(s));
    const Topology t = make(s);
    for (std::uint32_t i = 0; i < t.channels().size(); ++i) {
      const Channel& c = t.channel(ChannelId{i});
      ASSERT_NE(c.src, c.dst);
      const auto back = t.out_channel(c.dst, c.dst_port);
      ASSERT_TRUE(back.has_value());
      const Channel& r = t.channel(*back);
      ASSERT_EQ(r.dst, c.src);
      ASSERT_EQ(r.dst_port, c.src_port);
      ASSERT_EQ(r.latency_cycles, c.latency_cycles);
      ASSERT_EQ(r.link_class, c.link_class);
      ASSERT_EQ(t.out_channel(c.src, c.src_port), ChannelId{i});
      ASSERT_EQ(t.in_channel(c.dst, c.dst_port), ChannelId{i});
    }
  }
}

TEST(Dragonfly, EveryPortIsUsedOnceAndOnlyGlobalPortsBeyondTheLinksAreFree) {
  for (const Shape& s : all_shapes(kMostRouters)) {
    SCOPED_TRACE(text(s));
    const Topology t = make(s);
    const unsigned local = s.local_ports();
    ASSERT_EQ(t.num_routers(), s.a * s.g);
    ASSERT_EQ(t.num_terminals(), s.p * s.a * s.g);
    ASSERT_EQ(t.network_ports(), local + s.h);
    ASSERT_EQ(t.num_ports(), local + s.h + s.p);
    std::set<std::pair<std::size_t, std::size_t>> sources, destinations;
    for (const Channel& c : t.channels()) {
      ASSERT_TRUE(sources.emplace(at(c.src), index(c.src_port)).second);
      ASSERT_TRUE(destinations.emplace(at(c.dst), index(c.dst_port)).second);
      const bool is_local = index(c.src_port) < local;
      ASSERT_EQ(c.link_class, is_local ? kLocalLinks : kGlobalLinks);
      ASSERT_EQ(c.latency_cycles, is_local ? kLocalLatency : kGlobalLatency);
      ASSERT_EQ(t.port_latency_cycles(t.shapes()[0], c.src_port), c.latency_cycles);
    }
    ASSERT_EQ(sources, destinations);
    for (std::uint32_t r = 0; r < t.num_routers(); ++r) {
      for (std::uint16_t p = 0; p < t.network_ports(); ++p) {
        const unsigned global = r % s.a * s.h + p - local;
        const bool linked = p < local || global < s.l * (s.g - 1);
        ASSERT_EQ(t.out_channel(RouterId{r}, PortId(p)).has_value(), linked)
            << t.name(RouterId{r}) << " port " << p;
      }
      for (unsigned slot = 0; slot < s.p; ++slot) {
        ASSERT_FALSE(
            t.out_channel(RouterId{r}, PortId(static_cast<std::uint16_t>(t.network_ports() + slot)))
                .has_value());
      }
    }
  }
}

TEST(Dragonfly, EveryTwoGroupsHaveTheirLinksAndNoGroupHasOneToItself) {
  for (const Shape& s : all_shapes(kMostRouters)) {
    SCOPED_TRACE(text(s));
    const Topology t = make(s);
    std::map<std::pair<std::size_t, std::size_t>, unsigned> links;
    for (const Channel& c : t.channels()) {
      const auto from = at(c.src) / s.a, to = at(c.dst) / s.a;
      ASSERT_EQ(from == to, c.link_class == kLocalLinks);
      if (from != to) ++links[{from, to}];
    }
    ASSERT_EQ(links.size(), s.g * (s.g - 1));
    for (const auto& [pair, count] : links)
      ASSERT_EQ(count, s.l) << pair.first << " to " << pair.second;
  }
}

TEST(Dragonfly, RoutersOfARowAreConnectedOnceThoseOfAColumnByItsLinksAndNoOthers) {
  for (const Shape& s : all_shapes(kMostRouters)) {
    SCOPED_TRACE(text(s));
    const Topology t = make(s);
    const unsigned columns = s.a / s.rows;
    std::map<std::pair<std::size_t, std::size_t>, unsigned> local;
    for (const Channel& c : t.channels()) {
      if (c.link_class == kLocalLinks) ++local[{at(c.src), at(c.dst)}];
    }
    for (std::size_t from = 0; from < t.num_routers(); ++from) {
      for (std::size_t to = from / s.a * s.a; to < from / s.a * s.a + s.a; ++to) {
        const bool row = from % s.a / columns == to % s.a / columns,
                   column = from % s.a % columns == to % s.a % columns;
        const auto found = local.find({from, to});
        ASSERT_EQ(found == local.end() ? 0u : found->second, from == to ? 0u
                                                             : row      ? 1u
                                                             : column   ? s.column_links
                                                                        : 0u)
            << from << " " << to;
      }
    }
  }
}

TEST(Dragonfly, LocalPortsLeadToTheOthersInAscendingOrderAlongTheRowThenTheColumn) {
  for (const Shape& s : all_shapes(kMostRouters)) {
    SCOPED_TRACE(text(s));
    const Dragonfly d(spec_of(s));
    const unsigned columns = s.a / s.rows;
    for (unsigned r = 0; r < s.a; ++r) {
      unsigned port = 0;
      for (unsigned other = r / columns * columns; other < r / columns * columns + columns;
           ++other) {
        if (other == r) continue;
        ASSERT_EQ(d.neighbour(r, port++), other);
      }
      for (unsigned other = r % columns; other < s.a; other += columns) {
        if (other == r) continue;
        ASSERT_EQ(d.links_to(r, other), s.column_links);
        for (unsigned copy = 0; copy < s.column_links; ++copy) {
          ASSERT_EQ(d.local_port(r, other, copy), port);
          ASSERT_EQ(d.link_number(port), copy);
          ASSERT_EQ(d.neighbour(r, port++), other);
        }
      }
      ASSERT_EQ(port, d.local_ports());
      // The row first: one hop to the column of the destination, one along it.
      for (unsigned to = 0; to < s.a; ++to) {
        unsigned here = r, hops = 0;
        for (; here != to; ++hops) {
          const unsigned p = d.local_port(here, to);
          ASSERT_EQ(p < d.row_ports(), here % columns != to % columns);
          here = d.neighbour(here, p);
        }
        ASSERT_EQ(hops, d.local_distance(r, to));
        ASSERT_LE(hops, 2u);
      }
    }
  }
}

TEST(Dragonfly, GlobalEndAndPeerAreInverse) {
  for (const Shape& s : all_shapes(kMostRouters)) {
    SCOPED_TRACE(text(s));
    const Topology t = make(s);
    const Dragonfly& d = Dragonfly(t.spec());
    for (unsigned from = 0; from < s.g; ++from) {
      for (unsigned to = 0; to < s.g; ++to) {
        if (from == to) continue;
        for (unsigned copy = 0; copy < s.l; ++copy) {
          const auto end = d.global_end(from, to, copy);
          ASSERT_LT(end.router, s.a);
          ASSERT_GE(end.port, d.local_ports());
          ASSERT_LT(end.port, d.network_ports());
          const auto peer = d.peer(from, end.router, end.port);
          ASSERT_TRUE(peer.has_value());
          ASSERT_EQ(peer->group, to);
          ASSERT_EQ(peer->copy, copy);
          const auto id = t.out_channel(RouterId{from * s.a + end.router},
                                        PortId(static_cast<std::uint16_t>(end.port)));
          const Channel& c = t.channel(id.value());
          const auto far = d.global_end(to, from, copy);
          ASSERT_EQ(at(c.dst), to * s.a + far.router);
          ASSERT_EQ(index(c.dst_port), far.port);
        }
      }
    }
  }
}

/// Group behind global port k of group i, as Hastings et al. 2015 (section 3) write the
/// arrangements.
unsigned published(GlobalArrangement arrangement, unsigned i, unsigned k, unsigned g) {
  switch (arrangement) {
    case GlobalArrangement::kAbsolute: return k < i ? k : k + 1;
    case GlobalArrangement::kPalmtree: return (i + g - k - 1) % g;
    default: return k % 2 == 0 ? (i + k / 2 + 1) % g : (i + g - k / 2 - 1) % g;
  }
}

TEST(Dragonfly, TheArrangementsAreThePublishedOnes) {
  for (const Shape& s : all_shapes(kMostRouters)) {
    SCOPED_TRACE(text(s));
    const Topology t = make(s);
    for (const Channel& c : t.channels()) {
      if (c.link_class != kGlobalLinks) continue;
      const unsigned group = static_cast<unsigned>(at(c.src)) / s.a;
      const unsigned local = s.local_ports();
      const unsigned k = static_cast<unsigned>(at(c.src)) % s.a * s.h +
                         static_cast<unsigned>(index(c.src_port)) - local;
      ASSERT_EQ(at(c.dst) / s.a, published(s.arrangement, group, k % (s.g - 1), s.g))
          << t.name(*t.out_channel(c.src, c.src_port));
    }
  }
}

TEST(Dragonfly, TheFirstGroupOfKimsExampleIsWiredAsHisFigure) {
  // dfly(2, 4, 2, 9): router r of group 0 leads to groups 2 r + 1 and 2 r + 2; group 8 leads back
  // through ports 0, 1, ...
  const Topology t = make({2, 4, 2, 9, 1, 1, GlobalArrangement::kAbsolute});
  EXPECT_EQ(t.num_terminals(), 72u);
  for (unsigned r = 0; r < 4; ++r) {
    for (unsigned j = 0; j < 2; ++j) {
      const Channel& c =
          t.channel(t.out_channel(RouterId{r}, PortId(static_cast<std::uint16_t>(3 + j))).value());
      EXPECT_EQ(at(c.dst) / 4, 2 * r + j + 1);
      EXPECT_EQ(at(c.dst) % 4, 0u);
      EXPECT_EQ(index(c.dst_port), 3u);  // group 0 is the first that every other group leads to
    }
  }
}

TEST(Dragonfly, AGroupOfAriesHas96RoutersWithAllTheirPorts) {
  // Six chassis of 16 blades; three links between two routers of different chassis.
  const Shape aries{4, 96, 10, 2, 256, 6, GlobalArrangement::kAbsolute, 3};
  const Topology t = make(aries);
  EXPECT_EQ(t.num_ports(), 15u + 15u + 10u + 4u);
  EXPECT_EQ(t.num_terminals(), 2u * 96u * 4u);
  std::size_t local = 0;
  for (const Channel& c : t.channels()) local += c.link_class == kLocalLinks ? 1 : 0;
  EXPECT_EQ(local, 2u * 96u * 30u);
}

TEST(Dragonfly, NamesSayWhereRoutersAreAndWherePortsLead) {
  const Topology t = make({2, 4, 2, 9, 1, 1, GlobalArrangement::kAbsolute});
  EXPECT_EQ(t.name(RouterId{0}), "g0.r0");
  EXPECT_EQ(t.name(RouterId{4 * 7 + 3}), "g7.r3");
  const std::vector<std::string> names{"l0", "l1", "l2", "g0", "g1", "t0", "t1"};
  for (std::uint16_t p = 0; p < 7; ++p) EXPECT_EQ(t.port_name(RouterId{0}, PortId(p)), names[p]);
  EXPECT_EQ(t.name(t.out_channel(RouterId{1}, PortId{0}).value()), "g0.r1 -> g0.r0 [l0]");
  EXPECT_EQ(t.name(t.out_channel(RouterId{1}, PortId{4}).value()), "g0.r1 -> g4.r0 [g1]");
  EXPECT_EQ(t.coordinate(RouterId{31}, 0), 3u);
  EXPECT_EQ(t.coordinate(RouterId{31}, 1), 7u);
  EXPECT_EQ(t.router_at({3, 7}), RouterId{31});
}

}  // namespace
}  // namespace hopwise::topology
