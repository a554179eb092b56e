// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/progress.hpp"
#include "app/synth.hpp"
#include "verify/verify.hpp"

namespace hopwise::app {

namespace {

/// Nearly idle, busy, and more than the network takes: fractions of a terminal link's capacity.
constexpr double kComparedLoads[] = {0.05, 0.4, 0.9};

}  // namespace

int verify(const Input& input, const ModelOptions& model, std::uint64_t most_questions,
           bool quiet) {
  auto experiment = load_network(input);
  if (!experiment) return report(experiment.errors());
  int status = kGood;
  for (const auto& variant : experiment.value().variants) {
    auto spec = load_variant(input, experiment.value(), variant);
    if (!spec) return report(spec.errors());
    const Diagnostics ideal = check_synthesizable(spec.value(), input);
    if (!ideal.empty()) return report(ideal);
    const auto outcome = prove(spec.value(), input.catalogue);
    if (const auto* failure = std::get_if<deadlock::ProofFailure>(&outcome)) {
      fmt::print("{}: {}: NOT proved\n{}", input.file, variant.label, failure->text);
      status = kFailed;
      continue;
    }
    const auto& network = std::get<deadlock::ProvenNetwork>(outcome);
    verify::Options options{.most_questions = most_questions};
    Spinner spinner;
    ProgressBar bar(1, quiet);
    options.progress = [&](const std::string& what, double part) {
      if (part > 0) {
        spinner.stop();
        bar.update(0, part, variant.label + ": " + what);
      } else if (!quiet) {
        spinner.say(variant.label + ": " + what);
      }
    };
    auto result = verify::verify_units(network, build_options(model), options);
    spinner.stop();
    if (!result) return report(result.errors());
    const verify::Outcome& o = result.value();
    if (!o.fault.empty()) {
      fmt::print("{}: {}: the RTL does not agree with the relation: {}", input.file, variant.label,
                 o.fault);
      status = kFailed;
      continue;
    }
    const std::size_t terminals = network.topology().num_terminals();
    fmt::print(
        "{}: {}: the RTL agrees with the relation; {} questions, {} states, {} of {} moves "
        "offered; {}\n",
        input.file, variant.label, o.questions, o.states, o.moves - o.never_offered, o.moves,
        o.exhaustive ? fmt::format("all {} destinations", terminals)
                     : fmt::format("{} of {} destinations and a part of another (--most)",
                                   o.destinations, terminals));
  }
  return status;
}

int verify_engines(const Input& input, const ModelOptions& model, std::uint64_t router_cycles,
                   bool quiet) {
  auto experiment = load_network(input);
  if (!experiment) return report(experiment.errors());
  ModelOptions lanes = model;
  lanes.engine = "lanes";
  int status = kGood;
  for (const auto& variant : experiment.value().variants) {
    auto spec = load_variant(input, experiment.value(), variant);
    if (!spec) return report(spec.errors());
    if (const Diagnostics job = refuse_job(spec.value()); !job.empty()) return report(job);
    auto proven = prove_or_say(spec.value(), input.catalogue, variant.label, "");
    if (!proven) {
      status = kFailed;
      continue;
    }
    auto network = compile(std::move(*proven), variant.label, lanes);
    if (!network) return report_failed(network.errors());
    Simulated& simulated = network.value();
    if (const Diagnostics failed = add_shadows(simulated, lanes); !failed.empty())
      return report_failed(failed);
    const std::size_t routers = simulated.proven->topology().num_routers();
    engine::RunOptions run;
    run.traffic = spec.value().traffic;
    run.patterns = input.catalogue.patterns;
    run.simulation = spec.value().simulation;
    run.simulation.cycles = router_cycles / routers / std::size(kComparedLoads) + 1;
    run.simulation.warmup_cycles = 1;
    run.shadow_all = true;
    ProgressBar bar(std::size(kComparedLoads), quiet);
    std::uint64_t compared = 0;
    for (std::size_t i = 0; i < std::size(kComparedLoads); ++i) {
      run.load = kComparedLoads[i];
      run.progress = [&](double part) { bar.update(i, part, variant.label); };
      auto result = engine::simulate(*simulated.setup, run);
      if (!result) return report_failed(result.errors());
      compared += result.value().total_cycles * routers;
      if (result.value().failures.empty()) continue;
      fmt::print("{}: {}: load {}: {}\n", input.file, variant.label, run.load,
                 result.value().failures.front());
      status = kFailed;
      compared = 0;
      break;
    }
    if (compared > 0) {
      fmt::print("{}: {}: {} lanes and Verilator agree on every pin in {} router-cycles\n",
                 input.file, variant.label, simulated.lanes, compared);
    }
  }
  return status;
}

}  // namespace hopwise::app
