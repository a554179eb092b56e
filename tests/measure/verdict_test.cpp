// SPDX-License-Identifier: Apache-2.0
// When a run says early whether its load is sustained: soon where that is clear, not at all where
// it is not.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "measure/steady_state.hpp"
#include "traffic/random.hpp"

namespace hopwise::measure {
namespace {

constexpr std::uint64_t kOffered = 1000;  // flits in each window of 500 cycles

/// One window after the other: latency, the flits accepted, and those in the source queues.
struct Course {
  std::function<double(double window)> latency = [](double) { return 60.0; };
  std::function<double(double window)> queued = [](double) { return 400.0; };
  double accepted = kOffered;
  double noise = 4;  // core cycles, of latency, either way
};

struct Outcome {
  Verdict verdict = Verdict::kOpen;
  std::uint64_t windows = 0;
  SteadyState state;
};

SteadyStateOptions warm_after(std::uint64_t windows) {
  SteadyStateOptions options;
  options.warmup_windows = windows;
  return options;
}

/// Until the verdict, or to the end.
Outcome run(const Course& course, std::uint64_t windows = 800,
            const SteadyStateOptions& options = warm_after(50), std::uint64_t seed = 1) {
  traffic::Random random(seed, 0);
  Outcome result{.state = SteadyState(options)};
  while (result.verdict == Verdict::kOpen && result.windows < windows) {
    const auto at = static_cast<double>(result.windows++);
    const double unit = static_cast<double>(random.next() >> 11) * 0x1p-52 - 1;
    const double latency = course.latency(at) + course.noise * unit;
    result.state.add({100, static_cast<std::uint64_t>(latency * 100), kOffered,
                      static_cast<std::uint64_t>(course.accepted), 200,
                      static_cast<std::uint64_t>(course.queued(at))});
    result.verdict = result.state.verdict();
  }
  return result;
}

TEST(Verdict, ALightLoadIsSustainedAfterTenBatchesHoweverFarFromPrecise) {
  const Outcome r = run({.noise = 55});
  EXPECT_EQ(r.verdict, Verdict::kSustained);
  EXPECT_EQ(r.windows, 100u);  // warm-up, and ten batches of five windows
  EXPECT_FALSE(r.state.precise(0.02));
}

TEST(Verdict, NothingIsSustainedDuringWarmUp) {
  EXPECT_EQ(run({}, 800, warm_after(1000)).verdict, Verdict::kOpen);
}

TEST(Verdict, LatencyBetweenHalfTheLimitAndTheLimitIsNotClear) {
  const auto at = [](double latency) {
    return run({.latency = [latency](double) { return latency; }}).verdict;
  };
  EXPECT_EQ(at(240), Verdict::kSustained);
  EXPECT_EQ(at(260), Verdict::kOpen);
  EXPECT_EQ(at(490), Verdict::kOpen);
  EXPECT_EQ(at(510), Verdict::kSaturated);
}

TEST(Verdict, AnIntervalThatHoldsTheLimitIsNotClear) {
  // Waves as long as the interval: a mean far above the limit, or below its half, and no precision.
  const auto waves = [](double mean) {
    return run({.latency = [mean](double w) { return mean * (1 + 0.95 * std::sin(w / 8)); }}, 130);
  };
  for (const double mean : {200.0, 600.0}) {
    const Outcome r = waves(mean);
    EXPECT_EQ(r.verdict, Verdict::kOpen) << mean;
    EXPECT_EQ(r.state.mean_latency() < 250, mean < 250);
    EXPECT_EQ(r.state.mean_latency() > 500, mean > 500);
  }
}

TEST(Verdict, RisingQueuesAreNotSustainedThoughLatencyIsStillLow) {
  const auto rising = [](double w) { return 400 + 3 * w; };  // 0.3 % of what is offered
  EXPECT_EQ(run({.queued = rising}, 250).verdict, Verdict::kOpen);
  const auto sinking = [](double w) { return 2000 - 3 * w; };
  EXPECT_EQ(run({.queued = sinking}, 250).verdict, Verdict::kSustained);
}

TEST(Verdict, QueuesThatGrowSlowlyAreSaturatedOnceTheyHoldTwiceTheLimit) {
  // 0.5 % of what is offered, which SteadyState::queues_grow tolerates. 2 flits per cycle: the
  // limit of 500 cycles is worth 1000 flits.
  for (const std::uint64_t warmup : {50, 1000}) {
    const Outcome r = run({.queued = [](double w) { return 5 * w; }}, 800, warm_after(warmup));
    EXPECT_EQ(r.verdict, Verdict::kSaturated);
    EXPECT_GT(r.windows, 400u);
    EXPECT_LT(r.windows, 450u);
    EXPECT_FALSE(r.state.queues_grow());
  }
}

TEST(Verdict, LongQueuesThatDoNotGrowAreNoSaturation) {
  for (const double step : {0.0, -1.0}) {
    const auto long_queue = [step](double w) { return 5000 + step * w; };
    EXPECT_EQ(run({.queued = long_queue}, 800, warm_after(1000)).verdict, Verdict::kOpen);
  }
}

TEST(Verdict, AcceptedTrafficBelowItsLimitIsSaturationWhereQueuesAreBounded) {
  EXPECT_EQ(run({.accepted = 970}).verdict, Verdict::kSaturated);
  EXPECT_EQ(run({.accepted = 990}).verdict, Verdict::kSustained);
}

TEST(Verdict, AQueueThatFillsAtFirstIsNotHeldAgainstARunThatCarriesItsLoad) {
  const auto fills = [](double w) { return 900 * (1 - std::exp(-w / 20)); };
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    EXPECT_EQ(run({.queued = fills}, 800, warm_after(50), seed).verdict, Verdict::kSustained);
}

}  // namespace
}  // namespace hopwise::measure
