// SPDX-License-Identifier: Apache-2.0
#include "probes/probes.hpp"

#include <array>

#include "probes/ugal/global_queues.hpp"

namespace hopwise::probes {

std::span<const FamilyProbes* const> builtin_probes() {
  static constexpr std::array<const FamilyProbes*, 3> kAll{&ugal::kProbes, &q::kProbes,
                                                           &dqn::kProbes};
  return kAll;
}

const FamilyProbes& probes_of(const routing::Family& family) {
  static constexpr FamilyProbes kNone{
      .family = {}, .layout = [](const spec::RoutingSpec&) { return CounterLayout{}; }};
  for (const FamilyProbes* probes : builtin_probes()) {
    if (probes->family == family.name) return *probes;
  }
  return kNone;
}

void equip(engine::Setup& setup, const routing::Family& family) {
  const spec::RoutingSpec& routing = setup.network.routing;
  const FamilyProbes& probes = probes_of(family);
  for (const routing::Counter& c : family.counters(routing))
    setup.counters.push_back({c.name, c.unit, c.meaning, c.negative});
  setup.mapped = probes.layout(routing).mapped;
  if (probes.longest_wait_cycles != 0) setup.longest_wait_cycles = probes.longest_wait_cycles;
  // Any run may want to follow the queues.
  const bool asked = probes.asks_queues != nullptr && probes.asks_queues(routing);
  setup.probes.push_back(
      [asked](const engine::Scene& scene) { return ugal::make_probe(scene, asked); });
}

std::vector<engine::MakeProbe> make_probes(const routing::Family& family, const Options& options) {
  const FamilyProbes& probes = probes_of(family);
  return probes.probes == nullptr ? std::vector<engine::MakeProbe>{} : probes.probes(options);
}

}  // namespace hopwise::probes
