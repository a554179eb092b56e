// SPDX-License-Identifier: Apache-2.0
#include "routing/dragonfly.hpp"

#include "routing/family.hpp"
#include "routing/message_classes.hpp"

namespace hopwise::routing {

DragonflyRelation::DragonflyRelation(const spec::NetworkSpec& spec,
                                     const topology::Topology& topology, std::vector<VcClass> steps)
    : d_(topology.spec()),
      a_(d_.routers_per_group()),
      classes_(with_counts(std::move(steps), spec.routing.vcs_per_class)),
      name_(spec.routing.algorithm),
      terminals_per_router_(topology.terminals_per_router()) {
  for (unsigned i = 0; i < classes_.size(); ++i)
    step_of_.insert(step_of_.end(), classes_[i].count, i);
}

DragonflyRelation::Place DragonflyRelation::place(const Query& query) const {
  const auto here = static_cast<unsigned>(index(query.at));
  const auto dst = static_cast<unsigned>(index(query.dst));
  const auto in = static_cast<unsigned>(index(query.in_port));
  const unsigned dst_router = dst / terminals_per_router_;
  const bool from_terminal = in >= d_.network_ports(), from_local = d_.is_local(in);
  return {.router = here % a_,
          .group = here / a_,
          .dst_router = dst_router % a_,
          .dst_group = dst_router / a_,
          .dst_slot = dst % terminals_per_router_,
          .from_terminal = from_terminal,
          .from_local = from_local,
          .from_global = !from_terminal && !from_local,
          .in_port = in,
          .packet_class = query.packet_class,
          .step = from_terminal ? 0 : step_of_[index(query.in_vc)]};
}

std::vector<Parameter> dragonfly_parameters(const UnitContext& c) {
  const topology::DragonflySpec d = topology::dragonfly_spec(c.spec.topology);
  const auto& f = c.format;
  static constexpr const char* kArrangements[] = {"Absolute", "Palmtree", "Circulant"};
  std::vector<std::uint64_t> steps(c.vcs());  // [VC]
  std::vector<bool> step_vcs;
  std::uint64_t step = 0;
  unsigned first = 0;
  for (const unsigned count : c.spec.routing.vcs_per_class) {
    const VcMask mask = in_every_message_class(((VcMask{1} << count) - 1) << first, c.spec.router);
    for (unsigned v = 0; v < c.vcs(); ++v) {
      step_vcs.push_back((mask >> v & 1) != 0);
      if (step_vcs.back()) steps[v] = step;
    }
    first += count;
    ++step;
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
