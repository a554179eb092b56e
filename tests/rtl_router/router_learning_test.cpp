// SPDX-License-Identifier: Apache-2.0
// hw_router where routing learns: times in the head flit, candidates in the order of preference,
// and a route computation that is not always ready.
#include "Vasks_once.h"
#include "Vlast_fit.h"
#include "Vreward_a_cycle_less.h"
#include "Vrouter_learns.h"
#include "Vrouter_learns_4.h"
#include "Vrouter_learns_5.h"
#include "Vrouter_learns_first.h"
#include "Vrouter_learns_queued.h"
#include "Vrouter_learns_single.h"
#include "Vrouter_learns_too_long.h"
#include "Vrouter_learns_too_long_queued.h"
#include "router_harness.hpp"

namespace hopwise::test {
namespace {

using Both = LearningVct<Vrouter_learns>;
using First = Learns<Router<Vrouter_learns_first, Flow::kSaf, 3, 4, 6, 9>>;
using LearningQueued = LearningVct<Vrouter_learns_queued>;
using Both4 = Learns<Router<Vrouter_learns_4, Flow::kVct, 4, 4, 6, 9>>;
using First5 = Learns<Router<Vrouter_learns_5, Flow::kVct, 5, 4, 6, 9>>;
using LearningSingle = LearningVct<Vrouter_learns_single, 1>;

template <class T>
class LearningRouter : public testing::Test {};
using Routers = testing::Types<Both, First, LearningQueued, LearningSingle, Both4, First5>;
TYPED_TEST_SUITE(LearningRouter, Routers);

/// The times in the heads that have come out.
template <class T>
void check_times(const RouterBench<T>& bench) {
  for (const Arrival& a : bench.arrivals) {
    if (!a.head) continue;
    const std::uint64_t in = bench.entered.at((a.data & T::kHeadBits) >> 13),
                        out = a.cycle + kLinkCycles[a.port];
    ASSERT_EQ(a.data >> 24 & 0xff, (in + bench.epoch) & 0xff) << "arrival";
    ASSERT_EQ(a.data >> 32 & 0xff, (out - in) & 0xff) << "reward";
  }
}

/// Random packets at several loads, route computations of several cycles that are not always ready.
template <class T>
void learn_from_random_packets() {
  for (const unsigned ready : {30U, 100U}) {
    for (const unsigned latency : {0U, 3U}) {
      for (const unsigned credit : {20U, 100U}) {
        RouterBench<T> bench(ready * 1000 + latency * 100 + credit);
        bench.epoch = static_cast<unsigned>(bench.random() % 256);
        bench.ready_percent = ready;
        bench.route_latency = latency;
        bench.credit_percent = credit;
        bench.send_percent = 60;
        constexpr unsigned kPackets = 600;
        run_random(bench, kPackets);
        if (testing::Test::HasFatalFailure()) return;
        ASSERT_EQ(bench.questions, kPackets) << "one accepted question for each head";
        check_times(bench);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TYPED_TEST(LearningRouter, RewardsAreTimesBetweenArrivals) {
  learn_from_random_packets<TypeParam>();
}

/// Whether a wait of more than 7/8 of a clock of 8 bits, which could look short, is noticed.
template <class T>
bool notices_long_waits() {
  RouterBench<T> bench;
  bench.credit_percent = 2;
  for (std::uint64_t n = 0; n < 40; ++n) bench.send(0, 0, {1, {1, 0b01}, {}, 0, n});
  for (unsigned cycle = 0; cycle < 3000 && !bench.router.failed(); ++cycle) bench.step();
  return bench.router.failed();
}

TEST(LearningRouterPremise, AWaitThatTheClockCannotTellIsNoticed) {
  EXPECT_TRUE(notices_long_waits<LearningVct<Vrouter_learns_too_long>>());
  EXPECT_TRUE(notices_long_waits<LearningVct<Vrouter_learns_too_long_queued>>());
}

TYPED_TEST(LearningRouter, AQuestionThatIsNotTakenWaitsAndIsTheSameWhenItIs) {
  RouterBench<TypeParam> bench;
  bench.ready_percent = 0;
  const unsigned length = TypeParam::kMaxLength;
  for (unsigned p = 0; p < kPorts; ++p)
    bench.send(p, 0, {length, {(p + 1) % kPorts, 1}, {}, 0, p + 1});
  bench.run(60);
  EXPECT_EQ(bench.router->rc_valid_o, (1U << kPorts) - 1);
  EXPECT_EQ(bench.questions, 0U);
  EXPECT_TRUE(bench.arrivals.empty());
  bench.ready_percent = 100;
  bench.run(60);
  EXPECT_EQ(bench.questions, kPorts);
  EXPECT_EQ(bench.arrivals.size(), kPorts * length);
  check_times(bench);
}

template <class T>
void prefer_the_first() {
  RouterBench<T> bench;
  bench.credit_percent = 0;
  const unsigned length = std::min(2U, T::kMaxLength);
  // Port 1, VC 0 has room for 6 flits (with a queue of 5 before it, 11); the second candidate has
  // always more.
  unsigned first = 0, second = 0;
  for (std::uint64_t n = 0; n < 12; ++n) {
    bench.send(0, 0, {length, {1, 0b01}, {2, 0b11}, 0, n});
    bench.run(12);
    if (testing::Test::HasFatalFailure()) return;
    for (const Arrival& a : bench.arrivals) {
      if (!a.head) continue;
      if (a.port == 1) {
        ASSERT_EQ(second, 0U) << "the first candidate had no room, and gets none";
        ++first;
      } else {
        ++second;
      }
    }
    bench.arrivals.clear();
  }
  ASSERT_GE(first, 3U);
  ASSERT_GE(second, 1U);
}

TEST(LearningRouterCandidates, TheFirstWithRoomIsTakenWhateverTheOthersHave) {
  prefer_the_first<First>();
  prefer_the_first<LearningSingle>();
}

template <class Model>
int failures_at_random() {
  return failures([] {
    RouterBench<LearningVct<Model>> bench(3);
    bench.ready_percent = 50;
    bench.route_latency = 2;
    run_random(bench, 100);
    check_times(bench);
  });
}

TEST(LearningRouterChecks, CatchFaults) {
  EXPECT_EQ(failures_at_random<Vrouter_learns>(), 0);
  EXPECT_GT(failures_at_random<Vreward_a_cycle_less>(), 0);
  EXPECT_GT(failures_at_random<Vasks_once>(), 0);
  EXPECT_GT(failures([] { prefer_the_first<LearningVct<Vlast_fit>>(); }), 0);
}

}  // namespace
}  // namespace hopwise::test
