// SPDX-License-Identifier: Apache-2.0
#include "measure/steady_state.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "traffic/random.hpp"
#include "unit.hpp"

namespace hopwise::measure {
namespace {

/// A network of 100 packets of one flit per window whose latency follows a curve, plus noise with
/// memory.
class FakeNetwork {
 public:
  explicit FakeNetwork(std::uint64_t seed, std::function<double(double window)> latency,
                       double memory = 0.5)
      : random_(seed, 0), latency_(std::move(latency)), memory_(memory) {}

  Window next() {
    noise_ = memory_ * noise_ + (unit(random_) + unit(random_) + unit(random_) - 1.5) * 4;
    const double latency = latency_(static_cast<double>(at_++)) + noise_;
    const std::uint64_t packets = 90 + random_.below(21);
    const auto sum = static_cast<std::uint64_t>(latency * static_cast<double>(packets));
    return {packets, sum, packets, packets, static_cast<std::uint64_t>(latency * 10), 3};
  }

 private:
  traffic::Random random_;
  std::function<double(double)> latency_;
  double memory_;
  double noise_ = 0;
  std::uint64_t at_ = 0;
};

double steady(double) { return 60; }
double transient(double w) { return 60 - 45 * std::exp(-w / 40); }

TEST(SteadyState, ASteadyRunIsWarmAfterAboutFiftyWindows) {
  int early = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    FakeNetwork network(seed, steady);
    SteadyState state({});
    std::uint64_t windows = 0;
    while (!state.warm() && windows < 5000) state.add(network.next()), ++windows;
    EXPECT_GE(windows, 50u);
    EXPECT_EQ(state.warmup_cycles(), windows * 500);
    early += windows <= 150 ? 1 : 0;
  }
  EXPECT_GE(early, 32);
}

TEST(SteadyState, ATransientIsOverWhenTheRunIsCalledWarm) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    FakeNetwork network(seed, transient);
    SteadyState state({});
    double windows = 0;
    while (!state.warm() && windows < 5000) state.add(network.next()), ++windows;
    ASSERT_TRUE(state.warm());
    EXPECT_NEAR(transient(windows), 60, 60 * 0.06) << "seed " << seed << ", warm at " << windows;
  }
}

