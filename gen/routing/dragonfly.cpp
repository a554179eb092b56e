// SPDX-License-Identifier: Apache-2.0
#include "routing/dragonfly.hpp"

#include "topology/dragonfly.hpp"

namespace hopwise::routing {

std::vector<Parameter> dragonfly_parameters(const UnitContext& c) {
  const topology::DragonflySpec d = topology::dragonfly_spec(c.spec.topology);
  const auto& f = c.format;
  static constexpr const char* kArrangements[] = {"Absolute", "Palmtree", "Circulant"};
  std::vector<std::uint64_t> steps;
  std::vector<bool> step_vcs;
  std::uint64_t step = 0;
  for (const unsigned count : c.spec.routing.vcs_per_class) {
    for (unsigned v = 0; v < c.vcs(); ++v)
      step_vcs.push_back(v >= steps.size() && v < steps.size() + count);
    steps.insert(steps.end(), count, step++);
  }
  return {{"NumRouters", std::uint64_t{d.routers_per_group}},
          {"NumGroups", std::uint64_t{d.groups}},
          {"GlobalPorts", std::uint64_t{d.global_ports}},
          {"Arrangement", Name{std::string("hw_dragonfly_pkg::") +
                               kArrangements[static_cast<std::size_t>(d.arrangement)]}},
          {"DstRouterLsb", std::uint64_t{f.dst_coord[0].lsb}},
          {"DstGroupLsb", std::uint64_t{f.dst_coord[1].lsb}},
          {"SlotLsb", std::uint64_t{f.dst_slot.lsb}},
          {"SlotBits", std::uint64_t{f.dst_slot.width}},
          {"VcSteps", Vector{4, steps}},
          {"NumSteps", step},
          {"StepVcs", step_vcs}};
}

}  // namespace hopwise::routing
