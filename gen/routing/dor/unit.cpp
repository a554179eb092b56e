// SPDX-License-Identifier: Apache-2.0
#include "routing/dor/dor.hpp"
#include "routing/unit_parameters.hpp"

namespace hopwise::routing::dor {

Unit unit(const UnitContext& c) {
  Unit u;
  u.one_port = "hw_route_compute_dor";
  u.late_ports = no_port(c);
  u.parameters = {{"Torus", c.spec.topology.has_wraparound()},
                  {"Balanced", balanced(c.spec.routing)}};
  append(u.parameters, grid_parameters(c));
  append(u.parameters, escape_parameters(c));
  return u;
}

}  // namespace hopwise::routing::dor
