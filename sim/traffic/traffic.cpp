// SPDX-License-Identifier: Apache-2.0
#include "traffic/traffic.hpp"

#include <algorithm>
#include <utility>

namespace hopwise::traffic {

std::vector<Source> Traffic::sources() const {
  std::vector<Source> sources;
  sources.reserve(num_terminals_);
  for (std::size_t t = 0; t < num_terminals_; ++t) {
    const TerminalId terminal{static_cast<std::uint32_t>(t)};
    if (auto process = phases_.front().pattern->process(terminal))
      sources.emplace_back(std::move(process));
    else
      sources.emplace_back(terminal, phases_, seed_);
  }
  return sources;
}

/// Sum of value(phase) over the cycles of [from, to).
template <class Value>
double Traffic::sum(std::uint64_t from, std::uint64_t to, Value value) const {
  double sum = 0;
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    const std::uint64_t begin = std::max(from, phases_[i].begin_cycle);
    const std::uint64_t end =
        i + 1 < phases_.size() ? std::min(to, phases_[i + 1].begin_cycle) : to;
    if (begin < end) sum += static_cast<double>(end - begin) * value(phases_[i]);
  }
  return sum;
}

double Traffic::active_terminals(std::uint64_t from, std::uint64_t to) const {
  const auto active = [](const Phase& p) { return static_cast<double>(p.active_terminals); };
  return sum(from, to, active) / static_cast<double>(to - from);
}

double Traffic::offered_flits(std::uint64_t from, std::uint64_t to) const {
  const auto offered = [](const Phase& p) {
    return static_cast<double>(p.active_terminals) * p.injection.flits_per_cycle();
  };
  return sum(from, to, offered);
}

Result<Traffic> make_traffic(spec::Patterns patterns, const spec::TrafficSpec& spec, double load,
                             const topology::Topology& topology, spec::Rational cycles_per_flit,
                             std::uint64_t seed) {
  Traffic traffic;
  traffic.num_terminals_ = topology.num_terminals();
  traffic.seed_ = seed;
  Diagnostics errors;
  const auto add = [&](std::uint64_t begin, const std::string& pattern_name, double phase_load,
                       const char* key) {
    auto pattern = make_pattern(patterns, spec, pattern_name, topology, seed);
    if (!pattern) {
      for (Diagnostic error : pattern.errors()) {
        if (error.key == "traffic.pattern") error.key = key;
        errors.push_back(std::move(error));
      }
      return;
    }
    const std::size_t active = active_terminals(*pattern.value(), topology.num_terminals());
    traffic.phases_.push_back({begin, std::move(pattern).value(),
                               InjectionModel(spec, phase_load, cycles_per_flit), active});
  };
  add(0, spec.pattern, load, "traffic.pattern");
  if (spec.switch_cycle != 0) {
    add(spec.switch_cycle, spec.switch_pattern.empty() ? spec.pattern : spec.switch_pattern,
        spec.switch_load > 0 ? spec.switch_load : load, "traffic.switch_pattern");
  }
  if (!errors.empty()) return errors;
  traffic.closed_loop_ = spec::pattern_of(patterns, spec.pattern).closed_loop;
  return traffic;
}

}  // namespace hopwise::traffic
