// SPDX-License-Identifier: Apache-2.0
#include "app/campaign_merge.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "app/resume.hpp"
#include "measure/statistics.hpp"
#include "report/warnings.hpp"

namespace hopwise::app {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

/// Mean, and half the 95 % interval of it, over seeds.
struct Spread {
  double mean = 0, ci95 = 0;
};

std::optional<Spread> spread(const std::vector<Json>& entries, const Json::json_pointer& path) {
  std::vector<double> values;
  for (const Json& e : entries) {
    if (!e.contains(path) || !e.at(path).is_number()) return std::nullopt;
    values.push_back(e.at(path).get<double>());
  }
  // A mean of equal values would be rounded, and loads are compared.
  if (std::ranges::all_of(values, [&](double v) { return v == values.front(); }))
    return Spread{values.front(), 0};
  Spread s;
  const double n = static_cast<double>(values.size());
  for (const double v : values) s.mean += v / n;
  double squares = 0;
  for (const double v : values) squares += (v - s.mean) * (v - s.mean);
  s.ci95 = measure::student_t95(values.size() - 1) * std::sqrt(squares / (n - 1) / n);
  return s;
}

void take_mean(Json& to, const std::vector<Json>& entries, const std::string& path,
               const std::string& interval = "") {
  const Json::json_pointer at(path);
  if (!to.contains(at)) return;
  const auto s = spread(entries, at);
  to[at] = s ? Json(s->mean) : Json(nullptr);  // some seed has not measured it
  if (interval.empty()) return;
  to[Json::json_pointer(interval)] = s ? Json(s->ci95) : Json(nullptr);
}

void take_sum(Json& to, const std::vector<Json>& entries, const std::string& path) {
  const Json::json_pointer at(path);
  std::uint64_t sum = 0;
  for (const Json& one : entries) sum += one.at(at).get<std::uint64_t>();
  to[at] = sum;
}

/// Pairs of upper bound and count, of which any two are either the same bins or apart.
Json added_histogram(const std::vector<Json>& points) {
  std::map<double, std::uint64_t> bins;
  std::uint64_t beyond = 0;
  bool open = false;  // a bin without a bound
  for (const Json& p : points) {
    for (const Json& bin : p["histogram"]) {
      const auto count = bin[1].get<std::uint64_t>();
      if (bin[0].is_number()) {
        bins[bin[0].get<double>()] += count;
      } else {
        open = true;
        beyond += count;
      }
    }
  }
  Json all = Json::array();
  for (const auto& [bound, count] : bins) all.push_back({static_cast<std::uint64_t>(bound), count});
  if (open) all.push_back({nullptr, beyond});
  return all;
}

/// What points have for each routing mode at a path, those of a mode together.
std::map<std::string, std::vector<Json>> by_mode(const std::vector<Json>& points,
                                                 const Json::json_pointer& at) {
  std::map<std::string, std::vector<Json>> all;
  for (const Json& one : points) {
    if (!one.contains(at)) continue;  // none of its packets arrived
    for (const auto& [mode, value] : one.at(at).items()) all[mode].push_back(value);
  }
  return all;
}

/// The modes of any seed: the mean share, none being 0, and what interfaces saw of it, on average
/// over the seeds that had it.
void merge_modes(Json& p, const std::vector<Json>& points) {
  const auto shares = by_mode(points, Json::json_pointer("/jobs/0/mode_share"));
  const auto seen = by_mode(points, Json::json_pointer("/jobs/0/modes"));
  Json& job = p["jobs"][0];
  if (!shares.empty()) job["mode_share"] = Json::object();
  for (const auto& [mode, values] : shares) {
    double sum = 0;
    for (const Json& share : values) sum += share.get<double>();
    job["mode_share"][mode] = sum / static_cast<double>(points.size());
  }
  if (!seen.empty()) job["modes"] = Json::object();
  for (const auto& [mode, values] : seen) {
    Json& merged = job["modes"][mode] = values.front();
    take_sum(merged, values, "/requests");
    for (const char* what : {"/round_trip_cycles", "/stalls_per_flit"})
      take_mean(merged, values, what);
  }
}

/// What the job of points took under several seeds, each of which may place its ranks elsewhere:
/// means, the values of each seed, and how the model of message interfaces goes with the time.
void merge_jobs(Json& p, const std::vector<Json>& points) {
  for (const char* field : {"makespan_cycles", "makespan_us", "qcd", "round_trip_cycles",
                            "stalls_per_flit", "model_cycles"})
    take_mean(p, points, fmt::format("/jobs/0/{}", field));
  for (const char* time :
       {"iteration_cycles", "iteration_us", "communication_cycles", "communication_us"}) {
    for (const char* statistic :
         {"mean", "median", "q1", "q3", "min", "max", "whiskers/0", "whiskers/1"})
      take_mean(p, points, fmt::format("/jobs/0/{}/{}", time, statistic));
  }
  merge_modes(p, points);
  struct Value {
    const char *name, *path;
  };
  Json& all = p["jobs"][0]["by_seed"] = Json::object();
  std::map<std::string, std::vector<double>> values;
  for (const auto& [name, path] : {Value{"iteration_cycles", "/jobs/0/iteration_cycles/mean"},
                                   Value{"model_cycles", "/jobs/0/model_cycles"},
                                   Value{"round_trip_cycles", "/jobs/0/round_trip_cycles"},
                                   Value{"stalls_per_flit", "/jobs/0/stalls_per_flit"}}) {
    const Json::json_pointer at(path);
    for (const Json& one : points) {
      if (one.contains(at) && one.at(at).is_number())
        values[name].push_back(one.at(at).get<double>());
    }
    if (values[name].size() == points.size()) all[name] = values[name];
  }
  constexpr std::size_t kFewest = 5;  // fewer points lie near a line by chance
  if (!all.contains("iteration_cycles") || !all.contains("model_cycles") || points.size() < kFewest)
    return;
  const auto r = measure::correlation(values["iteration_cycles"], values["model_cycles"]);
  p["jobs"][0]["model_correlation"] = r ? Json(*r) : Json(nullptr);
}

/// What points of the same routing, pattern and load have measured under several seeds.
void average(Json& p, const std::vector<Json>& points) {
  take_mean(p, points, "/completion_cycles", "/completion_cycles_ci95");
  take_mean(p, points, "/offered_load");  // of what ends by itself: that which it made
  take_mean(p, points, "/accepted_load");
  p["accepted_load_ci95"] =
      spread(points, Json::json_pointer("/accepted_load")).value_or(Spread{}).ci95;
  for (const char* path : {"/accepted_flits_per_core_cycle", "/hops_mean", "/nonminimal_share",
                           "/fairness/min", "/fairness/max", "/fairness/mean", "/fairness/jain"})
    take_mean(p, points, path);
  for (const char* latency : {"/latency_cycles", "/network_latency_cycles", "/latency_link_cycles",
                              "/network_latency_link_cycles"}) {
    const std::string at = latency;
    for (const char* statistic : {"/p50", "/p95", "/p99", "/p999", "/max", "/stdev"})
      take_mean(p, points, at + statistic);
    take_mean(p, points, at + "/mean", at + "/ci95");
  }
  for (const char* count :
       {"/packets/injected", "/packets/delivered", "/packets/in_flight", "/packets/lost"})
    take_sum(p, points, count);
  if (p["packets"].contains("damaged")) take_sum(p, points, "/packets/damaged");
  const Json dropped = p["packets"].value("dropped", Json::object());
  for (const auto& [cause, packets] : dropped.items())
    take_sum(p, points, "/packets/dropped/" + cause);
  const Json classes = points.front()["packets"].value("by_class", Json::object());
  for (const auto& [name, packets] : classes.items()) {
    const std::string at = "/packets/by_class/" + name;
    take_sum(p, points, at + "/injected");
    take_sum(p, points, at + "/delivered");
    take_mean(p, points, at + "/network_latency_cycles");
  }
  const auto any = [&points](const char* key, const Json& value) {
    return std::ranges::any_of(points, [&](const Json& one) { return one[key] == value; });
  };
  p["saturated"] = any("saturated", true);  // a mean with such a latency in it is none
  if (any("stopped", "limit")) p["stopped"] = "limit";
  p["histogram"] = added_histogram(points);
  if (p.contains("jobs")) merge_jobs(p, points);
}

/// One point of several seeds. What failed has measured nothing: of it the failures are kept.
Json over_seeds(const std::vector<Json>& all) {
  std::vector<Json> points;
  for (const Json& one : all) {
    if (one["stopped"] != "failed") points.push_back(one);
  }
  Json p = points.empty() ? all.front() : points.front();
  if (points.size() > 1) average(p, points);
  Json failures = Json::array();
  for (const Json& one : all) {
    for (const Json& f : one["failures"]) failures.push_back(f);
  }
  p["failures"] = failures;
  return p;
}

Json search_over_seeds(const std::vector<Json>& searches) {
  Json s = searches.front();
  if (searches.size() == 1) return s;
  take_mean(s, searches, "/throughput");
  s["throughput_ci95"] =
      spread(searches, Json::json_pointer("/throughput")).value_or(Spread{}).ci95;
  take_mean(s, searches, "/accepted_beyond");
  for (const char* share : {"min", "max", "mean", "jain"})
    take_mean(s, searches, fmt::format("/fairness_beyond/{}", share));
  if (s.contains("at_highest")) {
    s["at_highest"] = std::ranges::all_of(
        searches, [](const Json& one) { return one.value("at_highest", false); });
  }
  return s;
}

/// Entries with their seeds and tasks, by what makes them one.
struct Group {
  std::vector<Json> entries;
  std::vector<std::uint64_t> seeds;
  Json tasks = Json::array();
};

class Groups {
 public:
  void add(const std::string& key, const CampaignTask& task, Json entry) {
    const auto [place, is_new] = places_.emplace(key, groups_.size());
    if (is_new) groups_.emplace_back();
    Group& group = groups_[place->second];
    entry["routing"] = label_of(task);
    group.entries.push_back(std::move(entry));
    group.seeds.push_back(task.seed);
    group.tasks.push_back(task.key);
  }

