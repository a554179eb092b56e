// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "measure/settling.hpp"

namespace hopwise::measure {
namespace {

/// Windows of 100 core cycles whose mean latencies are given, in one packet and one accepted flit
/// each ten cycles.
TimeSeries series_of(const std::vector<std::uint64_t>& latencies, std::size_t max_points = 512) {
  TimeSeries series(100, max_points);
  for (const std::uint64_t l : latencies) {
    Window w;
    w.packets = 10;
    w.latency_sum = 10 * l;
    w.accepted_flits = 10;
    series.add(w);
  }
  return series;
}

std::vector<std::uint64_t> join(
    std::initializer_list<std::pair<std::size_t, std::uint64_t>> parts) {
  std::vector<std::uint64_t> all;
  for (const auto& [count, value] : parts) all.insert(all.end(), count, value);
  return all;
}

TEST(Settling, IsTheBeginningOfTheFirstWindowFromWhichOnAllAreNearTheEnd) {
  // The published course of Q-adaptive under uniform traffic at 0.8, means per 50 us: settled at
  // 200 us.
  const auto found = settling_times(series_of({1238, 3012, 2443, 1507, 796, 775, 771, 768}),
                                    {.window_cycles = 100});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->window_cycles, 100u);
  EXPECT_DOUBLE_EQ(found->latency.final_mean, 769.5);
  EXPECT_EQ(found->latency.cycles, 400u);
  EXPECT_EQ(found->accepted.cycles, 0u);
}

TEST(Settling, IsZeroWhereNothingChanges) {
  const auto found = settling_times(series_of(join({{40, 70}})), {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->window_cycles, 200u);
  EXPECT_EQ(found->latency.cycles, 0u);
}

TEST(Settling, LooksAtMeansOverTheWindowSoThatNoiseWithinItDoesNotCount) {
  std::vector<std::uint64_t> noisy = join({{20, 500}});
  for (int i = 0; i < 60; ++i) noisy.push_back(i % 2 == 0 ? 80 : 120);
  EXPECT_FALSE(settling_times(series_of(noisy), {.window_cycles = 100})->latency.cycles);
  const auto found = settling_times(series_of(noisy), {.window_cycles = 400});
  ASSERT_TRUE(found->latency.cycles);
  EXPECT_EQ(found->latency.cycles, 2000u);
}

TEST(Settling, ALateExcursionDelaysItAndOneInTheLastQuarterDeniesIt) {
  EXPECT_EQ(settling_times(series_of(join({{10, 50}, {2, 90}, {28, 50}})), {.window_cycles = 100})
                ->latency.cycles,
            1200u);
  EXPECT_FALSE(settling_times(series_of(join({{38, 50}, {1, 90}, {1, 50}})), {.window_cycles = 100})
                   ->latency.cycles);
}

TEST(Settling, CountsFromAChangeOfTraffic) {
  const auto series = series_of(join({{20, 60}, {5, 200}, {35, 100}}));
  const auto before = settling_times(series, {.from = 0, .to = 1950, .window_cycles = 100});
  EXPECT_EQ(before->to, 1900u);
  EXPECT_EQ(before->latency.cycles, 0u);
  const auto after = settling_times(series, {.from = 1950, .to = 0, .window_cycles = 100});
  EXPECT_EQ(after->from, 2000u);
  EXPECT_EQ(after->latency.cycles, 550u);  // 2500 less 1950
}

TEST(Settling, JoinedPointsOnlyMakeItCoarser) {
  const auto found =
      settling_times(series_of(join({{24, 500}, {104, 100}}), 32), {.window_cycles = 100});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->window_cycles, 400u);
  EXPECT_EQ(found->latency.cycles, 2400u);
}

TEST(Settling, IsNotSaidOfTooShortARun) {
  EXPECT_FALSE(settling_times(series_of(join({{7, 60}})), {}));
  EXPECT_FALSE(settling_times(series_of(join({{20, 60}})), {.window_cycles = 600}));
  EXPECT_FALSE(settling_times(series_of({}), {}));
}

TEST(Settling, NothingDeliveredIsNotSettled) {
  TimeSeries series(100);
  for (int i = 0; i < 20; ++i) series.add({});
  const auto found = settling_times(series, {});
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->latency.cycles);
  EXPECT_FALSE(found->accepted.cycles);
}

}  // namespace
}  // namespace hopwise::measure
