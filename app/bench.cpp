// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/places.hpp"

namespace hopwise::app {

namespace {

struct Measured {
  engine::RunResult run;
  double model_seconds = 0;  ///< until the model was there: little where the cache has it
};

/// One run of a file's first variant at its traffic's load; no drain statistics, no search.
Result<Measured> measure(Input input, const std::string& file, const ModelOptions& model,
                         unsigned threads, std::uint64_t cycles) {
  input.file = file;
  input.overrides = {fmt::format("simulation.cycles={}", cycles),
                     fmt::format("simulation.warmup_cycles={}", cycles / 4)};
  auto experiment = load_experiment(input);
  if (!experiment) return experiment.errors();
  auto spec = load_variant(input, experiment.value(), experiment.value().variants.front());
  if (!spec) return spec.errors();
  auto outcome = prove(spec.value(), input.catalogue);
  auto* proven = std::get_if<deadlock::ProvenNetwork>(&outcome);
  if (proven == nullptr)
    return Diagnostic{
        "app.not-proved", {file, 0, 0}, "", "a network with a deadlock", "a proved network", ""};
  const auto start = std::chrono::steady_clock::now();
  auto network = compile(std::move(*proven), "bench", model);
  if (!network) return network.errors();
  const std::chrono::duration<double> built = std::chrono::steady_clock::now() - start;
  engine::RunOptions run;
  run.traffic = spec.value().traffic;
  run.patterns = input.catalogue.patterns;
  run.simulation = spec.value().simulation;
  run.load = spec.value().traffic.load;
  run.threads = threads;
  auto result = engine::simulate(*network.value().setup, run);
  if (!result) return result.errors();
  return Measured{std::move(result).value(), built.count()};
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
  fmt::print("{:<22} {:>9} {:>5} {:>10} {:>7} {:>12} {:>15} {:>6} {:>7} {:>7}\n", "network",
             "engine", "lanes", "assertions", "threads", "cycles/CPU s", "router-c./CPU s", "eval",
             "model s", "wall s");
  for (const auto& file : list) {
    for (const std::string engine : {"verilator", "lanes"}) {
      if (!model.engine.empty() && model.engine != engine) continue;
      for (const bool assertions : {false, true}) {
        for (unsigned t = 1; t <= threads; t *= 2) {
          ModelOptions options = model;
          options.assertions = assertions;
          options.engine = engine;
          auto result = measure(input, file, options, t, cycles);
          if (!result) return report(result.errors());
          const engine::RunResult& r = result.value().run;
          if (!r.failures.empty()) {
            fmt::print(stderr, "{}\n", r.failures.front());
            return kFailed;
          }
          const double total = static_cast<double>(r.total_cycles);
          fmt::print(
              "{:<22} {:>9} {:>5} {:>10} {:>7} {:>12.0f} {:>15.0f} {:>6} {:>7.1f} {:>7.2f}\n",
              std::filesystem::path(file).stem().string(), engine, r.lanes,
              assertions ? "on" : "off", t, total / r.cpu_seconds,
              total * static_cast<double>(r.routers.size()) / r.cpu_seconds,
              r.eval_seconds > 0 ? fmt::format("{:.2f}", r.eval_seconds / r.cpu_seconds) : "-",
              result.value().model_seconds, r.wall_seconds);
        }
      }
    }
  }
  return kGood;
}

}  // namespace hopwise::app
