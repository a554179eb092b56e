// SPDX-License-Identifier: Apache-2.0
#include "routing/message_classes.hpp"
#include "routing/unit_parameters.hpp"
#include "routing/valiant/valiant.hpp"

namespace hopwise::routing::valiant {

Unit unit(const UnitContext& c) {
  const bool torus = c.spec.topology.has_wraparound();
  Unit u;
  u.one_port = "hw_route_compute_valiant";
  u.late_ports = no_port(c);
  u.cfg_reset = {0, 0};  // control, seed
  // Masks of both ways, each for dateline class 0 and 1; a mesh has no other than 0.
  Vector ways{.width = c.vcs(), .elements = {}};
  unsigned first = 0;
  for (const unsigned count : c.spec.routing.vcs_per_class) {
    const VcMask mask = in_every_message_class(((VcMask{1} << count) - 1) << first, c.spec.router);
    ways.elements.insert(ways.elements.end(), torus ? 1 : 2, mask);
    first += count;
  }
  u.parameters = {{"Torus", torus},
                  {"ViaLsbs", each(&topology::HeaderField::lsb, c.format.via_coord)},
                  {"StateLsb", std::uint64_t{c.format.routing_class.lsb}},
                  {"WayVcs", ways}};
  append(u.parameters, grid_parameters(c));
  return u;
}

}  // namespace hopwise::routing::valiant
