// SPDX-License-Identifier: Apache-2.0
// hw_router with Checks: what goes nowhere is dropped and reported once, and harms nobody.
#include "Vdrop_early.h"
#include "Vdrop_early_5.h"
#include "Vdrop_early_single_4.h"
#include "Vdrop_saf_5.h"
#include "Vdrop_single.h"
#include "Vdrop_vct.h"
#include "Vdrop_vct_4.h"
#include "Vdrop_vct_5.h"
#include "Vdrop_wormhole.h"
#include "Vforgets_a_credit.h"
#include "Vforgets_the_rest.h"
#include "Vmakes_up_nothing.h"
#include "Vno_slot.h"
#include "Vwaits_for_every_tail.h"
#include "router_harness.hpp"

namespace hopwise::test {
namespace {

using Vct = Router<Vdrop_vct, Flow::kVct, 2, 4, 6, 9>;
using Vct4 = Router<Vdrop_vct_4, Flow::kVct, 4, 4, 6, 9>;
using Vct5 = Router<Vdrop_vct_5, Flow::kVct, 5, 4, 6, 9>;
using Saf5 = Router<Vdrop_saf_5, Flow::kSaf, 5, 4, 6, 9>;
using Wormhole = Router<Vdrop_wormhole, Flow::kWormhole, 2, 4, 2, 3>;
using Early = Router<Vdrop_early, Flow::kVct, 2, 4, 6, 9>;
using Early5 = Router<Vdrop_early_5, Flow::kVct, 5, 4, 6, 9>;
using Single = Router<Vdrop_single, Flow::kVct, 2, 1, 3>;
using EarlySingle4 = Router<Vdrop_early_single_4, Flow::kVct, 4, 1, 16>;

/// A class above 2 is no destination; port 2 is a terminal, whose packets have no bit 39 set.
constexpr unsigned kBadClassBit = 26;  // of the packet number

struct Sent {
  Packet packet;  ///< with the length that the head says
  unsigned flits = 1, port = 0, vc = 0;
  Cause cause = kNone;
};

template <class T>
Sent random_sent(std::mt19937_64& random, std::uint64_t number, unsigned bad_percent) {
  Sent s{random_packet<T>(random, number), 1, static_cast<unsigned>(random() % kPorts),
         static_cast<unsigned>(random() % T::kVcs), kNone};
  Packet& p = s.packet;
  p.klass %= 3;
  s.flits = p.length;
  // Turns that are not wired: (0, VC 0) to (1, VC 1), from port 0 to (2, VC 0)
  const auto wired = [&s](Candidate c) {
    if (T::kVcs == 2 && s.port == 0 && c.port == 2) c.vcs &= 2;
    if (T::kVcs == 2 && s.port == 0 && s.vc == 0 && c.port == 1) c.vcs &= 1;
    return c.vcs != 0 && c.port < kPorts;
  };
  if (chance(random, bad_percent)) {
    switch (random() % (T::kMaxLength == 1 ? 3 : 6)) {
      case 0: p.klass = 3; break;
      case 1: p.first = p.second = {static_cast<unsigned>(random() % 4), 0}; break;
      case 2: p.number |= 1ULL << kBadClassBit; break;
      case 3: p.length = static_cast<unsigned>(random() % 8); break;
      case 4: p.first = p.second = {3, 1}; break;
      case 5:
        s.flits += static_cast<unsigned>(random() % 16);
        break;  // maybe more than its VC holds
    }
  }
  s.cause = p.klass == 3                                           ? kBadDestination
            : T::kMaxLength > 1 && (p.length == 0 || p.length > 4) ? kBadLength
            : (p.number >> kBadClassBit) != 0 && s.port == 2       ? kBadClass
            : !wired(p.first) && !wired(p.second)                  ? kNoRoute
                                                                   : kNone;
  return s;
}

/// Packets of which many go nowhere, in at every port; what becomes of them.
template <class T>
void run_drops(RouterBench<T>& bench, unsigned packets, unsigned bad_percent) {
  std::map<std::uint64_t, Sent> sent;
  for (std::uint64_t n = 0; n < packets; ++n) {
    const Sent s = random_sent<T>(bench.random, n, bad_percent);
    sent[s.packet.number] = s;
    Packet body = s.packet;
    body.length = s.flits;
    auto& source = bench.source[s.port][s.vc];
    const std::size_t before = source.size();
    bench.send(s.port, s.vc, body);
    source[before].data = s.packet.flit(0);
  }
  std::multiset<std::pair<std::uint64_t, unsigned>> dropped, expected;
  const auto run = [&](unsigned cycles) {
    for (unsigned n = 0; n < cycles && !testing::Test::HasFatalFailure(); ++n) {
      bench.cycle();
      bench.router.settle();
      const auto& m = bench.router.model();
      const Words bits = read_port(m.drop_bits_o, kPorts * 13);
      for (unsigned p = 0; p < kPorts; ++p) {
        if ((m.drop_o >> p & 1) != 0)
          dropped.insert({get_bits(bits, p * 13, 13), m.drop_cause_o >> (3 * p) & 7});
      }
    }
  };
  for (int n = 0; n < 600 && !bench.sources_empty(); ++n) run(100);
  ASSERT_TRUE(bench.sources_empty()) << "packets are stuck";
  bench.credit_percent = 100;
  run(500);
  ASSERT_FALSE(testing::Test::HasFatalFailure());

  std::map<std::pair<unsigned, unsigned>, std::pair<std::uint64_t, unsigned>> open;
  std::map<std::array<unsigned, 4>, std::uint64_t> last;
  std::set<std::uint64_t> arrived;
  for (const Arrival& a : bench.arrivals) {
    const auto at = std::pair(a.port, a.vc);
    if (a.head) {
      ASSERT_FALSE(open.contains(at)) << "a packet within another";
      open[at] = {a.data >> 13, 0};
    }
    ASSERT_TRUE(open.contains(at)) << "a flit without head";
    auto& [number, place] = open[at];
    ASSERT_TRUE(sent.contains(number));
    const Sent& s = sent[number];
    ASSERT_EQ(s.cause, kNone) << "packet " << number << " was to be dropped";
    if (place < s.flits) {  // else it is made up
      ASSERT_EQ(a.data, flit_out(s.packet, place)) << "packet " << number << " flit " << place;
    }
    const unsigned length = T::kMaxLength == 1 ? 1 : s.packet.length;
    ASSERT_EQ(a.tail, place + 1 == length);
    if (!a.tail) {
      ++place;
      continue;
    }
    ASSERT_TRUE(arrived.insert(number).second) << "packet " << number << " comes twice";
    const std::array<unsigned, 4> way{s.port, s.vc, a.port, a.vc};
    const std::uint64_t order = number & ((1ULL << kBadClassBit) - 1);
    ASSERT_TRUE(!last.contains(way) || last[way] < order) << "overtaken within a VC";
    last[way] = order;
    open.erase(at);
  }
  for (const auto& [number, s] : sent) {
    if (s.cause == kNone)
      ASSERT_TRUE(arrived.contains(number)) << "packet " << number << " is lost";
    else
      expected.insert({s.packet.flit(0) & 0x1fff, s.cause});
  }
  ASSERT_EQ(dropped, expected);
  ASSERT_EQ(bench.router->quiescent_o, 1);
  for (unsigned p = 0; p < kPorts; ++p)
    ASSERT_EQ(bench.credits[p], T::kDepths) << "credits of port " << p;
}

template <class T>
class RouterDrops : public testing::Test {};
using Routers =
    testing::Types<Vct, Vct4, Vct5, Saf5, Wormhole, Early, Early5, Single, EarlySingle4>;
TYPED_TEST_SUITE(RouterDrops, Routers);

TYPED_TEST(RouterDrops, WhatGoesNowhereIsDroppedOnceAndAllOthersArrive) {
  for (unsigned bad : {0U, 10U, 50U, 100U}) {
    for (unsigned send : {30U, 100U}) {
      for (unsigned credit : {20U, 100U}) {
        for (unsigned latency : {0U, 4U}) {
          RouterBench<TypeParam> bench(bad * 100000 + send * 1000 + credit + latency);
          bench.send_percent = send;
          bench.credit_percent = credit;
          bench.route_latency = latency;
          run_drops(bench, 600, bad);
          if (this->HasFatalFailure()) {
            FAIL() << bad << " % bad, send " << send << " %, credits " << credit << " %, routes in "
                   << latency << " cycles";
          }
        }
      }
    }
  }
}

TYPED_TEST(RouterDrops, WithoutThemNothingTakesLonger) {
  RouterBench<TypeParam> bench;
  bench.run(10);
  const std::uint64_t start = bench.router.cycle();
  bench.send(1, 0, {1, {2, 1}, {}, 0, 1});
  bench.run(20);
  ASSERT_EQ(bench.arrivals.size(), 1U);
  EXPECT_EQ(bench.arrivals[0].cycle - start, TypeParam::kPipeline);
}

TEST(RouterDropRate, APortThatDropsWithoutEndStillSendsHalfOfItsCycles) {
  RouterBench<Vct> bench;
  for (std::uint64_t n = 0; n < 100; ++n) {
    bench.send(2, 0, {4, {0, 0}, {}, 3, n});
    bench.send(2, 1, {4, {1, 0b10}, {}, 0, n});
  }
  bench.run(800);
  const auto sent = std::ranges::count(bench.arrivals, 1U, &Arrival::port);
  EXPECT_GE(sent, 380);
}

template <class Model, Flow flow = Flow::kVct, unsigned pipeline = 2>
int failures_of_drops() {
  return failures([] {
    RouterBench<Router<Model, flow, pipeline, 4, 6, 9>> bench(9);
    run_drops(bench, 300, 50);
  });
}

TEST(RouterDropFaults, TheTestsCatchFaults) {
  EXPECT_EQ(failures_of_drops<Vdrop_vct>(), 0);
  EXPECT_GT(failures_of_drops<Vforgets_a_credit>(), 0);
  EXPECT_GT(failures_of_drops<Vforgets_the_rest>(), 0);
  EXPECT_GT(failures_of_drops<Vmakes_up_nothing>(), 0);
  EXPECT_GT(failures_of_drops<Vno_slot>(), 0);
  EXPECT_EQ((failures_of_drops<Vdrop_saf_5, Flow::kSaf, 5>()), 0);
  EXPECT_GT((failures_of_drops<Vwaits_for_every_tail, Flow::kSaf, 5>()), 0);
}

}  // namespace
}  // namespace hopwise::test
