// SPDX-License-Identifier: Apache-2.0
#include "app/campaign.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/campaign_live.hpp"
#include "app/files.hpp"
#include "app/http_server.hpp"
#include "app/output.hpp"
#include "app/progress.hpp"

namespace hopwise::app {

namespace fs = std::filesystem;

namespace {

/// The models of all tasks that are to be run, once each, into the cache that the tasks have in
/// common: what two tasks at a time would compile twice.
int compile_models(const CampaignOptions& options, const std::vector<CampaignTask>& tasks) {
  std::set<std::tuple<std::string, std::size_t>> compiled;
  for (const CampaignTask& task : tasks) {
    if (interrupted()) return kInterrupted;
    // the width of words follows the number of points
    if (!compiled.emplace(task.rtl_hash, task.loads.size()).second) continue;
    SimulateOptions one = task_options(task, options.output, options.simulation);
    if (task.trains) one.input.overrides.pop_back();  // the agents are not there yet
    const auto experiment = load_experiment(one.input);
    if (!experiment) return report(experiment.errors());
    const auto spec =
        load_variant(one.input, experiment.value(), experiment.value().variants.front());
    if (!spec) return report(spec.errors());
    auto network = prove_or_say(spec.value(), one.input.catalogue, task.name(), "");
    if (!network) return kFailed;
    const auto model = compile(std::move(*network), task.routing, one.model);
    if (!model) return report_failed(model.errors());
  }
  return kGood;
}

void serve_beside(HttpServer& server, LiveState& live) {
  const bool served =
      server.serve_beside([&live](std::string_view path) { return live_page(live, path); });
  fmt::print(stderr, "live page: {}\n", served ? server.url() : "no process for it");
}

void say_failed(const fs::path& directory, const CampaignTask& task, TaskState state) {
  fmt::print(stderr, "{} ({}): {}; log: {}\n", task.name(), task.key, name_of(state),
             (task_directory(directory, task.key) / "log").string());
}

}  // namespace

std::vector<std::string> task_command(const CampaignOptions& options) {
  return {fs::read_symlink("/proc/self/exe").string(), "campaign", "task",
          fs::absolute(options.output).string()};
}

int run_campaign(const CampaignOptions& options) {
  catch_interrupts();
  const auto campaign = read_campaign(options.file, options.quick);
  if (!campaign) return report(campaign.errors());
  HttpServer server;
  if (options.serve && !options.list) {
    if (const Diagnostics failed = server.listen(*options.serve); !failed.empty())
      return report(failed);
  }
  Manifest manifest{
      campaign.value().name, campaign.value().published, options.file.filename().string(),
      options.quick,         options.arguments,          {}};
  const config::Catalogue& catalogue = options.simulation.input.catalogue;
  if (const int status = make_tasks(campaign.value(), catalogue, manifest.tasks); status != kGood)
    return status;
  if (options.list) {
    for (const CampaignTask& t : manifest.tasks)
      fmt::print("{} {}; loads {}\n", t.key, t.name(), fmt::join(t.loads, ", "));
    return kGood;
  }
  OutputLock lock;
  if (const Diagnostics failed = lock.take(options.output); !failed.empty()) return report(failed);
  const std::vector<CampaignTask> tasks = distinct(manifest.tasks);
  std::vector<CampaignTask> open;
  for (const CampaignTask& t : tasks) {
    if (state_of(options.output, t) != TaskState::kDone) open.push_back(t);
  }
  fmt::print(stderr, "campaign: {} of {} tasks done, {} to run\n", tasks.size() - open.size(),
             tasks.size(), open.size());
  if (const Diagnostics failed =
          write_durably(options.output / kManifestFile, manifest_json(manifest).dump(1) + "\n");
      !failed.empty())
    return report(failed);
  LiveState live(options.output);
  if (options.serve) serve_beside(server, live);
  if (const int status = compile_models(options, open); status != kGood) return status;

  ProgressBar bar(open.size(), options.quiet);
  std::vector<std::pair<std::size_t, TaskState>> failed;
  const auto ended = [&](std::size_t task, TaskState state) {
    bar.update(task, 1, open[task].name());
    if (state != TaskState::kDone) failed.emplace_back(task, state);
  };
  const int status = open.empty()    ? kGood
                     : options.slurm ? run_by_slurm(options, open, ended)
                                     : run_here(options, open, ended);
  for (const auto& [task, state] : failed) say_failed(options.output, open[task], state);
  if (status == kInterrupted || status == kBadInput) return status;
  const int collected = collect_campaign({options.output}, options.output);
  return collected != kGood ? collected : status;
}

int campaign_status(const fs::path& directory, const std::optional<std::string>& serve) {
  const auto manifest = read_manifest(directory);
  if (!manifest) return report(manifest.errors());
  HttpServer server;
  if (serve) {
    if (const Diagnostics failed = server.listen(*serve); !failed.empty()) return report(failed);
  }
  std::map<std::string, std::map<TaskState, std::size_t>> counts;
  std::vector<std::string> order;
  int status = kGood;
  for (const CampaignTask& task : manifest.value().tasks) {
    const TaskState state = state_of(directory, task);
    if (counts.find(task.experiment) == counts.end()) order.push_back(task.experiment);
    ++counts[task.experiment][state];
    if (state == TaskState::kFailed) status = kFailed;
    if (state == TaskState::kFailed || state == TaskState::kCutShort)
      say_failed(directory, task, state);
  }
  for (const std::string& name : order) {
    std::string line = name + ":";
    for (const auto state : {TaskState::kDone, TaskState::kRunning, TaskState::kWaiting,
                             TaskState::kCutShort, TaskState::kFailed}) {
      if (const std::size_t n = counts[name][state]; n > 0)
        line += fmt::format(" {} {}", n, name_of(state));
    }
    fmt::print("{}\n", line);
  }
  if (!serve) return status;
  std::fflush(stdout);
  fmt::print(stderr, "live page: {}\n", server.url());
  LiveState live(directory);
  server.serve([&live](std::string_view path) { return live_page(live, path); });
  return status;
}

}  // namespace hopwise::app
