// SPDX-License-Identifier: Apache-2.0
#include "app/job_results.hpp"

#include <cmath>
#include <numeric>

#include "measure/statistics.hpp"

namespace hopwise::app {

using Json = nlohmann::ordered_json;

namespace {

/// `unit`: of a core cycle.
Json quartiles_json(const std::vector<std::uint64_t>& cycles, double unit) {
  if (cycles.empty()) return nullptr;
  const measure::Quartiles q =
      measure::quartiles(std::vector<double>(cycles.begin(), cycles.end()));
  return {{"mean", q.mean * unit},
          {"median", q.median * unit},
          {"q1", q.q1 * unit},
          {"q3", q.q3 * unit},
          {"min", q.min * unit},
          {"max", q.max * unit},
          {"whiskers", {q.low_whisker * unit, q.high_whisker * unit}}};
}

/// [rank][span]: what, from, to.
Json course_json(const std::vector<std::vector<traffic::Rank::Span>>& course) {
  Json ranks = Json::array();
  for (const auto& spans : course) {
    Json& rank = ranks.emplace_back(Json::array());
    for (const auto& span : spans)
      rank.push_back({static_cast<unsigned>(span.doing), span.from, span.to});
  }
  return {{"doing", {"compute", "wait", "send"}}, {"ranks", std::move(ranks)}};
}

/// Of the modes that packets had.
Json modes_json(const engine::ModeCounts& modes) {
  Json json = Json::object();
  for (std::size_t m = 0; m < spec::kModes; ++m) {
    if (modes[m].request_packets > 0)
      json[std::string(spec::kModeNames[m])] = interfaces_json(modes[m]);
  }
  return json;
}

}  // namespace

void forget(Json& statistics) {
  for (Json& value : statistics) value = nullptr;
}

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json latency_json(const engine::LatencySummary& s) {
  Json json = {{"mean", number_json(s.mean)},
               {"ci95", number_json(s.ci95)},
               {"stdev", s.stdev},
               {"p50", s.p50},
               {"p95", s.p95},
               {"p99", s.p99},
               {"p999", s.p999},
               {"max", s.max}};
  if (s.packets == 0) forget(json);
  return json;
}

Json interfaces_json(const engine::InterfaceCounts& counts) {
  return {{"requests", counts.request_packets},
          {"round_trip_cycles",
           counts.response_packets == 0 ? Json(nullptr) : Json(counts.round_trip())},
          {"stalls_per_flit",
           counts.request_flits == 0 ? Json(nullptr) : Json(counts.stalls_per_flit())}};
}

Json jobs_json(const std::vector<engine::JobResult>& jobs, double clock_ghz,
               const std::optional<engine::MessageCounts>& messages) {
  const double us = 1 / clock_ghz / 1000;
  Json all = Json::array();
  for (const engine::JobResult& j : jobs) {
    const auto& times = j.iteration_cycles;
    const std::uint64_t makespan = std::accumulate(times.begin(), times.end(), std::uint64_t{0});
    const bool any = !times.empty();
    Json job = {{"name", j.name}, {"ranks", j.ranks}, {"iterations", times.size()}};
    job["makespan_cycles"] = any ? Json(makespan) : Json(nullptr);
    job["makespan_us"] = any ? Json(static_cast<double>(makespan) * us) : Json(nullptr);
    job["iteration_cycles"] = quartiles_json(times, 1);
    job["iteration_us"] = quartiles_json(times, us);
    job["communication_cycles"] = quartiles_json(j.communication_cycles, 1);
    job["communication_us"] = quartiles_json(j.communication_cycles, us);
    const measure::Quartiles q =
        measure::quartiles(std::vector<double>(times.begin(), times.end()));
    job["qcd"] = any ? Json(q.qcd()) : Json(nullptr);
    if (j.mode_share) {
      Json& share = job["mode_share"] = Json::object();
      for (std::size_t m = 0; m < spec::kModes; ++m) {
        if ((*j.mode_share)[m] > 0) share[std::string(spec::kModeNames[m])] = (*j.mode_share)[m];
      }
    }
    job["latency_cycles"] = latency_json(j.latency);
    job["network_latency_cycles"] = latency_json(j.network_latency);
    if (messages) {
      job.update(interfaces_json(messages->of_ranks));
      if (j.mode_share) job["modes"] = modes_json(messages->of_ranks_by_mode);
      job["model_cycles"] =
          messages->of_job.messages == 0 ? Json(nullptr) : Json(messages->model_cycles());
    }
    job["course"] = course_json(j.course);
    all.push_back(std::move(job));
  }
  return all;
}

}  // namespace hopwise::app
