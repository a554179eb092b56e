// SPDX-License-Identifier: Apache-2.0
#include "traffic/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace hopwise::traffic {
namespace {

TEST(Random, MixIsTheOneOfSplitmix64) {
  // First outputs of the reference splitmix64.c seeded with 0.
  EXPECT_EQ(mix64(0x9e3779b97f4a7c15ULL), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(mix64(2 * 0x9e3779b97f4a7c15ULL), 0x6e789e6aa1b965f4ULL);
}

TEST(Random, TheSequenceOfASeedAndStreamIsFrozen) {
  // From an independent implementation of xoshiro256** and of the seeding.
  Random random(1, 0);
  EXPECT_EQ(random.next(), 11830735285019107728ULL);
  EXPECT_EQ(random.next(), 5036556757258445044ULL);
  EXPECT_EQ(Random(1, 7).below(1000), 972u);
}

TEST(Random, StreamsAndSeedsDoNotRepeatEachOther) {
  std::set<std::uint64_t> first;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (std::uint64_t stream = 0; stream < 1000; ++stream)
      first.insert(Random(seed, stream).next());
  }
  EXPECT_EQ(first.size(), 10'000u);
}

TEST(Random, BelowIsUniform) {
  Random random(3, 3);
  std::vector<double> seen(7);
  const int draws = 70'000;
  for (int i = 0; i < draws; ++i) ++seen[random.below(7)];
  double chi2 = 0;
  for (const double s : seen) chi2 += (s - draws / 7.0) * (s - draws / 7.0) / (draws / 7.0);
  EXPECT_LT(chi2, 22.5);  // 6 degrees of freedom, 0.1 %
}

TEST(Random, BelowOneIsAlwaysZero) {
  Random random(1, 1);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(random.below(1), 0u);
}

TEST(Chance, ZeroNeverAndOneAlways) {
  Random random(1, 1);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(Chance(0)(random));
    EXPECT_TRUE(Chance(1)(random));
  }
}

TEST(Geometric, CertainSuccessHasNoFailuresAndImpossibleSuccessNeverComes) {
  Random random(1, 1);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(Geometric(1)(random), 0u);
    EXPECT_EQ(Geometric(0)(random), Geometric::kNever);
  }
}

TEST(Geometric, EachValueComesAsOftenAsTheGeometricLawSays) {
  for (const double p : {0.9, 0.5, 0.2}) {
    const Geometric geometric(p);
    Random random(11, 5);
    const int draws = 200'000;
    std::vector<double> seen(12);
    for (int i = 0; i < draws; ++i) ++seen[std::min<std::uint64_t>(geometric(random), 11)];
    for (int k = 0; k < 11; ++k) {
      const double expected = draws * p * std::pow(1 - p, k);
      EXPECT_NEAR(seen[static_cast<std::size_t>(k)], expected, 5 * std::sqrt(expected) + 5)
          << p << " " << k;
    }
  }
}

TEST(Geometric, ItsTableSaysWhatTheBisectionSays) {
  for (const double p : {0.999, 0.5, 0.1, 0.01, 1e-4, 1e-9}) {
    std::vector<std::uint64_t> powers;
    for (std::uint64_t q = 0 - static_cast<std::uint64_t>(std::ldexp(p, 64)); q != 0;
         q = multiply_high(q, q))
      powers.push_back(q);
    const Geometric geometric(p);
    Random drawn(5, 1), words(5, 1);
    for (int i = 0; i < 200'000; ++i) {
      const std::uint64_t word = words.next();
      std::uint64_t expected = 0, tail = ~std::uint64_t{0};
      for (std::size_t bit = powers.size(); bit-- > 0;) {
        const std::uint64_t next = multiply_high(tail, powers[bit]);
        if (word >= next) continue;
        tail = next;
        expected += std::uint64_t{1} << bit;
      }
      ASSERT_EQ(geometric(drawn), expected) << p << ' ' << word;
    }
  }
}

TEST(Geometric, MeanHoldsDownToRareEvents) {
  for (const double p : {0.3, 1e-2, 1e-4, 1e-7, 1e-12}) {
    const Geometric geometric(p);
    Random random(2, 9);
    const int draws = 40'000;
    double sum = 0;
    for (int i = 0; i < draws; ++i) sum += static_cast<double>(geometric(random));
    const double mean = (1 - p) / p;
    EXPECT_NEAR(sum / draws, mean, 5 * std::sqrt(1 - p) / p / std::sqrt(draws)) << p;
  }
}

}  // namespace
}  // namespace hopwise::traffic