  template <class Reduce>
  Json reduced(Reduce reduce) const {
    Json all = Json::array();
    for (const Group& group : groups_) {
      Json one = reduce(group.entries);
      one["seeds"] = Json::array();
      for (std::size_t i = 0; i < group.seeds.size(); ++i) {
        if (one.value("stopped", "") == "failed" ||
            group.entries[i].value("stopped", "") != "failed")
          one["seeds"].push_back(group.seeds[i]);
      }
      one["tasks"] = group.tasks;
      all.push_back(std::move(one));
    }
    return all;
  }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<Group> groups_;
};

/// A routing whose axes give it another network than the first one's.
void add_network(Json& root, const CampaignTask& task, const Json& head) {
  if (task.axes.empty() || head["network"] == root["network"]) return;
  Json& networks = root["networks"];
  if (networks.is_null()) networks = Json::array();
  const std::string label = label_of(task);
  for (Json& n : networks) {
    if (n["network"] != head["network"]) continue;
    Json& routings = n["routings"];
    if (std::find(routings.begin(), routings.end(), label) == routings.end())
      routings.push_back(label);
    return;
  }
  networks.push_back(
      {{"routings", {label}}, {"network", head["network"]}, {"channels", head["channels"]}});
}

/// Those of networks and traffic; those of points are made anew.
void add_warnings(Warnings& all, const CampaignTask& task, const Json& head) {
  if (!head.contains("warnings")) return;
  for (Warning& w : report::read_warnings(nlohmann::json(head["warnings"]))) {
    if (w.code.starts_with(report::kOfPoints)) continue;
    for (std::string& routing : w.routings) {
      if (routing == task.routing) routing = label_of(task);
    }
    add(all, w);
  }
}

}  // namespace

