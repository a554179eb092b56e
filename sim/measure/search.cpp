// SPDX-License-Identifier: Apache-2.0
#include "measure/search.hpp"

namespace hopwise::measure {

bool sustained(double load, const Probe& probe, const SaturationCriteria& criteria) {
  const double offered = probe.offered > 0 ? probe.offered : load;
  return probe.accepted >= criteria.accepted_limit * offered &&
         probe.mean_latency_link_cycles <= criteria.latency_limit_link_cycles;
}

Saturation find_saturation(const std::function<Probe(double load)>& run,
                           const SaturationCriteria& criteria) {
  Saturation result;
  const auto try_load = [&](double load) {
    const Probe probe = run(load);
    result.steps.push_back({load, probe, sustained(load, probe, criteria)});
    return result.steps.back().sustained;
  };
  double low = criteria.known_sustained;
  double high = criteria.highest;
  if (try_load(high)) {
    result.load = high;
    result.at_highest = true;
    return result;
  }
  while (high - low > criteria.tolerance) {
    const double middle = low + (high - low) / 2;
    (try_load(middle) ? low : high) = middle;
  }
  result.load = low;
  return result;
}

}  // namespace hopwise::measure
