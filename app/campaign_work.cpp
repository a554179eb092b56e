// SPDX-License-Identifier: Apache-2.0
// One task of a campaign, from the inside.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "app/campaign_tasks.hpp"
#include "app/code_hash.hpp"
#include "app/files.hpp"
#include "app/progress.hpp"

namespace hopwise::app {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

/// What the task has when it has ended like this.
Json state_json(const CampaignTask& task, int status, double seconds) {
  return {{"status", status},
          {"task", task.name()},
          {"loads", task.loads},
          {"search", task.search},
          {"seconds", seconds}};
}

/// Null where there is none: the task has not ended, or the file is not whole.
Json read_state(const fs::path& task_directory) {
  const auto text = read_file(task_directory / kStateFile);
  Json state = text ? Json::parse(text.value(), nullptr, false) : Json();
  return state.is_object() && state.contains("status") && state.contains("loads") &&
                 state.contains("search")
             ? state
             : Json();
}

bool has_all(const Json& state, const CampaignTask& task) {
  const auto loads = state["loads"].get<std::vector<double>>();
  return (state["search"] == true || !task.search) &&
         std::all_of(task.loads.begin(), task.loads.end(), [&](double load) {
           return std::find(loads.begin(), loads.end(), load) != loads.end();
         });
}

bool is_done(const fs::path& directory, const CampaignTask& task) {
  const Json state = read_state(task_directory(directory, task.key));
  return !state.is_null() && state["status"] == kGood && has_all(state, task);
}

/// This process writes to the file from now on.
Diagnostics write_to(const fs::path& log) {
  const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return {write_error(log)};
  std::fflush(stdout);
  ::dup2(file, STDOUT_FILENO);
  ::dup2(file, STDERR_FILENO);
  ::close(file);
  return {};
}

/// Files, program and RTL are those that the key stands for.
Diagnostics check_unchanged(const CampaignTask& task) {
  const auto changed = [](const std::string& file, const std::string& found) {
    return Diagnostics{{"app.campaign-changed",
                        {file, 0, 0},
                        "",
                        found + " than when the campaign was begun",
                        "the same",
                        "run the campaign again: it makes new tasks of what has changed"}};
  };
  for (const auto& [file, hash] : task.texts) {
    const auto text = read_file(file);
    if (!text) return text.errors();
    if (text_hash(text.value()) != hash) return changed(file, "another text");
  }
  if (code_hash() != task.code_hash) return changed(task.file, "another hopwise");
  return {};
}

Diagnostics check_rtl(const CampaignTask& task, const fs::path& run) {
  const auto text = read_file(run / kResultsFile);
  if (!text) return text.errors();
  const Json results = Json::parse(text.value(), nullptr, false);
  if (results.is_object() && results["proofs"][0]["rtl_hash"] == task.rtl_hash) return {};
  return {{"app.campaign-changed",
           {(run / kResultsFile).string(), 0, 0},
           "proofs: rtl_hash",
           "other RTL than when the campaign was begun",
           task.rtl_hash,
           "is this the same hopwise? run the campaign again"}};
}

/// The agents of the task's routing, trained under its pattern. Kept where they are there: those of
/// a training that fails are not.
int train(const CampaignTask& task, const SimulateOptions& simulation) {
  std::error_code ignored;
  if (fs::exists(kAgents, ignored)) return kGood;
  AgentOptions o;
  o.input = simulation.input;
  o.input.overrides = task.overrides;
  o.input.overrides.push_back(fmt::format("simulation.seed={}", task.seed));
  o.input.overrides.push_back(fmt::format("traffic.pattern=\"{}\"", task.pattern));
  for (const auto& set : task.training) o.input.overrides.push_back(set);
  o.output = kAgents;
  o.threads = simulation.threads;
  o.model = simulation.model;
  o.quiet = true;
  const int status = train_agent(o);
  if (status != kGood) fs::remove(kAgents, ignored);
  return status;
}

int work(const CampaignTask& task, const fs::path& directory, SimulateOptions options) {
  fmt::print("== {} {}\n", task.key, task.name());
  if (const Diagnostics changed = check_unchanged(task); !changed.empty()) return report(changed);
  const SimulateOptions simulation = task_options(task, directory, std::move(options));
  if (task.trains) {
    if (const int status = train(task, simulation); status != kGood) return status;
  }
  if (const int status = simulate(simulation); status != kGood) return status;
  if (const Diagnostics changed = check_rtl(task, simulation.output); !changed.empty()) {
    report(changed);
    return kFailed;
  }
  return kGood;
}

}  // namespace

const char* name_of(TaskState state) {
  constexpr const char* kNames[] = {"waiting", "running", "cut short", "failed", "done"};
  return kNames[static_cast<std::size_t>(state)];
}

TaskState state_of(const fs::path& directory, const CampaignTask& task) {
  const fs::path place = task_directory(directory, task.key);
  std::error_code ignored;
  if (!fs::exists(place / "log", ignored)) return TaskState::kWaiting;
  if (const Json state = read_state(place); !state.is_null()) {
    if (state["status"] != kGood) return TaskState::kFailed;
    return has_all(state, task) ? TaskState::kDone : TaskState::kWaiting;
  }
  return OutputLock::is_taken(place) ? TaskState::kRunning : TaskState::kCutShort;
}

double seconds_of(const fs::path& directory, const CampaignTask& task) {
  const Json state = read_state(task_directory(directory, task.key));
  return state.contains("seconds") ? state["seconds"].get<double>() : 0;
}

int run_task(const fs::path& given, const std::string& key, SimulateOptions options) {
  catch_interrupts();
  const fs::path directory = fs::absolute(given);
  options.model.cache = fs::absolute(options.model.cache);
  const auto manifest = read_manifest(directory);
  if (!manifest) return report(manifest.errors());
  const std::vector<CampaignTask> tasks = distinct(manifest.value().tasks);
  const auto task =
      std::find_if(tasks.begin(), tasks.end(), [&](const CampaignTask& t) { return t.key == key; });
  if (task == tasks.end()) {
    return report({{"app.no-such-task",
                    {(directory / kManifestFile).string(), 0, 0},
                    "",
                    key,
                    "keys of its tasks",
                    ""}});
  }
  const fs::path place = task_directory(directory, key);
  for (;;) {
    if (is_done(directory, *task)) return kGood;
    OutputLock lock;
    const Diagnostics taken = lock.take(place);
    if (!taken.empty() && taken.front().code != "app.in-use") return report(taken);
    if (taken.empty()) {
      if (is_done(directory, *task)) return kGood;  // by whoever had it
      if (const Diagnostics failed = write_to(place / "log"); !failed.empty())
        return report(failed);
      std::error_code error;
      fs::current_path(place, error);
      fs::remove(place / kStateFile, error);
      const auto begin = std::chrono::steady_clock::now();
      const int status = work(*task, directory, std::move(options));
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      std::fflush(stdout);
      if (status == kInterrupted) return status;
      const Diagnostics failed =
          write_durably(place / kStateFile, state_json(*task, status, took.count()).dump() + "\n");
      return failed.empty() ? status : report(failed);
    }
    if (interrupted()) return kInterrupted;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}

}  // namespace hopwise::app
