// SPDX-License-Identifier: Apache-2.0
// What packets take in a network without others.
#include <algorithm>

#include "engine/options.hpp"

namespace hopwise::engine {

double zero_load_router_cycles(const spec::NetworkSpec& network, unsigned route_cycles) {
  return network.router.pipeline_cycles + route_cycles +
         (network.link.idle_wait ? network.link.cycles_per_flit.value() + 1 : 0);
}

double zero_load_latency(const Setup& setup, const spec::TrafficSpec& traffic) {
  const auto& topology = setup.topology;
  const double router = zero_load_router_cycles(setup.network, setup.route_cycles);
  const auto path = topology.mean_minimal_path();
  const double flits = 0.5 * (traffic.length.min_flits + traffic.length.max_flits);
  // Store-and-forward waits for the tail in each router, and in the terminal.
  const double waits =
      setup.network.router.switching == spec::Switching::kStoreAndForward ? path.hops + 2 : 1;
  return setup.network.router.class_cycles() + (path.hops + 1) * router + path.wire_cycles +
         2.0 * topology.terminal_latency_cycles() +
         waits * (flits - 1) * setup.network.link.cycles_per_flit.value();
}

namespace {

/// What the memories of both ends of a message take for each beat, at most on average.
double memory_cycles(const Setup& setup, const spec::SimulationSpec& simulation) {
  if (!setup.network.terminal.messages) return 0;
  return 2 * static_cast<double>(simulation.memory_latency_cycles) / (1 - simulation.memory_stalls);
}

}  // namespace

std::uint64_t patience(const Setup& setup, const spec::SimulationSpec& simulation) {
  std::uint64_t longest = setup.topology.terminal_latency_cycles();
  for (const auto& c : setup.topology.channels())
    longest = std::max<std::uint64_t>(longest, c.latency_cycles);
  const double packet =
      2 * setup.network.packet.max_flits * setup.network.link.cycles_per_flit.value();
  longest += static_cast<std::uint64_t>(packet + memory_cycles(setup, simulation));
  // Watchdogs have told of all that stands still after two rounds.
  return std::max(20000 + 100 * longest, 3 * std::uint64_t{setup.network.router.watchdog_cycles}) +
         setup.longest_wait_cycles;
}

double latency_limit(const Setup& setup, const spec::TrafficSpec& traffic,
                     const spec::SimulationSpec& simulation) {
  // A message ends with its last response.
  const double ways = setup.network.terminal.messages ? 2 : 1;
  return std::max(
      500 * setup.network.link.cycles_per_flit.value(),
      10 * (ways * zero_load_latency(setup, traffic) + memory_cycles(setup, simulation)));
}

}  // namespace hopwise::engine
