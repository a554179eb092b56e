// SPDX-License-Identifier: Apache-2.0
#include "measure/histogram.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <algorithm>
#include <limits>

#include "traffic/random.hpp"

namespace hopwise::measure {
namespace {

/// Nearest-rank percentile of a sorted vector; p in thousandths, so that the rank is exact.
std::uint64_t oracle(const std::vector<std::uint64_t>& sorted, std::size_t thousandths) {
  const std::size_t rank = (thousandths * sorted.size() + 999) / 1000;
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

TEST(Histogram, PercentilesBelow4096AreThoseOfTheSortedValues) {
  traffic::Random random(1, 1);
  for (const std::size_t n : {1u, 2u, 3u, 99u, 100u, 1000u, 12345u}) {
    Histogram h;
    std::vector<std::uint64_t> values(n);
    for (auto& v : values) h.add(v = random.below(1 + random.below(4096)));
    std::sort(values.begin(), values.end());
    for (std::size_t p = 0; p <= 1000; ++p) {
      ASSERT_EQ(h.percentile(static_cast<double>(p) / 1000), oracle(values, p))
          << n << " values, p " << p;
    }
  }
}

TEST(Histogram, PercentilesAboveAreWithinHalfAPercentAndNeverBelow) {
  traffic::Random random(2, 1);
  Histogram h;
  std::vector<std::uint64_t> values(20'000);
  for (auto& v : values) h.add(v = random.next() >> random.below(60));
  std::sort(values.begin(), values.end());
  for (std::size_t p = 0; p <= 1000; ++p) {
    const double exact = static_cast<double>(oracle(values, p));
    const double got = static_cast<double>(h.percentile(static_cast<double>(p) / 1000));
    ASSERT_GE(got, exact);
    ASSERT_LE(got, exact * 1.005);
  }
  EXPECT_EQ(h.percentile(0), values.front());
  EXPECT_EQ(h.percentile(1), values.back());
}

TEST(Histogram, EveryPowerOfTwoAndItsNeighboursLieInABinThatHoldsThem) {
  for (unsigned e = 0; e < 64; ++e) {
    for (const std::uint64_t v :
         {(std::uint64_t{1} << e) - 1, std::uint64_t{1} << e, (std::uint64_t{1} << e) + 1}) {
      Histogram h;
      h.add(v);
      h.add(std::numeric_limits<std::uint64_t>::max());
      const auto bins = h.bins();
      const auto& own = bins[bins[0].count == 0 ? 1 : 0];
      EXPECT_GE(own.upper, v);
      EXPECT_LE(static_cast<double>(own.upper - v), 0.005 * static_cast<double>(v));
      EXPECT_EQ(bins.back().upper, std::numeric_limits<std::uint64_t>::max());
    }
  }
}

TEST(Histogram, MeanIsExactWhereA64BitSumOverflows) {
  Histogram h;
  const std::uint64_t big = std::uint64_t{1} << 63;
  for (int i = 0; i < 4; ++i) h.add(big);
  EXPECT_EQ(h.mean(), static_cast<double>(big));
  EXPECT_EQ(h.count(), 4u);
}

TEST(Histogram, StandardDeviationIsThatOfTheValuesAndNotOfTheirBins) {
  Histogram h;
  for (const std::uint64_t v : {1'000'000u, 1'000'002u, 1'000'004u, 1'000'006u}) h.add(v);
  EXPECT_DOUBLE_EQ(h.stdev(), std::sqrt(5.0));
  for (int i = 0; i < 1000; ++i) h.add(1'000'003);
  EXPECT_DOUBLE_EQ(h.stdev(), std::sqrt(20.0 / 1004));
}

TEST(Histogram, MergingInAnyOrderIsAddingEverything) {
  traffic::Random random(3, 1);
  Histogram all, a, b, c;
  for (int i = 0; i < 30'000; ++i) {
    const std::uint64_t v = random.next() >> (30 + random.below(30));
    all.add(v);
    (i % 3 == 0 ? a : i % 3 == 1 ? b : c).add(v);
  }
  Histogram left = a, right = c;
  left.merge(b);
  left.merge(c);
  right.merge(Histogram{});
  right.merge(b);
  right.merge(a);
  for (const Histogram* h : {&left, &right}) {
    EXPECT_EQ(h->bins(), all.bins());
    EXPECT_EQ(h->mean(), all.mean());
    EXPECT_EQ(h->stdev(), all.stdev());
    EXPECT_EQ(h->min(), all.min());
    EXPECT_EQ(h->max(), all.max());
    EXPECT_EQ(h->count(), all.count());
  }
}

TEST(Histogram, AnEmptyOneIsAllZeros) {
  const Histogram h;
  EXPECT_EQ(h.percentile(0.5), 0u);
  EXPECT_EQ(h.mean(), 0);
  EXPECT_EQ(h.stdev(), 0);
  EXPECT_EQ(h.min(), 0u);
  EXPECT_EQ(h.max(), 0u);
  EXPECT_TRUE(h.bins().empty());
}

TEST(Histogram, ABinBeginsWhereTheOneBeforeItEnds) {
  Histogram h;
  for (const std::uint64_t v : {17, 17, 18, 25}) h.add(v);
  EXPECT_EQ(h.bins(), (std::vector<Histogram::Bin>{{16, 0}, {17, 2}, {18, 1}, {24, 0}, {25, 1}}));
}

TEST(Histogram, BinsAddUpToTheCount) {
  Histogram h;
  for (std::uint64_t v = 0; v < 100'000; v += 3) h.add(v);
  std::uint64_t sum = 0, last = 0;
  for (const auto& bin : h.bins()) {
    EXPECT_TRUE(sum == 0 || bin.upper > last);
    last = bin.upper;
    sum += bin.count;
  }
  EXPECT_EQ(sum, h.count());
}

}  // namespace
}  // namespace hopwise::measure
