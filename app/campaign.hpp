// SPDX-License-Identifier: Apache-2.0
// hopwise campaign: run, status, collect. Each returns the exit status.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/campaign_tasks.hpp"

namespace hopwise::app {

struct CampaignOptions {
  std::filesystem::path file, output;
  SimulateOptions simulation;  ///< models and threads of every task
  /// of every task's command line: what `simulation` and the catalogue came from
  std::vector<std::string> arguments;
  bool quick = false, quiet = false;
  bool list = false;     ///< name the tasks, and end
  unsigned workers = 0;  ///< tasks side by side; 0 with Slurm: as many as there is room for
  bool slurm = false;
  std::string slurm_args;            ///< of sbatch
  std::optional<std::string> serve;  ///< the live page, at [ADDRESS:]PORT
};

/// Runs all tasks that are not done, and collects.
int run_campaign(const CampaignOptions& options);

/// Prints how far the tasks of a directory are, and serves its live page, if asked, until it is
/// interrupted; kFailed where one has failed.
int campaign_status(const std::filesystem::path& directory,
                    const std::optional<std::string>& serve);

/// Of several directories: a task's points are those of all of them. Writes index.html, a page for
/// each experiment, results.json, points.csv and, for a campaign that is held against a
/// publication, published.csv. kFailed where results of a task are damaged; all others are in it.
int collect_campaign(const std::vector<std::filesystem::path>& directories,
                     const std::filesystem::path& output);

/// What runs tasks: processes here, or jobs of Slurm. A task that ends without having said how, as
/// one does that is killed, is begun again, kMostAttempts times in all.
inline constexpr unsigned kMostAttempts = 3;

/// Hears of each task that has ended, by its place in the list.
using TaskEnded = std::function<void(std::size_t task, TaskState state)>;

/// Runs the tasks in processes of this command. kGood, kFailed where a task has, kInterrupted.
int run_here(const CampaignOptions& options, const std::vector<CampaignTask>& tasks,
             const TaskEnded& ended);

/// Runs the tasks as job arrays of Slurm and follows them; those that an earlier call submitted are
/// followed, not submitted again. As run_here; Slurm's tasks go on where this is interrupted.
int run_by_slurm(const CampaignOptions& options, const std::vector<CampaignTask>& tasks,
                 const TaskEnded& ended);

/// The command line that runs a task of the directory, but for its key.
std::vector<std::string> task_command(const CampaignOptions& options);

}  // namespace hopwise::app
