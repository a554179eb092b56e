// SPDX-License-Identifier: Apache-2.0
// Parameters of the routing unit in SystemVerilog.
#include "emit/parts.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

using sv::Bindings;

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
                {"NumCounters", number(s.monitor_words())},
                {"FeedbackBits", number(s.feedback_bits)},
                {"TraceBits", number(s.learn_bits)}};
  for (auto& parameter : bindings(s.unit.parameters)) b.push_back(std::move(parameter));
  return b;
}

}  // namespace hopwise::emit
