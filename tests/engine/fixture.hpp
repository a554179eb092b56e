// SPDX-License-Identifier: Apache-2.0
// A network compiled from YAML text, for tests that run RTL.
#pragma once

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "app/compiled.hpp"
#include "app/network.hpp"
#include "config/load.hpp"
#include "engine/options.hpp"
#include "probes/probes.hpp"

namespace hopwise::engine {

/// Small single-flit torus; tests change it by overrides.
inline const char* const kTorus = R"(
topology: {kind: torus, dims: [4, 4]}
packet: {flit_bits: 64, max_flits: 1}
router: {vcs: 4, vc_depth_flits: 8}
)";

/// Flows that are counted, packets of several flits, links of two lengths.
inline const char* const kDragonfly = R"(
topology: {kind: dragonfly, routers_per_group: 3, global_ports: 1, groups: 4}
link: {latency_cycles: [1, 3]}
packet: {flit_bits: 64, max_flits: 4}
router: {vc_depth_flits: 8}
routing: {algorithm: ugal_ln, contention_window_link_cycles: 100}
traffic: {packet_flits: {min: 1, max: 4}}
)";

/// Routers that ask the simulator for remote queues.
inline const char* const kIdealDragonfly = R"(
topology: {kind: dragonfly, terminals_per_router: 1, routers_per_group: 2, global_ports: 1}
packet: {flit_bits: 64, max_flits: 1}
router: {vc_depth_flits: 8}
routing: {algorithm: ugal_global}
)";

/// Routers that learn.
inline const char* const kLearningDragonfly = R"(
topology: {kind: dragonfly, terminals_per_router: 1, routers_per_group: 4, global_ports: 1}
packet: {flit_bits: 64, max_flits: 1}
router: {vc_depth_flits: 16}
routing: {algorithm: q_adaptive}
)";

/// A way to run a network, with its name in that of the test.
struct Mode {
  const char* name;
  std::vector<std::string> overrides;
};

inline app::ModelOptions model_options() {
  return {
      .cache = HOPWISE_MODEL_CACHE, .assertions = true, .trace = false, .jobs = 2, .quick = true};
}

inline app::Simulated compiled(const std::string& yaml,
                               const std::vector<std::string>& overrides = {}) {
  auto spec = config::load(yaml, "test.yaml", overrides, app::builtin_catalogue());
  EXPECT_TRUE(spec.ok()) << (spec.ok() ? "" : format(spec.errors()));
  auto outcome = app::prove(spec.value(), app::builtin_catalogue());
  auto* proven = std::get_if<deadlock::ProvenNetwork>(&outcome);
  EXPECT_NE(proven, nullptr);
  auto network = app::compile(std::move(*proven), "test", model_options());
  EXPECT_TRUE(network.ok()) << (network.ok() ? "" : format(network.errors()));
  return std::move(network).value();
}

/// A short run with a fixed number of cycles.
inline RunOptions short_run(const app::Simulated& network, double load,
                            std::uint64_t cycles = 2000) {
  RunOptions run;
  run.traffic = network.proven->spec().traffic;
  run.patterns = app::builtin_catalogue().patterns;
  run.simulation = network.proven->spec().simulation;
  run.faults = network.proven->spec().fault;
  run.simulation.cycles = cycles;
  run.simulation.warmup_cycles = cycles / 4;
  run.load = load;
  return run;
}

/// A run with what it wants of the probes of its routing.
struct ProbedRun : RunOptions {
  probes::Options probing;
};

inline RunResult simulated(const app::Simulated& network, const RunOptions& run) {
  auto result = simulate(*network.setup, run);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : format(result.errors()));
  return std::move(result).value();
}

inline RunResult simulated(const app::Simulated& network, const ProbedRun& run) {
  RunOptions with_probes = run;
  with_probes.probes = probes::make_probes(network.proven->family(), run.probing);
  return simulated(network, with_probes);
}

