// SPDX-License-Identifier: Apache-2.0
// hw_router, long packets among short ones, where the buffer downstream holds one long packet.
#include "Vrouter_long.h"
#include "Vrouter_long_3.h"
#include "Vrouter_long_4.h"
#include "Vrouter_long_5.h"
#include "Vrouter_long_queued.h"
#include "Vrouter_longest_2.h"
#include "Vrouter_longest_3.h"
#include "Vrouter_longest_4.h"
#include "Vrouter_longest_5.h"
#include "Vrouter_longest_queued.h"
#include "Vshort_ones_first.h"
#include "router_harness.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kLong = 7;

using Long = Router<Vrouter_long, Flow::kVct, 2, kLong, kLong>;
using Long3 = Router<Vrouter_long_3, Flow::kVct, 3, kLong, kLong, kLong>;
using Long4 = Router<Vrouter_long_4, Flow::kVct, 4, kLong, kLong>;
using Long5 = Router<Vrouter_long_5, Flow::kVct, 5, kLong, kLong, kLong>;
using LongQueued = Router<Vrouter_long_queued, Flow::kVct, 2, kLong, kLong, kLong>;
using Longest2 = Router<Vrouter_longest_2, Flow::kVct, 2, kLong, kLong, kLong>;
using Longest3 = Router<Vrouter_longest_3, Flow::kVct, 3, kLong, kLong, kLong>;
using Longest4 = Router<Vrouter_longest_4, Flow::kVct, 4, kLong, kLong, kLong>;
using Longest5 = Router<Vrouter_longest_5, Flow::kVct, 5, kLong, kLong, kLong>;
using LongestQueued = Router<Vrouter_longest_queued, Flow::kVct, 2, kLong, kLong>;
using ShortOnesFirst = Router<Vshort_ones_first, Flow::kVct, 2, kLong, kLong>;

struct Passing {
  unsigned most = 0;  ///< packets that took the VC while a long one waited for it
  unsigned longs = 0;
};

/// Input port 0 has a long packet for VC 0 of port 2 at any time, the others have packets of one
/// flit for it. All VCs of port 0 but the first have packets for everywhere.
template <class T>
Passing passing(std::uint64_t seed, unsigned credit_percent) {
  RouterBench<T> bench(seed);
  bench.credit_percent = credit_percent;
  constexpr unsigned kCycles = 4000;
  for (std::uint64_t n = 0; n < kCycles; ++n) {
    bench.send(1, 0, {1, {2, 1}, {}, 0, 2 * n});
    bench.send(2, 0, {1, {2, 1}, {}, 0, 2 * n + 1});
    if (n % kLong == 0) bench.send(0, 0, {kLong, {2, 1}, {}, 0, 2 * n});
    for (unsigned p = 0; T::kVcs > 1 && p < kPorts; ++p) {
      bench.send(p, 1,
                 {1 + static_cast<unsigned>(bench.random() % kLong),
                  {static_cast<unsigned>(bench.random() % kPorts), 2},
                  {},
                  0,
                  n});
    }
  }
  bench.run(kCycles);
  Passing result;
  unsigned passed = 0;
  for (const Arrival& a : bench.arrivals) {
    if (a.port != 2 || a.vc != 0 || !a.head) continue;
    const bool is_long = (a.data & 7) == kLong;
    result.longs += is_long;
    passed = is_long ? 0 : passed + 1;
    result.most = std::max(result.most, passed);
  }
  return result;
}

template <class T>
class RouterLength : public testing::Test {};
using Lengths = testing::Types<Long, Long3, Long4, Long5, LongQueued>;
TYPED_TEST_SUITE(RouterLength, Lengths);

TYPED_TEST(RouterLength, ALongPacketIsPassedByABoundedNumberOfShortOnes) {
  for (const unsigned credit_percent : {10U, 30U, 60U, 90U}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Passing result = passing<TypeParam>(seed, credit_percent);
      // A period of 64 heads and a turn of each input port; more periods if its port asks for
      // another VC in one.
      EXPECT_LE(result.most, 64U * (TypeParam::kVcs == 1 ? 1 : 3) + kPorts)
          << "credits " << credit_percent << " %, seed " << seed;
      EXPECT_GE(result.longs, 4U);
    }
  }
}

template <class T>
class RouterLongest : public testing::Test {};
using Rooms = testing::Types<Longest2, Longest3, Longest4, Longest5, LongestQueued>;
TYPED_TEST_SUITE(RouterLongest, Rooms);

TYPED_TEST(RouterLongest, WhereAllWaitForRoomForTheLongestPacketTurnsAreAllThatPassesIt) {
  for (const unsigned credit_percent : {10U, 30U, 60U, 90U}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Passing result = passing<TypeParam>(seed, credit_percent);
      // Turns of 9 packets of port 1 and of 3 of port 2, and as many again each time its port asks
      // for another VC.
      EXPECT_LE(result.most, (TypeParam::kVcs == 1 ? 1U : 4U) * (9 + 3))
          << "credits " << credit_percent << " %, seed " << seed;
      EXPECT_GE(result.longs, 4U);
    }
  }
}

TEST(RouterLengthFault, AVcThatDoesNotCollectRoomLetsShortPacketsPassForEver) {
  EXPECT_GT(passing<ShortOnesFirst>(1, 30).most, 500U);
}

}  // namespace
}  // namespace hopwise::test
