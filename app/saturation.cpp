// SPDX-License-Identifier: Apache-2.0
#include "app/saturation.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace hopwise::app {

using Json = nlohmann::ordered_json;

std::vector<Point> SaturationSearch::jobs() const {
  std::vector<Point> jobs;
  std::set<std::pair<std::size_t, std::string>> seen;
  for (const Point& p : plan_.points) {
    if (!plan_.pattern_of(p.pattern).sets_load() && seen.emplace(p.network, p.pattern).second)
      jobs.push_back(p);
  }
  return jobs;
}

std::string SaturationSearch::key(const Point& job) const {
  return plan_.networks[job.network].label + "/" + job.pattern;
}

double SaturationSearch::link_cycle(const Point& point) const {
  return plan_.networks[point.network].proven->spec().network.link.cycles_per_flit.value();
}

void SaturationSearch::remember(const Point& point, const Json& result) {
  const Json& latency = result["latency_cycles"]["mean"];
  const Json& accepted = result["accepted_load"];
  if (!accepted.is_number() || result["stopped"] == "failed" || result["stopped"] == "interrupted")
    return;
  const std::lock_guard lock(mutex_);
  known_[plan_.key(point)] = {
      .accepted = accepted.get<double>(),
      .mean_latency_link_cycles =
          (latency.is_number() ? latency.get<double>() : INFINITY) / link_cycle(point)};
}

std::optional<measure::Probe> SaturationSearch::known(const Point& point) const {
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(plan_.key(point));
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

measure::SaturationCriteria SaturationSearch::criteria(const Point& job) const {
  const Simulated& network = plan_.networks[job.network];
  measure::SaturationCriteria criteria;
  criteria.latency_limit_link_cycles =
      engine::latency_limit(*network.setup, network.proven->spec().traffic) / link_cycle(job);
  Point p = job;
  for (const double load : plan_.experiment.base.experiment.loads) {
    p.load = load;
    const auto at_load = known(p);
    if (!at_load || !measure::sustained(load, *at_load, criteria)) break;
    criteria.known_sustained = load;
  }
  return criteria;
}

bool SaturationSearch::same(const Point& job, const Json& entry) const {
  return entry.contains("searched_from") && entry["searched_from"] == criteria(job).known_sustained;
}

Json SaturationSearch::find(const Point& job, const Run& run,
                            const std::function<void(double)>& progress) {
  Point p = job;
  const measure::SaturationCriteria criteria = this->criteria(job);
  double beyond = NAN;
  unsigned steps = 0;
  const auto found = measure::find_saturation(
      [&](double load) {
        p.load = load;
        progress(std::min(0.95, 0.1 * ++steps));
        auto at_load = known(p);
        if (!at_load) {
          // The load accepted beyond saturation is reported, so that run is measured.
          const engine::RunResult r = run(p, load != 1.0);
          if (!r.failures.empty()) failed_ = true;
          at_load = {.accepted = r.accepted_load,
                     .mean_latency_link_cycles = r.latency.mean / link_cycle(p)};
          if (r.stopped == "verdict") at_load->sustained = !r.saturated;
        }
        if (load == 1.0) beyond = at_load->accepted;
        return *at_load;
      },
      criteria);
  return {{"routing", plan_.networks[job.network].label},
          {"pattern", job.pattern},
          {"throughput", found.load},
          {"at_highest", found.at_highest},
          {"accepted_beyond", std::isfinite(beyond) ? Json(beyond) : Json(nullptr)},
          {"searched_from", criteria.known_sustained}};
}

}  // namespace hopwise::app