TEST(SteadyState, LatencyThatKeepsGrowingIsNeverWarm) {
  FakeNetwork network(1, [](double w) { return 20 + w; });
  SteadyState state({});
  for (int i = 0; i < 20'000; ++i) ASSERT_FALSE(state.add(network.next()));
}

TEST(SteadyState, TheMaximumOfWarmUpForcesTheMeasurement) {
  FakeNetwork network(1, [](double w) { return 20 + w; });
  SteadyStateOptions options;
  options.max_warmup_windows = 700;
  SteadyState state(options);
  for (int i = 0; i < 699; ++i) ASSERT_FALSE(state.add(network.next()));
  EXPECT_TRUE(state.add(network.next()));
  for (int i = 0; i < 100; ++i) state.add(network.next());
  EXPECT_TRUE(state.saturated());  // mean latency is above 500
}

TEST(SteadyState, AGivenWarmUpIsKeptToTheWindow) {
  FakeNetwork network(1, transient);
  SteadyStateOptions options;
  options.warmup_windows = 7;
  options.window_cycles = 100;
  SteadyState state(options);
  for (int i = 0; i < 6; ++i) ASSERT_FALSE(state.add(network.next()));
  EXPECT_TRUE(state.add(network.next()));
  EXPECT_EQ(state.warmup_cycles(), 700u);
  EXPECT_EQ(state.measured_cycles(), 0u);
  const Window w = network.next();
  state.add(w);
  EXPECT_EQ(state.measured_cycles(), 100u);
  EXPECT_DOUBLE_EQ(state.mean_latency(),
                   static_cast<double>(w.latency_sum) / static_cast<double>(w.packets));
  EXPECT_TRUE(std::isinf(state.ci95()));
}

TEST(SteadyState, TheIntervalCoversTheMeanAboutAsOftenAsItClaims) {
  // Correlated noise, intervals from runs of very different length: 95 % claimed, 90 % demanded.
  int covered = 0, runs = 0;
  for (const int windows : {60, 200, 1000, 3000}) {
    for (std::uint64_t seed = 0; seed < 100; ++seed, ++runs) {
      FakeNetwork network(seed, steady, 0.7);
      SteadyStateOptions options;
      options.warmup_windows = 20;
      SteadyState state(options);
      for (int i = 0; i < windows + 20; ++i) state.add(network.next());
      covered += std::abs(state.mean_latency() - 59.995) <= state.ci95() ? 1 : 0;
    }
  }
  EXPECT_GE(covered, runs * 90 / 100);
  EXPECT_LE(covered, runs * 995 / 1000);
}

TEST(SteadyState, TheIntervalShrinksUntilItIsPrecise) {
  FakeNetwork network(9, steady);
  SteadyState state({});
  int windows = 0;
  while (!state.precise(0.005) && windows < 20'000) state.add(network.next()), ++windows;
  ASSERT_LT(windows, 20'000);
  EXPECT_LE(state.ci95() / state.mean_latency(), 0.005);
  EXPECT_NEAR(state.mean_latency(), 60, 60 * 0.01);
  EXPECT_FALSE(state.saturated());
  EXPECT_NEAR(state.accepted(), 0.2, 0.005);
  EXPECT_DOUBLE_EQ(state.accepted(), state.offered());
}

TEST(SteadyState, BeyondSaturationItMeasuresAcceptedTrafficAndSaysSo) {
  traffic::Random random(2, 2);
  SteadyState state({});
  std::uint64_t queued = 0, windows = 0, latency = 50;
  while (!state.precise(0.01) && windows < 5000) {
    const std::uint64_t offered = 190 + random.below(21);
    const std::uint64_t accepted = (windows < 20 ? 5 * windows : 100) + random.below(11);
    queued += offered - accepted;
    latency += 100;
    state.add({accepted, accepted * latency, offered, accepted, 400 + random.below(20), queued});
    ++windows;
  }
  ASSERT_LT(windows, 5000u);
  EXPECT_TRUE(state.warm());
  EXPECT_TRUE(state.queues_grow());
  EXPECT_TRUE(state.saturated());
  EXPECT_NEAR(state.accepted(), 105.0 / 500, 0.004);
  EXPECT_NEAR(state.offered(), 200.0 / 500, 0.01);
}

TEST(SteadyState, AFewPerCentTooMuchIsSaturationAndQueuesThatRiseAndFallAreNot) {
  for (const bool growing : {true, false}) {
    traffic::Random random(3, 3);
    SteadyStateOptions options;
    options.warmup_windows = 100;
    SteadyState state(options);
    double queue = 0;
    for (int i = 0; i < 1000; ++i) {
      const double step = growing ? 35 : 300 * (std::sin((i + 1) / 7.0) - std::sin(i / 7.0));
      queue += step;
      const auto accepted = static_cast<std::uint64_t>(1000 - step);
      state.add({1000, 50'000, 1000, accepted, 200 + random.below(20),
                 static_cast<std::uint64_t>(queue + 400)});
    }
    EXPECT_EQ(state.queues_grow(), growing);
    EXPECT_EQ(state.saturated(), growing);
  }
}

/// Nine batches: no interval, and queues are bounded, so that they do not grow.
TEST(SteadyState, AShortRunThatAcceptsAnEighthIsSaturatedAndWhatIsUnderWayIsNotMissed) {
  const auto saturated = [](std::uint64_t accepted, std::uint64_t in_flight_more, double slack) {
    SteadyState s({.window_cycles = 20, .warmup_windows = 5, .slack_flits = slack});
    std::uint64_t in_flight = 0;
    for (int i = 0; i < 50; ++i) {
      in_flight += in_flight_more;
      s.add({accepted, accepted * 30, 100, accepted, in_flight, 20});
    }
    return s.saturated();
  };
  EXPECT_TRUE(saturated(13, 0, 16));
  EXPECT_FALSE(saturated(100, 0, 16));
  EXPECT_FALSE(saturated(90, 10, 16));
  EXPECT_TRUE(saturated(97, 0, 0));
  EXPECT_FALSE(saturated(97, 0, 100));
}

TEST(SteadyState, LatencyAboveTheLimitIsSaturation) {
  for (const double latency : {499.0, 501.0}) {
    SteadyStateOptions options;
    options.warmup_windows = 1;
    SteadyState state(options);
    for (int i = 0; i < 200; ++i)
      state.add({100, static_cast<std::uint64_t>(latency * 100), 100, 100, 50, 0});
    EXPECT_EQ(state.saturated(), latency > 500);
    EXPECT_EQ(state.ci95(), 0);
  }
}

TEST(SteadyState, WindowsWithoutPacketsAreNoMeasurementOfLatency) {
  FakeNetwork network(1, steady);
  SteadyState state({});
  for (int i = 0; i < 3000; ++i) state.add(i % 40 == 0 ? network.next() : Window{});
  EXPECT_TRUE(state.warm());
  EXPECT_NEAR(state.mean_latency(), 60, 3);

  SteadyState idle({});
  for (int i = 0; i < 3000; ++i) EXPECT_FALSE(idle.add({}));
  EXPECT_FALSE(idle.saturated());
  EXPECT_FALSE(idle.precise(1));
}

}  // namespace
}  // namespace hopwise::measure
