// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/places.hpp"

namespace hopwise::app {

namespace {

/// One run of a file's first variant at its traffic's load; no drain statistics, no search.
Result<engine::RunResult> measure(Input input, const std::string& file, const ModelOptions& model,
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
  auto network = compile(std::move(*proven), "bench", model);
  if (!network) return network.errors();
  engine::RunOptions run;
  run.traffic = spec.value().traffic;
  run.patterns = input.catalogue.patterns;
  run.simulation = spec.value().simulation;
  run.load = spec.value().traffic.load;
  run.threads = threads;
  return engine::simulate(*network.value().setup, run);
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
  fmt::print("{:<28} {:>10} {:>7} {:>16} {:>18} {:>8}\n", "network", "assertions", "threads",
             "cycles/CPU s", "router-cycles/CPU s", "wall s");
  for (const auto& file : list) {
    for (const bool assertions : {false, true}) {
      for (unsigned t = 1; t <= threads; t *= 2) {
        ModelOptions options = model;
        options.assertions = assertions;
        auto result = measure(input, file, options, t, cycles);
        if (!result) return report(result.errors());
        const auto& r = result.value();
        if (!r.failures.empty()) {
          fmt::print(stderr, "{}\n", r.failures.front());
          return kFailed;
        }
        const double total = static_cast<double>(r.total_cycles);
        fmt::print("{:<28} {:>10} {:>7} {:>16.0f} {:>18.0f} {:>8.2f}\n",
                   std::filesystem::path(file).filename().string(), assertions ? "on" : "off", t,
                   total / r.cpu_seconds,
                   total * static_cast<double>(r.routers.size()) / r.cpu_seconds, r.wall_seconds);
      }
    }
  }
  return kGood;
}

}  // namespace hopwise::app
