// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "app/campaign.hpp"
#include "app/campaign_merge.hpp"
#include "app/files.hpp"
#include "report/contents.hpp"
#include "report/published.hpp"
#include "report/report.hpp"

namespace hopwise::app {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

/// An experiment of all directories: tasks of the same key once.
struct Gathered {
  std::string name;
  std::vector<CampaignTask> tasks;
  std::vector<Json> results;  ///< of each task
  std::size_t done = 0;
  Json failed = Json::array();
};

void gather(const Manifest& manifest, std::vector<Gathered>& all) {
  for (const CampaignTask& task : manifest.tasks) {
    auto e = std::find_if(all.begin(), all.end(),
                          [&](const Gathered& g) { return g.name == task.experiment; });
    if (e == all.end())
      e = all.insert(all.end(), Gathered{task.experiment, {}, {}, 0, Json::array()});
    const auto known = std::find_if(e->tasks.begin(), e->tasks.end(),
                                    [&](const CampaignTask& t) { return t.key == task.key; });
    if (known == e->tasks.end()) {
      e->tasks.push_back(task);
      continue;
    }
    known->loads.insert(known->loads.end(), task.loads.begin(), task.loads.end());
    known->search = known->search || task.search;
    std::sort(known->loads.begin(), known->loads.end());
    known->loads.erase(std::unique(known->loads.begin(), known->loads.end()), known->loads.end());
  }
}

/// Is it done with what all directories hold together?
bool is_complete(const CampaignTask& task, const Json& results) {
  if (results.is_null() || results["points"].empty()) return false;
  for (const Json& p : results["points"]) {
    if (!p["failures"].empty()) return false;
  }
  return results["points"].size() >= task.loads.size() &&
         (!task.search || results.contains("saturation"));
}

/// False where results are damaged; all others are read.
bool read_all(const std::vector<fs::path>& directories, Gathered& e) {
  bool good = true;
  for (const CampaignTask& task : e.tasks) {
    auto results = task_results(directories, task);
    if (!results) report(results.errors());
    good = good && results.ok();
    e.results.push_back(results ? std::move(results).value() : Json());
    if (is_complete(task, e.results.back())) {
      ++e.done;
      continue;
    }
    for (const fs::path& directory : directories) {
      if (state_of(directory, task) != TaskState::kFailed) continue;
      const fs::path log = fs::path("tasks") / task.key / "log";
      e.failed.push_back({{"task", task.name()}, {"log", log.string()}});
      break;
    }
  }
  return good;
}

/// points.csv of every task, with what tells tasks apart before the columns.
std::string csv(const std::vector<Gathered>& all) {
  std::string text;
  for (const Gathered& e : all) {
    for (std::size_t t = 0; t < e.tasks.size(); ++t) {
      if (e.results[t].is_null()) continue;
      const std::string rows = report::points_csv(nlohmann::json(e.results[t]));
      std::string axes;
      for (const auto& [key, value] : e.tasks[t].axes)
        axes += (axes.empty() ? "" : "; ") + key + "=" + value;
      std::string quoted;
      for (const char c : axes) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
      std::size_t begin = 0;
      for (std::size_t end = 0; (end = rows.find('\n', begin)) != std::string::npos;
           begin = end + 1) {
        const std::string line = rows.substr(begin, end - begin);
        if (begin > 0)
          text += fmt::format("{},{},\"{}\",{}\n", e.name, e.tasks[t].key, quoted, line);
        else if (text.empty())
          text = "experiment,task,axes," + line + "\n";
      }
    }
  }
  return text;
}

}  // namespace

int collect_campaign(const std::vector<fs::path>& directories, const fs::path& output) {
  std::vector<Gathered> all;
  Manifest first;
  for (const fs::path& directory : directories) {
    auto manifest = read_manifest(directory);
    if (!manifest) return report(manifest.errors());
    gather(manifest.value(), all);
    if (&directory == &directories.front()) first = std::move(manifest).value();
  }
  Json campaign = {{"hopwise", HOPWISE_VERSION}, {"name", first.name}, {"quick", first.quick}};
  Json& experiments = campaign["experiments"] = Json::array();
  Diagnostics errors;
  const auto put = [&](const std::string& file, const std::string& text) {
    if (errors.empty()) errors = write_file(output / file, text);
  };
  bool good = true;
  std::size_t tasks = 0, done = 0;
  for (Gathered& e : all) {
    good = read_all(directories, e) && good;
    tasks += e.tasks.size();
    done += e.done;
    Json results = merge_tasks(e.tasks, e.results);
    if (!results.is_null()) {
      results["campaign"] = {{"name", first.name},
                             {"file", first.file},
                             {"quick", first.quick},
                             {"experiment", e.name}};
      auto html = report::render_html(nlohmann::json(results));
      if (!html) return report(html.errors());
      put(e.name + ".html", html.value());
    }
    experiments.push_back({{"name", e.name},
                           {"page", e.name + ".html"},
                           {"tasks", {{"done", e.done}, {"all", e.tasks.size()}}},
                           {"failed", e.failed},
                           {"results", std::move(results)}});
  }
  put("points.csv", csv(all));
  if (const auto publication = report::publication(first.published)) {
    const nlohmann::json rows =
        report::compare_published(*publication, nlohmann::json(campaign["experiments"]));
    put("published.csv", report::published_csv(rows));
    campaign["published"] = rows;
  }
  put(kResultsFile, campaign.dump(1) + "\n");
  put("index.html", report::contents_html(nlohmann::json(campaign)));
  if (!errors.empty()) return report(errors);
  fmt::print("{}: {} of {} tasks done\nreport: {}\n", first.name, done, tasks,
             (fs::absolute(output) / "index.html").lexically_normal().string());
  return good ? kGood : kFailed;
}

}  // namespace hopwise::app
