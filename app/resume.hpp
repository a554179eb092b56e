// SPDX-License-Identifier: Apache-2.0
// What an interrupted run left behind, for --resume.
#pragma once

#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "app/plan.hpp"

namespace hopwise::app {

struct Earlier {
  struct Completed {
    nlohmann::ordered_json result, speed;
  };
  std::map<std::string, Completed> points;                    ///< by Plan::key
  std::map<std::string, nlohmann::ordered_json> saturations;  ///< by ROUTING/PATTERN
};

/// Points of the same network, RTL, traffic and seed that an earlier run into the same directory
/// completed; none without --resume. `results`: what stands in this run's results.json so far.
Earlier earlier_results(const SimulateOptions& options, const Plan& plan,
                        const nlohmann::ordered_json& results);

}  // namespace hopwise::app
