// SPDX-License-Identifier: Apache-2.0
// What the routers of each family of routings count, and under which keys results.json has it: the
// one place where a counter's name meets its key.
#pragma once

#include <string_view>
#include <vector>

#include "engine/options.hpp"
#include "measure/counts.hpp"
#include "spec/spec.hpp"

namespace hopwise::probes {

/// A number of results.json.
struct Field {
  std::string_view key, counter;
  /// a mean over what this counter counts; empty: the count itself
  std::string_view over = {};
};

struct CounterLayout {
  measure::Counters counters;  ///< in the order of the words of monitor_o; empty: none
  engine::CounterRoles roles;
  /// Of a point, for its measuring interval and for the whole run. Empty: there is none, and the
  /// heads of packets tell whether they went minimally.
  std::string_view section;
  std::vector<Field> totals;  ///< of the section
  /// Of a row of time_series; a mean of nothing is left out.
  std::vector<Field> series;
};

CounterLayout counter_layout(const spec::RoutingSpec& routing);

/// The folder of a routing's family in this one; empty where it has none.
std::string_view family_of(const spec::RoutingSpec& routing);

}  // namespace hopwise::probes
