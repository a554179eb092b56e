// SPDX-License-Identifier: Apache-2.0
#include "routing/unit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "routing/family.hpp"
#include "routing/message_classes.hpp"
#include "routing/unit_parameters.hpp"

namespace hopwise::routing {

unsigned UnitContext::port_width() const { return width_for(router().num_ports()); }

unsigned UnitContext::downstream_flits() const {
  const auto& depths = spec.router.vc_depth_flits;
  return std::accumulate(depths.begin(), depths.end(), 0u);
}

unsigned UnitContext::space_width() const {
  const auto& depths = spec.router.vc_depth_flits;
  return bits_for(
      std::max(*std::max_element(depths.begin(), depths.end()), spec.router.output_queue_flits) +
      1);
}

UnitContext unit_context(const Family& family, const spec::NetworkSpec& spec,
                         const topology::Topology& topology, const RoutingRelation& relation,
                         unsigned shape, bool observed) {
  UnitContext c{
      .spec = spec, .topology = topology, .format = {}, .shape = shape, .observed = observed};
  // The configuration was checked against the format when it was loaded.
  c.format = topology::make_packet_format(spec.topology, spec.packet,
                                          family.header(spec.topology, spec.routing))
                 .value();
  // Those of the first message class come first; the others have the same.
  const auto& classes = relation.vc_classes();
  for (std::size_t i = 0; i < classes.size() / spec.router.num_message_classes(); ++i) {
    const VcMask mask = in_every_message_class(classes[i].mask(), spec.router);
    if (!classes[i].escape)
      c.adaptive_vcs |= mask;
    else if (c.escape0 == 0)
      c.escape0 = mask;
    else
      c.escape1 |= mask;
  }
  return c;
}

Unit make_unit(const Family& family, const UnitContext& context) {
  Unit unit = family.unit(context);
  if (!unit.one_port.empty()) unit.answer_cycles = unit.one_port_cycles;
  if (unit.late_ports.empty()) unit.late_ports.assign(context.router().num_ports(), true);
  if (unit.questions_per_cycle == 0) unit.questions_per_cycle = context.router().num_ports();
  if (unit.counts) unit.counters = family.counters(context.spec.routing);
  return unit;
}

void append(std::vector<Parameter>& to, std::vector<Parameter> more) {
  for (Parameter& p : more) to.push_back(std::move(p));
}

Vector each(unsigned topology::HeaderField::*member,
            const std::vector<topology::HeaderField>& fields) {
  Vector v{.width = 8, .elements = {}};
  for (const auto& f : fields) v.elements.push_back(f.*member);
  return v;
}

std::vector<Parameter> grid_parameters(const UnitContext& c) {
  const auto& dims = c.spec.topology.dims;
  return {{"DimSizes", Vector{8, {dims.begin(), dims.end()}}},
          {"DstLsbs", each(&topology::HeaderField::lsb, c.format.dst_coord)},
          {"DstBits", each(&topology::HeaderField::width, c.format.dst_coord)},
          {"SlotLsb", std::uint64_t{c.format.dst_slot.lsb}},
          {"SlotBits", std::uint64_t{c.format.dst_slot.width}}};
}

std::vector<Parameter> escape_parameters(const UnitContext& c) {
  return {{"EscapeVcs0", Bits{c.vcs(), c.escape0}}, {"EscapeVcs1", Bits{c.vcs(), c.escape1}}};
}

std::vector<bool> no_port(const UnitContext& c) {
  return std::vector<bool>(c.router().num_ports(), false);
}

std::uint32_t fraction(double value, unsigned bits) {
  const double most = std::ldexp(1.0, static_cast<int>(bits)) - 1;
  return static_cast<std::uint32_t>(
      std::llround(std::min(std::ldexp(value, static_cast<int>(bits)), most)));
}

std::vector<Parameter> timing_parameters(const UnitContext& c) {
  Vector cycles{.width = 16, .elements = {}};
  for (unsigned p = 0; p < c.router().num_ports(); ++p) {
    const PortId port{static_cast<std::uint16_t>(p)};
    cycles.elements.push_back(c.topology.port_latency_cycles(c.router(), port));
  }
  return {{"TimeBits", std::uint64_t{c.format.arrival.width}},
          {"ArrivalLsb", std::uint64_t{c.format.arrival.lsb}},
          {"RewardBits", std::uint64_t{c.format.reward.width}},
          {"RewardLsb", std::uint64_t{c.format.reward.lsb}},
          {"LinkCycles", cycles}};
}

}  // namespace hopwise::routing
