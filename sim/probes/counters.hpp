// SPDX-License-Identifier: Apache-2.0
// Under which keys results.json has what the routers of a family of routings count: the one place
// where a counter's name meets its key.
#pragma once

#include <string_view>
#include <vector>

#include "routing/family.hpp"

namespace hopwise::probes {

/// A number of results.json.
struct Field {
  std::string_view key, counter;
  /// a mean over what this counter counts; empty: the count itself
  std::string_view over = {};
};

struct CounterLayout {
  /// Of a point, for its measuring interval and for the whole run. Empty: there is none, and the
  /// heads of packets tell whether they went minimally.
  std::string_view section;
  std::vector<Field> totals;  ///< of the section
  /// Of a row of time_series; a mean of nothing is left out.
  std::vector<Field> series;
  std::string_view mapped;  ///< the counter of contention_map; empty: none
};

/// Of a network whose routing is of the family.
CounterLayout counter_layout(const routing::Family& family, const spec::RoutingSpec& routing);

}  // namespace hopwise::probes
