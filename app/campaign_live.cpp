// SPDX-License-Identifier: Apache-2.0
#include "app/campaign_live.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "app/campaign_merge.hpp"
#include "app/files.hpp"
#include "report/report.hpp"

namespace hopwise::app {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;
using std::chrono::steady_clock;

namespace {

constexpr std::size_t kMostOfLog = 4096;   // bytes
constexpr std::size_t kMostFailures = 50;  // that are shown
bool has_ended(TaskState state) { return state == TaskState::kDone || state == TaskState::kFailed; }

/// Another text where any of the files has changed.
std::string stamp_of(const std::vector<fs::path>& files) {
  std::string stamp;
  for (const fs::path& file : files) {
    std::error_code missing;
    const auto time = fs::last_write_time(file, missing);
    if (missing) {
      stamp += "-;";
      continue;
    }
    const auto size = fs::file_size(file, missing);
    stamp += fmt::format("{},{};", time.time_since_epoch().count(), missing ? 0 : size);
  }
  return stamp;
}

/// What curves show of a point, and what makes one of several seeds.
Json point_for_curves(const Json& point) {
  Json slim;
  for (const char* key :
       {"routing", "pattern", "offered_load", "accepted_load", "accepted_flits_per_core_cycle",
        "latency_cycles", "network_latency_cycles", "hops_mean", "saturated", "stopped",
        "source_queue_packets", "completion_cycles", "packets", "failures"}) {
    if (point.contains(key)) slim[key] = point[key];
  }
  slim["histogram"] = Json::array();
  return slim;
}

Json for_curves(const Json& results) {
  if (results.is_null()) return results;
  Json slim = {{"network", results["network"]}, {"channels", Json::array()}};
  slim["proofs"] = Json::array({{{"routing", results["proofs"][0]["routing"]}}});
  Json& points = slim["points"] = Json::array();
  for (const Json& p : results["points"]) points.push_back(point_for_curves(p));
  if (results.contains("saturation")) slim["saturation"] = results["saturation"];
  return slim;
}

/// In the layout of results.json; routings are all that the experiment has, in its order, so that
/// each keeps its colour.
Json merged_results(const std::vector<CampaignTask>& tasks, const std::vector<Json>& found) {
  Json all = merge_tasks(tasks, found);
  Json results = {{"network", Json::object()}, {"proofs", Json::array()}};
  std::set<std::string> labels;
  for (const CampaignTask& task : tasks) {
    if (labels.insert(label_of(task)).second)
      results["proofs"].push_back({{"routing", label_of(task)}});
  }
  results["points"] = all.is_null() ? Json::array() : std::move(all["points"]);
  results["saturation"] = all.is_null() ? Json::array() : std::move(all["saturation"]);
  for (Json& p : results["points"]) {
    for (const char* key : {"histogram", "packets", "failures", "tasks"}) p.erase(key);
  }
  if (all.is_null()) return results;
  for (const char* key : {"name", "kind", "routers", "terminals"})
    results["network"][key] = all["network"][key];
  return results;
}

std::string end_of(const fs::path& log) {
  const auto text = read_file(log);
  if (!text) return "";
  const std::string& all = text.value();
  return all.size() <= kMostOfLog ? all : "...\n" + all.substr(all.size() - kMostOfLog);
}

/// The part of the loads that have their points.
double part_of(const CampaignTask& task, const LiveState::Known& known) {
  if (has_ended(known.state)) return 1;
  if (known.results.is_null()) return 0;
  const double asked = static_cast<double>(std::max<std::size_t>(task.loads.size(), 1));
  return std::min(1.0, static_cast<double>(known.results["points"].size()) / asked);
}

using AllKnown = std::map<std::string, LiveState::Known>;

/// By the names of states.
Json counts(const std::vector<CampaignTask>& tasks, const AllKnown& known) {
  Json json = {{"all", tasks.size()}};
  for (const auto state : {TaskState::kDone, TaskState::kRunning, TaskState::kWaiting,
                           TaskState::kCutShort, TaskState::kFailed}) {
    json[name_of(state)] = std::count_if(tasks.begin(), tasks.end(), [&](const CampaignTask& t) {
      return known.at(t.key).state == state;
    });
  }
  return json;
}

Json running(const std::vector<CampaignTask>& tasks, const AllKnown& known) {
  Json json = Json::array();
  for (const CampaignTask& t : tasks) {
    const LiveState::Known& k = known.at(t.key);
    if (k.state != TaskState::kRunning) continue;
    json.push_back({{"task", t.name()},
                    {"points", k.results.is_null() ? 0 : k.results["points"].size()},
                    {"loads", t.loads.size()}});
  }
  return json;
}

Json failures(const std::vector<CampaignTask>& tasks, const AllKnown& known) {
  Json json = Json::array();
  for (const CampaignTask& t : tasks) {
    const LiveState::Known& k = known.at(t.key);
    if (k.state != TaskState::kFailed && k.state != TaskState::kCutShort) continue;
    if (json.size() == kMostFailures) break;
    json.push_back({{"task", t.name()},
                    {"state", name_of(k.state)},
                    {"log", (fs::path("tasks") / t.key / "log").string()},
                    {"text", k.said}});
  }
  return json;
}

std::vector<std::string> experiments_of(const Manifest& manifest) {
  std::vector<std::string> names;
  for (const CampaignTask& t : manifest.tasks) {
    if (std::find(names.begin(), names.end(), t.experiment) == names.end())
      names.push_back(t.experiment);
  }
  return names;
}

/// Mean seconds of tasks, by what they have in common.
class Means {
 public:
  void add(const std::string& what, double seconds) {
    auto& [sum, count] = sums_[what];
    sum += seconds;
    ++count;
  }
  /// Of the first that has any.
  std::optional<double> of(std::initializer_list<std::string> whats) const {
    for (const std::string& what : whats) {
      const auto found = sums_.find(what);
      if (found != sums_.end()) return found->second.first / found->second.second;
    }
    return std::nullopt;
  }

