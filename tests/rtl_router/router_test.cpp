// SPDX-License-Identifier: Apache-2.0
// hw_router under random traffic, its latency and its throughput.
#include "Vrouter_queued.h"
#include "Vrouter_queued_wormhole.h"
#include "Vrouter_saf.h"
#include "Vrouter_single.h"
#include "Vrouter_vct.h"
#include "Vrouter_vct_3.h"
#include "Vrouter_wormhole.h"
#include "router_harness.hpp"

namespace hopwise::test {
namespace {

using Vct = Router<Vrouter_vct, Flow::kVct, 2, 4, 6, 9>;
using Vct3 = Router<Vrouter_vct_3, Flow::kVct, 3, 4, 6, 9>;
using Saf = Router<Vrouter_saf, Flow::kSaf, 2, 4, 6, 9>;
using Wormhole = Router<Vrouter_wormhole, Flow::kWormhole, 2, 4, 2, 3>;
using Queued = Router<Vrouter_queued, Flow::kVct, 2, 4, 6, 9>;
using QueuedWormhole = Router<Vrouter_queued_wormhole, Flow::kWormhole, 3, 4, 2, 3>;
using Single = Router<Vrouter_single, Flow::kVct, 2, 1, 3>;

template <class T>
class RouterTest : public testing::Test {};
using Routers = testing::Types<Vct, Vct3, Saf, Wormhole, Queued, QueuedWormhole, Single>;
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
      EXPECT_EQ(bench.arrivals[0].cycle - start, TypeParam::kPipeline + route_latency) << "input port " << port;
    }
  }
}

/// Cycles that the link from port 0 needs for `flits` flits, all ports busy with a permutation.
template <class T>
std::uint64_t permutation_cycles(unsigned length, unsigned packets) {
  RouterBench<T> bench;
  for (std::uint64_t n = 0; n < packets; ++n) {
    for (unsigned p = 0; p < kPorts; ++p) bench.send(p, 0, {length, {(p + 1) % kPorts, 1}, {}, 0, n});
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

TEST(RouterThroughput, APacedLinkCarriesTwoFlitsInFiveCycles) {
  // From the first flit on, flit k follows after ceil(5 k / 2) cycles.
  EXPECT_EQ(permutation_cycles<Queued>(4, 50), (5U * 199 + 1) / 2 + 1);
}

}  // namespace
}  // namespace hopwise::test
