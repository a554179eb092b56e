// SPDX-License-Identifier: Apache-2.0
#include "routing/dor_bias.hpp"
#include "routing/message_classes.hpp"
#include "routing/modes.hpp"
#include "routing/star_channel/star_channel.hpp"
#include "routing/unit_parameters.hpp"

namespace hopwise::routing::star_channel {

namespace {

/// Those of packets that keep their order: of the escape VCs, the lowest of each dateline class.
VcMask order_vcs(const UnitContext& c) {
  const VcMask of_one = (VcMask{1} << c.spec.router.message_class_vcs()) - 1;
  return in_every_message_class(lowest(c.escape0 & of_one) | lowest(c.escape1 & of_one),
                                c.spec.router);
}

}  // namespace

Unit unit(const UnitContext& c) {
  Unit u;
  u.one_port = "hw_route_compute_star_channel";
  u.late_ports = no_port(c);
  u.candidates = c.topology.num_dims() + 1;
  u.parameters = {{"Torus", c.spec.topology.has_wraparound()},
                  {"AdaptiveVcs", Bits{c.vcs(), c.adaptive_vcs}}};
  append(u.parameters, grid_parameters(c));
  append(u.parameters, escape_parameters(c));
  if (c.format.mode.width > 0) {
    append(u.parameters, {{"HasModes", true},
                          {"ModeLsb", std::uint64_t{c.format.mode.lsb}},
                          {"OrderVcs", Bits{c.vcs(), order_vcs(c)}}});
  }
  u.router = {dor_bias(c)};
  return u;
}

}  // namespace hopwise::routing::star_channel
