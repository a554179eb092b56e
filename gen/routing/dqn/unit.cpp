// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "routing/unit_parameters.hpp"
#include "spec/dqn_schedule.hpp"

namespace hopwise::routing {

namespace {

/// hw_dqn_agent
constexpr std::array<Counter, 12> kCounters = {
    {{"proposals", "proposals", "proposals of the agent"},
     {"accepted", "proposals", "of these, accepted"},
     {"explored", "proposals", "of these, explored"},
     {"nonminimal", "proposals", "accepted ones that are not minimal"},
     {"waited", "core cycles", "that packets waited to be taken as proposals"},
     {"rewards", "rewards", "latencies learnt from acknowledges"},
     {"untracked", "packets", "without an entry for want of one"},
     {"acks_dropped", "words", "acknowledges that found their queue full"},
     {"expired", "entries", "freed without an acknowledge"},
     {"stale", "words", "acknowledges without an entry"},
     {"turned", "packets", "accepted ones that left for the escape"},
     {"forced", "questions", "answered without the agent"}}};

/// In the table window, four weights a word from here on.
constexpr unsigned kWeights = 1024;

}  // namespace

Unit dqn_unit(const UnitContext& c) {
  const auto& spec = c.spec;
  const auto& f = c.format;
  const spec::DqnSpec& d = spec.routing.dqn;
  const auto layers = d.layers(spec.topology.dims.size());
  const auto schedule = spec::dqn_schedule(layers, d.macs, d.zero_time);
  const unsigned entry = clog2(d.pending), actions = c.topology.network_ports(),
                 action_bits = std::max(1u, clog2(actions));
  static constexpr const char* kMasks[] = {"AllPorts", "NotBack", "WithRoom"};
  Unit unit;
  unit.module = "hw_routing_dqn";
  unit.candidates = 2;
  unit.counters = kCounters;
  // Control, seed, epsilon, every how many-th packet is tracked.
  unit.cfg_reset = {0, 0, fraction(d.epsilon, 32), d.ack_ratio};
  unit.table_words = kWeights + schedule.weight_words * d.macs / 4;
  unit.feedback_bits = 20 + entry;  // {lost, age, index, generation, valid}
  // Reward, then decision: see hw_dqn_agent.
  unit.trace_bits = 27 + entry + 10 + entry + 3 * action_bits + actions + c.port_width() + 24 +
                    8 * layers.front();
  unit.parameters = grid_parameters(c);
  append(unit.parameters, escape_parameters(c));
  const auto& depths = spec.router.vc_depth_flits;
  append(
      unit.parameters,
      {{"AdaptiveVcs", Bits{c.vcs(), c.adaptive_vcs}},
       {"Balanced", spec.routing.dateline == spec::Dateline::kBalanced},
       {"LenLsb", std::uint64_t{f.length.lsb}},
       {"LenBits", std::uint64_t{std::max(1u, f.length.width)}},
       {"LenOffset", std::uint64_t{f.length_offset}},
       {"MaxFlits", std::uint64_t{spec.packet.max_flits}},
       {"StateLsb", std::uint64_t{f.routing_class.lsb}},
       {"ClassBits", std::uint64_t{f.routing_class.width}},
       {"AgeLsb", std::uint64_t{f.reward.lsb}},
       {"VcDepths", Vector{16, {depths.begin(), depths.end()}}},
       {"MaxHops", std::uint64_t{d.max_hops}},
       {"Coordinates", d.observation == spec::DqnObservation::kCoordinates},
       {"Mask", Name{std::string("hw_dqn_mask_pkg::") + kMasks[static_cast<std::size_t>(d.mask)]}},
       {"NumEntries", std::uint64_t{d.pending}},
       {"NumLayers", std::uint64_t{layers.size() - 1}},
       {"Sizes", Vector{8, {layers.begin(), layers.end()}}},
       {"Lanes", std::uint64_t{schedule.lanes}},
       {"Depth", std::uint64_t{schedule.depth}},
       {"ZeroTime", d.zero_time}});
  unit.router = {{"FirstFit", true}, {"Patient", d.patient}, {"AccumulateAge", true}};
  append(unit.router, timing_parameters(c));
  return unit;
}

}  // namespace hopwise::routing
