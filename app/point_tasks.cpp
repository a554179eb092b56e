// SPDX-License-Identifier: Apache-2.0
#include "app/point_tasks.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "app/files.hpp"
#include "app/learned.hpp"
#include "app/progress.hpp"

namespace hopwise::app {

std::unique_ptr<Task> PointTasks::make(const Point& p, Purpose purpose, Hooks hooks) {
  const Simulated& network = plan_.networks[p.network];
  auto task = std::make_unique<Task>();
  task->network = p.network;
  engine::RunOptions& run = task->options;
  run.traffic = network.proven->spec().traffic;
  run.traffic.pattern = p.pattern;
  run.simulation = network.proven->spec().simulation;
  run.faults = network.proven->spec().fault;
  run.load = p.load;
  run.ranks = several_;
  run.until_verdict = purpose == Purpose::kVerdict;
  run.stop = [stop = std::move(hooks.stop)] { return interrupted() || (stop && stop()); };
  run.progress = std::move(hooks.progress);
  run.patterns = plan_.patterns;
  if (plan_.jobs[p.network]) run.job = &*plan_.jobs[p.network];
  if (!plan_.pattern_of(p.pattern).replays.empty()) run.trace = &*plan_.trace;
  if (purpose == Purpose::kPoint) {
    for (const std::uint32_t r : options_.wave_routers) {
      std::error_code ignored;
      std::filesystem::create_directories(options_.output, ignored);
      run.waves.emplace_back(RouterId{r},
                             (options_.output / fmt::format("router_{}.fst", r)).string());
    }
    run.record_packets = !options_.record_trace.empty();
  }
  const auto learned = start_probes(p, purpose, run);
  task->alone = !run.waves.empty();
  task->done = [this, &network, learned, done = std::move(hooks.done),
                recorded = run.record_packets](const engine::RunResult& result) {
    if (recorded) recorded_trace_ = traffic::format_trace(result.packets, result.recording);
    // of a run that failed there are none
    if (learned && !learned->empty())
      learned_tables_ = learned->text(probed(*network.proven, network.label));
    done(result);
  };
  return task;
}

std::shared_ptr<probes::Learned> PointTasks::start_probes(const Point& p, Purpose purpose,
                                                          engine::RunOptions& run) const {
  const Simulated& network = plan_.networks[p.network];
  const probes::Network of = probed(*network.proven, network.label);
  probes::Options probing{.check = options_.check_learning};
  if (network.learned) network.learned->start(of, probing);
  if (plan_.start_tables) plan_.start_tables->start(of, probing);
  std::shared_ptr<probes::Learned> learned;
  if (purpose == Purpose::kPoint && !options_.save_tables.empty()) {
    learned = probes::probes_of(of.family).blank();
    learned->collect(probing);
  }
  run.probes = probes::make_probes(of.family, probing);
  return learned;
}

Diagnostics PointTasks::write() const {
  Diagnostics errors;
  if (!options_.record_trace.empty()) errors = write_file(options_.record_trace, recorded_trace_);
  if (!learned_tables_.empty() && errors.empty())
    errors = write_file(options_.save_tables, learned_tables_);
  return errors;
}

}  // namespace hopwise::app
