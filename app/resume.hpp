// SPDX-License-Identifier: Apache-2.0
// What an earlier run left in the output directory, for --resume.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/plan.hpp"

namespace hopwise::app {

struct Earlier {
  struct Point {
    nlohmann::ordered_json result;
    nlohmann::ordered_json speed = nullptr;  ///< null: not known
  };
  std::string file;  ///< it was read from; empty: there was none
  /// results.json without points and searches
  nlohmann::ordered_json head = nlohmann::ordered_json::object();
  std::vector<Point> points;  ///< one of each routing, pattern and load; maybe partial or failed
  std::vector<nlohmann::ordered_json> searches;  ///< one of each routing and pattern
};

/// Of the journal where there is one: it begins with what results.json held. Else of results.json
/// and speed.json; of a directory without any result, nothing.
///
/// Error: app.bad-results where a file is damaged, with its line.
Result<Earlier> read_earlier(const std::filesystem::path& directory);

/// app.other-results, with what differs: version, description, overrides, seed. Loads, patterns and
/// routings may differ.
Diagnostics check_same_run(const Earlier& earlier, const SimulateOptions& options,
                           const Plan& plan);

/// The same for the RTL and the proof of each routing. `results`: what stands in this run's
/// results.json so far.
Diagnostics check_same_networks(const Earlier& earlier, const nlohmann::ordered_json& results);

/// Adds the routings to `results` that the earlier run had and this one has not: their proofs and
/// networks.
void keep_routings(const Earlier& earlier, nlohmann::ordered_json& results);

/// Those of the plan, and of the earlier run's those about routings or patterns that the plan has
/// not. Warnings about points are made anew from all of them.
Warnings kept_warnings(const Earlier& earlier, const Plan& plan);

/// `now`, and each of `old` that is missing there behind the one that it followed.
std::vector<std::string> merged(std::vector<std::string> now, const std::vector<std::string>& old);

/// ROUTING/PATTERN of a point or a search of results.json.
std::string curve_of(const nlohmann::ordered_json& entry);

}  // namespace hopwise::app
