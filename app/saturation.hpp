// SPDX-License-Identifier: Apache-2.0
// The search for the saturation throughput of each network and pattern.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/plan.hpp"
#include "app/runner.hpp"
#include "measure/search.hpp"

namespace hopwise::app {

/// What the searches of an experiment share: its points, and what is known of them.
class SaturationSearches {
 public:
  /// `plan` outlives the searches.
  explicit SaturationSearches(const Plan& plan) : plan_(plan) {}

  /// The network and pattern of each search; the load says nothing.
  std::vector<Point> jobs() const;
  std::string key(const Point& job) const;  ///< ROUTING/PATTERN

  /// An entry that an earlier run found for the job and this one would find again: its search
  /// began at the same load. To be asked when the experiment's points are known.
  bool same(const Point& job, const nlohmann::ordered_json& entry) const;

  /// A point of results.json need not be run again.
  void remember(const Point& point, const nlohmann::ordered_json& result);

  /// What a search asks of a run.
  struct Answer {
    bool sustained = false;
    double accepted = 0;              // fraction of the capacity of the active terminals' links
    nlohmann::ordered_json fairness;  // as in a point of results.json
  };
  /// Of a point that was remembered, or nothing.
  std::optional<Answer> known(const Point& point) const;
  /// From the highest of the experiment's loads up to which all are sustained.
  measure::SearchRange range(const Point& job) const;
  const Plan& plan() const { return plan_; }

 private:
  const Plan& plan_;
  std::map<std::string, Answer> known_;
};

/// One of them under way: several of its loads may run at a time, of which it will need some.
class SaturationSearch {
 public:
  SaturationSearch(const SaturationSearches& all, Point job);

  /// A load to run: one of the first `among` that are, or may be, needed, and that do not run yet.
  struct Load {
    double load = 0;
    bool until_verdict = true;                          ///< no more than whether it is sustained
    std::shared_ptr<const std::atomic<bool>> needless;  ///< becomes true when it is not needed
  };
  std::optional<Load> next(std::size_t among);
  /// How many next() could give now.
  std::size_t ready() const;
  void tell(double load, const engine::RunResult& result);

  /// An entry of `saturation` in results.json; null while it is searched, and when it has failed.
  nlohmann::ordered_json entry() const;
  double progress() const;
  bool ended() const { return failed() || bisection_.found().has_value(); }
  bool failed() const;  ///< a run that was needed had failures
  const Point& job() const { return job_; }

 private:
  void tell(double load, const SaturationSearches::Answer& answer);
  Point at(double load) const;

  const SaturationSearches& all_;
  const Point job_;
  const measure::SearchRange range_;
  measure::Bisection bisection_;
  std::map<double, std::shared_ptr<std::atomic<bool>>> running_;
  std::set<double> failures_;
  std::optional<SaturationSearches::Answer> beyond_;  // at load 1
};

/// Searches side by side. Loads that are needed come first, then those that may be.
class SearchTasks final : public TaskSource {
 public:
  using Make = std::function<std::unique_ptr<Task>(
      const Point&, const SaturationSearch::Load&,
      const std::function<void(const engine::RunResult&)>& done)>;
  /// Hears how far a search is, by its number, and in the end what it has found.
  using Report = std::function<void(std::size_t, const SaturationSearch&)>;

  /// `stop`: asked before a run is begun.
  SearchTasks(std::function<bool()> stop, Make make, Report report)
      : stop_(std::move(stop)), make_(std::move(make)), report_(std::move(report)) {}
  void add(const SaturationSearches& all, const Point& job) { searches_.emplace_back(all, job); }
  std::size_t most_at_a_time() const;
  bool failed() const;

  std::unique_ptr<Task> next(std::optional<std::size_t> network) override;
  std::size_t ready(std::size_t network) const override;

 private:
  const std::function<bool()> stop_;
  const Make make_;
  const Report report_;
  std::deque<SaturationSearch> searches_;
};

}  // namespace hopwise::app
