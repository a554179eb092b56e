// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/progress.hpp"
#include "app/synth.hpp"
#include "verify/verify.hpp"

namespace hopwise::app {

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

}  // namespace hopwise::app
