// SPDX-License-Identifier: Apache-2.0
#include "app/command_options.hpp"

#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "synth/src/target.hpp"

namespace hopwise::app {

void add_set(CLI::App* command, Arguments& a) {
  command
      ->add_option("--set", a.input.overrides,
                   "override a key of the YAML: key.path=value, e.g. topology.dims=[8,8]")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
}

void add_variant(CLI::App* command, Arguments& a) {
  add_set(command, a);
  a.lists
      .add(command, "--routing", a.input.routings,
           "only these routings of the experiment, by label")
      ->type_name("LABEL,...");
}

void add_input(CLI::App* command, Arguments& a, const char* what) {
  command->add_option("FILE", a.input.file, what)->required();
  add_variant(command, a);
}

void add_output(CLI::App* command, Arguments& a, const char* what, const char* type) {
  command->add_option("-o,--output", a.output, what)->required()->type_name(type);
}

void add_threads(CLI::App* command, Arguments& a) {
  command->add_option("--threads", a.threads, "threads; results do not depend on them")
      ->type_name("T")
      ->check(CLI::Range(1u, 1024u));
}

void add_cycles(CLI::App* command, Arguments& a) {
  command
      ->add_option("--cycles", a.cycles,
                   "measured core cycles; default: until the confidence interval is small")
      ->type_name("N");
}

void add_vectors(CLI::App* command, Arguments& a) {
  using model::Vectors;
  static const std::map<std::string, Vectors> kNames = {
      {"none", Vectors::kNone}, {"avx2", Vectors::kAvx2}, {"avx512", Vectors::kAvx512}};
  command
      ->add_option("--vectors", a.vectors,
                   "the widest that engine lanes may use; results do not depend on it")
      ->transform(CLI::CheckedTransformer(kNames))
      ->type_name("none|avx2|avx512");
}

void add_assertions(CLI::App* command, Arguments& a) {
  command->add_option("--assertions", a.assertions, "assertions of the RTL")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str();
}

void add_engine(CLI::App* command, Arguments& a) {
  command
      ->add_option("--engine", a.engine, "what evaluates the routers; results do not depend on it")
      ->check(CLI::IsMember({"auto", "verilator", "lanes"}));
  add_vectors(command, a);
}

void add_run(CLI::App* command, Arguments& a) {
  command->add_option("--seed", a.seed, "seed of all random streams")->type_name("S");
  add_threads(command, a);
  add_assertions(command, a);
  add_engine(command, a);
  command->add_flag("--quiet", a.quiet, "no progress bar");
  command->add_option("--cache", a.cache, "directory of compiled router models")->type_name("DIR");
}

void add_sweep(CLI::App* command, Arguments& a) {
  add_output(command, a, "directory for the results", "DIR");
  a.lists.add(command, "--pattern", a.patterns, "traffic patterns instead of the file's")
      ->type_name("NAME,...");
  a.lists
      .add(command, "--load,--loads", a.loads,
           "offered loads, fractions of a terminal link's capacity")
      ->type_name("L,...|FIRST:LAST:STEP");
  add_cycles(command, a);
  add_run(command, a);
  auto* resume = command->add_flag("--resume", a.sweep.resume,
                                   "keep the points that the output directory already holds");
  command->add_flag("--force", a.sweep.force, "replace the results that it already holds")
      ->excludes(resume);
}

void add_simulation(CLI::App* command, Arguments& a) {
  add_input(command, a, "network description (YAML)");
  add_sweep(command, a);
  a.lists.add(command, "--wave", a.wave, "write a waveform (FST) of these routers; one point only")
      ->type_name("ROUTER,...")
      ->check([](const std::string& text) {
        const bool numbers = text.find_first_not_of("0123456789,") == std::string::npos;
        return numbers ? std::string() : "numbers of routers, not " + text;
      });
  command
      ->add_option("--record-trace", a.sweep.record_trace,
                   "write the generated packets as a trace; one point only")
      ->type_name("FILE");
  command
      ->add_option("--save-tables", a.sweep.save_tables,
                   "write the routers' final Q-tables; one point only")
      ->type_name("FILE");
  command
      ->add_option("--load-tables", a.sweep.load_tables,
                   "start with these Q-tables; one point only")
      ->type_name("FILE");
  command->add_flag("--check-learning", a.check_learning,
                    "compare every decision and update of learning routers with a model");
  auto* mpi = command->add_flag(
      "--mpi", a.sweep.mpi,
      "each process of mpirun simulates a part of the network; results do not depend on it");
  for (const char* option : {"--threads", "--wave", "--save-tables", "--check-learning"})
    mpi->excludes(command->get_option(option));
  // A point that is kept gives none of these.
  for (const char* file : {"--wave", "--record-trace", "--save-tables", "--load-tables"})
    command->get_option("--resume")->excludes(command->get_option(file));
}

void add_target(CLI::App* command, Arguments& a, const char* what, bool several) {
  std::vector<std::string> names;
  for (const auto& target : synth::targets()) names.push_back(target.name);
  auto* target = a.lists.add(command, "--target", a.cost.targets, what, std::move(names))
                     ->type_name(several ? "TARGET,..." : "TARGET");
  if (!several) target->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  command
      ->add_option("--memories", a.cost.memories,
                   "memories of standard cells as macros or as flip-flops")
      ->check(CLI::IsMember({"macros", "flops"}))
      ->capture_default_str();
  command
      ->add_option("--technology", a.cost.technology,
                   "directory of the liberty files, NAME/NAME_stdcells.lib")
      ->type_name("DIR")
      ->default_val("/usr/share/qflow/tech");
}

void add_synthesis(CLI::App* command, Arguments& a) {
  add_target(command, a, "technologies to synthesise for", true);
  command->add_option("--jobs", a.cost.jobs, "parallel processes")
      ->type_name("N")
      ->check(CLI::Range(1u, 2u))
      ->capture_default_str();
  command->add_option("--cache", a.cache, "directory of earlier results")->type_name("DIR");
  command->add_flag("--quiet", a.quiet, "no progress");
}

}  // namespace hopwise::app
