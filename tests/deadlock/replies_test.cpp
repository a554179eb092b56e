// SPDX-License-Identifier: Apache-2.0
// Message classes, and terminals that take a packet only once they have replied: what is proved,
// what is refused, and faults in either that the prover or the checker must see.
#include <gtest/gtest.h>

#include "altered_relation.hpp"

namespace hopwise::test {
namespace {

using deadlock::Certificate;
using deadlock::CycleStep;
using deadlock::ProofFailure;
using deadlock::ProvenNetwork;

std::vector<spec::Spec> networks() {
  std::vector<spec::Spec> all;
  for (Routing routing : kRoutings) all.push_back(small_spec(Grid::kTorus, {3, 3}, routing, 1, 2));
  all.push_back(small_spec(Grid::kMesh, {4, 3}, Routing::kStarChannel));
  for (const std::string_view routing : {"min", "ugal_ln", "par"})
    all.push_back(dragonfly_spec({2, 3, 1, 4}, routing));
  return all;
}

TEST(Replies, AreProvedWhereTheyHaveAMessageClassOfTheirOwn) {
  for (const spec::Spec& spec : networks()) {
    for (const auto switching : {spec::Switching::kVirtualCutThrough, spec::Switching::kWormhole}) {
      for (const unsigned queue : {0u, 8u}) {
        SCOPED_TRACE(spec.network.routing.algorithm + ", output queue " + std::to_string(queue));
        spec::Spec two = with_replies(spec, 2);
        two.network.router.switching = switching;
        two.network.router.output_queue_flits = queue;
        const SmallNetwork n(two);
        const auto outcome = prove(n);
        ASSERT_TRUE(std::holds_alternative<ProvenNetwork>(outcome))
            << std::get<ProofFailure>(outcome).text;
        const Certificate& c = std::get<ProvenNetwork>(outcome).certificate();
        EXPECT_EQ(check(c, n), "");
        EXPECT_EQ(c.injection.size(), 2 * n.topology->num_terminals());
      }
    }
  }
}

/// The cycle leads from an ejection queue through the replies back to it.
TEST(Replies, InTheClassOfWhatTheyAnswerAreRefusedWithTheCycle) {
  for (const spec::Spec& spec : networks()) {
    SCOPED_TRACE(spec.network.routing.algorithm);
    const auto outcome = prove(SmallNetwork(with_replies(spec, 1)));
    ASSERT_TRUE(std::holds_alternative<ProofFailure>(outcome));
    const auto& failure = std::get<ProofFailure>(outcome);
    EXPECT_EQ(failure.kind, ProofFailure::Kind::kDependencyCycle);
    std::size_t replies = 0, injections = 0;
    for (const CycleStep& step : failure.cycle) {
      EXPECT_FALSE(step.kind.empty());
      replies += step.kind == "reply" ? 1 : 0;
      injections += step.terminal && step.kind != "reply" ? 1 : 0;
    }
    EXPECT_GT(replies, 0u);
    EXPECT_EQ(injections, replies);
    EXPECT_NE(failure.text.find("ejection of request  held by a packet that is taken once replies "
                                "have left, waits for"),
              std::string::npos)
        << failure.text;
  }
}

TEST(Replies, ToRepliesAreRefused) {
  spec::Spec spec = with_replies(small_spec(Grid::kTorus, {3, 3}, Routing::kDorClassic), 2);
  spec.network.terminal.replies[1] = 0;
  EXPECT_TRUE(std::holds_alternative<ProofFailure>(prove(SmallNetwork(spec))));
}

TEST(Replies, ARelationThatLeavesItsMessageClassIsRefusedByProverAndChecker) {
  const spec::Spec spec = with_replies(small_spec(Grid::kTorus, {3, 3}, Routing::kDorClassic), 2);
  const SmallNetwork good(spec);
  const auto proved = prove(good);
  const Certificate c = std::get<ProvenNetwork>(proved).certificate();
  for (const bool ejected : {false, true}) {
    const SmallNetwork bad = altered(spec, [&](const routing::Query& q, routing::Moves& moves) {
      change_each(moves, [&](routing::Move& m) {
        const bool ejects = good.topology->is_terminal_port(q.at, m.out_port);
        if (index(q.in_vc) >= 2 && ejects == ejected) m.vcs >>= 2;
      });
    });
    EXPECT_TRUE(std::holds_alternative<ProofFailure>(prove(bad)));
    EXPECT_NE(check(c, bad), "");
  }
}

class CertifiedReplies : public testing::TestWithParam<bool> {
 protected:
  static SmallNetwork make() {
    spec::Spec spec = with_replies(small_spec(Grid::kTorus, {3, 3}, Routing::kStarChannel), 2);
    if (GetParam()) spec.network.router.output_queue_flits = 8;
    return SmallNetwork(spec);
  }
  SmallNetwork n = make();
  Certificate c = std::get<ProvenNetwork>(prove(n)).certificate();
};

TEST_P(CertifiedReplies, ComeBackFromJsonAsTheyWere) {
  const auto back = deadlock::parse_certificate(to_json(c), "proof.json");
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back.value().injection, c.injection);
  EXPECT_EQ(back.value().ejection, c.ejection);
}

TEST_P(CertifiedReplies, WithoutNumbersOfTheQueuesAreRefused) {
  c.injection.clear();
  EXPECT_NE(check(c, n), "");
}

TEST_P(CertifiedReplies, NotAboveTheRequestsThatWaitForThemAreRefused) {
  c.injection[3 * 2 + 1] = c.ejection[3 * 2];
  EXPECT_NE(check(c, n).find("waits for replies"), std::string::npos) << check(c, n);
}

TEST_P(CertifiedReplies, NotBelowWhatTheyRequestAreRefused) {
  c.injection[3 * 2 + 1] = c.ejection[4 * 2 + 1];
  EXPECT_NE(check(c, n), "");
}

TEST_P(CertifiedReplies, AnEjectionQueueNotAboveTheBuffersThatWaitForItIsRefused) {
  c.ejection[3 * 2] = 0;
  EXPECT_NE(check(c, n), "");
}

TEST_P(CertifiedReplies, AreCountedAmongTheDependencies) {
  c.dependencies -= n.topology->num_terminals();
  EXPECT_NE(check(c, n), "");
}

INSTANTIATE_TEST_SUITE_P(OutputQueues, CertifiedReplies, testing::Bool());

}  // namespace
}  // namespace hopwise::test
