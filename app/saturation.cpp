// SPDX-License-Identifier: Apache-2.0
#include "app/saturation.hpp"

#include <algorithm>
#include <set>

#include "app/results.hpp"

namespace hopwise::app {

using Json = nlohmann::ordered_json;

namespace {

/// Loads of a search that may run at a time: three steps of it, whatever they show.
constexpr std::size_t kMostAhead = 7;

}  // namespace

std::vector<Point> SaturationSearches::jobs() const {
  std::vector<Point> jobs;
  std::set<std::pair<std::size_t, std::string>> seen;
  for (const Point& p : plan_.points) {
    if (!plan_.pattern_of(p.pattern).sets_load() && seen.emplace(p.network, p.pattern).second)
      jobs.push_back(p);
  }
  return jobs;
}

std::string SaturationSearches::key(const Point& job) const {
  return plan_.networks[job.network].label + "/" + job.pattern;
}

void SaturationSearches::remember(const Point& point, const Json& result) {
  const Json& accepted = result["accepted_load"];
  if (!accepted.is_number() || result["stopped"] == "failed" || result["stopped"] == "interrupted")
    return;
  known_[plan_.key(point)] = {.sustained = result["saturated"] == false,
                              .accepted = accepted.get<double>(),
                              .fairness = result["fairness"]};
}

std::optional<SaturationSearches::Answer> SaturationSearches::known(const Point& point) const {
  const auto found = known_.find(plan_.key(point));
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

measure::SearchRange SaturationSearches::range(const Point& job) const {
  measure::SearchRange range;
  Point p = job;
  for (const double load : plan_.experiment.base.experiment.loads) {
    p.load = load;
    const auto at_load = known(p);
    if (!at_load || !at_load->sustained) break;
    range.known_sustained = load;
  }
  return range;
}

bool SaturationSearches::same(const Point& job, const Json& entry) const {
  return entry.contains("searched_from") && entry["searched_from"] == range(job).known_sustained;
}

SaturationSearch::SaturationSearch(const SaturationSearches& all, Point job)
    : all_(all), job_(std::move(job)), range_(all.range(job_)), bisection_(range_) {}

Point SaturationSearch::at(double load) const {
  Point p = job_;
  p.load = load;
  return p;
}

std::optional<SaturationSearch::Load> SaturationSearch::next(std::size_t among) {
  if (failed()) return std::nullopt;
  // What is known already may lead to more that is.
  for (bool told = true; told;) {
    told = false;
    for (const double load : bisection_.wanted(among)) {
      if (const auto known = all_.known(at(load))) {
        tell(load, *known);
        told = true;
      }
    }
  }
  for (const double load : bisection_.wanted(among)) {
    if (running_.contains(load)) continue;
    const auto needless = running_[load] = std::make_shared<std::atomic<bool>>(false);
    // The load accepted beyond saturation is reported, so that run is measured.
    return Load{load, load != 1.0, needless};
  }
  return std::nullopt;
}

std::size_t SaturationSearch::ready() const {
  if (failed()) return 0;
  const std::vector<double> wanted = bisection_.wanted(kMostAhead);
  return static_cast<std::size_t>(std::count_if(
      wanted.begin(), wanted.end(), [&](double load) { return !running_.contains(load); }));
}

void SaturationSearch::tell(double load, const engine::RunResult& result) {
  running_.erase(load);
  if (result.stopped == "interrupted") return;
  if (!result.failures.empty()) failures_.insert(load);
  // As its point says: of the traffic that was made, which comes near the load and is not the load.
  tell(load, {.sustained = !result.saturated,
              .accepted = result.accepted_load,
              .fairness = fairness_json(result.fairness)});
}

void SaturationSearch::tell(double load, const SaturationSearches::Answer& answer) {
  if (load == 1.0) beyond_ = answer;
  bisection_.tell(load, answer.sustained);
  const std::vector<double> wanted =
      failed() ? std::vector<double>{} : bisection_.wanted(kMostAhead);
  for (const auto& [other, needless] : running_)
    *needless = std::find(wanted.begin(), wanted.end(), other) == wanted.end();
}

double SaturationSearch::progress() const {
  return std::min(0.95, 0.1 * static_cast<double>(bisection_.path().size()));
}

bool SaturationSearch::failed() const {
  const std::vector<double> path = bisection_.path();
  return std::any_of(path.begin(), path.end(),
                     [&](double load) { return failures_.contains(load); });
}

Json SaturationSearch::entry() const {
  const auto found = bisection_.found();
  if (!found || failed()) return nullptr;
  return {{"routing", all_.plan().networks[job_.network].label},
          {"pattern", job_.pattern},
          {"throughput", found->load},
          {"at_highest", found->at_highest},
          {"accepted_beyond", beyond_ ? Json(beyond_->accepted) : Json(nullptr)},
          {"fairness_beyond", beyond_ ? beyond_->fairness : Json(nullptr)},
          {"searched_from", range_.known_sustained}};
}

std::unique_ptr<Task> SearchTasks::next(std::optional<std::size_t> network) {
  for (std::size_t among = 1; among <= kMostAhead && !stop_(); ++among) {
    for (std::size_t i = 0; i < searches_.size(); ++i) {
      SaturationSearch& search = searches_[i];
      if (network && search.job().network != *network) continue;
      const bool open = !search.ended();
      const auto load = search.next(among);
      if (open && search.ended()) report_(i, search);  // all that it needs was known
      if (!load) continue;
      Point point = search.job();
      point.load = load->load;
      return make_(point, *load, [this, i, at = load->load](const engine::RunResult& result) {
        const bool searching = !searches_[i].ended();
        searches_[i].tell(at, result);
        if (searching) report_(i, searches_[i]);
      });
    }
  }
  return nullptr;
}

std::size_t SearchTasks::ready(std::size_t network) const {
  std::size_t sum = 0;
  for (const SaturationSearch& search : searches_)
    sum += search.job().network == network ? search.ready() : 0;
  return sum;
}

std::size_t SearchTasks::most_at_a_time() const { return searches_.size() * kMostAhead; }

bool SearchTasks::failed() const {
  return std::any_of(searches_.begin(), searches_.end(), [](const auto& s) { return s.failed(); });
}

}  // namespace hopwise::app
