// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/commands.hpp"
#include "app/places.hpp"
#include "app/progress.hpp"
#include "app/runner.hpp"

namespace hopwise::app {

namespace {

struct Measured {
  std::vector<engine::RunResult> runs;
  double model_seconds = 0;  ///< until the model was there: little where the cache has it
  double wall_seconds = 0;

  double sum(double engine::RunResult::*field) const {
    double all = 0;
    for (const auto& run : runs) all += run.*field;
    return all;
  }
};

/// Runs of a file's first variant at its traffic's load, with different seeds; no search.
Result<Measured> measure(Input input, const std::string& file, const ModelOptions& model,
                         unsigned threads, std::uint64_t cycles, std::size_t points) {
  input.file = file;
  std::vector<double> loads;  // as many points: the width of lanes depends on it
  for (std::size_t i = 1; i <= points; ++i)
    loads.push_back(static_cast<double>(i) / static_cast<double>(points));
  input.overrides = {fmt::format("simulation.cycles={}", cycles),
                     fmt::format("simulation.warmup_cycles={}", cycles / 4),
                     fmt::format("experiment.loads=[{}]", fmt::join(loads, ","))};
  auto experiment = load_experiment(input);
  if (!experiment) return experiment.errors();
  auto spec = load_variant(input, experiment.value(), experiment.value().variants.front());
  if (!spec) return spec.errors();
  if (Diagnostics job = refuse_job(spec.value()); !job.empty()) return job;
  auto outcome = prove(spec.value(), input.catalogue);
  auto* proven = std::get_if<deadlock::ProvenNetwork>(&outcome);
  if (proven == nullptr)
    return Diagnostic{"app.not-proved",
                      {file, 0, 0},
                      "",
                      "a network that is not proved",
                      "a proved network",
                      std::get<deadlock::ProofFailure>(outcome).text};
  const auto start = std::chrono::steady_clock::now();
  auto network = compile(std::move(*proven), "bench", model);
  if (!network) return network.errors();
  const auto built = std::chrono::steady_clock::now();
  std::vector<Simulated> networks;
  networks.push_back(std::move(network).value());
  Measured measured;
  TaskList tasks([] { return interrupted().load(); });
  for (std::size_t i = 0; i < points; ++i) {
    tasks.add(0, [&, i] {
      auto task = std::make_unique<Task>();
      engine::RunOptions& run = task->options;
      run.traffic = spec.value().traffic;
      run.patterns = input.catalogue.patterns;
      run.simulation = spec.value().simulation;
      run.faults = spec.value().fault;
      run.simulation.seed += i;
      run.load = spec.value().traffic.load;
      run.probes = probes::make_probes(networks[0].proven->family(), {});
      task->done = [&measured](const engine::RunResult& r) { measured.runs.push_back(r); };
      return task;
    });
  }
  run_tasks(tasks, networks, model, threads, points);
  const auto end = std::chrono::steady_clock::now();
  measured.model_seconds = std::chrono::duration<double>(built - start).count();
  measured.wall_seconds = std::chrono::duration<double>(end - built).count();
  return measured;
}

}  // namespace

int bench(const Input& input, const std::vector<std::string>& files, const ModelOptions& model,
          unsigned threads, std::uint64_t cycles) {
  std::vector<std::string> list = files;
  if (list.empty()) {
    for (const char* name : {"torus_8x8", "torus_8x8x8"}) {
      auto file = example(name);
      if (!file) return report(file.errors());
      list.push_back(std::move(file).value());
    }
  }
  fmt::print("{:<22} {:>9} {:>5} {:>6} {:>10} {:>7} {:>12} {:>15} {:>5} {:>7} {:>7}\n", "network",
             "engine", "lanes", "points", "assertions", "threads", "cycles/CPU s",
             "router-c./CPU s", "eval", "model s", "wall s");
  for (const auto& file : list) {
    for (const auto& [engine, points] :
         {std::pair{"verilator", 1u}, {"lanes", 1u}, {"lanes", 8u}}) {
      if (!model.engine.empty() && model.engine != engine) continue;
      for (const bool assertions : {false, true}) {
        for (unsigned t = 1; t <= threads; t *= 2) {
          ModelOptions options = model;
          options.assertions = assertions;
          options.engine = engine;
          options.threads = t;
          const auto result = measure(input, file, options, t, cycles, points);
          if (!result) {
            const int status = report(result.errors());
            return result.errors().front().code == "app.not-proved" ? kFailed : status;
          }
          const Measured& m = result.value();
          for (const engine::RunResult& r : m.runs) {
            if (r.failures.empty()) continue;
            fmt::print(stderr, "{}\n", r.failures.front());
            return kFailed;
          }
          if (m.runs.empty()) return kInterrupted;
          double total = 0;
          for (const engine::RunResult& r : m.runs) total += static_cast<double>(r.total_cycles);
          const double cpu = m.sum(&engine::RunResult::cpu_seconds),
                       eval = m.sum(&engine::RunResult::eval_seconds);
          const engine::RunResult& one = m.runs.front();
          fmt::print(
              "{:<22} {:>9} {:>5} {:>6} {:>10} {:>7} {:>12.0f} {:>15.0f} {:>5} {:>7.1f} {:>7.2f}\n",
              std::filesystem::path(file).stem().string(), engine, one.lanes, points,
              assertions ? "on" : "off", t, total / cpu,
              total * static_cast<double>(one.routers.size()) / cpu,
              eval > 0 ? fmt::format("{:.2f}", eval / cpu) : "-", m.model_seconds, m.wall_seconds);
        }
      }
    }
  }
  return kGood;
}

}  // namespace hopwise::app
