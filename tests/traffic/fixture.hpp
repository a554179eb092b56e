// SPDX-License-Identifier: Apache-2.0
// Small topologies, and patterns and traffic on them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "topology/dragonfly.hpp"
#include "topology/grid.hpp"
#include "traffic/traffic.hpp"

namespace hopwise::traffic {

inline constexpr auto kBernoulli = spec::Injection::kBernoulli;
inline constexpr auto kOnOff = spec::Injection::kOnOff;

inline topology::Topology torus(std::vector<unsigned> dims, unsigned terminals = 1) {
  spec::LinkSpec link;
  link.latency_cycles.assign(dims.size(), 1);
  return topology::Topology(topology::builtin_kinds(), topology::torus(std::move(dims), terminals),
                            link);
}

inline topology::Topology dragonfly(unsigned p, unsigned a, unsigned h, unsigned g) {
  spec::LinkSpec link;
  link.latency_cycles = {1, 1};
  const topology::DragonflySpec numbers{.routers_per_group = a, .global_ports = h, .groups = g};
  return topology::Topology(topology::builtin_kinds(), topology::dragonfly(numbers, p), link);
}

inline TerminalId at(std::size_t t) { return TerminalId{static_cast<std::uint32_t>(t)}; }

inline std::unique_ptr<Pattern> make(const std::string& name, const topology::Topology& t,
                                     std::uint64_t seed = 1, const spec::TrafficSpec& spec = {}) {
  auto made = make_pattern(builtin_patterns(), spec, name, t, seed);
  if (!made.ok()) {
    ADD_FAILURE() << format(made.errors());
    return nullptr;
  }
  return std::move(made).value();
}

inline spec::TrafficSpec hot(double fraction, std::vector<std::uint64_t> terminals = {}) {
  spec::TrafficSpec spec;
  spec.settings.set("traffic.hot_fraction", fraction);
  spec.settings.set("traffic.hot_terminals", std::move(terminals));
  return spec;
}

/// Destinations of all terminals under a deterministic pattern; silent ones map to themselves.
inline std::vector<std::size_t> map_of(const Pattern& pattern, std::size_t n) {
  Random random(1, 1);
  std::vector<std::size_t> map(n);
  for (std::size_t t = 0; t < n; ++t)
    map[t] = pattern.silent(at(t)) ? t : index(pattern.destination(at(t), random));
  return map;
}

/// How often `src` sends to each of `n` terminals.
inline std::vector<double> counts_from(const Pattern& pattern, std::size_t n, std::size_t src,
                                       int draws) {
  Random random(5, src);
  std::vector<double> counts(n);
  for (int i = 0; i < draws; ++i) ++counts[index(pattern.destination(at(src), random))];
  return counts;
}

/// Traffic of a 4x4 torus.
inline Traffic made(const spec::TrafficSpec& spec, double load, spec::Rational rate = {1, 1},
                    std::uint64_t seed = 1) {
  auto result = make_traffic(builtin_patterns(), spec, load, torus({4, 4}), rate, seed);
  if (!result) {
    ADD_FAILURE() << format(result.errors());
    return {};
  }
  return std::move(result).value();
}

}  // namespace hopwise::traffic
