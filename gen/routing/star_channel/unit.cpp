// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "routing/star_channel/star_channel.hpp"
#include "routing/unit_parameters.hpp"

namespace hopwise::routing::star_channel {

Unit unit(const UnitContext& c) {
  Unit u;
  u.one_port = "hw_route_compute_star_channel";
  u.late_ports = no_port(c);
  u.candidates = c.topology.num_dims() + 1;
  u.parameters = {{"Torus", c.spec.topology.has_wraparound()},
                  {"AdaptiveVcs", Bits{c.vcs(), c.adaptive_vcs}}};
  append(u.parameters, grid_parameters(c));
  append(u.parameters, escape_parameters(c));
  // At most what a decision's space can say.
  u.router = {
      {"DorBias", std::uint64_t{std::min(dor_bias_flits(c.spec), (1u << c.space_width()) - 1)}}};
  return u;
}

}  // namespace hopwise::routing::star_channel
