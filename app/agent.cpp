// SPDX-License-Identifier: Apache-2.0
// hopwise agent: training on the network's RTL, and exchange with other tools.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/files.hpp"
#include "app/learned.hpp"
#include "app/output.hpp"
#include "app/progress.hpp"
#include "app/results.hpp"
#include "report/report.hpp"
#include "report/warnings.hpp"
#include "traffic/traffic.hpp"

namespace hopwise::app {

namespace {

using Json = nlohmann::ordered_json;

/// core cycles: a training ends by its decisions
constexpr std::uint64_t kEndless = std::uint64_t{1} << 40;

/// The file's first variant whose routing has agents, proved.
struct Chosen {
  std::string label, text;
  std::unique_ptr<deadlock::ProvenNetwork> network;
};

/// Families whose routers have agents: "dqn".
std::string families_with_agents() {
  std::vector<std::string_view> names;
  for (const probes::FamilyProbes* probes : probes::builtin_probes()) {
    if (probes->lesson != nullptr) names.push_back(probes->family);
  }
  return join_names(names);
}

/// kGood, or the exit status after saying why. Where agents learn, with the settings of lessons.
int choose(const Input& input, bool learns, Chosen& chosen) {
  auto experiment = load_experiment(input);
  if (!experiment) return report(experiment.errors());
  std::string others;
  for (const auto& variant : experiment.value().variants) {
    auto spec = load_variant(input, experiment.value(), variant);
    if (!spec) return report(spec.errors());
    const auto& family = routing::family_of(input.catalogue.families, spec.value().network.routing);
    const probes::FamilyProbes& family_probes = probes::probes_of(family);
    if (family_probes.lesson == nullptr) {
      others += (others.empty() ? "" : ", ") + variant.label;
      continue;
    }
    if (learns && !family_probes.lesson_settings.empty()) {
      spec::RoutingVariant learning = variant;
      for (const std::string_view setting : family_probes.lesson_settings)
        learning.overrides.emplace_back(setting);
      spec = load_variant(input, experiment.value(), learning);
      if (!spec) return report(spec.errors());
    }
    auto network =
        prove_or_say(spec.value(), input.catalogue, input.file + ": " + variant.label, "");
    if (!network) return kFailed;
    chosen.label = variant.label;
    chosen.text = experiment.value().text;
    chosen.network = std::make_unique<deadlock::ProvenNetwork>(std::move(*network));
    return kGood;
  }
  return report({{"app.no-agent",
                  {input.file, 0, 0},
                  "routing.algorithm",
                  others,
                  families_with_agents(),
                  "only that routing has agents"}});
}

/// results.json, speed.json and report.html of the run in which the agents learned.
Diagnostics write_course(const AgentOptions& options, const Simulated& network,
                         const std::string& text, const engine::RunResult& run,
                         const probes::Lesson& lesson, const Warnings& warnings) {
  const spec::Spec& spec = network.proven->spec();
  Json results = network_json(spec, network.proven->topology(), options.input.catalogue, text),
       speeds;
  results["proofs"] = Json::array({proof_json(network)});
  results["overrides"] = options.input.overrides;
  if (!options.input.extensions.empty()) results["extensions"] = options.input.extensions;
  results["warnings"] = report::warnings_json(warnings);
  results["points"] =
      Json::array({point_json(network.label, spec.traffic.pattern, run, *network.proven)});
  results["saturation"] = Json::array();
  results["training"] = lesson.course();
  const std::size_t routers = network.proven->topology().num_routers();
  speeds["points"] = Json::array({speed_json(network.label, spec.traffic.pattern, run, routers)});
  auto html = report::render_html(results);
  if (!html) return html.errors();
  for (const auto& [file, content] :
       std::map<std::string, std::string>{{kResultsFile, results.dump(1) + "\n"},
                                          {kSpeedFile, speeds.dump(1) + "\n"},
                                          {"report.html", html.value()}}) {
    if (Diagnostics errors = write_file(options.results / file, content); !errors.empty())
      return errors;
  }
  Journal(options.results, nullptr).remove();  // of what was replaced
  remove_stale(options.results / "points.csv");
  return {};
}

}  // namespace

int train_agent(const AgentOptions& options) {
  catch_interrupts();
  Chosen chosen;
  if (const int status = choose(options.input, true, chosen); status != kGood) return status;
  const spec::Spec& spec = chosen.network->spec();
  if (const Diagnostics job = refuse_job(spec); !job.empty()) return report(job);
  const auto& family_probes = probes::probes_of(chosen.network->family());
  const auto lesson = family_probes.lesson(probed(*chosen.network, chosen.label));
  const auto traffic =
      traffic::make_traffic(options.input.catalogue.patterns, spec.traffic, lesson->load(),
                            chosen.network->topology(), spec.network.link.cycles_per_flit, 1);
  if (!traffic) return report(traffic.errors());
  const auto beside = std::filesystem::absolute(options.output).parent_path();
  const auto folder = options.results.empty() ? beside : options.results;
  if (const Diagnostics failed = check_writable(folder, options.output); !failed.empty())
    return report(failed);
  OutputLock lock;
  if (!options.results.empty()) {
    Diagnostics failed = lock.take(options.results);
    if (failed.empty() && !options.force)
      failed = check_no_results(options.results, "--force replaces them");
    if (!failed.empty()) return report(failed);
  }
  const std::string text = chosen.text;
  auto compiled = compile(std::move(*chosen.network), chosen.label, options.model);
  if (!compiled) return report_failed(compiled.errors());
  const Simulated network = std::move(compiled).value();

  const spec::Spec& built = network.proven->spec();
  bool stop = false;
  ProgressBar bar(1, options.quiet);
  engine::RunOptions run;
  run.traffic = built.traffic;
  run.traffic.endless = true;  // the training says when it ends
  run.patterns = options.input.catalogue.patterns;
  run.simulation = built.simulation;
  run.simulation.cycles = kEndless;
  run.simulation.warmup_cycles = 0;
  run.load = lesson->load();
  run.threads = options.threads;
  run.stop = [&stop] { return stop; };
  probes::Options probing{.check = options.check_learning};
  lesson->join(probing);
  run.probes = probes::make_probes(network.proven->family(), probing);
  run.progress = [&](double) {
    const std::uint64_t decisions = lesson->decisions(), wanted = lesson->wanted();
    if (decisions >= wanted || interrupted()) stop = true;
    bar.update(0, std::min(1.0, static_cast<double>(decisions) / static_cast<double>(wanted)),
               fmt::format("{} of {} decisions", decisions, wanted));
  };
  auto result = engine::simulate(*network.setup, run);
  if (!result) return report(result.errors());
  if (interrupted()) return kInterrupted;
  if (result.value().stopped == "interrupted") result.value().stopped = "decisions";
  for (const auto& failure : result.value().failures)
    fmt::print(stderr, "{}: {}\n", network.label, failure);

  if (const Diagnostics failed = write_file(options.output, lesson->text()); !failed.empty())
    return report(failed);
  Warnings warnings = network_warnings(*network.proven, network.label,
                                       options.input.catalogue.patterns, {built.traffic.pattern});
  for (const Warning& w : lesson->doubts()) add(warnings, w);
  if (!options.results.empty()) {
    const Diagnostics failed =
        write_course(options, network, text, result.value(), *lesson, warnings);
    if (!failed.empty()) return report(failed);
  }
  fmt::print("{}", lesson->summary(result.value().total_cycles));
  fmt::print("{}agents: {}\n", format(warnings), options.output.string());
  return result.value().failures.empty() ? kGood : kFailed;
}

int import_agent(const AgentOptions& options) {
  Chosen chosen;
  if (const int status = choose(options.input, false, chosen); status != kGood) return status;
  const auto bytes = read_file(options.source);
  if (!bytes) return report(bytes.errors());
  const auto agent = probes::probes_of(chosen.network->family())
                         .import_model(probed(*chosen.network, chosen.label), bytes.value(),
                                       options.source.string());
  if (!agent) return report(agent.errors());
  fmt::print("{}", agent.value().summary);
  if (const Diagnostics failed = write_file(options.output, agent.value().text); !failed.empty())
    return report(failed);
  fmt::print("agents: {}\n", options.output.string());
  return kGood;
}

int export_agent(const AgentOptions& options) {
  const auto text = read_file(options.source);
  if (!text) return report(text.errors());
  Diagnostics errors;  // of the first family that has agents
  for (const probes::FamilyProbes* probes : probes::builtin_probes()) {
    if (probes->export_model == nullptr) continue;
    const auto model = probes->export_model(text.value(), options.source.string(), options.agent);
    if (model) {
      errors = write_file(options.output, model.value());
      break;
    }
    if (errors.empty()) errors = model.errors();
  }
  return errors.empty() ? kGood : report(errors);
}

}  // namespace hopwise::app
