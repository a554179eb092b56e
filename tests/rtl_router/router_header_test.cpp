// SPDX-License-Identifier: Apache-2.0
// hw_router with a parity bit and a number of hops in the head: a flipped bit is found at the next
// input, a packet that has crossed too many links is dropped, and what the router writes is even.
#include "Vguard_4.h"
#include "Vguard_5.h"
#include "Vguard_early.h"
#include "Vguard_single.h"
#include "Vguard_vct.h"
#include "Vguard_wormhole.h"
#include "Vhops_of_the_past.h"
#include "Vparity_of_the_past.h"
#include "Vparity_unread.h"
#include "router_harness.hpp"

namespace hopwise::test {
namespace {

/// Hops [37:35] and parity [38]; [39] is payload that the parity does not cover. Ports 0 and 1 are
/// behind links.
template <class Base>
struct Guarded : Base {
  static constexpr std::uint64_t kHeadBits = (1ULL << 35) - 1;
};
constexpr unsigned kHopLsb = 35, kParityBit = 38, kHopLimit = 5, kLinks = 2;
constexpr std::uint64_t kProtected = (1ULL << 39) - 1;

using GuardedVct = Guarded<Router<Vguard_vct, Flow::kVct, 2, 4, 6, 9>>;
using GuardedVct4 = Guarded<Router<Vguard_4, Flow::kVct, 4, 4, 6, 9>>;
using GuardedVct5 = Guarded<Router<Vguard_5, Flow::kVct, 5, 4, 6, 9>>;
using GuardedWormhole = Guarded<Router<Vguard_wormhole, Flow::kWormhole, 2, 4, 2, 3>>;
using GuardedEarly = Guarded<Router<Vguard_early, Flow::kVct, 2, 4, 6, 9>>;
using GuardedSingle = Guarded<Router<Vguard_single, Flow::kVct, 2, 1, 3>>;

std::uint64_t even(std::uint64_t head) {
  return std::popcount(head & kProtected) % 2 == 0 ? head : head ^ 1ULL << kParityBit;
}

struct SentHead {
  Packet packet;
  unsigned port = 0, vc = 0, hops = 0;
  std::uint64_t head = 0;
  Cause cause = kNone;
};

template <class T>
SentHead random_head(std::mt19937_64& random, std::uint64_t number, unsigned flip_percent) {
  SentHead s{random_packet<T>(random, number), static_cast<unsigned>(random() % kPorts),
             static_cast<unsigned>(random() % T::kVcs)};
  s.packet.klass %= 3;
  s.hops = static_cast<unsigned>(random() % 8);
  const std::uint64_t payload = (random() & 1) << 39;
  s.head = even(s.packet.flit(0) | std::uint64_t{s.hops} << kHopLsb | payload);
  if (s.port < kLinks && s.hops >= kHopLimit) s.cause = kHopsExceeded;
  if (chance(random, flip_percent)) {
    s.head ^= 1ULL << (random() % 39);
    s.cause = kBadParity;
  }
  return s;
}

/// The head as it leaves.
std::uint64_t head_out(const SentHead& s) {
  const std::uint64_t hops = s.port < kLinks ? s.hops + 1 : 0;
  return even(flit_out(s.packet, 0) | hops << kHopLsb | (s.head & ~kProtected));
}

template <class T>
void run_headers(RouterBench<T>& bench, unsigned packets, unsigned flip_percent) {
  std::map<std::uint64_t, SentHead> sent;
  for (std::uint64_t n = 0; n < packets; ++n) {
    const SentHead s = sent[n] = random_head<T>(bench.random, n, flip_percent);
    auto& source = bench.source[s.port][s.vc];
    const std::size_t before = source.size();
    bench.send(s.port, s.vc, s.packet);
    source[before].data = s.head;
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
  std::set<std::uint64_t> arrived;
  for (const Arrival& a : bench.arrivals) {
    const auto at = std::pair(a.port, a.vc);
    if (a.head) open[at] = {(a.data & T::kHeadBits) >> 13, 0};
    auto& [number, place] = open[at];
    ASSERT_TRUE(sent.contains(number));
    const SentHead& s = sent[number];
    ASSERT_EQ(s.cause, kNone) << "packet " << number << " was to be dropped";
    ASSERT_EQ(a.data, place == 0 ? head_out(s) : flit_out(s.packet, place))
        << "packet " << number << " flit " << place;
    ++place;
    if (a.tail) arrived.insert(number);
  }
  for (const auto& [number, s] : sent) {
    if (s.cause == kNone)
      ASSERT_TRUE(arrived.contains(number)) << "packet " << number << " is lost";
    else
      expected.insert({s.head & 0x1fff, s.cause});
  }
  ASSERT_EQ(dropped, expected);
  for (unsigned p = 0; p < kPorts; ++p)
    ASSERT_EQ(bench.credits[p], T::kDepths) << "credits of port " << p;
}

template <class T>
class RouterHeaders : public testing::Test {};
using GuardedRouters = testing::Types<GuardedVct, GuardedVct4, GuardedVct5, GuardedWormhole,
                                      GuardedEarly, GuardedSingle>;
TYPED_TEST_SUITE(RouterHeaders, GuardedRouters);

TYPED_TEST(RouterHeaders, FlipsAndTooManyHopsAreDroppedOnceAndAllOthersLeaveWithEvenParity) {
  for (const unsigned flips : {0U, 20U, 90U}) {
    for (const unsigned credit : {20U, 100U}) {
      RouterBench<TypeParam> bench(flips * 1000 + credit);
      bench.credit_percent = credit;
      run_headers(bench, 1000, flips);
      if (this->HasFatalFailure()) FAIL() << flips << " % flips, credits " << credit << " %";
    }
  }
}

template <class Model>
int failures_of_headers() {
  return failures([] {
    RouterBench<Guarded<Router<Model, Flow::kVct, 2, 4, 6, 9>>> bench(9);
    run_headers(bench, 300, 20);
  });
}

TEST(RouterHeaderFaults, TheTestsCatchFaults) {
  EXPECT_EQ(failures_of_headers<Vguard_vct>(), 0);
  EXPECT_GT(failures_of_headers<Vparity_unread>(), 0);
  EXPECT_GT(failures_of_headers<Vparity_of_the_past>(), 0);
  EXPECT_GT(failures_of_headers<Vhops_of_the_past>(), 0);
}

}  // namespace
}  // namespace hopwise::test
