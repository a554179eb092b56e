// SPDX-License-Identifier: Apache-2.0
#include "measure/search.hpp"

namespace hopwise::measure {

bool sustained(double load, const Probe& probe, const SaturationCriteria& criteria) {
  if (probe.sustained) return *probe.sustained;
  return probe.accepted >= criteria.accepted_limit * load &&
         probe.mean_latency_link_cycles <= criteria.latency_limit_link_cycles;
}

Saturation find_saturation(const std::function<Probe(double load)>& run,
                           const SaturationCriteria& criteria) {
  const auto holds = [&](double load) { return sustained(load, run(load), criteria); };
  double low = criteria.known_sustained;
  double high = criteria.highest;
  if (holds(high)) return {.load = high, .at_highest = true};
  while (high - low > criteria.tolerance) {
    const double middle = low + (high - low) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return {.load = low};
}

}  // namespace hopwise::measure
