// SPDX-License-Identifier: Apache-2.0
#include "app/subcommands.hpp"

#include <utility>

#include <fmt/format.h>

#include "app/command_options.hpp"
#include "app/commands.hpp"
#include "config/load.hpp"

namespace hopwise::app {

namespace {

using All = std::vector<Subcommand>;

void add_check(CLI::App& app, Arguments& a, All& all) {
  auto* command = app.add_subcommand(
      "check", "prove a network free of deadlock, or check a bundle's certificate");
  add_input(command, a, "network description (YAML), or the directory of a bundle");
  command
      ->add_flag("--all", a.all,
                 "every routing of the experiment, also where the file has routing.algorithm")
      ->excludes(command->get_option("--routing"));
  all.push_back({command, [&a] { return check(a.input, a.all); }});
}

void add_verify(CLI::App& app, Arguments& a, All& all) {
  auto* command = app.add_subcommand(
      "verify",
      "compare the RTL of the routing with its relation, in all states that packets reach");
  add_input(command, a, "network description (YAML)");
  command
      ->add_option("--most", a.most_questions,
                   "most questions to ask; large networks are then sampled by destination")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_flag(
      "--engines", a.engines,
      "instead: run traffic in lanes and by Verilator, and compare every pin of every "
      "router in every cycle");
  command
      ->add_option("--router-cycles", a.router_cycles, "with --engines: how many of each routing")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_vectors(command, a);
  command->add_flag("--quiet", a.quiet, "no progress");
  command->add_option("--cache", a.cache, "directory of compiled routing units")->type_name("DIR");
  all.push_back({command, [&a] {
                   auto model = a.model();
                   if (a.engines) return verify_engines(a.input, model, a.router_cycles, a.quiet);
                   model.quick = true;  // it is compiled for longer than it runs
                   return verify(a.input, model, a.most_questions, a.quiet);
                 }});
}

void add_generate(CLI::App& app, Arguments& a, All& all) {
  auto* command =
      app.add_subcommand("generate", "prove a network and write its SystemVerilog bundle");
  add_input(command, a, "network description (YAML)");
  add_output(command, a, "directory of the bundle", "DIR");
  all.push_back({command, [&a] { return generate(a.input, a.output); }});
}

void add_simulations(CLI::App& app, Arguments& a, All& all) {
  constexpr const char* kTarget =
      "synthesise the routers too, for a table and a chart of their cost";
  auto* command = app.add_subcommand(
      "simulate", "run traffic on the network's RTL; writes results.json, speed.json, points.csv");
  add_simulation(command, a);
  all.push_back({command, [&a] { return simulate(a.simulation()); }});

  command =
      app.add_subcommand("run", "check, generate, simulate, and one report to open: report.html");
  add_simulation(command, a);
  add_target(command, a, kTarget, false);
  all.push_back({command, [&a] { return run(a.simulation()); }});

  command = app.add_subcommand(
      "compare", "run several networks under the traffic of the first; one report.html");
  command
      ->add_option("FILE", a.files, "network descriptions (YAML) of the same number of terminals")
      ->required()
      ->expected(2, 64);
  add_variant(command, a);
  add_sweep(command, a);
  add_target(command, a, kTarget, false);
  all.push_back({command, [&a] { return compare(a.simulation()); }});
}

void add_bench(CLI::App& app, Arguments& a, All& all) {
  auto* command = app.add_subcommand(
      "bench", "print simulation speed of both engines, with and without assertions");
  command->add_option("FILE", a.files,
                      "network descriptions; default: torus_8x8 and torus_8x8x8 of the examples");
  command->add_option("--threads", a.threads, "up to this many threads, in powers of two")
      ->type_name("T");
  command->add_option("--engine", a.engine, "one of them only")
      ->check(CLI::IsMember({"verilator", "lanes"}));
  add_vectors(command, a);
  command->add_option("--cycles", a.bench_cycles, "measured cycles")->capture_default_str();
  command->add_option("--cache", a.cache, "directory of compiled router models")->type_name("DIR");
  all.push_back(
      {command, [&a] { return bench(a.input, a.files, a.model(), a.threads, a.bench_cycles); }});
}

void add_synth(CLI::App& app, Arguments& a, All& all) {
  auto* command = app.add_subcommand(
      "synth", "area, timing and power of the router, with Yosys and OpenSTA; writes synth.json");
  add_input(command, a, "network description (YAML)");
  add_output(command, a, "directory for synth.json", "DIR");
  add_synthesis(command, a);
  command->get_option("--target")->required();
  command
      ->add_option("--device", a.cost.device,
                   "FPGA that shares are of, xczu9eg for example; default: a usual one")
      ->type_name("NAME");
  command->add_flag("--router-only", a.cost.router_only,
                    "nothing of what stands beside the router: CSRs, guards, terminals");
  command
      ->add_option(
          "--activity", a.cost.activity,
          "transitions per net and cycle, or a results.json that measured them; default: 0.1")
      ->type_name("A|FILE");
  all.push_back({command, [&a] { return synth(a.synth()); }});
}

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

void add_campaign(CLI::App& app, Arguments& a, All& all) {
  auto* campaign =
      app.add_subcommand("campaign", "many experiments as tasks, here or on a cluster; their cost");
  campaign->require_subcommand(1);
  auto* command = campaign->add_subcommand(
      "cost",
      "simulate and synthesise every routing on its home topology; writes cost.json and cost.md");
  command->add_option("FILE", a.files,
                      "network descriptions (YAML); default: the examples cost_*.yaml");
  add_set(command, a);
  add_output(command, a, "directory for the tables", "DIR");
  a.lists.add(command, "--only", a.only, "only these rows, by LABEL or FILE/LABEL")
      ->type_name("ROW,...");
  add_synthesis(command, a);
  add_threads(command, a);
  add_cycles(command, a);
  command->get_option("--target")->default_str("osu018");
  all.push_back({command, [&a] { return campaign_cost(a.measured_cost(), a.files, a.only); }});

  command = campaign->add_subcommand(
      "run", "run the tasks of a campaign that are not done, and collect; may be repeated");
  command->add_option("FILE", a.campaign.file, "campaign (YAML)")->required();
  add_output(command, a, "directory of the campaign", "DIR");
  command->add_flag("--quick", a.campaign.quick, "as the file's keys `quick` change it");
  command->add_flag("--list", a.campaign.list, "print the tasks, and run none");
  command
      ->add_option("--workers", a.campaign.workers,
                   "tasks side by side; default: one for each processor, with --slurm no bound")
      ->type_name("N")
      ->check(CLI::Range(1u, 4096u));
  auto* slurm =
      command->add_flag("--slurm", a.campaign.slurm,
                        "as job arrays of Slurm; again after an interruption: follow them");
  command->add_option("--slurm-args", a.campaign.slurm_args, "more arguments of sbatch")
      ->type_name("ARGS")
      ->needs(slurm);
  add_models(command, a);
  command->add_flag("--quiet", a.quiet, "no progress bar");
  add_serve(command, a);
  all.push_back({command, [&a] { return run_campaign(a.campaign_run()); }});

  command = campaign->add_subcommand("status", "print how far a campaign is");
  command->add_option("DIR", a.files, "directory of a campaign")->required()->expected(1);
  add_serve(command, a);
  all.push_back({command, [&a] { return campaign_status(a.files.front(), a.campaign.serve); }});

  command = campaign->add_subcommand(
      "collect",
      "one report over all experiments: index.html and its pages, results.json, points.csv");
  command->add_option("DIR", a.files, "directories of campaigns")->required();
  command->add_option("-o,--output", a.output, "directory for the report; default: the first DIR")
      ->type_name("DIR");
  all.push_back({command, [&a] {
                   return collect_campaign({a.files.begin(), a.files.end()},
                                           a.output.empty() ? a.files.front() : a.output);
                 }});

  command = campaign->add_subcommand("task", "run one task of a campaign; `run` calls it");
  command->add_option("DIR", a.campaign.output, "directory of the campaign")->required();
  command->add_option("KEY", a.campaign_task, "which one, as campaign.json has it")->required();
  add_models(command, a);
  all.push_back({command, [&a] {
                   return run_task(a.campaign.output, a.campaign_task, a.task_simulation());
                 }});
}

void add_agent(CLI::App& app, Arguments& a, All& all) {
  auto* agent = app.add_subcommand("agent", "train the agents of a routing, import or export them");
  agent->require_subcommand(1);
  auto* command = agent->add_subcommand(
      "train", "train the agents of a network on its RTL; writes a file for routing.agent");
  add_input(command, a, "network description (YAML) with a routing that has agents");
  add_output(command, a, "file of the trained agents", "FILE");
  command
      ->add_option("--results", a.agents.results,
                   "directory for results.json and report.html of the training")
      ->type_name("DIR");
  command->add_flag("--force", a.agents.force, "replace the results that it already holds");
  command->add_option("--decisions", a.cycles, "decisions of each agent; training.decisions")
      ->type_name("N");
  command->add_option("--pattern", a.pattern, "traffic pattern of the training; traffic.pattern")
      ->type_name("NAME");
  command->add_option("--load", a.load, "offered load of the training; training.load")
      ->type_name("L");
  add_run(command, a);
  command->add_flag("--check-learning", a.check_learning,
                    "compare every decision with the agent's weights");
  all.push_back({command, [&a] { return train_agent(a.training()); }});

  command =
      agent->add_subcommand("import", "an ONNX model becomes the agent that all routers share");
  command->add_option("MODEL", a.agents.source, "perceptron (ONNX)")->required();
  add_output(command, a, "file of the agent", "FILE");
  command->add_option("--for", a.input.file, "network description (YAML) that the agent is for")
      ->required()
      ->type_name("FILE");
  add_variant(command, a);
  all.push_back({command, [&a] { return import_agent(a.training()); }});

  command = agent->add_subcommand("export", "an agent becomes an ONNX model");
  command->add_option("AGENTS", a.agents.source, "file of agents")->required();
  add_output(command, a, "ONNX model", "FILE");
  command->add_option("--agent", a.agents.agent, "number of the agent")
      ->type_name("N")
      ->capture_default_str();
  all.push_back({command, [&a] { return export_agent(a.training()); }});
}

void add_schema(CLI::App& app, Arguments& a, All& all) {
  auto* command =
      app.add_subcommand("schema", "print the JSON schema of the YAML file, for editors");
  all.push_back({command, [&a] {
                   fmt::print("{}\n", config::json_schema(a.input.catalogue));
                   return kGood;
                 }});
}

}  // namespace

std::vector<Subcommand> add_subcommands(CLI::App& app, Arguments& arguments) {
  All all;
  for (const auto add : {add_check, add_verify, add_generate, add_simulations, add_bench, add_synth,
                         add_campaign, add_agent, add_schema})
    add(app, arguments, all);
  return all;
}

}  // namespace hopwise::app
