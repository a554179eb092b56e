// SPDX-License-Identifier: Apache-2.0
// The commands. Each returns the exit status; messages go to the standard error output, results to
// the standard output.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/compiled.hpp"
#include "app/network.hpp"

namespace hopwise::app {

/// Proves the file's routing.algorithm, or every routing of its experiment where it has none or
/// with `all`; or checks the files of a bundle's directory, and its certificate.
int check(const Input& input, bool all);

/// Asks the RTL of the routing units of what `check` would prove, and holds every answer to the
/// routing relation.
int verify(const Input& input, const ModelOptions& model, std::uint64_t most_questions, bool quiet);

/// Runs the traffic of the file, at a few loads, in lanes and by Verilator side by side, every
/// router in both, and compares all their pins in every cycle: `router_cycles` at least of each
/// routing.
int verify_engines(const Input& input, const ModelOptions& model, std::uint64_t router_cycles,
                   bool quiet);

/// Writes the bundle of the network: see load_one_network.
int generate(const Input& input, const std::filesystem::path& output);

struct SynthOptions {
  Input input;
  std::filesystem::path output;
  std::vector<std::string> targets;  ///< names of synth::targets()
  std::string memories = "macros";   ///< or flops
  bool router_only = false;          ///< nothing of what stands beside it
  std::string device;                ///< FPGAs, what shares are of; empty: the usual one
  /// transitions per net and cycle, or a results.json; empty: 0.1
  std::string activity;
  std::filesystem::path technology;  ///< directory of the liberty files
  std::filesystem::path cache;
  bool own_cache = false;  ///< see open_cache
  unsigned jobs = 2;
  bool quiet = false;
};

struct SimulateOptions {
  std::vector<std::string> others;  ///< compare: further files, under the traffic of the first
  Input input;                      ///< --pattern, --load(s), --cycles, --seed come as overrides
  std::filesystem::path output;
  unsigned threads = 1;
  ModelOptions model;
  std::vector<std::uint32_t> wave_routers;
  /// file that receives the generated packets of a single point
  std::string record_trace;
  /// files of what the routers of a single point learn, or start from
  std::string save_tables, load_tables;
  /// compare every decision and update with the model of the learner
  bool check_learning = false;
  bool mpi = false;      ///< with the other processes of mpirun
  bool bundles = false;  ///< run: write the bundle of each network
  bool resume = false;   ///< keep the points that the output already holds
  bool force = false;    ///< replace them; with neither they are refused
  bool quiet = false;
  /// run, compare: the routers are synthesised for its target, if it names one
  SynthOptions synth;
};

/// Runs all points of the experiment; writes results.json, speed.json and points.csv.
int simulate(const SimulateOptions& options);

/// check, generate, simulate, and report.html.
int run(SimulateOptions options);

/// Several files under the traffic of the first, and report.html.
int compare(const SimulateOptions& options);

struct AgentOptions {
  Input input;                    ///< the network that agents are for
  std::filesystem::path source;   ///< import, export: what is read
  std::filesystem::path output;   ///< the file that is written
  std::filesystem::path results;  ///< train: directory of the run's results; empty: none
  std::size_t agent = 0;          ///< export: which of them
  unsigned threads = 1;
  ModelOptions model;
  bool check_learning = false, quiet = false;
  bool force = false;  ///< replace results that are there
};

/// Trains the agents of the file's (first) routing that has some in a simulation of its network.
int train_agent(const AgentOptions& options);

/// An ONNX model becomes the agent that all routers share; the reverse for one agent of a file.
int import_agent(const AgentOptions& options);
int export_agent(const AgentOptions& options);

/// Area, timing and power of the network's router, see load_one_network; writes synth.json.
int synth(const SynthOptions& options);

/// The same for every routing of `files`, by default one file for each home topology, and for every
/// target, by default osu018; `only` selects rows by LABEL or FILE/LABEL. Before that each network
/// is simulated as it is costed, for its throughput: at low load, at 1 and for saturation, with the
/// results in a directory of the file's name. Writes cost.json and cost.md after each row.
int campaign_cost(SimulateOptions options, std::vector<std::string> files,
                  const std::vector<std::string>& only);

/// Prints simulation speed of both engines, with and without assertions.
int bench(const Input& input, const std::vector<std::string>& files, const ModelOptions& model,
          unsigned threads, std::uint64_t cycles);

}  // namespace hopwise::app
