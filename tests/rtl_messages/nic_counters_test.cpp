// SPDX-License-Identifier: Apache-2.0
// The counters alone, as far as a test can count: a counter of ones past 16 bits, one of sums
// past 48.
#include "Vnic_counters.h"
#include "Vnic_counters_carry.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kWide = 1, kCycles = 70'000;

/// Cycles after which the counters were not what they should be.
template <class Model>
unsigned wrong_counts() {
  Bench<Model> counters;
  counters->clear_i = counters->freeze_i = 0;
  counters->event_i = 0;
  counters->wide_i = 0;
  counters.reset();
  std::mt19937_64 random(9);
  std::uint64_t ones = 0, sum = 0;
  unsigned wrong = 0;
  for (unsigned cycle = 0; cycle < kCycles; ++cycle) {
    const bool one = !chance(random, 2), wide = !chance(random, 2);
    const auto more = ~static_cast<std::uint32_t>(random() % 1000);
    counters->event_i = static_cast<CData>((one ? 1U : 0U) | (wide ? 1U << kWide : 0U));
    counters->wide_i = more;
    counters.edge();
    counters->event_i = 0;
    counters.edge();
    counters.settle();
    ones += one ? 1 : 0;
    sum += wide ? more : 0;
    const Words now = read_port(counters->counters_o, 128);
    wrong += get_bits(now, 0, 64) != ones || get_bits(now, 64 * kWide, 64) != sum;
  }
  EXPECT_GT(ones, 1U << 16);
  EXPECT_GT(sum, std::uint64_t{1} << 48);
  return wrong;
}

TEST(NicCounters, CountOverAllPieces) {
  EXPECT_EQ(wrong_counts<Vnic_counters>(), 0U);
  EXPECT_GT(wrong_counts<Vnic_counters_carry>(), 0U) << "the seeded fault";
}

}  // namespace
}  // namespace hopwise::test
