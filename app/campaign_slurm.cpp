// SPDX-License-Identifier: Apache-2.0
// Tasks of a campaign as job arrays of Slurm.
//
// DIR/slurm/N.list has the keys of the N-th array, one a line, and is there before the array is
// submitted, under a name that the directory and N make. So whoever comes after a submitter that
// died knows all that may be in the queue, and asks Slurm for it by name.
#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/campaign.hpp"
#include "app/files.hpp"
#include "app/progress.hpp"
#include "model/tool.hpp"
#include "support/hash.hpp"

namespace hopwise::app {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds kPoll{1000};
/// Of an array; Slurm's own limit is one more, unless the cluster sets another.
constexpr std::size_t kMostAtOnce = 1000;
/// A task that has left the queue may not be seen at once to have ended: file systems of clusters
/// are slow.
constexpr unsigned kPollsUntilLost = 3;

Diagnostic slurm_failed(const std::string& command, const std::string& said) {
  return {"app.slurm",
          {},
          command,
          said.empty() ? "no word" : said,
          "a cluster that takes jobs",
          "is Slurm installed, and is this a machine that submits?"};
}

class Cluster {
 public:
  Cluster(const CampaignOptions& options, const std::vector<CampaignTask>& tasks,
          const TaskEnded& ended)
      : options_(options),
        tasks_(tasks),
        ended_(ended),
        directory_(fs::absolute(options.output) / "slurm"),
        name_(fmt::format("hopwise-{:08x}", fnv1a(directory_.string()) >> 32)) {
    for (std::size_t t = 0; t < tasks.size(); ++t) open_[tasks[t].key] = t;
  }

  int operator()() {
    if (const Diagnostics errors = read_lists(); !errors.empty()) return report(errors);
    bool submitted = false;
    while (!open_.empty()) {
      if (interrupted()) return leave();
      std::set<std::string> queued;
      if (!read_queue(queued))
        return interrupted() ? leave() : report({slurm_failed("squeue", said_)});
      if (!submitted && !queued.empty())
        fmt::print(stderr, "slurm: {} tasks of an earlier call are followed\n", queued.size());
      take_ended(queued);
      std::vector<std::string> lost;
      for (const auto& [key, task] : open_) {
        if (queued.count(key) > 0) {
          unseen_[key] = 0;
        } else if (!submitted || ++unseen_[key] >= kPollsUntilLost) {
          lost.push_back(key);
        }
      }
      if (const Diagnostics errors = submit(lost); !errors.empty())
        return interrupted() ? leave() : report(errors);
      submitted = true;
      if (!open_.empty()) std::this_thread::sleep_for(kPoll);
    }
    return failed_ ? kFailed : kGood;
  }

 private:
  fs::path list(std::size_t n) const { return directory_ / fmt::format("{}.list", n); }
  std::string job_name(std::size_t n) const { return fmt::format("{}-{}", name_, n); }

  int leave() const {
    std::string names;
    for (std::size_t n = 0; n < lists_.size(); ++n) names += (n > 0 ? "," : "") + job_name(n);
    fmt::print(stderr,
               "slurm: the tasks go on; the same command follows them, `scancel --name={}` ends "
               "them\n",
               names);
    return kInterrupted;
  }

  /// Of earlier calls.
  Diagnostics read_lists() {
    std::error_code ignored;
    for (std::size_t n = 0; fs::exists(list(n), ignored); ++n) {
      const auto text = read_file(list(n));
      if (!text) return text.errors();
      std::istringstream lines(text.value());
      lists_.emplace_back();
      for (std::string key; std::getline(lines, key);) lists_.back().push_back(key);
    }
    return {};
  }

  /// Keys of what waits or runs. False: squeue fails.
  bool read_queue(std::set<std::string>& queued) {
    std::string names;
    for (std::size_t n = 0; n < lists_.size(); ++n) names += (n > 0 ? "," : "") + job_name(n);
    if (names.empty()) return true;
    const model::Output out = model::run("squeue -h -r -o '%j %K' --name=" + names);
    said_ = out.text;
    if (out.status != 0) return false;
    std::istringstream lines(out.text);
    std::string job, index;
    while (lines >> job >> index) {
      for (std::size_t n = 0; n < lists_.size(); ++n) {
        const std::size_t at = std::strtoul(index.c_str(), nullptr, 10);
        if (job == job_name(n) && at < lists_[n].size()) queued.insert(lists_[n][at]);
      }
    }
    return true;
  }

