// SPDX-License-Identifier: Apache-2.0
#include "routing/unit_parameters.hpp"

namespace hopwise::routing {

Unit star_channel_unit(const UnitContext& c) {
  Unit unit;
  unit.module = "hw_routing_star_channel";
  unit.candidates = c.topology.num_dims() + 1;
  unit.parameters = {{"Torus", c.spec.topology.kind == spec::TopologyKind::kTorus},
                     {"AdaptiveVcs", Bits{c.vcs(), c.adaptive_vcs}}};
  append(unit.parameters, grid_parameters(c));
  append(unit.parameters, escape_parameters(c));
  return unit;
}

}  // namespace hopwise::routing
