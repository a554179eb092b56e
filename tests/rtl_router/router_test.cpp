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

template <class T>
Candidate random_candidate(std::mt19937_64& random) {
  return {static_cast<unsigned>(random() % kPorts), 1 + static_cast<unsigned>(random() % ((1U << T::kVcs) - 1))};
}

template <class T>
Packet random_packet(std::mt19937_64& random, std::uint64_t number) {
  return {1 + static_cast<unsigned>(random() % T::kMaxLength), random_candidate<T>(random),
          chance(random, 50) ? random_candidate<T>(random) : Candidate{}, static_cast<unsigned>(random() % 4), number};
}

/// Random packets from every input port and VC; all must come out whole, where they may, in the order that is promised.
template <class T>
void run_random(RouterBench<T>& bench, unsigned packets) {
  struct Sent {
    Packet packet;
    unsigned port, vc;
  };
  std::map<std::uint64_t, Sent> sent;
  for (std::uint64_t n = 0; n < packets; ++n) {
    const unsigned port = static_cast<unsigned>(bench.random() % kPorts), vc = static_cast<unsigned>(bench.random() % T::kVcs);
    const Packet packet = random_packet<T>(bench.random, n);
    sent[n] = {packet, port, vc};
    bench.send(port, vc, packet);
  }
  for (int n = 0; n < 400 && !bench.sources_empty(); ++n) {
    bench.run(100);
    ASSERT_FALSE(testing::Test::HasFatalFailure());
  }
  ASSERT_TRUE(bench.sources_empty()) << "packets are stuck";
  bench.credit_percent = 100;
  bench.run(400);
  ASSERT_FALSE(testing::Test::HasFatalFailure());

  std::map<std::pair<unsigned, unsigned>, std::pair<std::uint64_t, unsigned>> open;  // (port, VC) -> packet, next place
  std::map<std::array<unsigned, 4>, std::uint64_t> last;  // (in port, in VC, out port, out VC) -> packet before
  unsigned whole = 0;
  for (const Arrival& a : bench.arrivals) {
    const auto at = std::pair(a.port, a.vc);
    if (a.head) {
      ASSERT_FALSE(open.contains(at)) << "a packet within another";
      open[at] = {a.data >> 13, 0};
    }
    ASSERT_TRUE(open.contains(at)) << "a flit without head";
    const auto [number, place] = open[at];
    ASSERT_TRUE(sent.contains(number));
    const Sent& s = sent[number];
    ASSERT_EQ(a.data, flit_out(s.packet, place)) << "packet " << number << " flit " << place;
    ASSERT_EQ(a.tail, place + 1 == s.packet.length);
    const auto allows = [&a](const Candidate& c) { return c.port == a.port && (c.vcs >> a.vc & 1) != 0; };
    ASSERT_TRUE(allows(s.packet.first) || allows(s.packet.second)) << "not a candidate";
    open[at].second = place + 1;
    if (!a.tail) continue;
    open.erase(at);
    ++whole;
    const std::array<unsigned, 4> way{s.port, s.vc, a.port, a.vc};
    ASSERT_TRUE(!last.contains(way) || last[way] < number) << "overtaken within a VC";
    last[way] = number;
  }
  EXPECT_EQ(whole, packets);
  EXPECT_EQ(bench.router->quiescent_o, 1);
  for (unsigned p = 0; p < kPorts; ++p) EXPECT_EQ(bench.credits[p], T::kDepths) << "credits of port " << p;
}

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
