// SPDX-License-Identifier: Apache-2.0
// Tasks of a campaign as processes on this machine.
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <thread>

#include <fmt/format.h>

#include "app/campaign.hpp"
#include "app/progress.hpp"

namespace hopwise::app {

namespace {

/// A process of its own group, so that Ctrl-C reaches it by way of this one; it ends with this one.
pid_t start(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = getpid(), child = fork();
  if (child != 0) return child;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);          // it has died already
  execv("/proc/self/exe", arguments.data());  // also where a new one has been built meanwhile
  _exit(127);
}

class Workers {
 public:
  Workers(const CampaignOptions& options, const std::vector<CampaignTask>& tasks,
          const TaskEnded& ended)
      : options_(options), tasks_(tasks), ended_(ended), command_(task_command(options)) {
    for (std::size_t t = 0; t < tasks.size(); ++t) waiting_.push_back(t);
  }

  int operator()() {
    bool told = false;
    while (!running_.empty() || (!waiting_.empty() && !interrupted())) {
      while (!interrupted() && !waiting_.empty() && running_.size() < options_.workers) begin();
      if (interrupted() && !told) {
        for (const auto& [pid, task] : running_) ::kill(pid, SIGTERM);
        told = true;
      }
      int status = 0;
      const pid_t pid = ::waitpid(-1, &status, WNOHANG);
      if (pid > 0)
        end(pid);
      else
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return interrupted() ? kInterrupted : failed_ ? kFailed : kGood;
  }

 private:
  void begin() {
    const std::size_t task = waiting_.front();
    waiting_.pop_front();
    std::vector<std::string> command = command_;
    command.push_back(tasks_[task].key);
    command.insert(command.end(), options_.arguments.begin(), options_.arguments.end());
    ++attempts_[task];
    const pid_t pid = start(command);
    if (pid < 0) {
      fmt::print(stderr, "{}: {}\n", tasks_[task].name(), std::strerror(errno));
      failed_ = true;
      return;
    }
    running_[pid] = task;
  }

  void end(pid_t pid) {
    const auto found = running_.find(pid);
    if (found == running_.end()) return;
    const std::size_t task = found->second;
    running_.erase(found);
    const TaskState state = state_of(options_.output, tasks_[task]);
    if (state != TaskState::kDone && state != TaskState::kFailed) {
      if (interrupted()) return;
      if (attempts_[task] < kMostAttempts) {
        waiting_.push_back(task);
        return;
      }
    }
    failed_ = failed_ || state != TaskState::kDone;
    ended_(task, state);
  }

  const CampaignOptions& options_;
  const std::vector<CampaignTask>& tasks_;
  const TaskEnded& ended_;
  const std::vector<std::string> command_;
  std::deque<std::size_t> waiting_;
  std::map<pid_t, std::size_t> running_;
  std::map<std::size_t, unsigned> attempts_;
  bool failed_ = false;
};

}  // namespace

int run_here(const CampaignOptions& options, const std::vector<CampaignTask>& tasks,
             const TaskEnded& ended) {
  return Workers(options, tasks, ended)();
}

}  // namespace hopwise::app
