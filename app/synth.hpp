// SPDX-License-Identifier: Apache-2.0
// The cost of routers, for the commands that ask for it.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "app/compiled.hpp"
#include "app/network.hpp"

namespace hopwise::app {

/// app.simulation-only where no hardware can have the routing.
Diagnostics check_synthesizable(const spec::Spec& spec, const Input& input);

/// What a router does, beside what it costs.
struct Performance {
  double activity = 0.1;  ///< transitions per net and cycle
  std::string activity_source = "assumed";
  nlohmann::ordered_json throughput = nullptr;  ///< of synth.json, without what needs the clock
};

/// What results.json holds for a routing. The activity is half the flits per port and cycle at the
/// point that accepts most. Errors: app.activity where `results`, of a file of that name, are none
/// of that routing.
Result<Performance> measured(const nlohmann::json& results, const std::string& file,
                             const std::string& routing);

/// synth.json of a proven network for one target; see docs/reference/synth.md. Errors: those of
/// synth::synthesize.
Result<nlohmann::ordered_json> synthesize_variant(const deadlock::ProvenNetwork& network,
                                                  const std::string& label,
                                                  const SynthOptions& options,
                                                  const std::string& target,
                                                  const Performance& performance);

/// Puts `costs` into the results of a run: synth.json of each routing at the activity that was
/// measured, without what is no function of configuration and seed. Nothing where no target was
/// chosen; an ideal routing has no hardware.
int add_costs(const std::vector<Simulated>& networks, const SynthOptions& options,
              nlohmann::ordered_json& results);

}  // namespace hopwise::app
