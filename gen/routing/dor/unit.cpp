// SPDX-License-Identifier: Apache-2.0
#include "routing/unit_parameters.hpp"

namespace hopwise::routing {

Unit dor_unit(const UnitContext& c) {
  Unit unit;
  unit.module = "hw_routing_dor";
  unit.parameters = {{"Torus", c.spec.topology.kind == spec::TopologyKind::kTorus},
                     {"Balanced", c.spec.routing.dateline == spec::Dateline::kBalanced}};
  append(unit.parameters, grid_parameters(c));
  append(unit.parameters, escape_parameters(c));
  return unit;
}

}  // namespace hopwise::routing
