// SPDX-License-Identifier: Apache-2.0
#include "emit/shape.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "routing/dor/dor.hpp"
#include "routing/dqn/dqn.hpp"
#include "routing/q/q.hpp"
#include "routing/star_channel/star_channel.hpp"
#include "routing/ugal/ugal.hpp"

namespace hopwise::emit {

namespace {

unsigned clog2(std::size_t values) {
  return values <= 1 ? 0 : static_cast<unsigned>(std::bit_width(values - 1));
}

}  // namespace

namespace {

/// What the choice between paths needs beside the routing itself.
void add_adaptive(RouterShape& s, const spec::NetworkSpec& spec,
                  const topology::Topology& topology) {
  const routing::ugal::Settings a = routing::ugal::settings(spec.routing);
  if (!a.facts.nonminimal && spec.topology.dragonfly.links_per_group_pair == 1) return;
  s.cfg_reset.push_back(0);  // the seed
  s.adaptive = a.facts.adaptive();
  if (!s.adaptive) return;
  s.cfg_reset.push_back(static_cast<std::uint32_t>(a.bias_flits) & 0xffff);
  s.queue_metric = 1 + static_cast<unsigned>(a.queue_metric);
  unsigned longest = 0;
  for (const unsigned depth : s.vc_depths) longest += depth;
  if (spec.router.output_queue_flits > 1) longest += spec.router.output_queue_flits * s.vcs;
  s.queue_width = clog2(longest + 1);
  s.contention = a.facts.contention;
  s.learning = a.facts.learns();
  s.oracle = a.facts.oracle;
  if (s.contention) s.count_width = clog2(topology.dragonfly().routers_per_group() + 1);
  if (!s.contention && !s.learning) return;
  const double window = a.contention_window_link_cycles * spec.link.cycles_per_flit.value();
  s.cfg_reset.push_back(static_cast<std::uint32_t>(std::ceil(window - 1e-9)));
  s.cfg_reset.push_back(a.contention_threshold | static_cast<std::uint32_t>(a.contention_count)
                                                     << 4);
  if (!s.learning) return;
  // Of a link cycle's latency; latencies are measured in core cycles.
  s.cfg_reset.push_back(static_cast<std::uint32_t>(
      std::lround(a.learning_rate * 65536 / spec.link.cycles_per_flit.value())));
}

/// Parts of one, as a configuration word has them.
std::uint32_t fraction(double value, unsigned bits) {
  const double most = std::ldexp(1.0, static_cast<int>(bits)) - 1;
  return static_cast<std::uint32_t>(
      std::llround(std::min(std::ldexp(value, static_cast<int>(bits)), most)));
}

void add_q_table(RouterShape& s, const spec::NetworkSpec& spec) {
  const routing::q::Settings q = routing::q::settings(spec.routing);
  const bool dragonfly = spec.topology.has_groups();
  s.q_table = true;
  s.route_compute = dragonfly ? "hw_route_compute_q_dragonfly" : "hw_route_compute_q_torus";
  if (!dragonfly) {
    s.candidates = 2;
    s.q_rows = 1u << s.format.dst_slot.lsb;
  } else {
    s.q_rows =
        spec.topology.dragonfly.groups * (q.everywhere ? spec.topology.dragonfly.routers_per_group
                                                       : spec.topology.terminals_per_router);
  }
  s.cfg_reset = {0, 0, fraction(q.beta, 16) << 16 | fraction(q.alpha, 16), fraction(q.epsilon, 32),
                 fraction(q.threshold_intermediate, 16) << 16 | fraction(q.threshold_source, 16)};
  s.feedback_bits = 1 + s.q_row_bits() + q.value_bits;
  const unsigned decision =
      7 + 4 * s.port_width() + s.format.reward.width + s.feedback_bits + 2 * q.value_bits;
  s.learn_bits = 2 + 2 * s.q_row_bits() + s.q_col_bits() + q.value_bits + decision;
  if (!q.queues) return;
  // What waits here for the link; without output queues the places taken downstream are all that a
  // port knows of.
  const bool queued = spec.router.output_queue_flits > 1;
  unsigned longest = spec.router.output_queue_flits * s.vcs;
  if (!queued) longest = std::accumulate(s.vc_depths.begin(), s.vc_depths.end(), 0u);
  s.queue_metric = 1 + static_cast<unsigned>(queued ? routing::ugal::QueueMetric::kLocalQueue
                                                    : routing::ugal::QueueMetric::kUsedCredits);
  s.queue_width = clog2(longest + 1);
}

void add_dqn(RouterShape& s, const spec::NetworkSpec& spec, const topology::Topology& topology) {
  const routing::dqn::Settings d = routing::dqn::settings(spec.routing);
  const unsigned entry = clog2(d.pending), actions = 2 * topology.num_dims(),
                 action_bits = std::max(1u, clog2(actions));
  s.dqn = true;
  s.patient = d.patient;
  s.route_compute = "hw_route_compute_dqn";
  s.candidates = 2;
  s.cfg_reset = {0, 0, fraction(d.epsilon, 32), d.ack_ratio};
  s.feedback_bits = 20 + entry;  // {lost, age, index, generation, valid}
  // Reward, then decision: see hw_dqn_agent.
  s.learn_bits = 27 + entry + 10 + entry + 3 * action_bits + actions + s.port_width() + 24 +
                 8 * d.layers(topology.num_dims()).front();
}

}  // namespace

unsigned RouterShape::monitor_words() const {
  return dqn ? kDqnMonitorWords : q_table ? kQMonitorWords : adaptive ? kMonitorWords : 0;
}
unsigned RouterShape::q_row_bits() const { return std::max(1u, clog2(q_rows)); }
unsigned RouterShape::q_col_bits() const { return std::max(1u, clog2(network_ports)); }

unsigned RouterShape::state_bits() const {
  return format.kind == spec::PacketFormatKind::kCompact ? format.routing_state().width : 0;
}

unsigned RouterShape::port_width() const { return std::max(1u, clog2(ports)); }
unsigned RouterShape::vc_width() const { return std::max(1u, clog2(vcs)); }
unsigned RouterShape::coord_bits() const {
  return coord_width * static_cast<unsigned>(format.dst_coord.size());
}

RouterShape router_shape(const deadlock::ProvenNetwork& network) {
  const spec::NetworkSpec& spec = network.spec().network;
  const topology::Topology& topology = network.topology();
  const routing::RoutingRelation& relation = network.relation();
  const routing::Family& family = network.family();
  RouterShape s;
  s.ports = topology.num_ports();
  s.network_ports = topology.network_ports();
  s.vcs = spec.router.vcs;
  s.flit_bits = spec.packet.flit_bits;
  s.max_flits = spec.packet.max_flits;
  s.min_flits = spec.packet.format == spec::PacketFormatKind::kApenet ? 2 : 1;
  s.vc_depths = spec.router.vc_depth_flits;
  const unsigned deepest = std::max(*std::max_element(s.vc_depths.begin(), s.vc_depths.end()),
                                    spec.router.output_queue_flits);
  s.space_width = clog2(deepest + 1);
  // The configuration was checked against the format when it was loaded.
  s.format = topology::make_packet_format(spec.topology, spec.packet,
                                          family.header(spec.topology, spec.routing))
                 .value();
  if (family.name == "q") {
    add_q_table(s, spec);
  } else if (family.name == "dqn") {
    add_dqn(s, spec, topology);
  } else if (family.name == "ugal") {
    s.route_compute = "hw_route_compute_dragonfly";
    add_adaptive(s, spec, topology);
  } else {
    s.route_compute = "hw_route_compute_" + relation.name();
    // the seed
    if (family.name == "valiant") s.cfg_reset.push_back(0);
    if (family.name == "star_channel") {
      s.candidates = topology.num_dims() + 1;
      s.dor_bias = std::min(routing::star_channel::dor_bias_flits(spec), (1u << s.space_width) - 1);
    }
    if (family.name == "dor") s.balanced = routing::dor::balanced(spec.routing);
  }
  for (unsigned size : topology.dims()) s.coord_width = std::max(s.coord_width, clog2(size));
  for (const auto& vc_class : relation.vc_classes()) {
    if (!vc_class.escape)
      s.adaptive_vcs |= vc_class.mask();
    else if (s.escape0 == 0)
      s.escape0 = vc_class.mask();
    else
      s.escape1 |= vc_class.mask();
  }
  s.fixed_vc_by_destination = relation.in_order();
  s.turns = network.turns();
  return s;
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
