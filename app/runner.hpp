// SPDX-License-Identifier: Apache-2.0
// Simulations side by side: in threads, and in the lanes of a thread.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/compiled.hpp"

namespace hopwise::app {

/// One simulation that somebody waits for.
struct Task {
  std::size_t network = 0;
  engine::RunOptions options;  ///< but for the threads
  bool alone = false;          ///< it writes waveforms, or the like: not beside others in lanes
  std::function<void(const engine::RunResult&)> done;
};

/// What is to be simulated. The runner calls one function at a time, and `done` of tasks as well.
class TaskSource {
 public:
  virtual ~TaskSource() = default;
  /// The next task (of that network, if there is one); nullptr: none, unless one that is done
  /// leads to more.
  virtual std::unique_ptr<Task> next(std::optional<std::size_t> network) = 0;
  /// How many of the network there are before the first of them is done.
  virtual std::size_t ready(std::size_t network) const = 0;
};

/// Tasks that are known from the start; each is made when its turn comes.
class TaskList final : public TaskSource {
 public:
  using Make = std::function<std::unique_ptr<Task>()>;
  /// `stop`: asked before a task is begun.
  explicit TaskList(std::function<bool()> stop) : stop_(std::move(stop)) {}
  void add(std::size_t network, Make make) { waiting_.push_back({network, std::move(make)}); }
  std::size_t size() const { return waiting_.size(); }

  std::unique_ptr<Task> next(std::optional<std::size_t> network) override;
  std::size_t ready(std::size_t network) const override;

 private:
  struct Waiting {
    std::size_t network = 0;
    Make make;
  };
  const std::function<bool()> stop_;
  std::list<Waiting> waiting_;
};

/// Runs all that `source` has in `threads` threads. Tasks of a network whose routers are in lanes
/// run in batches (engine/batch.hpp); with fewer tasks than threads each has several.
///
/// A run that fails in lanes is run again by itself, where an assertion of the RTL failed with that
/// router in Verilator too, which then says which one.
void run_tasks(TaskSource& source, std::vector<Simulated>& networks, const ModelOptions& model,
               unsigned threads, std::size_t tasks);

}  // namespace hopwise::app
