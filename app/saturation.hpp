// SPDX-License-Identifier: Apache-2.0
// The search for the saturation throughput of each network and pattern.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/plan.hpp"
#include "measure/search.hpp"

namespace hopwise::app {

/// Searches side by side; they share what is known of the experiment's points.
class SaturationSearch {
 public:
  /// Runs a point: until it is clear whether the load is sustained, or else until it is measured.
  using Run = std::function<engine::RunResult(const Point&, bool until_verdict)>;

  /// `plan` outlives the search.
  explicit SaturationSearch(const Plan& plan) : plan_(plan) {}

  /// The network and pattern of each search; the load says nothing.
  std::vector<Point> jobs() const;
  std::string key(const Point& job) const;  ///< ROUTING/PATTERN

  /// An entry that an earlier run found for the job and this one would find again: its search
  /// began at the same load. To be asked when the experiment's points are known.
  bool same(const Point& job, const nlohmann::ordered_json& entry) const;

  /// A point of results.json need not be run again.
  void remember(const Point& point, const nlohmann::ordered_json& result);

  /// An entry of `saturation` in results.json. `run` runs what is not known yet; `progress` hears
  /// the part that is done.
  nlohmann::ordered_json find(const Point& job, const Run& run,
                              const std::function<void(double)>& progress);
  bool failed() const { return failed_; }  ///< some run had failures

 private:
  double link_cycle(const Point& point) const;  // in core cycles
  std::optional<measure::Probe> known(const Point& point) const;
  /// with the highest of the experiment's loads up to which all are sustained
  measure::SaturationCriteria criteria(const Point& job) const;

  const Plan& plan_;
  mutable std::mutex mutex_;  // of known_
  std::map<std::string, measure::Probe> known_;
  std::atomic<bool> failed_ = false;
};

}  // namespace hopwise::app