std::string label_of(const CampaignTask& task) {
  std::string label = task.routing;
  for (const auto& [key, value] : task.axes)
    label += fmt::format(", {} {}", key.substr(key.rfind('.') + 1), value);
  return label;
}

Result<Json> task_results(const std::vector<fs::path>& directories, const CampaignTask& task) {
  Json found;
  std::map<double, Json> points;
  for (const fs::path& directory : directories) {
    auto earlier = read_earlier(task_directory(directory, task.key) / "run");
    if (!earlier) return earlier.errors();
    Earlier& e = earlier.value();
    if (e.file.empty()) continue;
    if (found.is_null()) found = e.head;
    for (const auto& point : e.points) {
      const auto load = point.result["offered_load"].get<double>();
      const bool asked = task.loads.empty() ||
                         std::find(task.loads.begin(), task.loads.end(), load) != task.loads.end();
      if (!asked || point.result.contains("partial")) continue;
      const auto [place, is_new] = points.emplace(load, point.result);
      // Another directory may have a good one.
      if (!is_new && !place->second["failures"].empty()) place->second = point.result;
    }
    if (task.search && !e.searches.empty() && !found.contains("saturation"))
      found["saturation"] = Json::array({e.searches.front()});
  }
  if (found.is_null()) return found;
  for (const char* key : {"interrupted", "costs"}) found.erase(key);
  found["points"] = Json::array();
  for (auto& [load, point] : points) found["points"].push_back(std::move(point));
  return found;
}

Json merge_tasks(const std::vector<CampaignTask>& tasks, const std::vector<Json>& results) {
  Json root;
  Groups points, searches;
  std::map<std::string, Json> proofs;
  std::vector<std::string> labels;
  Warnings warnings;
  bool missing = false;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const CampaignTask& task = tasks[t];
    const Json& found = results[t];
    missing = missing || found.is_null() || found["points"].size() < task.loads.size();
    if (found.is_null()) continue;
    if (root.is_null()) root = found;
    const std::string label = label_of(task);
    if (proofs.find(label) == proofs.end()) {
      labels.push_back(label);
      proofs[label] = found["proofs"][0];
      proofs[label]["routing"] = label;
      add_network(root, task, found);
    }
    add_warnings(warnings, task, found);
    for (const Json& p : found["points"]) {
      // What ends by itself has the load that it made, which another seed need not make.
      const std::string load = task.loads.empty() ? "" : p["offered_load"].dump();
      points.add(fmt::format("{}/{}/{}", label, task.pattern, load), task, p);
    }
    if (!found.contains("saturation")) continue;
    for (const Json& s : found["saturation"]) searches.add(label + "/" + task.pattern, task, s);
  }
  if (root.is_null()) return root;
  root["proofs"] = Json::array();
  for (const auto& label : labels) root["proofs"].push_back(proofs[label]);
  root["points"] = points.reduced(over_seeds);
  root["saturation"] = searches.reduced(search_over_seeds);
  if (missing) root["interrupted"] = true;
  root["warnings"] = report::warnings_json(warnings);
  for (const Json& w : report::warnings_json(report::point_warnings(nlohmann::json(root))))
    root["warnings"].push_back(w);
  return root;
}

}  // namespace hopwise::app
