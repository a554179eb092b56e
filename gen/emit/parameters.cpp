// SPDX-License-Identifier: Apache-2.0
// Instances and the parameters of the routing unit in SystemVerilog.
#include <algorithm>

#include <fmt/format.h>

#include "emit/parts.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

using sv::Bindings;

std::string clocked_instance(std::string_view module, std::string_view name,
                             const Bindings& parameters, const Bindings& connections,
                             Domain domain) {
  Bindings all = {{"clk_i", std::string(domain.clock)}, {"rst_ni", std::string(domain.reset)}};
  all.insert(all.end(), connections.begin(), connections.end());
  return sv::instance(module, name, parameters, all);
}

std::string message_classes_instance(const RouterShape& s) {
  if (s.message_classes == 1) return "";
  return fmt::format("  logic {} unit_vcs;\n",
                     sv::vector_range(std::size_t{s.ports} * s.unit.candidates * s.vcs)) +
         sv::instance(
             "hw_message_classes", "u_message_classes",
             {{"NumPorts", number(s.ports)},
              {"NumVcs", number(s.vcs)},
              {"NumClasses", number(s.message_classes)},
              {"NumCands", number(s.unit.candidates)}},
             {{"rsp_vc_i", "rsp_vc"}, {"rsp_vcs_i", "unit_vcs"}, {"rsp_vcs_o", "rsp_vcs"}});
}

std::string value_text(const routing::Value& value) {
  struct Text {
    std::string operator()(std::uint64_t v) const { return number(v); }
    std::string operator()(bool v) const { return bit(v); }
    std::string operator()(const routing::Bits& v) const { return sv::literal(v.width, v.value); }
    std::string operator()(const routing::Vector& v) const {
      return sv::flat_literal(v.width, v.elements);
    }
    std::string operator()(const std::vector<bool>& v) const { return sv::bit_literal(v); }
    std::string operator()(const routing::Name& v) const { return v.text; }
  };
  return std::visit(Text{}, value);
}

Bindings bindings(const std::vector<routing::Parameter>& parameters) {
  Bindings b;
  for (const auto& p : parameters) b.emplace_back(p.name, value_text(p.value));
  return b;
}

Bindings field_parameters(const RouterShape& s, const topology::Topology& topology) {
  std::vector<topology::HeaderField> fields = s.format.dst_coord;
  std::vector<std::uint64_t> lsbs, bits, sizes(topology.num_dims(), 0);
  fields.push_back(s.format.dst_slot);
  // Routers without a terminal, such as the spines behind a tree's leaves, are no destinations.
  std::uint32_t slots = 0;
  for (std::uint32_t r = 0; r < topology.num_routers(); ++r) {
    const std::uint32_t terminals = topology.terminals_at(RouterId{r});
    slots = std::max(slots, terminals);
    for (unsigned d = 0; terminals > 0 && d < sizes.size(); ++d)
      sizes[d] = std::max<std::uint64_t>(sizes[d], topology.coordinate(RouterId{r}, d) + 1);
  }
  sizes.push_back(slots);
  for (const topology::HeaderField& field : fields) {
    lsbs.push_back(field.lsb);
    bits.push_back(field.width);
  }
  return {{"NumFields", number(fields.size())},
          {"FieldLsbs", sv::flat_literal(8, lsbs)},
          {"FieldBits", sv::flat_literal(8, bits)},
          {"FieldSizes", sv::flat_literal(16, sizes)}};
}

Bindings parity_parameters(const RouterShape& s) {
  if (s.format.parity.width == 0) return {};
  std::vector<bool> mask = s.format.parity_mask();
  mask.resize(s.flit_bits, false);
  return {{"ParityMask", sv::bit_literal(mask)}, {"ParityLsb", number(s.format.parity.lsb)}};
}

Bindings unit_parameters(const RouterShape& s) {
  Bindings b = {{"NumPorts", number(s.ports)},
                {"NumNetworkPorts", number(s.network_ports)},
                {"NumVcs", number(s.vcs)},
                {"NumCands", number(s.unit.candidates)},
                {"SpaceWidth", number(s.space_width)},
                {"QueueWidth", number(s.queue_width)},
                {"RouteBits", number(s.format.route_bits)},
                {"StateWidth", number(s.state_width())},
                {"NumCoords", number(s.num_coords)},
                {"CoordWidth", number(s.coord_width)},
                {"NumCfg", number(s.cfg_reset.size())},
                {"NumCounters", number(s.counter_words())},
                {"FeedbackBits", number(s.feedback_bits)},
                {"TraceBits", number(s.trace_bits)},
                {"NumFlips", number(s.unit.flips)}};
  if (!s.unit.one_port.empty()) return b;
  for (auto& parameter : bindings(s.unit.parameters)) b.push_back(std::move(parameter));
  return b;
}

std::string one_port_unit(const RouterShape& s) {
  if (s.unit.one_port.empty()) return "";
  std::string own;
  for (const auto& [name, value] : bindings(s.unit.parameters))
    own += fmt::format(" \\\n  .{}({}),", name, value);
  return sv::file(
      fmt::format("Routing unit: {} at every input port. See rtl/common/hw_one_port_unit.svh.",
                  s.unit.one_port),
      fmt::format("`define HW_ONE_PORT {}\n`define HW_ONE_PORT_CYCLES {}\n"
                  "`define HW_ONE_PORT_OWN{}\nmodule {}\n`include \"hw_one_port_unit.svh\"\n",
                  s.unit.one_port, s.unit.one_port_cycles, own, s.unit.module));
}

}  // namespace hopwise::emit
