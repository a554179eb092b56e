// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/bundles.hpp"
#include "app/commands.hpp"
#include "app/synth.hpp"

namespace hopwise::app {

int generate(const Input& input, const std::filesystem::path& output) {
  auto experiment = load_one_network(input);
  if (!experiment) return report(experiment.errors());
  const auto& variant = experiment.value().variants.front();
  auto spec = load_variant(input, experiment.value(), variant);
  if (!spec) return report(spec.errors());
  if (const Diagnostics none = check_synthesizable(spec.value(), input); !none.empty())
    return report(none);
  const auto network = prove_or_say(spec.value(), input.catalogue,
                                    input.file + ": " + variant.label, ", so nothing is emitted");
  if (!network) return kFailed;
  const emit::Files files = emit::emit_bundle(*network);
  if (const Diagnostics failed = write_bundle(output, files); !failed.empty())
    return report(failed);
  fmt::print("{}: {} files, routing {}, {} routers; proved: {}\n", output.string(), files.size(),
             network->spec().network.routing.algorithm, network->topology().num_routers(),
             network->certificate().method);
  if (experiment.value().compared > 1) {
    fmt::print("  the file compares {} routings; this is {}. Others: --routing LABEL\n",
               experiment.value().compared, variant.label);
  }
  for (const Warning& w : network_warnings(*network, variant.label, input.catalogue.patterns, {}))
    fmt::print(stderr, "{}: {}", input.file, format(w));
  return kGood;
}

}  // namespace hopwise::app
