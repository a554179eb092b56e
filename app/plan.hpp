// SPDX-License-Identifier: Apache-2.0
// What an experiment is going to simulate: everything that can be refused is refused here, before
// the first cycle.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "app/compare.hpp"
#include "app/compiled.hpp"
#include "app/network.hpp"
#include "traffic/jobs/job.hpp"
#include "traffic/trace.hpp"

namespace hopwise::app {

/// One run: a network under a pattern at a load.
struct Point {
  std::size_t network = 0;
  std::string pattern;
  double load = 0;
};

struct Plan {
  Experiment experiment;
  std::vector<Contender> contenders;
  std::vector<deadlock::ProvenNetwork> proven;  ///< one of each contender, until it is compiled
  /// what its routers have learned, or nullptr
  std::vector<std::shared_ptr<const probes::Learned>> learned;
  std::vector<std::optional<traffic::Job>> jobs;  ///< of each contender, where it has one
  std::vector<Simulated> networks;                ///< one of each contender, compiled
  std::vector<Point> points;
  spec::Patterns patterns;                              ///< that there are
  std::optional<traffic::Trace> trace;                  ///< of a pattern that replays
  std::string trace_hash;                               ///< of its file; empty where there is none
  std::shared_ptr<const probes::Learned> start_tables;  ///< of --load-tables
  Warnings warnings;                                    ///< known before anything runs

  /// For people, and for the points of different runs of one experiment.
  std::string name(const Point& point) const;
  std::string key(const Point& point) const;
  const spec::PatternDeclaration& pattern_of(const std::string& name) const {
    return spec::pattern_of(patterns, name);
  }
  static std::string key(const std::string& routing, const std::string& pattern, double load);
  /// The same of a point in results.json.
  std::string key(const nlohmann::ordered_json& result) const;
};

/// Keys whose values are files: of agents, traces.
std::vector<std::string> file_keys(const config::Catalogue& catalogue);

/// The command reads or writes learned tables.
bool with_tables(const SimulateOptions& options);

/// Loads, checks and proves all routing variants. kGood, or the exit status after saying why.
int make_plan(const SimulateOptions& options, Plan& plan);

/// Compiles them.
int compile_plan(const SimulateOptions& options, Plan& plan);

}  // namespace hopwise::app
