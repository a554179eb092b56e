// SPDX-License-Identifier: Apache-2.0
// hopwise agent: training on the network's RTL, and exchange with other tools.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "app/agents.hpp"
#include "app/commands.hpp"
#include "app/files.hpp"
#include "app/progress.hpp"
#include "app/results.hpp"
#include "exchange/onnx.hpp"
#include "report/report.hpp"
#include "routing/dqn/dqn.hpp"
#include "traffic/random.hpp"
#include "traffic/traffic.hpp"

namespace hopwise::app {

namespace {

using Json = nlohmann::ordered_json;

/// core cycles: a training ends by its decisions
constexpr std::uint64_t kEndless = std::uint64_t{1} << 40;
/// observations that integers are judged by
constexpr std::size_t kCompared = 4096;

/// The file's first variant with routing `dqn`, proved.
struct Chosen {
  std::string label, text;
  std::unique_ptr<deadlock::ProvenNetwork> network;
};

/// kGood, or the exit status after saying why.
int choose(const Input& input, Chosen& chosen) {
  auto experiment = load_experiment(input);
  if (!experiment) return report(experiment.errors());
  std::string others;
  for (const auto& variant : experiment.value().variants) {
    auto spec = load_variant(input, experiment.value(), variant);
    if (!spec) return report(spec.errors());
    if (!spec.value().network.routing.settings.has("dqn_macs")) {
      others += (others.empty() ? "" : ", ") + variant.label;
      continue;
    }
    auto outcome = prove(spec.value(), input.catalogue.families);
    if (const auto* failure = std::get_if<deadlock::ProofFailure>(&outcome)) {
      fmt::print(stderr, "{}: {}: not proved\n{}", input.file, variant.label, failure->text);
      return kFailed;
    }
    chosen.label = variant.label;
    chosen.text = experiment.value().text;
    chosen.network = std::make_unique<deadlock::ProvenNetwork>(
        std::get<deadlock::ProvenNetwork>(std::move(outcome)));
    return kGood;
  }
  return report({{"app.no-agent",
                  {input.file, 0, 0},
                  "routing.algorithm",
                  others,
                  "dqn",
                  "only that routing has agents"}});
}

void print_error(std::size_t agent, const learn::DqnError& e) {
  fmt::print(
      "agent {}: integers choose as the reals in {:.2f} % of {} observations; values off by {:.5f} "
      "on average, {:.5f} at most; {:.6f} of reward lost\n",
      agent, 100 * e.agreement, e.observations, e.mean_error, e.largest_error, e.regret);
}

/// Core cycles of a hop in an empty network, over the shortest links.
double hop_cycles(const spec::NetworkSpec& spec) {
  const auto& latency = spec.link.latency_cycles;
  return spec.router.pipeline_cycles + *std::min_element(latency.begin(), latency.end());
}

learn::DqnAgents what_was_learned(const learn::DqnLearner& learner, const learn::DqnShape& shape,
                                  routing::dqn::AgentSharing sharing) {
  learn::DqnAgents all{
      shape.dims, shape.layers, sharing, shape.coordinates, learner.fewest_decisions(), {}};
  for (std::uint32_t a = 0; a < learner.agents(); ++a) {
    const learn::DqnTrainer& trainer = learner.trainer(a);
    all.agents.push_back({trainer.network(), trainer.quantised()});
  }
  return all;
}

double part(double sum, std::uint64_t count) {
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

/// The section `training` of results.json.
Json course_json(const learn::DqnLearner& learner) {
  Json course;
  for (const char* name : {"decisions", "cycle", "mean_value", "mean_reward", "loss", "epsilon",
                           "accepted", "nonminimal"}) {
    course[name] = Json::array();
  }
  const auto mean = [](double sum, std::uint64_t count) {
    return count == 0 ? Json(nullptr) : Json(part(sum, count));
  };
  for (const learn::TrainingRow& row : learner.course()) {
    course["decisions"].push_back(row.decisions);
    course["cycle"].push_back(row.cycle);
    course["mean_value"].push_back(mean(row.value, row.proposals));
    course["mean_reward"].push_back(mean(row.reward, row.rewards));
    course["loss"].push_back(mean(row.loss, row.steps));
    course["epsilon"].push_back(mean(row.epsilon, row.proposals));
    course["accepted"].push_back(mean(static_cast<double>(row.accepted), row.proposals));
    course["nonminimal"].push_back(mean(static_cast<double>(row.nonminimal), row.accepted));
  }
  return course;
}

/// results.json, speed.json and report.html of the run in which the agents learned.
Diagnostics write_course(const AgentOptions& options, const Simulated& network,
                         const std::string& text, const engine::RunResult& run,
                         const learn::DqnLearner& learner) {
  const spec::Spec& spec = network.proven->spec();
  Json results = network_json(spec, network.proven->topology(), network.proven->family(), text),
       speeds;
  results["proofs"] = Json::array({proof_json(network)});
  results["overrides"] = options.input.overrides;
  results["points"] =
      Json::array({point_json(network.label, spec.traffic.pattern, run, *network.proven)});
  results["saturation"] = Json::array();
  results["training"] = course_json(learner);
  const std::size_t routers = network.proven->topology().num_routers();
  speeds["points"] = Json::array({speed_json(network.label, spec.traffic.pattern, run, routers)});
  auto html = report::render_html(results);
  if (!html) return html.errors();
  for (const auto& [file, content] :
       std::map<std::string, std::string>{{"results.json", results.dump(1) + "\n"},
                                          {"speed.json", speeds.dump(1) + "\n"},
                                          {"report.html", html.value()}}) {
    if (Diagnostics errors = write_file(options.results / file, content); !errors.empty())
      return errors;
  }
  return {};
}

}  // namespace

int train_agent(const AgentOptions& options) {
  catch_interrupts();
  Chosen chosen;
  if (const int status = choose(options.input, chosen); status != kGood) return status;
  const learn::DqnShape shape = agent_shape(*chosen.network);
  const spec::Spec& spec = chosen.network->spec();
  const routing::dqn::Training training = routing::dqn::training(spec.network.routing);
  const auto traffic =
      traffic::make_traffic(options.input.catalogue.patterns, spec.traffic, training.load,
                            chosen.network->topology(), spec.network.link.cycles_per_flit, 1);
  if (!traffic) return report(traffic.errors());
  const auto beside = std::filesystem::absolute(options.output).parent_path();
  const auto folder = options.results.empty() ? beside : options.results;
  if (const Diagnostics failed = check_writable(folder, options.output); !failed.empty())
    return report(failed);
  const std::string text = chosen.text;
  auto compiled = compile(std::move(*chosen.network), chosen.label, options.model);
  if (!compiled) {
    if (interrupted()) return kInterrupted;
    report(compiled.errors());
    return kFailed;
  }
  const Simulated network = std::move(compiled).value();

  const spec::Spec& built = network.proven->spec();
  learn::DqnLearner learner(shape, training, hop_cycles(built.network), built.simulation.seed);
  std::atomic<bool> stop = false;
  ProgressBar bar(1, options.quiet);
  engine::RunOptions run;
  run.traffic = built.traffic;
  run.traffic.endless = true;  // the training says when it ends
  run.patterns = options.input.catalogue.patterns;
  run.simulation = built.simulation;
  run.simulation.cycles = kEndless;
  run.simulation.warmup_cycles = 0;
  run.load = training.load;
  run.threads = options.threads;
  run.stop = &stop;
  probes::Options probing{
      .check = options.check_learning, .q = {}, .dqn = dqn_options(*network.proven, nullptr)};
  probing.dqn.learner = &learner;
  run.probes = probes::make_probes(network.proven->family(), probing);
  run.progress = [&](std::uint64_t, std::uint64_t) {
    if (learner.done() || interrupted()) stop = true;
    bar.update(0,
               std::min(1.0, static_cast<double>(learner.fewest_decisions()) /
                                 static_cast<double>(training.decisions)),
               fmt::format("{} of {} decisions", learner.fewest_decisions(), training.decisions));
  };
  auto result = engine::simulate(*network.setup, run);
  if (!result) return report(result.errors());
  if (interrupted()) return kInterrupted;
  if (result.value().stopped == "interrupted") result.value().stopped = "decisions";
  for (const auto& failure : result.value().failures)
    fmt::print(stderr, "{}: {}\n", network.label, failure);

  const learn::DqnAgents agents = what_was_learned(learner, shape, training.share);
  if (const Diagnostics failed = write_file(options.output, learn::format_agents(agents));
      !failed.empty())
    return report(failed);
  if (!options.results.empty()) {
    const Diagnostics failed = write_course(options, network, text, result.value(), learner);
    if (!failed.empty()) return report(failed);
  }
  for (std::uint32_t a = 0; a < learner.agents(); ++a) {
    const learn::DqnTrainer& trainer = learner.trainer(a);
    fmt::print("agent {}: {} decisions, {} samples, {} steps\n", a, learner.decisions(a),
               trainer.samples(), trainer.steps());
    if (const auto seen = trainer.observations(kCompared); !seen.empty()) {
      print_error(a, learn::compare(agents.agents[a].network, agents.agents[a].quantised, seen));
    }
  }
  if (const auto course = learner.course(); !course.empty()) {
    learn::TrainingRow last;  // tenth of the decisions
    for (auto row = course.rbegin();
         row != course.rend() && 10 * last.proposals < course.back().decisions; ++row) {
      last.proposals += row->proposals;
      last.accepted += row->accepted;
      last.rewards += row->rewards;
      last.reward += row->reward;
      last.value += row->value;
    }
    fmt::print(
        "{} cycles; at the end: mean reward {:.4f}, mean value {:.4f}, {:.1f} % of the proposals "
        "accepted\n",
        result.value().total_cycles, part(last.reward, last.rewards),
        part(last.value, last.proposals),
        100 * part(static_cast<double>(last.accepted), last.proposals));
  }
  fmt::print("agents: {}\n", options.output.string());
  return result.value().failures.empty() ? kGood : kFailed;
}

int import_agent(const AgentOptions& options) {
  Chosen chosen;
  if (const int status = choose(options.input, chosen); status != kGood) return status;
  const learn::DqnShape shape = agent_shape(*chosen.network);
  const auto bytes = read_file(options.source);
  if (!bytes) return report(bytes.errors());
  auto network = exchange::read_onnx(bytes.value(), options.source.string());
  if (!network) return report(network.errors());
  learn::DqnAgents agents{
      shape.dims, network.value().layers, routing::dqn::AgentSharing::kAll, shape.coordinates, 0,
      {}};
  const Diagnostics misfits = learn::check_agents(agents, shape, options.source.string());
  if (!misfits.empty()) return report(misfits);
  // Nothing was seen yet: routers and offsets of the torus, all sizes and occupancies.
  std::vector<std::uint8_t> observations;
  traffic::Random random(1, 0);
  for (std::size_t n = 0; n < kCompared; ++n) {
    for (unsigned i = 0; i < shape.inputs(); ++i) {
      const std::size_t dims = shape.dims.size();
      const unsigned k = i < 2 * dims ? shape.dims[i % dims] : 0;
      observations.push_back(static_cast<std::uint8_t>(k != 0 ? random.below(k) * (255 / (k - 1))
                                                              : random.below(256)));
    }
  }
  const learn::DqnQuantised integers = learn::quantise(network.value(), observations);
  print_error(0, learn::compare(network.value(), integers, observations));
  agents.agents.push_back({std::move(network).value(), integers});
  if (const Diagnostics failed = write_file(options.output, learn::format_agents(agents));
      !failed.empty())
    return report(failed);
  fmt::print("agents: {}\n", options.output.string());
  return kGood;
}

int export_agent(const AgentOptions& options) {
  const auto text = read_file(options.source);
  if (!text) return report(text.errors());
  const auto agents = learn::parse_agents(text.value(), options.source.string());
  if (!agents) return report(agents.errors());
  const std::size_t count = agents.value().agents.size();
  if (options.agent >= count) {
    return report({{"app.no-such-agent",
                    {options.source.string(), 0, 0},
                    "--agent",
                    fmt::format("{}", options.agent),
                    fmt::format("0 to {}", count - 1),
                    ""}});
  }
  const std::string model = exchange::write_onnx(agents.value().agents[options.agent].network);
  if (const Diagnostics failed = write_file(options.output, model); !failed.empty())
    return report(failed);
  return kGood;
}

}  // namespace hopwise::app