 private:
  std::map<std::string, std::pair<double, double>> sums_;
};

}  // namespace

std::optional<double> seconds_left(const std::vector<CampaignTask>& tasks, const AllKnown& known) {
  const auto curve = [](const CampaignTask& t) {
    return fmt::format("{}\n{}\n{}", t.experiment, label_of(t), t.pattern);
  };
  Means means;
  double running = 0;
  for (const CampaignTask& t : tasks) {
    const LiveState::Known& k = known.at(t.key);
    if (k.state == TaskState::kRunning) ++running;
    if (k.state != TaskState::kDone || k.seconds <= 0) continue;
    for (const std::string& what : {curve(t), t.experiment, std::string()})
      means.add(what, k.seconds);
  }
  if (running == 0 || !means.of({""})) return std::nullopt;
  double all = 0, longest = 0;
  for (const CampaignTask& t : tasks) {
    const LiveState::Known& k = known.at(t.key);
    const double left = *means.of({curve(t), t.experiment, ""}) * (1 - part_of(t, k));
    all += left;
    longest = std::max(longest, left);
  }
  return std::max(longest, all / running);
}

/// False where the directory has no tasks yet.
bool LiveState::read_tasks() {
  const std::string stamp = stamp_of({directory_ / kManifestFile});
  if (stamp == manifest_stamp_) return !manifest_.tasks.empty();
  auto manifest = read_manifest(directory_);
  if (!manifest) return !manifest_.tasks.empty();  // tried again
  manifest_ = std::move(manifest).value();
  manifest_stamp_ = stamp;
  experiments_.clear();
  known_.clear();
  return true;
}

/// True where its results are others than before.
bool LiveState::refresh(const CampaignTask& task, Known& known) const {
  const fs::path place = task_directory(directory_, task.key);
  const std::string stamp = stamp_of({place / "log", place / kStateFile,
                                      place / "run" / kJournalFile, place / "run" / kResultsFile});
  const bool changed = stamp != known.stamp;
  const bool may_change = known.state == TaskState::kRunning || known.state == TaskState::kCutShort;
  if (!changed && !may_change) return false;
  known.state = state_of(directory_, task);
  known.said = known.state == TaskState::kFailed || known.state == TaskState::kCutShort
                   ? end_of(place / "log")
                   : "";
  if (!changed) return false;
  known.seconds = seconds_of(directory_, task);
  auto results = task_results({directory_}, task);
  if (!results) return false;  // between two files: the next look finds them
  Json slim = for_curves(results.value());
  known.stamp = stamp;
  if (slim == known.results) return false;
  known.results = std::move(slim);
  return true;
}

Json LiveState::state() {
  Json json = {{"hopwise", HOPWISE_VERSION}, {"experiments", Json::array()}};
  if (!read_tasks()) return json;
  json["name"] = manifest_.name;
  json["quick"] = manifest_.quick;
  const std::vector<CampaignTask> tasks = distinct(manifest_.tasks);
  for (const CampaignTask& task : tasks) {
    if (refresh(task, known_[task.key])) changed_.insert(task.key);
  }
  const auto left = seconds_left(tasks, known_);
  json["seconds_left"] = left ? Json(*left) : Json(nullptr);
  json["tasks"] = counts(tasks, known_);
  for (const std::string& name : experiments_of(manifest_)) {
    std::vector<CampaignTask> own;
    std::copy_if(manifest_.tasks.begin(), manifest_.tasks.end(), std::back_inserter(own),
                 [&](const CampaignTask& t) { return t.experiment == name; });
    Json& results = experiments_[name];
    if (results.is_null() || std::any_of(own.begin(), own.end(), [&](const CampaignTask& t) {
          return changed_.count(t.key) > 0;
        })) {
      std::vector<Json> found;
      found.reserve(own.size());
      for (const CampaignTask& t : own) found.push_back(known_[t.key].results);
      results = merged_results(own, found);
    }
    json["experiments"].push_back({{"name", name},
                                   {"tasks", counts(own, known_)},
                                   {"running", running(own, known_)},
                                   {"failed", failures(own, known_)},
                                   {"results", results}});
  }
  changed_.clear();
  return json;
}

const std::string& LiveState::json() {
  const auto now = steady_clock::now();
  if (asked_ && now - *asked_ < std::chrono::seconds(1)) return json_;
  json_ = state().dump(-1, ' ', false, Json::error_handler_t::replace);
  asked_ = steady_clock::now();
  return json_;
}

std::optional<HttpContent> live_page(LiveState& state, std::string_view path) {
  if (path == "/") return HttpContent{"text/html; charset=utf-8", report::live_page()};
  if (path == "/state.json") return HttpContent{"application/json", state.json()};
  return std::nullopt;
}

}  // namespace hopwise::app
