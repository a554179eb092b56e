// SPDX-License-Identifier: Apache-2.0
#include "emit/shape.hpp"

#include <algorithm>

#include "support/bits.hpp"
#include "topology/packet_format.hpp"

namespace hopwise::emit {

unsigned RouterShape::counter_words() const { return static_cast<unsigned>(unit.counters.size()); }

unsigned RouterShape::model_trace_bits() const {
  return trace_bits + (unit.experience.data_bits > 0 ? 1 + unit.experience.data_bits : 0);
}

unsigned RouterShape::stuck_words() const { return watchdog_cycles > 0 ? 1 + unit.candidates : 0; }

unsigned RouterShape::state_bits() const {
  return format.kind == spec::PacketFormatKind::kCompact ? format.routing_state().width : 0;
}

std::vector<std::uint32_t> RouterShape::router_words() const {
  std::vector<std::uint32_t> words = cfg_reset;
  words.insert(words.end(), congestion.begin(), congestion.end());
  return words;
}

std::vector<std::uint32_t> RouterShape::config_words() const {
  std::vector<std::uint32_t> words = router_words();
  if (reset_cycles > 0) words.push_back(0);
  return words;
}

std::vector<std::uint32_t> congestion_words(const spec::CongestionSpec& c) {
  if (!c.enabled) return {};
  return {c.mark_cycles << 8 | c.mark_inputs,
          (c.throttle ? 1U << 31 : 0) | c.decrease_shift << 16 | c.note_cycles,
          c.increase << 16 | c.period_cycles};
}

unsigned RouterShape::port_width() const { return width_for(ports); }
unsigned RouterShape::vc_width() const { return width_for(vcs); }

void set_unit(RouterShape& s, const routing::Family& family, const routing::UnitContext& context) {
  s.format = context.format;
  s.adaptive_vcs = context.adaptive_vcs;
  s.unit = routing::make_unit(family, context);
  if (!s.unit.one_port.empty()) s.unit.module = s.prefix + "_routing";
  s.cfg_reset = s.unit.cfg_reset;
  s.queue_metric = s.unit.queue_metric;
  s.queue_width = s.unit.queue_width;
  s.feedback_bits = s.unit.feedback_bits;
  s.trace_bits = s.unit.trace_bits;
}

namespace {

/// A round trip of the longest link, and some more: see hw_link_guard.
unsigned reset_cycles(const topology::Topology& topology) {
  unsigned longest = topology.terminal_latency_cycles();
  for (const topology::RouterShape& shape : topology.shapes()) {
    for (std::uint16_t p = 0; p < shape.num_network_ports(); ++p)
      longest = std::max(longest, topology.port_latency_cycles(shape, PortId{p}));
  }
  return 2 * longest + 4;
}

}  // namespace

RouterShape router_shape(const deadlock::ProvenNetwork& network, unsigned shape, bool observed) {
  const spec::NetworkSpec& spec = network.spec().network;
  const topology::Topology& topology = network.topology();
  const routing::RoutingRelation& relation = network.relation();
  RouterShape s;
  const topology::RouterShape& ports = topology.shapes()[shape];
  s.index = shape;
  s.prefix = topology.shapes().size() == 1 ? spec.name : spec.name + "_" + ports.name;
  s.ports = ports.num_ports();
  s.network_ports = ports.num_network_ports();
  s.vcs = spec.router.vcs;
  s.messages = spec.terminal.messages;
  if (s.messages) {
    s.window_bits = bits_for(spec.terminal.windows);
    s.outstanding_bits = bits_for(spec.terminal.outstanding);
    s.message_registers = spec.terminal.message_registers;
  }
  s.message_classes = spec.router.num_message_classes();
  const std::vector<unsigned>& order = spec.router.class_priority;
  s.class_ranks.resize(order.size());
  for (std::size_t rank = 0; rank < order.size(); ++rank) s.class_ranks[order[rank]] = rank;
  s.class_packets = spec.router.class_priority_packets;
  s.flit_bits = spec.packet.wire_bits();
  if (spec.packet.tkeep) s.keep_bits = spec.packet.flit_bits / 8;
  s.poison = spec.packet.poison;
  s.max_flits = spec.packet.max_flits;
  s.min_flits = topology::overhead_flits(spec.packet);
  s.vc_depths = spec.router.vc_depth_flits;
  s.output_queue_flits = spec.router.output_queue_flits;
  const routing::UnitContext context =
      routing::unit_context(network.family(), spec, topology, relation, shape, observed);
  s.space_width = context.space_width();
  s.num_coords = topology.num_dims();
  for (unsigned size : topology.dims()) s.coord_width = std::max(s.coord_width, bits_for(size));
  set_unit(s, network.family(), context);
  s.fixed_vc_by_destination = relation.in_order();
  s.turns = network.turns(shape);
  s.checks = spec.router.checks;
  s.memory_parity = spec.router.memory_parity;
  s.watchdog_cycles = spec.router.watchdog_cycles;
  s.clock_gating = spec.router.clock_gating && !observed;  // simulations skip the cycle
  if (spec.router.partial_reset) s.reset_cycles = reset_cycles(topology);
  s.congestion = congestion_words(spec.congestion);
  if (spec.congestion.enabled) s.flows = spec.congestion.flows;
  return s;
}

std::vector<RouterShape> router_shapes(const deadlock::ProvenNetwork& network, bool observed) {
  std::vector<RouterShape> shapes;
  for (unsigned i = 0; i < network.topology().shapes().size(); ++i)
    shapes.push_back(router_shape(network, i, observed));
  return shapes;
}

std::uint64_t coordinate_value(const RouterShape& shape, const topology::Topology& topology,
                               RouterId router) {
  std::uint64_t value = 0;
  for (unsigned d = 0; d < topology.num_dims(); ++d) {
    value |= std::uint64_t{topology.coordinate(router, d)} << (d * shape.coord_width);
  }
  return value;
}

std::uint64_t terminal_address(const RouterShape& shape, const topology::Topology& topology,
                               TerminalId terminal) {
  const RouterId router = topology.router_of(terminal);
  std::uint64_t value = 0;
  for (unsigned d = 0; d < topology.num_dims(); ++d) {
    value |= std::uint64_t{topology.coordinate(router, d)} << shape.format.dst_coord[d].lsb;
  }
  return value | std::uint64_t{topology.slot_of(terminal)} << shape.format.dst_slot.lsb;
}

}  // namespace hopwise::emit
