// SPDX-License-Identifier: Apache-2.0
// Runs that end by themselves are measured as a whole, and recordings as the run was.
#include "traffic/trace.hpp"

#include <fmt/format.h>

#include "app/results.hpp"
#include "fixture.hpp"

namespace hopwise::engine {
namespace {

struct Recorded {
  const char* name;
  const char* yaml;
  std::vector<std::string> overrides;
};

traffic::Trace trace_of(const app::Simulated& network, const std::string& text) {
  const auto& spec = network.proven->spec().network;
  auto trace = traffic::parse_trace(
      text, "trace", {network.setup->topology.num_terminals(), 1, spec.packet.max_flits});
  EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : format(trace.errors()));
  return std::move(trace).value();
}

RunResult replayed(const app::Simulated& network, const std::string& text) {
  const traffic::Trace trace = trace_of(network, text);
  RunOptions run;
  run.traffic = network.proven->spec().traffic;
  run.simulation = network.proven->spec().simulation;
  run.trace = &trace;
  return simulated(network, run);
}

class RecordedRun : public testing::TestWithParam<Recorded> {};

TEST_P(RecordedRun, IsMeasuredAgainByItsReplayInEveryField) {
  const app::Simulated network = compiled(GetParam().yaml, GetParam().overrides);
  for (const double load : {0.1, 0.4, 1.0}) {
    for (const char* pattern : {"uniform", "transpose"}) {
      if (network.setup->topology.has_groups() && pattern == std::string("transpose")) continue;
      SCOPED_TRACE(testing::Message() << pattern << " " << load);
      RunOptions run = short_run(network, load);
      run.traffic.pattern = pattern;
      run.record_packets = true;
      RunResult first = simulated(network, run);
      expect_accounted(first);
      EXPECT_EQ(first.saturated, load == 1.0);
      RunResult second = replayed(network, traffic::format_trace(first.packets, first.recording));
      EXPECT_EQ(second.stopped, "trace-end");
      EXPECT_GT(second.last_delivery_cycle, 2500u);
      second.stopped = first.stopped;
      const auto text = [&](const RunResult& r) {
        return app::point_json("r", "p", r, *network.proven).dump();
      };
      EXPECT_EQ(text(second), text(first));
      EXPECT_EQ(second.recording, first.recording);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, RecordedRun,
                         testing::Values(Recorded{"torus", kTorus, {}},
                                         Recorded{
                                             "star_channel",
                                             kTorus,
                                             {"routing.algorithm=star_channel",
                                              "packet.max_flits=4", "link.latency_cycles=[3,1]"}},
                                         Recorded{"dragonfly", kDragonfly, {}}),
                         [](const auto& network) { return std::string(network.param.name); });

TEST(RecordedRun, WhoseWarmUpWasDetectedIsMeasuredOverTheSameCycles) {
  const app::Simulated network = compiled(kTorus);
  RunOptions run = short_run(network, 0.2);
  run.simulation.cycles = run.simulation.warmup_cycles = 0;
  run.record_packets = true;
  const RunResult first = simulated(network, run);
  EXPECT_EQ(first.stopped, "converged");
  const RunResult second = replayed(network, traffic::format_trace(first.packets, first.recording));
  EXPECT_EQ(second.warmup_cycles, first.warmup_cycles);
  EXPECT_EQ(second.measured_cycles, first.measured_cycles);
  EXPECT_EQ(second.latency.p99, first.latency.p99);
  EXPECT_EQ(second.latency.ci95, first.latency.ci95);
  EXPECT_EQ(second.accepted_load, first.accepted_load);
  EXPECT_EQ(second.last_delivery_cycle, first.last_delivery_cycle);
}

TEST(Trace, OfOnePacketIsCompleteWhenItsTailArrives) {
  const app::Simulated network = compiled(kTorus, {"packet.max_flits=4"});
  // Two routers of two cycles, three wires of one, and three flits after the head.
  const RunResult r = replayed(network, "100 0 1 4\n");
  expect_accounted(r);
  EXPECT_TRUE(r.completed);
  EXPECT_EQ(r.last_delivery_cycle, 100u + 2 * 2 + 3 * 1 + 3);
  EXPECT_EQ(r.cycles, r.last_delivery_cycle + 1);
  EXPECT_EQ(r.measured_cycles, r.cycles);
  EXPECT_EQ(r.active_terminals, 1);
  EXPECT_DOUBLE_EQ(r.offered_load, 4 / 104.0);
  EXPECT_DOUBLE_EQ(r.accepted_load, 4 / 111.0);
  EXPECT_FALSE(r.saturated);
}

TEST(Trace, ThatAsksForMoreThanALinkCarriesIsSaturatedAndServesUnequally) {
  const app::Simulated network = compiled(kTorus, {"packet.max_flits=4"});
  const auto crowd = [](unsigned senders) {
    std::string text;
    for (unsigned i = 0; i < 2000; ++i) {
      for (unsigned s = 1; s <= senders; ++s) text += fmt::format("{} {} 0 1\n", 2 * i, s);
    }
    return text;
  };
  // Terminal 0 takes one flit per cycle; each of the others sends one in two.
  const RunResult two = replayed(network, crowd(2)), eight = replayed(network, crowd(8));
  EXPECT_FALSE(two.saturated);
  EXPECT_NEAR(two.offered_load, 0.5, 0.001);
  EXPECT_NEAR(two.accepted_load, 0.5, 0.01);
  EXPECT_NEAR(two.fairness.mean, 1, 0.01);
  EXPECT_EQ(two.active_terminals, 2);
  EXPECT_TRUE(eight.saturated);
  EXPECT_NEAR(eight.offered_load, 0.5, 0.001);
  EXPECT_NEAR(eight.accepted_load, 1 / 8.0, 0.002);
  EXPECT_LT(eight.fairness.mean, 0.35);
  EXPECT_LT(eight.fairness.jain, 0.999);
  expect_accounted(eight);
}

TEST(Trace, WithoutPacketsHasNoLoadAndNoFailure) {
  const app::Simulated network = compiled(kTorus);
  const RunResult r = replayed(network, "");
  EXPECT_TRUE(r.failures.empty());
  EXPECT_TRUE(r.completed);
  EXPECT_EQ(r.cycles, 0u);
  EXPECT_EQ(r.offered_load, 0);
  EXPECT_EQ(r.accepted_load, 0);
}

TEST(Fairness, LeavesOutTerminalsThatAPatternSilences) {
  const app::Simulated network = compiled(kTorus);
  RunOptions run = short_run(network, 0.2);
  run.traffic.pattern = "transpose";
  const RunResult r = simulated(network, run);
  EXPECT_EQ(r.active_terminals, 12);
  EXPECT_GT(r.fairness.min, 0.9);
  EXPECT_GT(r.fairness.jain, 0.999);
}

}  // namespace
}  // namespace hopwise::engine