  void take_ended(const std::set<std::string>& queued) {
    for (auto next = open_.begin(); next != open_.end();) {
      const auto [key, task] = *next;
      const TaskState state = state_of(options_.output, tasks_[task]);
      // What failed in an earlier call is run again.
      const bool mine = begun_.count(key) > 0 && queued.count(key) == 0;
      if (state != TaskState::kDone && !(state == TaskState::kFailed && mine)) {
        ++next;
        continue;
      }
      next = open_.erase(next);
      failed_ = failed_ || state == TaskState::kFailed;
      ended_(task, state);
    }
  }

  /// What is not in the queue and has not ended: new, or killed.
  Diagnostics submit(const std::vector<std::string>& lost) {
    std::vector<std::string> keys;
    for (const std::string& key : lost) {
      unseen_[key] = 0;
      if (attempts_[key]++ < kMostAttempts) {
        keys.push_back(key);
        continue;
      }
      const std::size_t task = open_[key];
      open_.erase(key);
      failed_ = true;
      ended_(task, TaskState::kCutShort);
    }
    if (keys.empty()) return {};
    // in the order of the campaign
    std::sort(keys.begin(), keys.end(),
              [this](const auto& a, const auto& b) { return open_.at(a) < open_.at(b); });
    std::string job;  // that the next array waits for, where only so many tasks may run
    for (auto next = keys.begin(); next != keys.end();) {
      const auto end = next + std::min<std::ptrdiff_t>(kMostAtOnce, keys.end() - next);
      if (Diagnostics errors = submit_array({next, end}, job); !errors.empty()) return errors;
      next = end;
    }
    return {};
  }

  /// One list, in the order of its tasks, as the next array; `job` is its number then.
  Diagnostics submit_array(const std::vector<std::string>& keys, std::string& job) {
    const std::size_t n = lists_.size();
    Diagnostics errors = write_file(list(n), fmt::format("{}\n", fmt::join(keys, "\n")));
    if (!errors.empty()) return errors;
    lists_.push_back(keys);
    begun_.insert(keys.begin(), keys.end());
    const fs::path script = directory_ / fmt::format("{}.sh", n);
    std::string command;
    for (const auto& word : task_command(options_)) command += model::quoted(word) + " ";
    command +=
        fmt::format("\"$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" {})\"", model::quoted(list(n)));
    for (const auto& word : options_.arguments) command += " " + model::quoted(word);
    errors = write_file(script, "#!/bin/sh\nexec " + command + "\n");
    if (!errors.empty()) return errors;
    std::string submit = fmt::format(
        "sbatch --parsable --job-name={} --array=0-{}{} --ntasks=1 --cpus-per-task={} "
        "--output={}{} {} {}",
        job_name(n), keys.size() - 1,
        options_.workers > 0 ? fmt::format("%{}", options_.workers) : "",
        options_.simulation.threads, model::quoted(directory_ / fmt::format("{}.%a.out", n)),
        options_.workers > 0 && !job.empty() ? " --dependency=afterany:" + job : "",
        options_.slurm_args, model::quoted(script));
    const model::Output out = model::run(submit);
    if (out.status != 0) {
      std::error_code ignored;
      // A killed one may have submitted all the same: who follows it needs the list.
      if (out.status > 0 && out.status < 128) fs::remove(list(n), ignored);
      return {slurm_failed("sbatch", out.text)};
    }
    job = out.text.substr(0, out.text.find_first_of(";\n"));
    fmt::print(stderr, "slurm: {} tasks submitted as {} (job {})\n", keys.size(), job_name(n), job);
    return {};
  }

  const CampaignOptions& options_;
  const std::vector<CampaignTask>& tasks_;
  const TaskEnded& ended_;
  const fs::path directory_;
  const std::string name_;
  std::map<std::string, std::size_t> open_;      // tasks by key
  std::vector<std::vector<std::string>> lists_;  // keys of every array
  std::map<std::string, unsigned> unseen_, attempts_;
  std::set<std::string> begun_;  // by this call
  bool failed_ = false;
  std::string said_;  // by squeue
};

}  // namespace

int run_by_slurm(const CampaignOptions& options, const std::vector<CampaignTask>& tasks,
                 const TaskEnded& ended) {
  return Cluster(options, tasks, ended)();
}

}  // namespace hopwise::app
