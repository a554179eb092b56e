// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <deque>

#include "Vdecisions_lone.h"
#include "Vdecisions_router.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

template <class ModelType, unsigned Ports, unsigned Queue, unsigned Estimate, unsigned Count>
struct Decisions {
  using Model = ModelType;
  static constexpr unsigned kPorts = Ports, kQueue = Queue, kEstimate = Estimate, kCount = Count;
  static constexpr unsigned kWidth = 2 + Queue + Estimate + Count + 16;
};

template <class T>
class DecisionCounters : public testing::Test {
 protected:
  /// One cycle; `percent` of the ports decide, the others' fields hold anything.
  void cycle(unsigned percent) {
    Words in((T::kPorts * T::kWidth + 31) / 32);
    const auto bits = [](unsigned width) { return (std::uint64_t{1} << width) - 1; };
    for (unsigned p = 0; p < T::kPorts; ++p) {
      const bool valid = chance(random, percent), nonminimal = chance(random, 40);
      const std::uint64_t queue = random() & bits(T::kQueue),
                          estimate = random() & bits(T::kEstimate);
      const std::uint64_t count = random() & bits(T::kCount);
      const auto bias = static_cast<std::int16_t>(random());
      unsigned lsb = p * T::kWidth;
      const auto put = [&](unsigned width, std::uint64_t value) {
        set_bits(in, lsb, width, value);
        lsb += width;
      };
      put(1, valid);
      put(1, nonminimal);
      put(T::kQueue, queue);
      put(T::kEstimate, estimate);
      put(T::kCount, count);
      put(16, static_cast<std::uint16_t>(bias));
      if (!valid) continue;
      const std::uint64_t more[6] = {1,        nonminimal, queue,
                                     estimate, count,      static_cast<std::uint64_t>(bias)};
      for (unsigned k = 0; k < 6; ++k) sums[k] += static_cast<std::uint32_t>(more[k]);
    }
    write_port(bench->decision_i, in);
    bench.settle();
    const Words before = read_port(bench->sums_o, 192);
    bench.edge();
    bench.settle();
    const Words after = read_port(bench->sums_o, 192);
    coming.push_back(sums);  // shown two cycles later
    for (unsigned k = 0; k < 6; ++k) {
      ASSERT_EQ(before[k], coming[0][k]) << "sum " << k << " changed before the clock";
      ASSERT_EQ(after[k], coming[1][k]) << "sum " << k;
    }
    ASSERT_EQ(bench->at_rest_o != 0, coming[1] == coming[3]);
    coming.pop_front();
  }
  void reset() {
    write_port(bench->decision_i, Words((T::kPorts * T::kWidth + 31) / 32));
    bench.reset();
    sums = {};
    coming.assign(3, sums);
  }

  Bench<typename T::Model> bench;
  std::mt19937_64 random{3};
  std::array<std::uint32_t, 6> sums{};
  std::deque<std::array<std::uint32_t, 6>> coming;
};
using DecisionShapes = testing::Types<Decisions<Vdecisions_router, 7, 6, 13, 3>,
                                      Decisions<Vdecisions_lone, 1, 1, 1, 1>>;
TYPED_TEST_SUITE(DecisionCounters, DecisionShapes);

TYPED_TEST(DecisionCounters, SumEveryDecisionOfEveryPortAndNothingElse) {
  this->reset();
  for (unsigned percent : {0U, 10U, 50U, 100U}) {
    for (int n = 0; n < 3000 && !testing::Test::HasFatalFailure(); ++n) this->cycle(percent);
  }
}

TYPED_TEST(DecisionCounters, StartAtZeroAgainAfterReset) {
  for (int round = 0; round < 2; ++round) {
    this->reset();
    for (int n = 0; n < 50 && !testing::Test::HasFatalFailure(); ++n) this->cycle(80);
  }
}

TEST(DecisionCountersWrap, SumsAreModulo32Bits) {
  using T = Decisions<Vdecisions_router, 7, 6, 13, 3>;
  Bench<Vdecisions_router> bench;
  Words in((T::kPorts * T::kWidth + 31) / 32);
  for (unsigned p = 0; p < T::kPorts; ++p) {
    set_bits(in, p * T::kWidth, 1, 1);
    set_bits(in, p * T::kWidth + 2 + T::kQueue, T::kEstimate, 0x1fff);
  }
  write_port(bench->decision_i, in);
  bench.reset();
  std::uint32_t estimates = 0;
  constexpr unsigned kCycles = 80000;  // 2^32 / (7 * 0x1fff) is less
  for (unsigned n = 0; n < kCycles; ++n) {
    bench.edge();
    estimates += T::kPorts * 0x1fff;
  }
  write_port(bench->decision_i, Words(in.size()));
  for (int n = 0; n < 2; ++n) bench.edge();
  bench.settle();
  const Words sums = read_port(bench->sums_o, 192);
  EXPECT_EQ(sums[0], kCycles * T::kPorts);
  EXPECT_EQ(sums[1], 0U);
  EXPECT_EQ(sums[3], estimates);
}

}  // namespace
}  // namespace hopwise::test
