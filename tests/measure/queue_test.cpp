// SPDX-License-Identifier: Apache-2.0
// Sources and measurement together on the one network whose latency is known in closed form: a
// single server.
#include <gtest/gtest.h>

#include <cmath>
#include <deque>

#include "measure/histogram.hpp"
#include "measure/steady_state.hpp"
#include "topology/grid.hpp"
#include "traffic/source.hpp"

namespace hopwise {
namespace {

constexpr unsigned kFlits = 8;

struct Outcome {
  measure::SteadyState state;
  measure::Histogram latencies;
};

/// Serves packets in order, `service` cycles each, until the result is precise or `max_windows`
/// have passed.
Outcome serve(double load, std::uint64_t service, std::uint64_t seed, double latency_limit,
              int max_windows) {
  const topology::Topology topology(topology::builtin_kinds(), topology::torus({2}, 1),
                                    {{1}, 1, {1, 1}});
  const auto pattern =
      traffic::make_pattern(traffic::builtin_patterns(), {}, "uniform", topology, 1);
  spec::TrafficSpec spec;
  spec.length = {kFlits, kFlits};
  const traffic::InjectionModel model(spec, load, {1, 1});
  traffic::Source source(TerminalId{0}, *pattern.value(), model, traffic::Random(seed, 0));

  measure::SteadyStateOptions options;
  options.window_cycles = 2000;
  options.latency_limit_cycles = latency_limit;
  Outcome out{measure::SteadyState(options), {}};
  std::deque<std::uint64_t> waiting;  // cycle of generation
  std::uint64_t free_at = 0;
  for (int w = 0; w < max_windows && !out.state.precise(0.02); ++w) {
    measure::Window window;
    const std::uint64_t end = static_cast<std::uint64_t>(w + 1) * options.window_cycles;
    while (source.next_cycle() < end) {
      waiting.push_back(source.pop().cycle);
      window.offered_flits += kFlits;
    }
    while (!waiting.empty() && std::max(free_at, waiting.front()) + service < end) {
      free_at = std::max(free_at, waiting.front()) + service;
      const std::uint64_t latency = free_at - waiting.front();
      waiting.pop_front();
      ++window.packets;
      window.latency_sum += latency;
      window.accepted_flits += kFlits;
      if (out.state.warm()) out.latencies.add(latency);
    }
    window.queued_flits = kFlits * waiting.size();
    out.state.add(window);
  }
  return out;
}

TEST(SingleServer, MeasuredLatencyIsThatOfQueueingTheory) {
  for (const double load : {0.3, 0.6, 0.85}) {
    // Geo/D/1: wait = p s (s - 1) / (2 (1 - rho)) with p = rho / s.
    const double exact = kFlits + load * (kFlits - 1) / (2 * (1 - load));
    int covered = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Outcome out = serve(load, kFlits, seed, 500, 20'000);
      EXPECT_TRUE(out.state.precise(0.02));
      EXPECT_FALSE(out.state.saturated());
      EXPECT_NEAR(out.state.mean_latency(), exact, 0.06 * exact) << load;
      EXPECT_NEAR(out.state.accepted(), load, 0.05 * load);
      EXPECT_DOUBLE_EQ(out.latencies.mean(), out.state.mean_latency());
      EXPECT_EQ(out.latencies.min(), kFlits);
      covered += std::abs(out.state.mean_latency() - exact) <= out.state.ci95() ? 1 : 0;
    }
    EXPECT_GE(covered, 15) << load;
  }
}

TEST(SingleServer, AnOverloadedServerIsSaturatedAndDeliversItsCapacity) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Outcome out = serve(1.0, 10, seed, 500, 5000);
    EXPECT_TRUE(out.state.warm());
    EXPECT_TRUE(out.state.saturated());
    EXPECT_TRUE(out.state.precise(0.02));
    EXPECT_NEAR(out.state.accepted(), 0.8, 0.002);
  }
}

}  // namespace
}  // namespace hopwise
