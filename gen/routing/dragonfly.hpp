// SPDX-License-Identifier: Apache-2.0
// What the families of routings for dragonflies share.
#pragma once

#include <string>
#include <vector>

#include "routing/relation.hpp"
#include "routing/unit_parameters.hpp"
#include "topology/dragonfly.hpp"

namespace hopwise::routing {

/// A relation whose VC classes are steps that never fall along a path, so that there is no cycle.
class DragonflyRelation : public RoutingRelation {
 public:
  std::string name() const override { return name_; }
  const std::vector<VcClass>& vc_classes() const override { return classes_; }
  bool acyclic() const override { return true; }

 protected:
  /// A query in the terms of the dragonfly.
  struct Place {
    unsigned router, group;  // here
    unsigned dst_router, dst_group, dst_slot;
    bool from_terminal, from_local, from_global;
    unsigned in_port, packet_class;
    unsigned step;  // of the VC it stands in
  };

  /// `steps`: classes without their counts.
  DragonflyRelation(const spec::NetworkSpec& spec, const topology::Topology& topology,
                    std::vector<VcClass> steps);

  Place place(const Query& query) const;
  bool arrived(const Place& at) const {
    return at.group == at.dst_group && at.router == at.dst_router;
  }
  /// The only candidate at the destination router.
  Move ejection(const Place& at) const {
    return {port(d_.network_ports() + at.dst_slot), VcMask{1}, true, 0};
  }
  static PortId port(unsigned p) { return PortId(static_cast<std::uint16_t>(p)); }

  topology::Dragonfly d_;
  unsigned a_;  // routers of a group
  std::vector<VcClass> classes_;

 private:
  std::string name_;
  unsigned terminals_per_router_;
  std::vector<unsigned> step_of_;  // [VC]
};

/// NumRouters, NumGroups, GlobalPorts, Arrangement, and where the destination stands: DstRouterLsb,
/// DstGroupLsb, SlotLsb, SlotBits; VcSteps, NumSteps, StepVcs of a dragonfly.
std::vector<Parameter> dragonfly_parameters(const UnitContext& c);

}  // namespace hopwise::routing
