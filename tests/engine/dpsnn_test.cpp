// SPDX-License-Identifier: Apache-2.0
// DPSNN on a network: processes wait for deliveries, the run ends with the last step, and threads
// change nothing.
#include <algorithm>
#include <map>

#include "app/results.hpp"
#include "fixture.hpp"
#include "traffic/patterns/dpsnn.hpp"
#include "traffic/trace.hpp"

namespace hopwise::engine {
namespace {

constexpr std::size_t kProcesses = 16;
const std::vector<std::string> kDpsnnPackets = {
    "packet.max_flits=8",    "router.vc_depth_flits=16",     "traffic.dpsnn_neurons=400",
    "traffic.dpsnn_steps=6", "traffic.dpsnn_spike_cycles=2", "traffic.pattern=dpsnn:40"};

RunOptions whole(const app::Simulated& network) {
  RunOptions run = short_run(network, 0);
  run.simulation.cycles = run.simulation.warmup_cycles = 0;
  run.record_packets = true;
  return run;
}

TEST(Dpsnn, TheRunEndsWithTheLastStepAndEveryMessageIsDelivered) {
  const app::Simulated network = compiled(kTorus, kDpsnnPackets);
  const RunOptions run = whole(network);
  const RunResult r = simulated(network, run);
  expect_accounted(r);
  EXPECT_EQ(r.stopped, "last-step");
  EXPECT_EQ(r.delivered, r.injected);
  EXPECT_EQ(r.warmup_cycles, 0u);
  EXPECT_FALSE(r.saturated);
  EXPECT_GT(r.offered_load, 0);
  EXPECT_NEAR(r.accepted_load, r.offered_load, 1e-9);
  EXPECT_GT(r.network_latency.stdev, 0);
  const traffic::Dpsnn app(run.traffic, 40, kProcesses, run.simulation.seed);
  std::map<std::uint64_t, std::uint64_t> flits, wanted, first, last;
  for (const auto& p : r.packets) {
    flits[p.step] += p.flits;
    first.try_emplace(p.step, p.cycle);
    first[p.step] = std::min(first[p.step], p.cycle);
    last[p.step] = std::max(last[p.step], p.cycle);
  }
  for (std::uint64_t step = 1; step <= 6; ++step) {
    for (std::size_t a = 0; a < kProcesses; ++a) {
      for (std::size_t b = 0; b < kProcesses; ++b) {
        const std::uint32_t spikes = app.spikes(step, a, b);
        for (std::uint32_t i = 0; a != b && i < app.packets(spikes); ++i)
          wanted[step] += app.flits(spikes, i);
      }
    }
    // The first process of a step has heard of the last one of the step before, over at least two
    // terminal links.
    if (step > 1) {
      EXPECT_GT(first[step], last[step - 1] + 4);
    }
  }
  EXPECT_EQ(flits, wanted);
}

TEST(Dpsnn, ThreadsAndIdleRoutersLeaveEveryByteAsItIs) {
  const app::Simulated network = compiled(kTorus, kDpsnnPackets);
  RunOptions run = whole(network);
  const auto text = [&](unsigned threads, bool skip) {
    run.threads = threads;
    run.skip_idle = skip;
    const RunResult r = simulated(network, run);
    expect_accounted(r);
    return app::point_json("r", "p", r, *network.proven).dump() + traffic::format_trace(r.packets);
  };
  const std::string one = text(1, true);
  EXPECT_EQ(text(3, true), one);
  EXPECT_EQ(text(1, false), one);
}

TEST(Dpsnn, ASlowerNetworkMakesTheApplicationSlowerAndNotTheMessages) {
  const auto run_of = [](std::vector<std::string> overrides) {
    overrides.insert(overrides.end(), kDpsnnPackets.begin(), kDpsnnPackets.end());
    const app::Simulated network = compiled(kTorus, overrides);
    return simulated(network, whole(network));
  };
  const RunResult fast = run_of({}), slow = run_of({"link.latency_cycles=20"});
  expect_accounted(fast);
  expect_accounted(slow);
  EXPECT_EQ(fast.injected, slow.injected);
  EXPECT_GT(slow.cycles, fast.cycles);
}

TEST(Dpsnn, WithoutALastStepTheRunEndsAsAnyOther) {
  const app::Simulated network = compiled(kTorus, kDpsnnPackets);
  RunOptions run = whole(network);
  run.traffic.endless = true;
  run.simulation.cycles = 8000;
  const RunResult r = simulated(network, run);
  expect_accounted(r);
  EXPECT_EQ(r.stopped, "cycles");
  EXPECT_GT(r.packets.back().step, 6u);
}

}  // namespace
}  // namespace hopwise::engine
