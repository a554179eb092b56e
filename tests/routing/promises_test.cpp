// SPDX-License-Identifier: Apache-2.0
// What relation.hpp promises of every relation.
#include <gtest/gtest.h>

#include "q_networks.hpp"

namespace hopwise::test {
namespace {

using routing::Moves;
using routing::Query;

/// All small networks with all their routings.
std::vector<SmallNetwork> all_networks() {
  std::vector<SmallNetwork> all;
  for (const Shape& shape : small_shapes()) {
    for (Routing routing : kRoutings)
      all.emplace_back(small_spec(shape.kind, shape.dims, routing, 1, 3));
  }
  for (DragonflyCase d : small_dragonflies()) {
    d.p = 3;
    for (std::string_view algorithm : kDragonflyRoutings)
      all.emplace_back(dragonfly_spec(d, algorithm, 2));
  }
  for (const QRouting& r : kQDragonflyRoutings) {
    all.emplace_back(q_dragonfly_spec({3, 3, 1, 4}, r, 2));
    all.emplace_back(
        q_dragonfly_spec({3, 4, 2, 5, 1, 1, topology::GlobalArrangement::kCirculant}, r, 2));
  }
  for (const unsigned max_hops : {1U, 5U}) all.emplace_back(q_torus_spec({3, 4}, max_hops, 2, 3));
  return all;
}

TEST(Relations, VcClassesCoverAllVcsWithoutGapsAndEscapeComesFirst) {
  for (const Shape& shape : small_shapes()) {
    for (Routing routing : kRoutings) {
      const SmallNetwork n(small_spec(shape.kind, shape.dims, routing, 2));
      unsigned next = 0;
      bool escape = true;
      for (const routing::VcClass& c : n.relation->vc_classes()) {
        EXPECT_EQ(c.first, next);
        EXPECT_TRUE(escape || !c.escape);
        escape = c.escape;
        next += c.count;
      }
      EXPECT_EQ(next, n.spec.network.router.vcs);
    }
  }
  for (const SmallNetwork& n : all_networks()) {
    unsigned next = 0;
    for (const routing::VcClass& c : n.relation->vc_classes()) {
      EXPECT_EQ(c.first, next);
      next += c.count;
    }
    EXPECT_EQ(next, n.spec.network.router.vcs);
  }
}

TEST(Relations, RouteByRouterSlotsDifferInThePortOfEjectionOnly) {
  for (const SmallNetwork& n : all_networks()) {
    const topology::Topology& t = *n.topology;
    SCOPED_TRACE(n.relation->name() + " on " + std::to_string(t.num_routers()) + " routers");
    const unsigned slots = t.terminals_per_router();
    Moves first, moves;
    for (std::uint32_t at = 0; at < t.num_routers(); ++at) {
      for (std::uint32_t to = 0; to < t.num_routers(); ++to) {
        for (unsigned in = 0; in < t.num_ports(); ++in) {
          const auto port = PortId(static_cast<std::uint16_t>(in));
          const bool terminal = t.is_terminal_port(RouterId{0}, port);
          if (!terminal && !t.in_channel(RouterId{at}, port)) continue;
          for (std::uint8_t vc = 0; vc < n.spec.network.router.vcs; ++vc) {
            for (unsigned klass = 0; klass < (terminal ? 1 : n.relation->num_packet_classes());
                 ++klass) {
              const unsigned step = static_cast<unsigned>(n.relation->vc_classes().size());
              // The last steps are for the last groups of a path: no packet is there in an earlier
              // class.
              if (t.has_groups() && !terminal && vc / 2u + 3 > step) continue;
              for (unsigned slot = 0; slot < slots; ++slot) {
                n.relation->moves(
                    {RouterId{at}, port, VcId{vc}, klass, TerminalId{to * slots + slot}}, moves);
                if (slot == 0) first = moves;
                ASSERT_EQ(moves.size(), first.size());
                for (std::size_t i = 0; i < moves.size(); ++i) {
                  routing::Move expected = first[i];
                  if (t.is_terminal_port(RouterId{0}, expected.out_port)) {
                    expected.out_port =
                        PortId(static_cast<std::uint16_t>(index(expected.out_port) + slot));
                  }
                  ASSERT_EQ(moves[i], expected);
                }
              }
              // All terminal ports and their VCs are alike.
              if (!terminal) continue;
              n.relation->moves(
                  {RouterId{at}, PortId(static_cast<std::uint16_t>(t.network_ports())), VcId{0}, 0,
                   TerminalId{to * slots}},
                  moves);
              ASSERT_TRUE(std::equal(moves.begin(), moves.end(), first.begin(), first.end()));
            }
          }
        }
      }
    }
  }
}

TEST(Relations, EveryMoveIsMinimalAndEndsWithOneEscapeMove) {
  for (const Shape& shape : small_shapes()) {
    for (Routing routing : kRoutings) {
      const SmallNetwork n(small_spec(shape.kind, shape.dims, routing));
      const topology::Topology& t = *n.topology;
      Moves moves;
      for (std::uint32_t at = 0; at < t.num_routers(); ++at) {
        for (std::uint32_t dst = 0; dst < t.num_terminals(); ++dst) {
          const RouterId to = t.router_of(TerminalId{dst});
          n.relation->moves({RouterId{at}, t.port_of(TerminalId{dst}), VcId{0}, 0, TerminalId{dst}},
                            moves);
          ASSERT_GE(moves.size(), 1u);
          ASSERT_LE(moves.size(), n.relation->acyclic() ? 1u : t.num_dims() + 1);
          for (std::size_t i = 0; i < moves.size(); ++i) {
            EXPECT_EQ(moves[i].escape, i + 1 == moves.size());
            if (t.is_terminal_port(RouterId{0}, moves[i].out_port)) continue;
            const auto channel = t.out_channel(RouterId{at}, moves[i].out_port);
            ASSERT_TRUE(channel.has_value());
            EXPECT_EQ(t.distance(t.channel(*channel).dst, to) + 1, t.distance(RouterId{at}, to));
          }
        }
      }
    }
  }
}

TEST(Dor, ATieOfBothDirectionsIsBrokenByTheParityOfTheCoordinate) {
  const SmallNetwork n(small_spec(Grid::kTorus, {4}, Routing::kDorClassic));
  Moves moves;
  for (std::uint32_t at = 0; at < 4; ++at) {
    n.relation->moves({RouterId{at}, PortId{2}, VcId{0}, 0, TerminalId{(at + 2) % 4}}, moves);
    EXPECT_EQ(index(moves[0].out_port), at % 2) << "from " << at;
  }
}

TEST(Dor, KeepsTheOrderOnlyWhereAPacketCannotOvertake) {
  using enum Grid;
  const auto in_order = [](const spec::Spec& spec) {
    return SmallNetwork(spec).relation->in_order();
  };
  EXPECT_TRUE(in_order(small_spec(kTorus, {4, 4}, Routing::kDorClassic, 1)));
  EXPECT_TRUE(in_order(small_spec(kMesh, {4, 4}, Routing::kDorClassic, 1)));
  EXPECT_FALSE(in_order(small_spec(kTorus, {4, 4}, Routing::kDorClassic, 2)));
  EXPECT_FALSE(in_order(small_spec(kTorus, {4, 4}, Routing::kDorBalanced, 1)));
  EXPECT_FALSE(in_order(small_spec(kTorus, {4, 4}, Routing::kStarChannel, 1)));
}

TEST(Relations, ReportTheNameOfTheirYamlKey) {
  using enum Grid;
  EXPECT_EQ(SmallNetwork(small_spec(kTorus, {4}, Routing::kDorClassic)).relation->name(), "dor");
  EXPECT_EQ(SmallNetwork(small_spec(kMesh, {4}, Routing::kStarChannel)).relation->name(),
            "star_channel");
  const char* const names[] = {"min",         "valg", "valn",    "ugal_lg", "ugal_ln",
                               "ugal_global", "par",  "ugal_le", "dgb",     "edgb"};
  std::size_t i = 0;
  for (std::string_view algorithm : kDragonflyRoutings) {
    EXPECT_EQ(SmallNetwork(dragonfly_spec({1, 2, 1, 3}, algorithm)).relation->name(), names[i++]);
  }
}

TEST(Relations, OutliveTheTopologyTheyAreMadeFrom) {
  std::unique_ptr<routing::RoutingRelation> relation;
  {
    const spec::Spec spec = small_spec(Grid::kTorus, {3, 3}, Routing::kStarChannel);
    const topology::Topology topology(topology::builtin_kinds(), spec.network.topology,
                                      spec.network.link);
    relation = routing::make_relation(routing::builtin_families(), spec.network, topology);
  }
  Moves moves;
  relation->moves({RouterId{0}, PortId{4}, VcId{0}, 0, TerminalId{4}}, moves);
  EXPECT_EQ(moves.size(), 3u);
}

}  // namespace
}  // namespace hopwise::test
