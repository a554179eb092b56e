// SPDX-License-Identifier: Apache-2.0
// hw_router under random traffic, its latency and its throughput.
#include "Vblind_to_grants.h"
#include "Vlate_space.h"
#include "Vrouter_early.h"
#include "Vrouter_early_3.h"
#include "Vrouter_early_4.h"
#include "Vrouter_early_5.h"
#include "Vrouter_early_queued_single_4.h"
#include "Vrouter_early_saf_5.h"
#include "Vrouter_early_single_2.h"
#include "Vrouter_early_single_3.h"
#include "Vrouter_early_single_4.h"
#include "Vrouter_early_single_5.h"
#include "Vrouter_early_wormhole.h"
#include "Vrouter_paced_5.h"
#include "Vrouter_queued.h"
#include "Vrouter_queued_4.h"
#include "Vrouter_queued_wormhole.h"
#include "Vrouter_saf.h"
#include "Vrouter_saf_5.h"
#include "Vrouter_single.h"
#include "Vrouter_single_4.h"
#include "Vrouter_vct.h"
#include "Vrouter_vct_3.h"
#include "Vrouter_vct_4.h"
#include "Vrouter_vct_5.h"
#include "Vrouter_wormhole.h"
#include "router_harness.hpp"

namespace hopwise::test {
namespace {

using Vct = Router<Vrouter_vct, Flow::kVct, 2, 4, 6, 9>;
using Vct3 = Router<Vrouter_vct_3, Flow::kVct, 3, 4, 6, 9>;
using Vct4 = Router<Vrouter_vct_4, Flow::kVct, 4, 4, 6, 9>;
using Vct5 = Router<Vrouter_vct_5, Flow::kVct, 5, 4, 6, 9>;
using Saf5 = Router<Vrouter_saf_5, Flow::kSaf, 5, 4, 6, 9>;
using Queued4 = Router<Vrouter_queued_4, Flow::kVct, 4, 4, 6, 9>;
using Paced5 = Router<Vrouter_paced_5, Flow::kVct, 5, 4, 6, 9>;
using Single4 = Router<Vrouter_single_4, Flow::kVct, 4, 1, 3>;
using Early = Router<Vrouter_early, Flow::kVct, 2, 4, 6, 9>;
using Early3 = Router<Vrouter_early_3, Flow::kVct, 3, 4, 6, 9>;
using Early4 = Router<Vrouter_early_4, Flow::kVct, 4, 4, 6, 9>;
using Early5 = Router<Vrouter_early_5, Flow::kVct, 5, 4, 6, 9>;
using EarlySaf5 = Router<Vrouter_early_saf_5, Flow::kSaf, 5, 4, 6, 9>;
using EarlyWormhole = Router<Vrouter_early_wormhole, Flow::kWormhole, 2, 4, 2, 3>;
using EarlySingle2 = Router<Vrouter_early_single_2, Flow::kVct, 2, 1, 16>;
using EarlySingle3 = Router<Vrouter_early_single_3, Flow::kVct, 3, 1, 16>;
using EarlySingle4 = Router<Vrouter_early_single_4, Flow::kVct, 4, 1, 16>;
using EarlySingle5 = Router<Vrouter_early_single_5, Flow::kVct, 5, 1, 16>;
using EarlyQueuedSingle4 = Router<Vrouter_early_queued_single_4, Flow::kVct, 4, 1, 16>;
using Saf = Router<Vrouter_saf, Flow::kSaf, 2, 4, 6, 9>;
using Wormhole = Router<Vrouter_wormhole, Flow::kWormhole, 2, 4, 2, 3>;
using Queued = Router<Vrouter_queued, Flow::kVct, 2, 4, 6, 9>;
using QueuedWormhole = Router<Vrouter_queued_wormhole, Flow::kWormhole, 3, 4, 2, 3>;
using Single = Router<Vrouter_single, Flow::kVct, 2, 1, 3>;

template <class T>
class RouterTest : public testing::Test {};
using Routers = testing::Types<Vct, Vct3, Vct4, Vct5, Saf, Saf5, Wormhole, Queued, Queued4, Paced5,
                               QueuedWormhole, Single, Single4, Early, Early3, Early4, Early5,
                               EarlySaf5, EarlyWormhole, EarlySingle2, EarlySingle3, EarlySingle4,
                               EarlySingle5, EarlyQueuedSingle4>;
TYPED_TEST_SUITE(RouterTest, Routers);

TYPED_TEST(RouterTest, EveryPacketArrivesWholeAtOneOfItsCandidatesAndInOrderWithinAVc) {
  for (unsigned send : {25U, 100U}) {
    for (unsigned credit : {20U, 100U}) {
      RouterBench<TypeParam> bench(send * 1000 + credit);
      bench.send_percent = send;
      bench.credit_percent = credit;
      run_random(bench, 1500);
      if (this->HasFatalFailure()) FAIL() << "send " << send << " %, credits " << credit << " %";
    }
  }
}

TYPED_TEST(RouterTest, ARouteComputationOfSeveralCyclesChangesNothingButTime) {
  RouterBench<TypeParam> bench(5);
  bench.route_latency = 4;
  bench.send_percent = 70;
  run_random(bench, 1000);
}

TYPED_TEST(RouterTest, ZeroLoadLatencyIsThePipelinePlusTheRouteComputation) {
  for (unsigned route_latency : {0U, 1U, 5U}) {
    for (unsigned port = 0; port < kPorts; ++port) {
      RouterBench<TypeParam> bench;
      bench.route_latency = route_latency;
      bench.run(10);
      const std::uint64_t start = bench.router.cycle();
      bench.send(port, 0, {1, {(port + 1) % kPorts, 1}, {}, 0, port});
      bench.run(20);
      ASSERT_EQ(bench.arrivals.size(), 1U);
      EXPECT_EQ(bench.arrivals[0].cycle - start, TypeParam::kPipeline + route_latency)
          << "input port " << port;
    }
  }
}

/// Cycles that the link from port 0 needs for all its flits, all ports busy with a permutation in
/// their deepest VC.
template <class T>
std::uint64_t permutation_cycles(unsigned length, unsigned packets, unsigned route_latency = 0) {
  RouterBench<T> bench;
  bench.route_latency = route_latency;
  for (std::uint64_t n = 0; n < packets; ++n) {
    for (unsigned p = 0; p < kPorts; ++p)
      bench.send(p, T::kVcs - 1, {length, {(p + 1) % kPorts, 1U << (T::kVcs - 1)}, {}, 0, n});
  }
  bench.run(packets * length * 4 + 50);
  std::uint64_t first = ~0ULL, last = 0;
  unsigned flits = 0;
  for (const Arrival& a : bench.arrivals) {
    if (a.port != 0) continue;
    first = std::min(first, a.cycle);
    last = std::max(last, a.cycle);
    ++flits;
  }
  EXPECT_EQ(flits, length * packets);
  return last - first + 1;
}

TEST(RouterThroughput, APermutationRunsAtOneFlitPerPortAndCycle) {
  EXPECT_EQ(permutation_cycles<Vct>(4, 100), 400U);
  EXPECT_EQ(permutation_cycles<Saf>(3, 100), 300U);
  EXPECT_EQ(permutation_cycles<Single>(1, 400), 400U);
}

TEST(RouterThroughput, PacketsOfAVcFollowEachOtherInEveryPipeline) {
  EXPECT_EQ(permutation_cycles<Early>(4, 100), 400U);
  EXPECT_EQ(permutation_cycles<Early3>(4, 100), 400U);
  EXPECT_EQ(permutation_cycles<Early4>(4, 100), 400U);
  EXPECT_EQ(permutation_cycles<Early5>(4, 100), 400U);
  for (const unsigned route_latency : {0U, 1U, 4U}) {
    EXPECT_EQ(permutation_cycles<EarlySingle2>(1, 400, route_latency), 400U);
    EXPECT_EQ(permutation_cycles<EarlySingle3>(1, 400, route_latency), 400U);
    EXPECT_EQ(permutation_cycles<EarlySingle4>(1, 400, route_latency), 400U);
    EXPECT_EQ(permutation_cycles<EarlySingle5>(1, 400, route_latency), 400U);
    EXPECT_EQ(permutation_cycles<EarlyQueuedSingle4>(1, 400, route_latency), 400U);
  }
}

TEST(RouterThroughput, ALateQuestionIsAnsweredWhileThePacketBeforeItLeaves) {
  EXPECT_EQ(permutation_cycles<Vct3>(4, 100), 400U);
  EXPECT_EQ(permutation_cycles<Vct4>(4, 100), 400U);
  // A packet of one flit leaves no time for it.
  EXPECT_EQ(permutation_cycles<Vct5>(1, 100), 300U - 2);
}

TEST(RouterThroughput, APacedLinkCarriesTwoFlitsInFiveCycles) {
  // From the first flit on, flit k follows after ceil(5 k / 2) cycles.
  EXPECT_EQ(permutation_cycles<Queued>(4, 50), (5U * 199 + 1) / 2 + 1);
}

/// Random traffic with few credits trips an assertion of the RTL.
template <class T>
void expect_caught(const char* assertion) {
  expect_assertion(assertion, [] {
    RouterBench<T> bench(7);
    bench.credit_percent = 30;
    for (std::uint64_t n = 0; n < 1500; ++n) {
      Packet packet = random_packet<T>(bench.random, n);
      if (n % 2 == 0) packet.length = 1;
      bench.send(static_cast<unsigned>(n % kPorts), static_cast<unsigned>(bench.random() % 2),
                 packet);
    }
    for (int n = 0; n < 9000 && !bench.router.failed(); ++n) bench.step();
    return bench.router.failed();
  });
}

TEST(RouterChecks, ARequestThatDoesNotSeeTheGrantOfTheCycleBeforeIsCaught) {
  expect_caught<Router<Vblind_to_grants, Flow::kVct, 5, 4, 6, 9>>("a_head_takes_a_free_vc");
  expect_caught<Router<Vlate_space, Flow::kVct, 5, 4, 6, 9>>("a_reserves_only_space");
}

}  // namespace
}  // namespace hopwise::test
