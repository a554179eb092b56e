// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "measure/fairness.hpp"
#include "measure/time_series.hpp"

namespace hopwise::measure {
namespace {

Window window(std::uint64_t i) { return {i, 10 * i, 2 * i, 3 * i, 4 * i, 5 * i}; }

TEST(TimeSeries, MemoryIsBoundedAndNothingIsLost) {
  TimeSeries series(100, 8);
  Sum accepted = 0;
  for (std::uint64_t i = 1; i <= 1000; ++i) {
    series.add(window(i));
    accepted += 3 * i;
    ASSERT_LE(series.points().size(), 8u);
    Sum sum = 0;
    std::uint64_t windows = 0;
    for (const auto& p : series.points()) {
      sum += p.sum.accepted_flits;
      windows += p.windows;
    }
    ASSERT_TRUE(sum == accepted);
    ASSERT_EQ(windows, i);
  }
  EXPECT_EQ(series.windows_per_point(), 128u);
  EXPECT_EQ(series.cycles_per_point(), 12'800u);
}

TEST(TimeSeries, RowsAreRatesAndMeans) {
  TimeSeries series(100, 2);
  for (const std::uint64_t i : {1u, 3u, 6u}) series.add(window(i));
  const auto rows = series.rows();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].cycle, 200u);
  EXPECT_DOUBLE_EQ(rows[0].accepted, 12.0 / 200);
  EXPECT_DOUBLE_EQ(rows[0].offered, 8.0 / 200);
  EXPECT_DOUBLE_EQ(rows[0].mean_latency, 10);
  EXPECT_DOUBLE_EQ(rows[0].in_flight, 8);
  EXPECT_DOUBLE_EQ(rows[0].queued, 10);
  EXPECT_EQ(rows[1].cycle, 300u);
  EXPECT_DOUBLE_EQ(rows[1].accepted, 0.18);
}

TEST(TimeSeries, WhatCountersCountIsAddedUpUnderTheirNames) {
  const auto counters = std::make_shared<const Counters>(Counters{
      {"decisions", "", ""}, {"nonminimal", "decisions", ""}, {"bias", "flits", "", true}});
  TimeSeries series(100, 2);
  for (const std::int64_t n : {1, 3, 6}) {
    Window w;
    w.counts = Counts(counters);
    w.counts.at(0) = 10 * n;
    w.counts.at(1) = n;
    w.counts.at(2) = -20 * n;
    series.add(w);
  }
  const auto rows = series.rows();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].counts["decisions"], 40);
  EXPECT_EQ(rows[0].counts["nonminimal"], 4);
  EXPECT_DOUBLE_EQ(rows[0].counts.mean("nonminimal", "decisions"), 0.1);
  EXPECT_DOUBLE_EQ(rows[1].counts.mean("bias", "decisions"), -2);
}

TEST(Counts, ACounterThatNobodyHasIsZeroAndItsMeanToo) {
  const Counts none, some(std::make_shared<const Counters>(Counters{{"decisions", "", ""}}));
  EXPECT_EQ(none["decisions"], 0);
  EXPECT_EQ(some["nonminimal"], 0);
  EXPECT_EQ(some.mean("nonminimal", "decisions"), 0);
  EXPECT_EQ(none.mean("nonminimal", "decisions"), 0);
}

TEST(Counts, AddingNoneChangesNothingAndAddingToNoneTakesAll) {
  Counts some(std::make_shared<const Counters>(Counters{{"decisions", "", ""}})), sum;
  some.at(0) = 7;
  sum += some;
  sum += Counts();
  EXPECT_EQ(sum["decisions"], 7);
  sum += some;
  EXPECT_EQ(sum["decisions"], 14);
}

TEST(Fairness, EqualPartsAreOneAndAMonopolyIsOneOverN) {
  using Accepted = std::vector<std::uint64_t>;
  using Offered = std::vector<double>;
  EXPECT_DOUBLE_EQ(fairness(Accepted{7, 7, 7, 7}, Offered(4, 9)).jain, 1);
  EXPECT_DOUBLE_EQ(fairness(Accepted{0, 9, 0, 0}, Offered(4, 9)).jain, 0.25);
  const Fairness f = fairness(Accepted{1, 2, 3}, Offered(3, 4));
  EXPECT_EQ(f.min, 0.25);
  EXPECT_EQ(f.max, 0.75);
  EXPECT_DOUBLE_EQ(f.mean, 0.5);
  EXPECT_DOUBLE_EQ(f.jain, 36.0 / (3 * 14));
}

TEST(Fairness, WhoOffersLessIsNotServedWorseAndWhoOffersNothingIsLeftOut) {
  const Fairness f = fairness(std::vector<std::uint64_t>{1, 10, 0}, std::vector<double>{2, 20, 0});
  EXPECT_EQ(f.min, 0.5);
  EXPECT_EQ(f.max, 0.5);
  EXPECT_DOUBLE_EQ(f.jain, 1);
}

TEST(Fairness, NothingIsFair) {
  EXPECT_EQ(fairness({}, {}).jain, 1);
  EXPECT_EQ(fairness(std::vector<std::uint64_t>{0, 0}, std::vector<double>{1, 1}).jain, 1);
  EXPECT_EQ(fairness(std::vector<std::uint64_t>{0, 0}, std::vector<double>{0, 0}).min, 0);
}

}  // namespace
}  // namespace hopwise::measure
