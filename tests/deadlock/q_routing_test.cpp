// SPDX-License-Identifier: Apache-2.0
// Routings that learn delivery times are proved, and are not where a hop is not counted or an
// escape is left again.
#include <gtest/gtest.h>

#include "../routing/q_networks.hpp"
#include "altered_relation.hpp"
#include "brute_force.hpp"
#include "routing/hop_limited_grid.hpp"

namespace hopwise::test {
namespace {

using deadlock::ProofFailure;
using deadlock::ProvenNetwork;
using routing::Move;
using routing::Moves;
using routing::Query;
using spec::Switching;

unsigned hop_bound(const Outcome& outcome) {
  return std::get<ProvenNetwork>(outcome).certificate().hop_bound;
}

void expect_proved(const SmallNetwork& n, const char* method, unsigned most_hops_allowed) {
  const Outcome outcome = prove(n);
  ASSERT_EQ(failure_text(outcome), "");
  const deadlock::Certificate& c = std::get<ProvenNetwork>(outcome).certificate();
  EXPECT_EQ(c.method, method);
  EXPECT_LE(c.hop_bound, most_hops_allowed);
  EXPECT_EQ(check(c, n), "");
}

void expect_refused(const SmallNetwork& n, ProofFailure::Kind kind) {
  const Outcome outcome = prove(n);
  const auto* failure = std::get_if<ProofFailure>(&outcome);
  ASSERT_NE(failure, nullptr) << "the network was proved";
  EXPECT_EQ(failure->kind, kind) << failure->text;
}

constexpr Switching kSwitchingsToProve[] = {Switching::kVirtualCutThrough,
                                            Switching::kStoreAndForward, Switching::kWormhole};

TEST(QProof, EveryRoutingOnEverySmallDragonflyIsProvedAndTheCheckerAgrees) {
  for (const DragonflyCase& d : q_dragonflies()) {
    for (const QRouting& r : kQDragonflyRoutings) {
      for (const Switching switching : kSwitchingsToProve) {
        for (const unsigned queue : {0U, 8U}) {
          SCOPED_TRACE(name(d, r.algorithm) + ": " + name(r) + " switching " +
                       std::to_string(static_cast<int>(switching)));
          spec::Spec spec = q_dragonfly_spec(d, r, queue == 0 ? 1 : 2);
          spec.network.router.switching = switching;
          spec.network.router.output_queue_flits = queue;
          expect_proved(SmallNetwork(spec), "Dally-Seitz", most_hops(r));
        }
      }
    }
  }
}

TEST(QProof, TheLongestPathsOfAFullDragonflyAreThoseOfThePaper) {
  const DragonflyCase full{1, 4, 2, 9};
  for (const QRouting& r : kQDragonflyRoutings) {
    const Outcome outcome = prove(SmallNetwork(q_dragonfly_spec(full, r)));
    ASSERT_EQ(failure_text(outcome), "");
    EXPECT_EQ(hop_bound(outcome), most_hops(r)) << name(r);
  }
}

TEST(QProof, EverySmallTorusIsProvedWithBothDatelinesAndTheCheckerAgrees) {
  for (const std::vector<unsigned>& dims : std::vector<std::vector<unsigned>>{{2},
                                                                              {3},
                                                                              {4},
                                                                              {5},
                                                                              {4, 3},
                                                                              {5, 2},
                                                                              {2, 2},
                                                                              {4, 4},
                                                                              {5, 5},
                                                                              {3, 2, 2},
                                                                              {3, 3, 3},
                                                                              {4, 2, 3}}) {
    for (const unsigned max_hops : {1U, 2 * diameter(dims)}) {
      for (const Switching switching : kSwitchingsToProve) {
        for (const unsigned queue : {0U, 8U}) {
          SCOPED_TRACE(name({Grid::kTorus, dims}) + " max_hops " + std::to_string(max_hops));
          spec::Spec spec = q_torus_spec(dims, max_hops, queue == 0 ? 1 : 2);
          spec.network.router.switching = switching;
          spec.network.router.output_queue_flits = queue;
          expect_proved(SmallNetwork(spec),
                        switching == Switching::kWormhole ? "Duato (with indirect)"
                                                          : "Duato (direct and cross)",
                        max_hops + diameter(dims));
        }
      }
    }
  }
}

TEST(QProof, PlainEnumerationFindsNoCycleEither) {
  for (const std::vector<unsigned>& dims :
       std::vector<std::vector<unsigned>>{{4}, {5}, {3, 3}, {4, 2}, {2, 2, 2}}) {
    SCOPED_TRACE(name({Grid::kTorus, dims}));
    EXPECT_TRUE(
        BruteForce::acyclic(BruteForce(SmallNetwork(q_torus_spec(dims, 3))).with_indirect()));
  }
  for (const QRouting& r : kQDragonflyRoutings) {
    EXPECT_TRUE(BruteForce::acyclic(
        BruteForce(SmallNetwork(q_dragonfly_spec({1, 3, 1, 4}, r))).direct_and_cross()))
        << name(r);
  }
}

/// The moves of a packet that came over a global port on hop number `hop` stay on that hop's VC.
SmallNetwork with_uncounted_hop(const spec::Spec& spec, unsigned hop, bool from_global) {
  const SmallNetwork plain(spec);
  const topology::Dragonfly d(plain.topology->spec());
  return altered(spec, [d, hop, from_global](const Query& q, Moves& moves) {
    const unsigned in = static_cast<unsigned>(index(q.in_port));
    if (in >= d.network_ports() || index(q.in_vc) != hop || d.is_local(in) == from_global) return;
    change_each(moves, [&](Move& m) {
      if (index(m.out_port) < d.network_ports()) m.vcs = VcMask{1} << hop;
    });
  });
}

TEST(QFault, AHopThatIsNotCountedAtTheIntermediateRouterMakesPacketsGoOnForEver) {
  for (const QRouting& r : kQDragonflyRoutings) {
    // minimal behind the first hop
    if (r.algorithm == "q_routing" && r.max_hops < 2) continue;
    SCOPED_TRACE(name(r));
    expect_refused(with_uncounted_hop(q_dragonfly_spec({1, 4, 1, 5}, r), 0, true),
                   ProofFailure::Kind::kUnboundedHops);
  }
}

TEST(QFault, AHopThatIsNotCountedBehindTheIntermediateDecisionMakesACycle) {
  for (const QRouting& r : kQDragonflyRoutings) {
    if (r.algorithm == "q_routing") continue;
    SCOPED_TRACE(name(r));
    const SmallNetwork n = with_uncounted_hop(q_dragonfly_spec({1, 4, 1, 5}, r), 1, false);
    expect_refused(n, ProofFailure::Kind::kDependencyCycle);
    EXPECT_FALSE(BruteForce::acyclic(BruteForce(n).direct_and_cross()));
  }
}

TEST(QFault, ATableThatMayDecideAtEveryRouterOnTheLastStepNeverEnds) {
  // The limit of hops is that of the steps: with one more, the last step has no VC of its own.
  spec::Spec spec = q_dragonfly_spec({1, 4, 1, 5}, {"q_routing", true, false, 2});
  spec.network.routing.settings.set("q_max_hops", std::uint64_t{6});
  expect_refused(SmallNetwork(spec), ProofFailure::Kind::kUnboundedHops);
}

/// Packets on an escape channel may also do what others may.
SmallNetwork without_sticky_escapes(spec::Switching switching) {
  spec::Spec spec = q_torus_spec({4, 4}, 4);
  spec.network.router.switching = switching;
  const std::shared_ptr<const routing::RoutingRelation> base = SmallNetwork(spec).relation;
  return altered(
      spec,
      [base](const Query& q, Moves& moves) {
        if (index(q.in_port) < 4 && index(q.in_vc) < 2)
          base->moves({q.at, q.in_port, VcId{2}, q.packet_class, q.dst}, moves);
      },
      5);
}

TEST(QFault, LeavingTheEscapeChannelsMakesACycleUnderWormhole) {
  const SmallNetwork n = without_sticky_escapes(Switching::kWormhole);
  expect_refused(n, ProofFailure::Kind::kDependencyCycle);
  // A packet that is whole in one buffer waits for nothing behind it, so that the other two could
  // do without.
  expect_proved(without_sticky_escapes(Switching::kVirtualCutThrough), "Duato (direct and cross)",
                4 + 4);
  expect_proved(without_sticky_escapes(Switching::kStoreAndForward), "Duato (direct and cross)",
                4 + 4);
}

/// Packets that have escaped go on in any minimal way (`dqn` with preferences), here on networks of
/// q_routing, whose classes and VCs are the same.
SmallNetwork with_minimal_last_hops(const std::vector<unsigned>& dims, unsigned max_hops,
                                    Switching switching) {
  spec::Spec spec = q_torus_spec(dims, max_hops);
  spec.network.router.switching = switching;
  SmallNetwork n(spec);
  n.relation = routing::make_hop_limited_grid(
      n.spec.network, *n.topology, {.max_hops = max_hops, .last = routing::LastHops::kMinimal});
  return n;
}

TEST(QProof, PacketsThatHaveEscapedMayGoOnInAnyMinimalWay) {
  for (const Switching switching : kSwitchingsToProve) {
    for (const auto& [dims, diameter] :
         {std::pair(std::vector<unsigned>{4, 4}, 4U), std::pair(std::vector<unsigned>{5, 3}, 3U),
          std::pair(std::vector<unsigned>{2, 4}, 3U), std::pair(std::vector<unsigned>{6}, 3U),
          std::pair(std::vector<unsigned>{3, 2, 4}, 4U)}) {
      SCOPED_TRACE(std::to_string(dims.size()) + " dimensions, switching " +
                   std::to_string(static_cast<int>(switching)));
      expect_proved(
          with_minimal_last_hops(dims, 3, switching),
          switching == Switching::kWormhole ? "Duato (with indirect)" : "Duato (direct and cross)",
          3 + diameter);
    }
  }
}

TEST(QFault, GoingAnyWayAgainAfterTheEscapeMakesACycleUnderWormhole) {
  SmallNetwork n = with_minimal_last_hops({4, 4}, 4, Switching::kWormhole);
  // The class of a packet from an escape channel is not the last one, but counts on.
  n.relation = std::make_shared<AlteredRelation>(
      n.relation,
      [](const Query& q, Moves& moves) {
        if (index(q.in_port) >= 4 || index(q.in_vc) >= 2) return;
        change_each(moves, [&](Move& m) {
          m.next_class = static_cast<std::uint8_t>(std::min(q.packet_class + 1, 4U));
        });
      },
      5);
  expect_refused(n, ProofFailure::Kind::kDependencyCycle);
}

TEST(QFault, AClassThatDoesNotRiseNeverEnds) {
  const SmallNetwork n = altered(
      q_torus_spec({4, 4}, 4),
      [](const Query& q, Moves& moves) {
        change_each(moves,
                    [&](Move& m) { m.next_class = static_cast<std::uint8_t>(q.packet_class); });
      },
      5);
  expect_refused(n, ProofFailure::Kind::kUnboundedHops);
}

TEST(QFault, ATorusWithOneEscapeClassHasACycle) {
  const SmallNetwork n = altered(
      q_torus_spec({5, 3}, 4),
      [](const Query&, Moves& moves) {
        change_each(moves, [](Move& m) {
          if (m.vcs == 2) m.vcs = 1;
        });
      },
      5);
  expect_refused(n, ProofFailure::Kind::kDependencyCycle);
}

TEST(QFault, APacketWithoutAnEscapeAtItsLastClassIsCutOff) {
  const SmallNetwork n = altered(
      q_torus_spec({4, 4}, 4),
      [](const Query& q, Moves& moves) {
        if (q.packet_class == 4)
          change_each(moves, [](Move& m) { m.escape = index(m.out_port) >= 4; });
      },
      5);
  expect_refused(n, ProofFailure::Kind::kDisconnected);
}

}  // namespace
}  // namespace hopwise::test
