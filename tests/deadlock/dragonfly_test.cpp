// SPDX-License-Identifier: Apache-2.0
// Dragonflies are proved, and are not where a step of the VC scheme is missing.
#include <gtest/gtest.h>

#include "altered_relation.hpp"

namespace hopwise::test {
namespace {

using deadlock::ProofFailure;
using deadlock::ProvenNetwork;
using routing::Move;
using routing::Moves;
using routing::Query;
using Algorithm = std::string_view;

unsigned most_hops(const DragonflyCase& d, Algorithm algorithm) {
  const unsigned local = d.rows == 1 ? 1 : 2;  // within a group
  unsigned ways = 2;                           // within a group, along a path
  if (algorithm == "valg" || algorithm == "ugal_lg")
    ways = 3;
  else if (algorithm == "par")
    ways = 5;
  else if (algorithm != "min")
    ways = 4;
  return ways * local + (algorithm == "min" ? 1 : 2);
}

TEST(DragonflyProof, EveryRoutingOnEverySmallNetworkIsProvedAndTheCheckerAgrees) {
  using enum spec::Switching;
  for (const DragonflyCase& d : small_dragonflies()) {
    for (const Algorithm algorithm : kDragonflyRoutings) {
      for (const spec::Switching switching : {kVirtualCutThrough, kStoreAndForward, kWormhole}) {
        for (const unsigned queue : {0U, 8U}) {
          SCOPED_TRACE(name(d, algorithm) + " switching " +
                       std::to_string(static_cast<int>(switching)));
          spec::Spec spec = dragonfly_spec(d, algorithm, queue == 0 ? 1 : 2);
          spec.network.router.switching = switching;
          spec.network.router.output_queue_flits = queue;
          const bool may = std::ranges::count(kOwnVcsRoutings, algorithm) > 0;
          for (unsigned own = 0; own <= unsigned{may}; ++own) {
            const SmallNetwork n(own == 0 ? spec : with_own_vcs(spec));
            const auto outcome = prove(n);
            ASSERT_EQ(failure_text(outcome), "");
            const deadlock::Certificate& c = std::get<ProvenNetwork>(outcome).certificate();
            EXPECT_EQ(c.method, "Dally-Seitz");
            EXPECT_LE(c.hop_bound, most_hops(d, algorithm));
            EXPECT_EQ(check(c, n), "");
          }
        }
      }
    }
  }
}

TEST(DragonflyProof, ChoicesThatAreRevisedAreProvedWithOwnVcs) {
  for (const DragonflyCase& d : small_dragonflies()) {
    for (const Algorithm algorithm : {"ugal_lg", "ugal_ln"}) {
      SCOPED_TRACE(name(d, algorithm));
      const SmallNetwork n(with_own_vcs(that_reconsiders(dragonfly_spec(d, algorithm))));
      const auto outcome = prove(n);
      ASSERT_EQ(failure_text(outcome), "");
      EXPECT_EQ(check(std::get<ProvenNetwork>(outcome).certificate(), n), "");
    }
  }
}

TEST(DragonflyProof, TheLongestPathsAreThoseOfThePapers) {
  const DragonflyCase full{1, 4, 2, 9};
  for (const auto& [algorithm, hops] : {std::pair{"min", 3U},
                                        {"valg", 5U},
                                        {"ugal_lg", 5U},
                                        {"valn", 6U},
                                        {"ugal_ln", 6U},
                                        {"par", 7U}}) {
    const auto outcome = prove(SmallNetwork(dragonfly_spec(full, algorithm)));
    ASSERT_EQ(failure_text(outcome), "");
    EXPECT_EQ(std::get<ProvenNetwork>(outcome).certificate().hop_bound, hops);
  }
}

TEST(DragonflyFault, AllStepsOnOneVcMakeACycle) {
  for (const DragonflyCase& d : small_dragonflies()) {
    for (const Algorithm algorithm : kDragonflyRoutings) {
      SCOPED_TRACE(name(d, algorithm));
      const SmallNetwork n = altered(
          dragonfly_spec(d, algorithm),
          [](const Query&, Moves& moves) { change_each(moves, [](Move& m) { m.vcs = 1; }); }, 4);
      const auto outcome = prove(n);
      const auto* failure = std::get_if<ProofFailure>(&outcome);
      ASSERT_NE(failure, nullptr) << "the network was proved";
      ASSERT_EQ(failure->kind, ProofFailure::Kind::kDependencyCycle) << failure->text;
      ASSERT_GE(failure->cycle.size(), 2U);
      for (std::size_t i = 0; i < failure->cycle.size(); ++i) {
        const auto& held = n.topology->channel(failure->cycle[i].channel);
        const auto& wanted =
            n.topology->channel(failure->cycle[(i + 1) % failure->cycle.size()].channel);
        EXPECT_EQ(held.dst, wanted.src) << failure->text;
      }
    }
  }
}

TEST(DragonflyFault, TheLastStepOnTheVcOfTheOneBeforeMakesACycle) {
  const DragonflyCase full{1, 4, 1, 5};
  for (const Algorithm algorithm : kDragonflyRoutings) {
    const unsigned last = steps(algorithm, algorithm == "par") - 1;
    SCOPED_TRACE(name(full, algorithm));
    const SmallNetwork n = altered(
        dragonfly_spec(full, algorithm),
        [last](const Query&, Moves& moves) {
          change_each(moves, [last](Move& m) {
            if (m.vcs == VcMask{1} << last) m.vcs >>= 1;
          });
        },
        4);
    const auto outcome = prove(n);
    const auto* failure = std::get_if<ProofFailure>(&outcome);
    ASSERT_NE(failure, nullptr) << "the network was proved";
    EXPECT_EQ(failure->kind, ProofFailure::Kind::kDependencyCycle) << failure->text;
  }
}

TEST(DragonflyFault, APacketThatMayTurnBackGoesToAndFroForEver) {
  const SmallNetwork n = altered(
      dragonfly_spec({1, 3, 1, 4}, "ugal_ln"),
      [](const Query& q, Moves& moves) {
        const bool came_by_a_local_link = index(q.in_port) < 2;
        if (q.packet_class == 1 && came_by_a_local_link)
          moves.push({q.in_port, VcMask{1} << index(q.in_vc), true, 1});
      },
      4);
  const auto outcome = prove(n);
  const auto* failure = std::get_if<ProofFailure>(&outcome);
  ASSERT_NE(failure, nullptr) << "the network was proved";
  EXPECT_EQ(failure->kind, ProofFailure::Kind::kUnboundedHops) << failure->text;
}

}  // namespace
}  // namespace hopwise::test
