// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "routing/dragonfly.hpp"
#include "routing/q/q.hpp"
#include "routing/ugal/ugal.hpp"
#include "topology/dragonfly.hpp"

namespace hopwise::routing::q {

namespace {

/// Core cycles of a hop without other traffic: through a router that asks its table, and over the
/// link.
std::uint64_t hop_time(const spec::NetworkSpec& spec, unsigned link_cycles) {
  const auto wait = spec.link.idle_wait
                        ? static_cast<unsigned>(std::ceil(spec.link.cycles_per_flit.value())) + 1
                        : 0;
  return std::uint64_t{spec.router.pipeline_cycles + settings(spec.routing).table_cycles + wait +
                       link_cycles}
         << settings(spec.routing).fraction_bits;
}

unsigned latency(const UnitContext& c, unsigned port) {
  return c.topology.port_latency_cycles(c.router(), PortId(static_cast<std::uint16_t>(port)));
}

std::vector<Parameter> of_dragonfly(const UnitContext& c, bool two_level) {
  const Settings q = settings(c.spec.routing);
  std::vector<Parameter> b = dragonfly_parameters(c);
  append(b, {{"Terminals", std::uint64_t{c.spec.topology.terminals_per_router}},
             {"SrcSlotLsb", std::uint64_t{c.format.src_slot.lsb}},
             {"TwoLevel", two_level},
             {"LocalDetours", q.local_detours},
             {"Progressive", q.progressive},
             {"LocalTime", hop_time(c.spec, latency(c, 0))},
             {"GlobalTime", hop_time(c.spec, latency(c, c.topology.network_ports() - 1))}});
  // All hops but the last may be decided on; the header does not count them.
  if (!two_level) b.push_back({"MaxHops", std::uint64_t{q.max_hops}});
  return b;
}

std::vector<Parameter> of_torus(const UnitContext& c) {
  Vector times{.width = 32, .elements = {}};
  for (unsigned d = 0; d < c.topology.num_dims(); ++d)
    times.elements.push_back(hop_time(c.spec, latency(c, 2 * d)));
  std::vector<Parameter> b = grid_parameters(c);
  append(b, escape_parameters(c));
  append(b, {{"AdaptiveVcs", Bits{c.vcs(), c.adaptive_vcs}},
             {"StateLsb", std::uint64_t{c.format.routing_class.lsb}},
             {"MaxHops", std::uint64_t{settings(c.spec.routing).max_hops}},
             {"HopTimes", times}});
  return b;
}

}  // namespace

Unit unit(const UnitContext& c) {
  const auto& spec = c.spec;
  const Settings q = settings(spec.routing);
  const bool dragonfly = topology::is_dragonfly(spec.topology);
  const auto d = dragonfly ? topology::dragonfly_spec(spec.topology) : topology::DragonflySpec{};
  const bool two_level = !q.everywhere;
  Unit u;
  u.module = "hw_routing_q";
  u.candidates = dragonfly ? 1 : 2;
  u.questions_per_cycle = q.banks;
  // Control, seed, rates, epsilon, thresholds.
  u.cfg_reset = {0, 0, fraction(q.beta, 16) << 16 | fraction(q.alpha, 16), fraction(q.epsilon, 32),
                 fraction(q.threshold_intermediate, 16) << 16 | fraction(q.threshold_source, 16)};
  const unsigned per_group = two_level ? spec.topology.terminals_per_router : d.routers_per_group;
  const unsigned rows = dragonfly ? d.groups * per_group : 1u << c.format.dst_slot.lsb;
  const unsigned row_bits = width_for(rows), col_bits = width_for(c.topology.network_ports());
  u.table_words = kTableWord + (rows << col_bits);
  u.feedback_bits = 1 + row_bits + q.value_bits;
  const unsigned decision =
      7 + 4 * c.port_width() + c.format.reward.width + u.feedback_bits + 2 * q.value_bits;
  u.trace_bits = q.banks * (2 + 2 * row_bits + col_bits + q.value_bits + decision);
  if (q.queues) {
    // What waits here for the link; without output queues the places taken downstream are all that
    // a port knows of.
    const bool queued = spec.router.output_queue_flits > 1;
    const unsigned longest =
        queued ? spec.router.output_queue_flits * spec.router.vcs : c.downstream_flits();
    u.queue_metric = 1 + static_cast<unsigned>(queued ? ugal::QueueMetric::kLocalQueue
                                                      : ugal::QueueMetric::kUsedCredits);
    u.queue_width = bits_for(longest + 1);
  }
  u.parameters = {{"NumRows", std::uint64_t{rows}},
                  {"TableBase", std::uint64_t{kTableWord}},
                  {"ValueBits", std::uint64_t{q.value_bits}},
                  {"FractionBits", std::uint64_t{q.fraction_bits}},
                  {"TimeBits", std::uint64_t{c.format.reward.width}},
                  {"RewardLsb", std::uint64_t{c.format.reward.lsb}},
                  {"TableCycles", std::uint64_t{q.table_cycles}},
                  {"Banks", std::uint64_t{q.banks}},
                  {"Admissible", q.feedback == Feedback::kAdmissible},
                  {"Queues", q.queues},
                  {"FlitCycles", static_cast<std::uint64_t>(
                                     std::llround(16 * spec.link.cycles_per_flit.value()))},
                  {"Optimistic", q.initial == Initial::kOptimistic},
                  {"Dragonfly", dragonfly}};
  if (spec.router.memory_parity) {
    u.flips = 2 * q.banks;
    u.parameters.push_back({"Parity", true});
  }
  append(u.parameters, dragonfly ? of_dragonfly(c, two_level) : of_torus(c));
  u.router = {{"FirstFit", u.candidates > 1}};
  append(u.router, timing_parameters(c));
  return u;
}

}  // namespace hopwise::routing::q
