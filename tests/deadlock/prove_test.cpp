// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include "altered_relation.hpp"

namespace hopwise::test {
namespace {

using deadlock::ProvenNetwork;

/// Router 0 is a corner, and a corner is as far from another router as any.
unsigned largest_distance(const topology::Topology& t) {
  unsigned d = 0;
  for (std::uint32_t r = 0; r < t.num_routers(); ++r)
    d = std::max(d, t.distance(RouterId{0}, RouterId{r}));
  return d;
}

TEST(Prove, EveryRoutingOnEverySmallNetworkIsProvedAndTheCheckerAgrees) {
  using enum spec::Switching;
  for (const Shape& shape : small_shapes()) {
    for (Routing routing : kRoutings) {
      for (spec::Switching switching : {kVirtualCutThrough, kStoreAndForward, kWormhole}) {
        for (unsigned queue : {0u, 1u, 8u}) {
          SCOPED_TRACE(name(shape) + ", " + name(routing) + ", switching " +
                       std::to_string(static_cast<int>(switching)) + ", output queue " +
                       std::to_string(queue));
          spec::Spec spec =
              small_spec(shape.kind, shape.dims, routing, queue == 1 ? 2 : 1, queue == 8 ? 2 : 1);
          spec.network.router.switching = switching;
          spec.network.router.output_queue_flits = queue;
          const SmallNetwork n(spec);
          const auto outcome = prove(n);
          ASSERT_EQ(failure_text(outcome), "");
          const auto& proven = std::get<ProvenNetwork>(outcome);
          EXPECT_EQ(check(proven.certificate(), n), "");
          EXPECT_EQ(proven.certificate().network_hash, spec.network_hash);
          EXPECT_EQ(proven.certificate().hop_bound, largest_distance(*n.topology))
              << "the routing is minimal";
        }
      }
    }
  }
}

TEST(Prove, TheMethodFollowsFromRoutingAndSwitching) {
  const auto method = [](Routing routing, spec::Switching switching) {
    spec::Spec spec = small_spec(Grid::kTorus, {3, 3}, routing);
    spec.network.router.switching = switching;
    return std::get<ProvenNetwork>(prove(SmallNetwork(spec))).certificate().method;
  };
  EXPECT_EQ(method(Routing::kDorClassic, spec::Switching::kWormhole), "Dally-Seitz");
  EXPECT_EQ(method(Routing::kStarChannel, spec::Switching::kVirtualCutThrough),
            "Duato (direct and cross)");
  EXPECT_EQ(method(Routing::kStarChannel, spec::Switching::kStoreAndForward),
            "Duato (direct and cross)");
  EXPECT_EQ(method(Routing::kStarChannel, spec::Switching::kWormhole), "Duato (with indirect)");
}

TEST(Prove, AProvenNetworkHandsOutWhatItWasMadeFrom) {
  const SmallNetwork n(small_spec(Grid::kMesh, {3, 3}, Routing::kStarChannel));
  const auto outcome = prove(n);
  const auto& proven = std::get<ProvenNetwork>(outcome);
  EXPECT_EQ(&proven.topology(), n.topology.get());
  EXPECT_EQ(&proven.relation(), n.relation.get());
  EXPECT_EQ(proven.spec().network.name, "small");
}

TEST(Prove, TheAdaptiveChannelsHaveNoNumber) {
  const SmallNetwork n(small_spec(Grid::kTorus, {4, 4}, Routing::kStarChannel));
  const auto outcome = prove(n);
  const deadlock::Certificate& c = std::get<ProvenNetwork>(outcome).certificate();
  for (std::size_t i = 0; i < c.number.size(); ++i) {
    if (i % 3 == 2) {
      EXPECT_EQ(c.number[i], deadlock::Certificate::kNotEscape);
    }
  }
}

TEST(Prove, AsksTheRelationOncePerReachableState) {
  std::uint64_t queries = 0;
  SmallNetwork n(small_spec(Grid::kTorus, {8, 8}, Routing::kStarChannel));
  n.relation = std::make_shared<AlteredRelation>(
      n.relation, [&](const routing::Query&, routing::Moves&) { ++queries; });
  ASSERT_EQ(failure_text(prove(n)), "");
  // Per destination: the terminals, and in each router but the destination one adaptive VC per
  // dimension left and one escape VC of the lowest of them.
  const std::uint64_t adaptive = 2 * 7 * 8, escape = 63;
  EXPECT_EQ(queries, 64 * (64 + adaptive + escape));
}

TEST(Prove, AThreeDimensionalTorusOfAThousandRoutersIsProved) {
  const SmallNetwork n(small_spec(Grid::kTorus, {10, 10, 10}, Routing::kStarChannel));
  const auto outcome = prove(n);
  ASSERT_EQ(failure_text(outcome), "");
  EXPECT_EQ(std::get<ProvenNetwork>(outcome).certificate().hop_bound, 15u);
  EXPECT_EQ(check(std::get<ProvenNetwork>(outcome).certificate(), n), "");
}

}  // namespace
}  // namespace hopwise::test
