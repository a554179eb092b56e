// SPDX-License-Identifier: Apache-2.0
#include "probes/probes.hpp"

#include "engine/probe.hpp"
#include "probes/counters.hpp"
#include "probes/ugal/global_queues.hpp"
#include "routing/ugal/ugal.hpp"

namespace hopwise::probes {
void equip(engine::Setup& setup, const routing::Family& family) {
  const spec::RoutingSpec& routing = setup.network.routing;
  for (const routing::Counter& c : family.counters(routing))
    setup.counters.push_back({c.name, c.unit, c.meaning, c.negative});
  setup.mapped = counter_layout(family, routing).mapped;
  if (family.name == "dqn") setup.longest_wait_cycles = dqn::kLongestWaitCycles;
  const bool asked = family.name == "ugal" && routing::ugal::facts(routing.algorithm).oracle;
  setup.probes.push_back(
      [asked](const engine::Scene& scene) { return ugal::make_probe(scene, asked); });
}

std::vector<engine::MakeProbe> make_probes(const routing::Family& family, const Options& options) {
  const bool check = options.check;
  if (family.name == "q" && (check || q::asks(options.q))) {
    return {[check, q = options.q](const engine::Scene& scene) {
      return q::make_probe(scene, check, q);
    }};
  }
  if (family.name == "dqn" && (check || dqn::asks(options.dqn))) {
    return {[check, dqn = options.dqn](const engine::Scene& scene) {
      return dqn::make_probe(scene, check, dqn);
    }};
  }
  return {};
}

}  // namespace hopwise::probes
