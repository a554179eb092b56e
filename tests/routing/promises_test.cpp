// SPDX-License-Identifier: Apache-2.0
// What relation.hpp promises of every relation.
#include <gtest/gtest.h>

#include "small_networks.hpp"

namespace hopwise::test {
namespace {

using routing::Moves;
using routing::Query;

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
          n.relation->moves({RouterId{at}, t.port_of(TerminalId{dst}), VcId{0}, 0, TerminalId{dst}}, moves);
          ASSERT_GE(moves.size(), 1u);
          ASSERT_LE(moves.size(), n.relation->acyclic() ? 1u : t.num_dims() + 1);
          for (std::size_t i = 0; i < moves.size(); ++i) {
            EXPECT_EQ(moves[i].escape, i + 1 == moves.size());
            if (t.is_terminal_port(moves[i].out_port)) continue;
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
  const SmallNetwork n(small_spec(config::TopologyKind::kTorus, {4}, Routing::kDorClassic));
  Moves moves;
  for (std::uint32_t at = 0; at < 4; ++at) {
    n.relation->moves({RouterId{at}, PortId{2}, VcId{0}, 0, TerminalId{(at + 2) % 4}}, moves);
    EXPECT_EQ(index(moves[0].out_port), at % 2) << "from " << at;
  }
}

TEST(Dor, KeepsTheOrderOnlyWhereAPacketCannotOvertake) {
  using enum config::TopologyKind;
  const auto in_order = [](const config::Spec& spec) { return SmallNetwork(spec).relation->in_order(); };
  EXPECT_TRUE(in_order(small_spec(kTorus, {4, 4}, Routing::kDorClassic, 1)));
  EXPECT_TRUE(in_order(small_spec(kMesh, {4, 4}, Routing::kDorClassic, 1)));
  EXPECT_FALSE(in_order(small_spec(kTorus, {4, 4}, Routing::kDorClassic, 2)));
  EXPECT_FALSE(in_order(small_spec(kTorus, {4, 4}, Routing::kDorBalanced, 1)));
  EXPECT_FALSE(in_order(small_spec(kTorus, {4, 4}, Routing::kStarChannel, 1)));
}

TEST(Relations, ReportTheNameOfTheirYamlKey) {
  using enum config::TopologyKind;
  EXPECT_EQ(SmallNetwork(small_spec(kTorus, {4}, Routing::kDorClassic)).relation->name(), "dor");
  EXPECT_EQ(SmallNetwork(small_spec(kMesh, {4}, Routing::kStarChannel)).relation->name(), "star_channel");
}

TEST(Relations, OutliveTheTopologyTheyAreMadeFrom) {
  std::unique_ptr<routing::RoutingRelation> relation;
  {
    const config::Spec spec = small_spec(config::TopologyKind::kTorus, {3, 3}, Routing::kStarChannel);
    const topology::Topology topology(spec.network.topology, spec.network.link);
    relation = routing::make_relation(spec.network, topology);
  }
  Moves moves;
  relation->moves({RouterId{0}, PortId{4}, VcId{0}, 0, TerminalId{4}}, moves);
  EXPECT_EQ(moves.size(), 3u);
}

}  // namespace
}  // namespace hopwise::test
