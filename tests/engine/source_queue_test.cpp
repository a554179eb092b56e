// SPDX-License-Identifier: Apache-2.0
// Bounded source queues: how much they hold, what is lost in them (nothing), and what counts as
// saturated.
#include <algorithm>

#include "app/results.hpp"
#include "fixture.hpp"
#include "traffic/trace.hpp"

namespace hopwise::engine {
namespace {

constexpr unsigned kPlaces = 3;
constexpr unsigned kTerminals = 16;

RunOptions bounded(const app::Simulated& network, spec::Injection injection, double load,
                   std::uint64_t places = kPlaces) {
  RunOptions run = short_run(network, load, 6000);
  run.traffic.injection = injection;
  run.traffic.source_queue_packets = places;
  run.record_packets = true;
  return run;
}

double longest_queue(const RunResult& r) {
  double longest = 0;
  for (const auto& row : r.series) longest = std::max(longest, row.queued);
  return longest;
}

TEST(SourceQueue, BeyondSaturationItNeverHoldsMoreThanItsPlacesAndNothingIsLost) {
  const app::Simulated network = compiled(kTorus);
  for (const auto injection :
       {spec::Injection::kBernoulli, spec::Injection::kOnOff, spec::Injection::kPeriodic}) {
    SCOPED_TRACE(static_cast<int>(injection));
    RunOptions run = bounded(network, injection, 0.9);
    run.traffic.pattern = "hot_spot";
    run.traffic.settings.set("traffic.hot_fraction", 0.5);
    const RunResult r = simulated(network, run);
    expect_accounted(r);
    EXPECT_LE(longest_queue(r), kPlaces * kTerminals);
    EXPECT_GT(longest_queue(r), kPlaces * kTerminals * 0.9);
    EXPECT_GE(r.packets.size(), r.injected);
    EXPECT_LE(r.packets.size() - r.injected, kPlaces * kTerminals);
    EXPECT_TRUE(r.saturated);
    EXPECT_EQ(r.offered_load, 0.9);
    EXPECT_LT(r.accepted_load, 0.3);
    // Without a bound the same traffic fills them without end: the test above can fail.
    run.traffic.source_queue_packets = 0;
    const RunResult open = simulated(network, run);
    EXPECT_GT(longest_queue(open), 20.0 * kPlaces * kTerminals);
    EXPECT_TRUE(open.saturated);
    EXPECT_LT(r.latency.mean, open.latency.mean / 5);
  }
}

TEST(SourceQueue, ThatOfOneTerminalHoldsItsPlacesExactlyAndATraceWaitsForThem) {
  const app::Simulated network = compiled(kTorus);
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "0 0 5 1\n";
  const auto trace = traffic::parse_trace(text, "trace", {kTerminals, 1, 1});
  ASSERT_TRUE(trace.ok());
  RunOptions run = bounded(network, spec::Injection::kPeriodic, 0.5);
  run.trace = &trace.value();
  const RunResult r = simulated(network, run);
  expect_accounted(r);
  EXPECT_EQ(r.delivered, 2000u);
  double most = 0;
  for (const auto& row : r.series) {
    EXPECT_LE(row.queued, kPlaces);
    most = std::max(most, row.queued);
  }
  // A flit leaves in every cycle, behind which a place is empty until the next.
  EXPECT_GE(most, kPlaces - 1);
  ASSERT_EQ(r.packets.size(), 2000u);
  // As many as there are places enter in cycle 0; from then on each waits for one to leave.
  for (std::size_t i = 0; i < kPlaces; ++i) EXPECT_EQ(r.packets[i].cycle, 0u);
  for (std::size_t i = kPlaces; i < r.packets.size(); ++i)
    EXPECT_GT(r.packets[i].cycle, r.packets[i - 1].cycle);
}

TEST(SourceQueue, WhatTheNetworkSustainsIsOfferedAndAcceptedInFull) {
  const app::Simulated network = compiled(kTorus);
  for (const auto injection : {spec::Injection::kBernoulli, spec::Injection::kPeriodic}) {
    RunOptions run = bounded(network, injection, 0.4, 20);
    const RunResult r = simulated(network, run);
    expect_accounted(r);
    EXPECT_FALSE(r.saturated);
    EXPECT_NEAR(r.accepted_load, 0.4, injection == spec::Injection::kPeriodic ? 0.001 : 0.01);
  }
}

TEST(SourceQueue, ASleepingSourceDoesNotHideThatTheLoadIsNotMet) {
  // Latency is bounded by the places, and what is generated is what is accepted: only the load
  // asked for tells.
  const app::Simulated network = compiled(kTorus);
  RunOptions run = bounded(network, spec::Injection::kPeriodic, 1.0, 2);
  run.simulation.cycles = run.simulation.warmup_cycles = 0;
  run.simulation.max_cycles = 60'000;
  const RunResult r = simulated(network, run);
  expect_accounted(r);
  EXPECT_EQ(r.stopped, "converged");
  EXPECT_LT(r.latency.mean, 100);
  EXPECT_LT(r.accepted_load, 0.97);
  EXPECT_TRUE(r.saturated);
  double offered = 0;
  for (const auto& row : r.series) offered += row.offered / static_cast<double>(r.series.size());
  EXPECT_NEAR(offered, kTerminals, 0.01);
}

TEST(SourceQueue, RoundsAndBoundsLeaveEveryByteAsItIsOnAnyNumberOfThreads) {
  const app::Simulated network = compiled(kTorus);
  for (const char* pattern :
       {"stencil_3d:4x2x2", "many_to_many:2x2x4", "random_neighbors", "random_neighbors:fixed"}) {
    SCOPED_TRACE(pattern);
    RunOptions run = bounded(network, spec::Injection::kPeriodic, 0.7);
    run.traffic.pattern = pattern;
    const auto text = [&](unsigned threads) {
      run.threads = threads;
      const RunResult r = simulated(network, run);
      expect_accounted(r);
      return app::point_json("r", "p", r, *network.proven).dump() +
             traffic::format_trace(r.packets);
    };
    const std::string one = text(1);
    EXPECT_EQ(text(3), one);
  }
}

TEST(SourceQueue, WhatABoundedRunAcceptedReplaysToTheSameDeliveries) {
  const app::Simulated network = compiled(kTorus);
  RunOptions run = bounded(network, spec::Injection::kPeriodic, 1.0);
  run.record_deliveries = true;
  const RunResult first = simulated(network, run);
  const auto trace =
      traffic::parse_trace(traffic::format_trace(first.packets), "trace", {kTerminals, 1, 1});
  ASSERT_TRUE(trace.ok()) << format(trace.errors());
  run.trace = &trace.value();
  run.traffic.source_queue_packets = 0;
  const RunResult second = simulated(network, run);
  expect_accounted(second);
  std::size_t during = 0;
  while (during < first.deliveries.size() && first.deliveries[during].cycle < first.cycles) {
    ASSERT_EQ(first.deliveries[during], second.deliveries.at(during));
    ++during;
  }
  EXPECT_GT(during, 50'000u);
}

}  // namespace
}  // namespace hopwise::engine