/// Every injected packet came out: what every good run ends with.
inline void expect_accounted(const RunResult& r) {
  EXPECT_TRUE(r.failures.empty()) << r.failures.front();
  EXPECT_EQ(r.lost, 0u);
  EXPECT_EQ(r.injected, r.delivered + r.in_flight);
  EXPECT_GT(r.injected, 0u);
}

inline RunResult at_load(const app::Simulated& network, const char* pattern, double load,
                         std::uint64_t cycles) {
  RunOptions run = short_run(network, load, cycles);
  run.traffic.pattern = pattern;
  const RunResult r = simulated(network, run);
  expect_accounted(r);
  return r;
}

/// With shadows.
inline app::Simulated in_lanes(const std::string& yaml, unsigned lanes) {
  app::Simulated network =
      compiled(yaml, {"simulation.engine=lanes", "simulation.lanes=" + std::to_string(lanes)});
  EXPECT_EQ(network.lanes, lanes);
  EXPECT_TRUE(app::add_shadows(network, model_options()).empty());
  return network;
}

inline ProbedRun busy_run(const app::Simulated& network, double load) {
  ProbedRun run;
  static_cast<RunOptions&>(run) = short_run(network, load, 1000);
  run.record_deliveries = true;
  return run;
}

inline void expect_equal(const RunResult& a, const RunResult& b) {
  EXPECT_EQ(a.failures, b.failures);
  EXPECT_EQ(a.deliveries, b.deliveries);
  EXPECT_EQ(a.latency.mean, b.latency.mean);
  EXPECT_EQ(a.total_cycles, b.total_cycles);
  EXPECT_EQ(a.checked, b.checked);
  EXPECT_EQ(a.drain_cycles, b.drain_cycles);
  EXPECT_EQ(a.link_utilisation, b.link_utilisation);
  ASSERT_EQ(a.by_class.size(), b.by_class.size());
  for (std::size_t c = 0; c < a.by_class.size(); ++c) {
    EXPECT_EQ(a.by_class[c].injected, b.by_class[c].injected);
    EXPECT_EQ(a.by_class[c].delivered, b.by_class[c].delivered);
    EXPECT_EQ(a.by_class[c].latency_sum, b.by_class[c].latency_sum);
  }
  ASSERT_EQ(a.routers.size(), b.routers.size());
  for (std::size_t r = 0; r < a.routers.size(); ++r) {
    EXPECT_EQ(a.routers[r].flits_in, b.routers[r].flits_in);
    EXPECT_EQ(a.routers[r].stalled_cycles, b.routers[r].stalled_cycles);
    EXPECT_EQ(a.routers[r].occupancy_sum, b.routers[r].occupancy_sum);
    EXPECT_EQ(a.routers[r].elapsed, b.routers[r].elapsed);
  }
}

/// How much probes have checked under that name; 0 where nobody checks such.
inline std::uint64_t checked_of(const RunResult& r, std::string_view name) {
  for (const auto& [what, number] : r.checked) {
    if (what == name) return number;
  }
  return 0;
}

/// What routers drop is apart from what is lost.
inline void expect_accounted_with_drops(const RunResult& r) {
  EXPECT_TRUE(r.failures.empty()) << r.failures.front();
  EXPECT_EQ(r.lost, 0u);
  const std::uint64_t dropped =
      std::accumulate(r.dropped.begin(), r.dropped.end(), std::uint64_t{0});
  EXPECT_EQ(r.injected, r.delivered + r.in_flight + dropped + r.damaged);
}

/// [4,3]: a coordinate of two bits that has three values.
inline const std::vector<std::string> kChecked = {"topology.dims=[4,3]", "router.checks=true",
                                                  "packet.max_flits=4",
                                                  "traffic.packet_flits={min: 1, max: 4}"};

inline std::vector<std::string> with(std::vector<std::string> a,
                                     const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace hopwise::engine
