// SPDX-License-Identifier: Apache-2.0
// hw_router and the room downstream: virtual cut-through, store-and-forward, wormhole, escape
// candidates, and the checks.
#include "Vrouter_queued.h"
#include "Vrouter_queued_wormhole.h"
#include "Vrouter_saf.h"
#include "Vrouter_turns.h"
#include "Vrouter_vct.h"
#include "Vrouter_wormhole.h"
#include "router_harness.hpp"

namespace hopwise::test {
namespace {

using Vct = Router<Vrouter_vct, Flow::kVct, 2, 4, 6, 9>;
using Saf = Router<Vrouter_saf, Flow::kSaf, 2, 4, 6, 9>;
using Wormhole = Router<Vrouter_wormhole, Flow::kWormhole, 2, 4, 2, 3>;
using Queued = Router<Vrouter_queued, Flow::kVct, 2, 4, 6, 9>;
using QueuedWormhole = Router<Vrouter_queued_wormhole, Flow::kWormhole, 3, 4, 2, 3>;
using Turns = Router<Vrouter_turns, Flow::kVct, 2, 4, 6, 9>;

template <class T>
class RouterRoom : public testing::Test {};
using Cutting = testing::Types<Vct, Saf, Queued>;
TYPED_TEST_SUITE(RouterRoom, Cutting);

TYPED_TEST(RouterRoom, WithoutCreditsAHeadIsSentOnlyWhereAllOfItsPacketFits) {
  RouterBench<TypeParam> bench;
  bench.credit_percent = 0;
  // 6 places: one packet of 4
  for (std::uint64_t n = 0; n < 4; ++n) bench.send(0, 0, {4, {1, 0b01}, {}, 0, n});
  // 9 places: two packets
  for (std::uint64_t n = 0; n < 4; ++n) bench.send(2, 1, {4, {1, 0b10}, {}, 0, n});
  bench.run(200);
  ASSERT_FALSE(this->HasFatalFailure());
  std::array<unsigned, 2> flits{}, tails{};
  for (const Arrival& a : bench.arrivals) {
    ++flits[a.vc];
    tails[a.vc] += a.tail;
  }
  EXPECT_EQ(flits, (std::array{4U, 8U}));
  EXPECT_EQ(tails, (std::array{1U, 2U}));
  EXPECT_EQ(bench.router->quiescent_o, 0);
  bench.credit_percent = 100;
  bench.run(400);
  EXPECT_EQ(bench.arrivals.size(), 32U);
  EXPECT_EQ(bench.router->quiescent_o, 1);
}

/// Sends `before` flits of a packet of 4, waits, sends the rest; cycles of the head's and the
/// tail's arrival after the first and the last flit went in, -1: not before the rest was sent.
template <class T>
std::pair<int, int> late_tail() {
  RouterBench<T> bench;
  const Packet packet{4, {2, 1}, {}, 0, 7};
  bench.send(1, 0, packet);
  auto& source = bench.source[1][0];
  std::deque<Arrival> rest(source.begin() + 3, source.end());
  source.resize(3);
  const std::uint64_t first = bench.router.cycle();
  bench.run(30);
  int head = bench.arrivals.empty() ? -1 : static_cast<int>(bench.arrivals[0].cycle - first);
  source = rest;
  bench.run(30);
  EXPECT_EQ(bench.arrivals.size(), 4U);
  if (head < 0) {
    EXPECT_EQ(bench.arrivals[0].cycle - bench.last_in[1], T::kPipeline) << "after the tail";
  }
  return {head, static_cast<int>(bench.arrivals.back().cycle - bench.last_in[1])};
}

TEST(RouterFlow, CutThroughForwardsBeforeTheTailHasComeStoreAndForwardAfterIt) {
  EXPECT_EQ(late_tail<Vct>(), std::pair(2, 2));
  EXPECT_EQ(late_tail<Wormhole>(), std::pair(2, 2));
  EXPECT_EQ(late_tail<Saf>(), std::pair(-1, 5)) << "the tail leaves three cycles after the head";
}

template <class T>
class RouterWormhole : public testing::Test {};
using Wormholes = testing::Types<Wormhole, QueuedWormhole>;
TYPED_TEST_SUITE(RouterWormhole, Wormholes);

TYPED_TEST(RouterWormhole, APacketGoesOnFlitByFlitAsCreditsCome) {
  RouterBench<TypeParam> bench;
  bench.credit_percent = 0;
  bench.send(0, 0, {4, {1, 0b01}, {}, 0, 1});
  bench.run(30);
  EXPECT_EQ(bench.arrivals.size(), 2U) << "the VC has two places";
  for (unsigned flits : {3U, 4U}) {
    bench.credit_percent = 100;
    bench.run(1);
    bench.credit_percent = 0;
    bench.run(30);
    EXPECT_EQ(bench.arrivals.size(), flits);
  }
}

TYPED_TEST(RouterWormhole, APacketWithoutCreditsDoesNotStopTheOtherVcsOfItsPorts) {
  RouterBench<TypeParam> bench;
  bench.credit_percent = 0;
  bench.send(0, 0, {4, {1, 0b01}, {}, 0, 1});
  bench.run(30);
  const std::size_t before = bench.arrivals.size();
  bench.send(0, 1, {3, {2, 0b10}, {}, 0, 2});  // the same input port, another output port
  bench.send(2, 1, {3, {1, 0b10}, {}, 0, 3});  // the same output port
  bench.run(30);
  EXPECT_EQ(bench.arrivals.size() - before, 6U);
}

TEST(RouterCandidates, AWaitingPacketTurnsToItsEscapeCandidateInTheCycleInWhichOnlyThatHasRoom) {
  RouterBench<Vct> bench;
  bench.credit_percent = 0;
  bench.send(0, 0, {4, {1, 0b01}, {}, 0, 1});  // takes the room of (1, VC 0)
  bench.send(2, 0, {4, {2, 0b01}, {}, 0, 2});  // takes the room of (2, VC 0)
  bench.run(20);
  ASSERT_EQ(bench.arrivals.size(), 8U);
  bench.send(0, 0, {3, {1, 0b01}, {2, 0b01}, 0, 3});
  bench.run(20);
  ASSERT_EQ(bench.arrivals.size(), 8U) << "neither candidate has room";
  // One credit of the second candidate, the third free place, lets the packet go there.
  bench.router->out_credit_valid_i = 0b100;
  bench.router->out_credit_vc_i = 0;
  --bench.buffered[2][0];
  bench.router.edge();
  const std::uint64_t given = bench.router.cycle();
  bench.run(10);
  ASSERT_EQ(bench.arrivals.size(), 11U);
  EXPECT_EQ(bench.arrivals[8].port, 2U);
  EXPECT_EQ(bench.arrivals[8].cycle, given + 1);
}

TEST(RouterCandidates, OfEqualRoomTheEarlierIsTakenElseTheOneWithMore) {
  RouterBench<Vct> bench;
  bench.credit_percent = 0;
  // 6 places each at first; what is taken does not come back.
  const unsigned expected[] = {1, 2, 1};
  for (std::uint64_t n = 0; n < 3; ++n) {
    bench.send(0, 0, {2, {1, 0b01}, {2, 0b01}, 0, n});
    bench.run(10);
    ASSERT_EQ(bench.arrivals.size(), 2 * (n + 1));
    EXPECT_EQ(bench.arrivals.back().port, expected[n]) << "packet " << n;
  }
}

TEST(RouterChecks, AnAnswerOutsideTheProvedRelationTripsTheMonitor) {
  const auto turn = [](unsigned port, unsigned vcs) {
    RouterBench<Turns> bench;
    bench.send(0, 0, {1, {port, vcs}, {}, 0, 1});
    for (int n = 0; n < 10 && !bench.router.failed(); ++n) bench.step();
    return bench.router.failed();
  };
  EXPECT_FALSE(turn(1, 0b01));
  EXPECT_FALSE(turn(2, 0b10));
  expect_assertion("a_answer_leads_somewhere", [&turn] { return turn(1, 0b10); });
  expect_assertion("a_answer_is_in_the_proved_relation", [&turn] { return turn(2, 0b01); });
}

TEST(RouterChecks, AnUpstreamRouterThatIgnoresCreditsTripsTheOverflowAssumption) {
  expect_assertion("a_credits_prevent_overflow", [] {
    RouterBench<Vct> bench;
    bench.credit_percent = 0;
    bench.credits[0][0] = 1000;
    for (std::uint64_t n = 0; n < 10; ++n) bench.send(0, 0, {4, {1, 0b01}, {}, 0, n});
    for (int n = 0; n < 60 && !bench.router.failed(); ++n) bench.step();
    return bench.router.failed();
  });
}

TEST(RouterChecks, ADownstreamRouterThatInventsCreditsTripsTheCreditAssumption) {
  expect_assertion("a_no_credit_beyond_depth", [] {
    RouterBench<Vct> bench;
    bench.buffered[1][0] = 1;
    bench.step();
    return bench.router.failed();
  });
}

}  // namespace
}  // namespace hopwise::test
