// SPDX-License-Identifier: Apache-2.0
// The simulations of an experiment's points, as the runner takes them.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/plan.hpp"
#include "app/runner.hpp"

namespace hopwise::app {

/// Makes them, and keeps what those leave behind that write a trace or tables.
class PointTasks {
 public:
  /// What a run is for: a point with all that is asked for, a measured load of a search, or no more
  /// than whether a load is sustained.
  enum class Purpose { kPoint, kSearch, kVerdict };

  struct Hooks {
    std::function<bool()> stop;            ///< beside an interruption; may be empty
    std::function<void(double)> progress;  ///< hears which part is done; may be empty
    /// Hears the result, when what it leaves behind is kept.
    std::function<void(const engine::RunResult&)> done;
  };

  /// `options`, `plan` and `several`, the processes that simulate together or nullptr, outlive it.
  PointTasks(const SimulateOptions& options, const Plan& plan, engine::Ranks* several)
      : options_(options), plan_(plan), several_(several) {}

  std::unique_ptr<Task> make(const Point& point, Purpose purpose, Hooks hooks);

  /// Writes the files of --record-trace and --save-tables.
  Diagnostics write() const;

 private:
  /// What the routers have learned before, and are to tell in the end, if anything.
  std::shared_ptr<probes::Learned> start_probes(const Point& point, Purpose purpose,
                                                engine::RunOptions& run) const;

  const SimulateOptions& options_;
  const Plan& plan_;
  engine::Ranks* const several_;
  std::string recorded_trace_, learned_tables_;
};

}  // namespace hopwise::app
