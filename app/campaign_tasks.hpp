// SPDX-License-Identifier: Apache-2.0
// The tasks of a campaign and where their results are. A task is a curve: one network with one
// routing, one pattern and one seed, at all its loads, which fill lanes together, and the search
// for its saturation.
//
// DIR/campaign.json            the tasks, in the order of the campaign
// DIR/tasks/KEY/state.json     how the task ended; written last
// DIR/tasks/KEY/run/           what `hopwise simulate` writes, its journal while it runs
// DIR/tasks/KEY/log            what it says
//
// KEY is a hash of all that its points depend on but the load: description, overrides, routing,
// pattern, seed, RTL, files that the description names, the C++ of hopwise and its extensions. So a
// task is the same in every directory and campaign that has it, and more loads are more points of
// the same task.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/campaign_file.hpp"
#include "app/commands.hpp"
#include "app/output.hpp"

namespace hopwise::app {

inline constexpr const char* kManifestFile = "campaign.json";
inline constexpr const char* kStateFile = "state.json";  ///< of a task, in its directory
inline constexpr const char* kAgents =
    "agents.json";  ///< that a task has trained, in its directory

struct CampaignTask {
  std::string key, experiment;
  std::vector<std::pair<std::string, std::string>> axes;  ///< key and value
  std::string routing, pattern;
  std::uint64_t seed = 0;
  std::vector<double> loads;  ///< empty: the pattern sets it
  bool search = false;        ///< for saturation
  std::string file, rtl_hash, code_hash;
  std::map<std::string, std::string> texts;  ///< file to hash: the description, and what it names
  std::vector<std::string> overrides;        ///< but for pattern, loads and seed
  bool trains = false;
  std::vector<std::string> training;  ///< overrides of the run in which agents are trained

  /// For people: "fig5: min, adv+1, seed 1, router.vcs 2".
  std::string name() const;
};

struct Manifest {
  std::string name, published, file;  ///< file: of the campaign, without its directory
  bool quick = false;
  std::vector<std::string> arguments;  ///< of every task's command line
  std::vector<CampaignTask> tasks;
};

/// All tasks of the campaign; every network is loaded and proved. kGood, or the exit status after
/// saying why.
int make_tasks(const Campaign& campaign, const config::Catalogue& catalogue,
               std::vector<CampaignTask>& tasks);

/// Each key once, with the loads of all experiments that have it.
std::vector<CampaignTask> distinct(const std::vector<CampaignTask>& tasks);

nlohmann::ordered_json manifest_json(const Manifest& manifest);
/// Of a directory. app.no-campaign where there is none, app.bad-results.
Result<Manifest> read_manifest(const std::filesystem::path& directory);

std::filesystem::path task_directory(const std::filesystem::path& directory,
                                     const std::string& key);
/// What simulates the task, from its directory as the current one.
SimulateOptions task_options(const CampaignTask& task, const std::filesystem::path& directory,
                             SimulateOptions options);

enum class TaskState { kWaiting, kRunning, kCutShort, kFailed, kDone };
/// "waiting", "running", "cut short", "failed", "done".
const char* name_of(TaskState state);
/// As the directory tells; a task that lacks loads which are asked for is waiting.
TaskState state_of(const std::filesystem::path& directory, const CampaignTask& task);

/// What it took to run a task that has ended, from its last beginning; 0: not known.
double seconds_of(const std::filesystem::path& directory, const CampaignTask& task);

/// Runs one task of a directory in this process, whose output goes to the task's log. A task that
/// is done costs nothing; one that another process runs is waited for.
int run_task(const std::filesystem::path& directory, const std::string& key,
             SimulateOptions options);

}  // namespace hopwise::app
