// SPDX-License-Identifier: Apache-2.0
#include "probes/probes.hpp"

#include "engine/probe.hpp"
#include "probes/counters.hpp"
#include "probes/ugal/global_queues.hpp"

namespace hopwise::probes {
namespace {

/// The routers ask what only the whole network knows.
bool asks_network(const spec::RoutingSpec& routing) {
  return routing.algorithm == spec::Algorithm::kUgalGlobal;
}

}  // namespace

void equip(engine::Setup& setup) {
  const spec::RoutingSpec& routing = setup.network.routing;
  CounterLayout layout = counter_layout(routing);
  setup.counters = std::move(layout.counters);
  setup.roles = layout.roles;
  if (family_of(routing) == "dqn") setup.longest_wait_cycles = dqn::kLongestWaitCycles;
  setup.probes.push_back([asked = asks_network(routing)](const engine::Scene& scene) {
    return ugal::make_probe(scene, asked);
  });
}

std::vector<engine::MakeProbe> make_probes(const engine::Setup& setup, const Options& options) {
  const std::string_view family = family_of(setup.network.routing);
  const bool check = options.check;
  if (family == "q" && (check || q::asks(options.q))) {
    return {[check, q = options.q](const engine::Scene& scene) {
      return q::make_probe(scene, check, q);
    }};
  }
  if (family == "dqn" && (check || dqn::asks(options.dqn))) {
    return {[check, dqn = options.dqn](const engine::Scene& scene) {
      return dqn::make_probe(scene, check, dqn);
    }};
  }
  return {};
}

}  // namespace hopwise::probes
