// SPDX-License-Identifier: Apache-2.0
// The options of a command line, and what a command is called with.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/campaign.hpp"
#include "app/command_line.hpp"
#include "app/commands.hpp"

namespace hopwise::app {

/// A number that no network has stays one.
inline std::uint32_t to_router(const std::string& digits) {
  std::uint32_t router = std::numeric_limits<std::uint32_t>::max();
  std::from_chars(digits.data(), digits.data() + digits.size(), router);
  return router;
}

/// Options of one command line; only the chosen command reads them. What commands share is here;
/// `sweep`, `agents` and `cost` hold what is their own.
struct Arguments {
  Input input;
  std::string output;
  std::string pattern, load, cycles, seed;
  std::vector<std::string> patterns, loads;  ///< of the commands that sweep
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  std::string assertions = "on", engine;
  model::Vectors vectors = model::Vectors::kAvx512;
  std::string cache;
  bool quiet = false, check_learning = false, all = false, engines = false;
  std::vector<std::string> files, only, wave;
  std::uint64_t bench_cycles = 20000, most_questions = 1'000'000, router_cycles = 1'000'000;
  SimulateOptions sweep;
  AgentOptions agents;
  SynthOptions cost;
  CampaignOptions campaign;
  unsigned campaign_threads = 1;  ///< of each task: there are many
  std::string campaign_task;      ///< its key
  Lists lists;

  ModelOptions model() const {
    return {.cache = cache.empty() ? default_cache() : std::filesystem::path(cache),
            .assertions = assertions == "on",
            .trace = !wave.empty(),
            .jobs = std::max(1u, std::thread::hardware_concurrency()),
            .threads = threads,
            .own_cache = cache.empty(),
            .vectors = vectors,
            .engine = engine};
  }

  SynthOptions synth() const {
    SynthOptions s = cost;
    s.input = input;
    s.output = output;
    s.cache = model().cache;
    s.own_cache = model().own_cache;
    s.quiet = quiet;
    return s;
  }

  /// One value as it is, FIRST:LAST:STEP among them; several as a list of YAML.
  static std::string yaml(const std::vector<std::string>& values, bool always_list) {
    if (values.size() == 1 && !always_list) return values.front();
    return values.empty() ? "" : fmt::format("[{}]", fmt::join(values, ","));
  }

  /// `values` of keys, in place of the file's; an empty one is not given.
  Input with_keys(std::initializer_list<std::pair<const char*, std::string>> values) const {
    Input changed = input;
    for (const auto& [key, value] : values) {
      if (!value.empty()) changed.overrides.push_back(fmt::format("{}={}", key, value));
    }
    return changed;
  }

  AgentOptions training() const {
    AgentOptions o = agents;
    o.input = with_keys({{"traffic.pattern", pattern},
                         {"training.load", load},
                         {"training.decisions", cycles},
                         {"simulation.seed", seed}});
    o.output = output;
    o.threads = threads;
    o.model = model();
    o.check_learning = check_learning;
    o.quiet = quiet;
    return o;
  }

  SimulateOptions sweep_of(Input what) const {
    SimulateOptions s = sweep;
    s.input = std::move(what);
    s.output = output;
    s.threads = threads;
    s.model = model();
    s.check_learning = check_learning;
    s.quiet = quiet;
    s.synth = synth();
    return s;
  }

  SimulateOptions measured_cost() const {
    auto s = sweep_of(with_keys({{"simulation.cycles", cycles}}));
    s.model.assertions = false;
    return s;
  }

  SimulateOptions task_simulation() const {
    auto s = sweep_of(input);
    s.threads = s.model.threads = campaign_threads;
    return s;
  }

  CampaignOptions campaign_run() const {
    namespace fs = std::filesystem;
    CampaignOptions o = campaign;
    o.output = output;
    o.quiet = quiet;
    o.simulation = task_simulation();
    for (auto& directory : o.simulation.input.extensions)  // as tasks on other machines say it
      directory = fs::absolute(directory).string();
    if (o.workers == 0 && !o.slurm) o.workers = std::max(1u, std::thread::hardware_concurrency());
    o.arguments = {"--threads", std::to_string(campaign_threads), "--assertions", assertions};
    if (!engine.empty()) o.arguments.insert(o.arguments.end(), {"--engine", engine});
    if (!cache.empty())
      o.arguments.insert(o.arguments.end(), {"--cache", fs::absolute(cache).string()});
    constexpr const char* kVectors[] = {"none", "avx2", "avx512"};
    o.arguments.insert(o.arguments.end(),
                       {"--vectors", kVectors[static_cast<std::size_t>(vectors)]});
    for (const auto& directory : o.simulation.input.extensions)
      o.arguments.insert(o.arguments.end(), {"--with", directory});
    return o;
  }

  SimulateOptions simulation() const {
    auto s = sweep_of(with_keys({{"experiment.patterns", yaml(patterns, true)},
                                 {"experiment.loads", yaml(loads, false)},
                                 {"simulation.cycles", cycles},
                                 {"simulation.seed", seed}}));
    if (!files.empty()) {
      s.input.file = files.front();
      s.others.assign(files.begin() + 1, files.end());
    }
    for (const std::string& router : wave) s.wave_routers.push_back(to_router(router));
    return s;
  }
};

}  // namespace hopwise::app
