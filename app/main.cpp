// SPDX-License-Identifier: Apache-2.0
// The `hopwise` command.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>

#include "app/arguments.hpp"
#include "app/commands.hpp"
#include "app/extensions.hpp"
#include "app/places.hpp"
#include "config/load.hpp"
#include "synth/src/target.hpp"

namespace {

using hopwise::app::Arguments;

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
  using hopwise::model::Vectors;
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

/// `several` targets, or one.
void add_target(CLI::App* command, Arguments& a, const char* what, bool several) {
  std::vector<std::string> names;
  for (const auto& target : hopwise::synth::targets()) names.push_back(target.name);
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

void add_synth(CLI::App* command, Arguments& a) {
  add_input(command, a, "network description (YAML)");
  add_output(command, a, "directory for synth.json", "DIR");
  add_synthesis(command, a);
  command->get_option("--target")->required();
  command
      ->add_option("--device", a.cost.device,
                   "FPGA that shares are of, xczu9eg for example; default: a usual one")
      ->type_name("NAME");
  command
      ->add_option(
          "--activity", a.cost.activity,
          "transitions per net and cycle, or a results.json that measured them; default: 0.1")
      ->type_name("A|FILE");
}

struct CampaignCommands {
  CLI::App *cost, *run, *status, *collect, *task;
};

void add_models(CLI::App* command, Arguments& a) {
  add_assertions(command, a);
  add_engine(command, a);
  command->add_option("--threads", a.campaign_threads, "threads of each task")
      ->type_name("T")
      ->check(CLI::Range(1u, 1024u))
      ->capture_default_str();
  command->add_option("--cache", a.cache, "directory of compiled router models")->type_name("DIR");
}

void add_serve(CLI::App* command, Arguments& a) {
  command->add_option("--serve", a.campaign.serve, "a live page of the campaign, over HTTP")
      ->type_name("[ADDRESS:]PORT");
}

CampaignCommands add_campaign(CLI::App& app, Arguments& a) {
  auto* campaign =
      app.add_subcommand("campaign", "many experiments as tasks, here or on a cluster; their cost");
  campaign->require_subcommand(1);
  auto* cost = campaign->add_subcommand(
      "cost",
      "simulate and synthesise every routing on its home topology; writes cost.json and cost.md");
  cost->add_option("FILE", a.files,
                   "network descriptions (YAML); default: the examples cost_*.yaml");
  add_set(cost, a);
  add_output(cost, a, "directory for the tables", "DIR");
  a.lists.add(cost, "--only", a.only, "only these rows, by LABEL or FILE/LABEL")
      ->type_name("ROW,...");
  add_synthesis(cost, a);
  add_threads(cost, a);
  add_cycles(cost, a);
  cost->get_option("--target")->default_str("osu018");

  auto* run = campaign->add_subcommand(
      "run", "run the tasks of a campaign that are not done, and collect; may be repeated");
  run->add_option("FILE", a.campaign.file, "campaign (YAML)")->required();
  add_output(run, a, "directory of the campaign", "DIR");
  run->add_flag("--quick", a.campaign.quick, "as the file's keys `quick` change it");
  run->add_flag("--list", a.campaign.list, "print the tasks, and run none");
  run->add_option("--workers", a.campaign.workers,
                  "tasks side by side; default: one for each processor, with --slurm no bound")
      ->type_name("N")
      ->check(CLI::Range(1u, 4096u));
  auto* slurm = run->add_flag("--slurm", a.campaign.slurm,
                              "as job arrays of Slurm; again after an interruption: follow them");
  run->add_option("--slurm-args", a.campaign.slurm_args, "more arguments of sbatch")
      ->type_name("ARGS")
      ->needs(slurm);
  add_models(run, a);
  run->add_flag("--quiet", a.quiet, "no progress bar");
  add_serve(run, a);
  auto* status = campaign->add_subcommand("status", "print how far a campaign is");
  status->add_option("DIR", a.files, "directory of a campaign")->required()->expected(1);
  add_serve(status, a);
  auto* collect = campaign->add_subcommand(
      "collect",
      "one report over all experiments: index.html and its pages, results.json, points.csv");
  collect->add_option("DIR", a.files, "directories of campaigns")->required();
  collect->add_option("-o,--output", a.output, "directory for the report; default: the first DIR")
      ->type_name("DIR");
  auto* task = campaign->add_subcommand("task", "run one task of a campaign; `run` calls it");
  task->add_option("DIR", a.campaign.output, "directory of the campaign")->required();
  task->add_option("KEY", a.campaign_task, "which one, as campaign.json has it")->required();
  add_models(task, a);
  return {cost, run, status, collect, task};
}

struct AgentCommands {
  CLI::App *train, *import, *export_;
};

AgentCommands add_agent(CLI::App& app, Arguments& a) {
  auto* agent = app.add_subcommand("agent", "train the agents of a routing, import or export them");
  agent->require_subcommand(1);
  auto* train = agent->add_subcommand(
      "train", "train the agents of a network on its RTL; writes a file for routing.agent");
  add_input(train, a, "network description (YAML) with a routing that has agents");
  add_output(train, a, "file of the trained agents", "FILE");
  train
      ->add_option("--results", a.agents.results,
                   "directory for results.json and report.html of the training")
      ->type_name("DIR");
  train->add_flag("--force", a.agents.force, "replace the results that it already holds");
  train->add_option("--decisions", a.cycles, "decisions of each agent; training.decisions")
      ->type_name("N");
  train->add_option("--pattern", a.pattern, "traffic pattern of the training; traffic.pattern")
      ->type_name("NAME");
  train->add_option("--load", a.load, "offered load of the training; training.load")
      ->type_name("L");
  add_run(train, a);
  train->add_flag("--check-learning", a.check_learning,
                  "compare every decision with the agent's weights");
  auto* import =
      agent->add_subcommand("import", "an ONNX model becomes the agent that all routers share");
  import->add_option("MODEL", a.agents.source, "perceptron (ONNX)")->required();
  add_output(import, a, "file of the agent", "FILE");
  import->add_option("--for", a.input.file, "network description (YAML) that the agent is for")
      ->required()
      ->type_name("FILE");
  add_variant(import, a);
  auto* export_ = agent->add_subcommand("export", "an agent becomes an ONNX model");
  export_->add_option("AGENTS", a.agents.source, "file of agents")->required();
  add_output(export_, a, "ONNX model", "FILE");
  export_->add_option("--agent", a.agents.agent, "number of the agent")
      ->type_name("N")
      ->capture_default_str();
  return {train, import, export_};
}

int command(int argc, char** argv) {
  const auto example = hopwise::app::example("torus_8x8");
  CLI::App app{fmt::format(
      "Hopwise: routers and networks in SystemVerilog, proved free of deadlock and measured in "
      "simulation of that RTL.\n"
      "Start with:  hopwise run {} -o out",
      example ? example.value() : "FILE")};
  app.set_version_flag("--version", HOPWISE_VERSION);
  app.require_subcommand(1);
  app.fallthrough();
  Arguments a;
  app.add_option("--with", a.with,
                 "directory of an extension: your own routings, topologies and patterns, compiled "
                 "when new (docs/extending.md)")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("DIR");

  auto* check = app.add_subcommand(
      "check", "prove a network free of deadlock, or check a bundle's certificate");
  add_input(check, a, "network description (YAML), or the directory of a bundle");
  check
      ->add_flag("--all", a.all,
                 "every routing of the experiment, also where the file has routing.algorithm")
      ->excludes(check->get_option("--routing"));
  auto* verify = app.add_subcommand(
      "verify",
      "compare the RTL of the routing with its relation, in all states that packets reach");
  add_input(verify, a, "network description (YAML)");
  verify
      ->add_option("--most", a.most_questions,
                   "most questions to ask; large networks are then sampled by destination")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verify->add_flag("--engines", a.engines,
                   "instead: run traffic in lanes and by Verilator, and compare every pin of every "
                   "router in every cycle");
  verify->add_option("--router-cycles", a.router_cycles, "with --engines: how many of each routing")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_vectors(verify, a);
  verify->add_flag("--quiet", a.quiet, "no progress");
  verify->add_option("--cache", a.cache, "directory of compiled routing units")->type_name("DIR");
  auto* generate =
      app.add_subcommand("generate", "prove a network and write its SystemVerilog bundle");
  add_input(generate, a, "network description (YAML)");
  add_output(generate, a, "directory of the bundle", "DIR");
  auto* simulate = app.add_subcommand(
      "simulate", "run traffic on the network's RTL; writes results.json, speed.json, points.csv");
  add_simulation(simulate, a);
  auto* run =
      app.add_subcommand("run", "check, generate, simulate, and one report to open: report.html");
  add_simulation(run, a);
  add_target(run, a, "synthesise the routers too, for a table and a chart of their cost", false);
  auto* compare = app.add_subcommand(
      "compare", "run several networks under the traffic of the first; one report.html");
  compare
      ->add_option("FILE", a.files, "network descriptions (YAML) of the same number of terminals")
      ->required()
      ->expected(2, 64);
  add_variant(compare, a);
  add_sweep(compare, a);
  add_target(compare, a, "synthesise the routers too, for a table and a chart of their cost",
             false);
  auto* bench = app.add_subcommand(
      "bench", "print simulation speed of both engines, with and without assertions");
  bench->add_option("FILE", a.files,
                    "network descriptions; default: torus_8x8 and torus_8x8x8 of the examples");
  bench->add_option("--threads", a.threads, "up to this many threads, in powers of two")
      ->type_name("T");
  bench->add_option("--engine", a.engine, "one of them only")
      ->check(CLI::IsMember({"verilator", "lanes"}));
  add_vectors(bench, a);
  bench->add_option("--cycles", a.bench_cycles, "measured cycles")->capture_default_str();
  bench->add_option("--cache", a.cache, "directory of compiled router models")->type_name("DIR");
  auto* synth = app.add_subcommand(
      "synth", "area, timing and power of the router, with Yosys and OpenSTA; writes synth.json");
  add_synth(synth, a);
  const CampaignCommands campaign = add_campaign(app, a);
  const AgentCommands agent = add_agent(app, a);
  auto* schema =
      app.add_subcommand("schema", "print the JSON schema of the YAML file, for editors");

  if (const auto errors =
          hopwise::app::check_arguments(app, std::vector<std::string>(argv + 1, argv + argc));
      !errors.empty())
    return hopwise::app::report(errors);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : hopwise::app::kBadInput;
  }
  if (const auto errors = a.lists.split(); !errors.empty()) return hopwise::app::report(errors);
  hopwise::app::Extensions extensions;
  if (const auto errors = extensions.load(a.with, a.model().cache, a.cache.empty());
      !errors.empty())
    return hopwise::app::report(errors);
  a.input.catalogue = extensions.catalogue();
  if (check->parsed()) return hopwise::app::check(a.input, a.all);
  if (verify->parsed()) {
    auto model = a.model();
    if (a.engines) return hopwise::app::verify_engines(a.input, model, a.router_cycles, a.quiet);
    model.quick = true;  // it is compiled for longer than it runs
    return hopwise::app::verify(a.input, model, a.most_questions, a.quiet);
  }
  if (generate->parsed()) return hopwise::app::generate(a.input, a.output);
  if (simulate->parsed()) return hopwise::app::simulate(a.simulation());
  if (run->parsed()) return hopwise::app::run(a.simulation());
  if (compare->parsed()) return hopwise::app::compare(a.simulation());
  if (agent.train->parsed()) return hopwise::app::train_agent(a.training());
  if (agent.import->parsed()) return hopwise::app::import_agent(a.training());
  if (agent.export_->parsed()) return hopwise::app::export_agent(a.training());
  if (campaign.cost->parsed())
    return hopwise::app::campaign_cost(a.measured_cost(), a.files, a.only);
  if (campaign.run->parsed()) return hopwise::app::run_campaign(a.campaign_run());
  if (campaign.status->parsed())
    return hopwise::app::campaign_status(a.files.front(), a.campaign.serve);
  if (campaign.collect->parsed())
    return hopwise::app::collect_campaign({a.files.begin(), a.files.end()},
                                          a.output.empty() ? a.files.front() : a.output);
  if (campaign.task->parsed())
    return hopwise::app::run_task(a.campaign.output, a.campaign_task, a.task_simulation());
  if (synth->parsed()) return hopwise::app::synth(a.synth());
  if (bench->parsed())
    return hopwise::app::bench(a.input, a.files, a.model(), a.threads, a.bench_cycles);
  if (schema->parsed()) fmt::print("{}\n", hopwise::config::json_schema(a.input.catalogue));
  return 0;
}

}  // namespace

/// What no command foresees of a file system ends in a message, too.
int main(int argc, char** argv) try {
  return command(argc, argv);
} catch (const std::filesystem::filesystem_error& error) {
  return hopwise::app::report({{"app.file-system",
                                {error.path1().string(), 0, 0},
                                "",
                                error.code().message(),
                                "files and directories that can be used",
                                ""}});
}
