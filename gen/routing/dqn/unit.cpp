// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "routing/dor_bias.hpp"
#include "routing/dqn/dqn.hpp"
#include "routing/dqn/schedule.hpp"
#include "routing/unit_parameters.hpp"

namespace hopwise::routing::dqn {

namespace {

/// In the table window, four weights a word from here on (hw_dqn_shape_pkg).
constexpr unsigned kWeights = 1024;

}  // namespace

unsigned destination_bits(std::span<const unsigned> dims) {
  unsigned sum = 0;
  for (const unsigned k : dims) sum += bits_for(k);
  return sum;
}

unsigned valuation_bits(const std::vector<unsigned>& dims, const Settings& d) {
  const auto n = static_cast<unsigned>(dims.size());
  return 5 + destination_bits(dims) + d.kept(n) * (width_for(2 * n) + 1) + 8 * d.layers(n).front();
}

Unit unit(const UnitContext& c) {
  const auto& spec = c.spec;
  const auto& f = c.format;
  const Settings d = settings(spec.routing);
  const auto layers = d.layers(spec.topology.dims.size());
  const Schedule engine = schedule(layers, d.macs, d.zero_time);
  const unsigned entry = bits_for(d.pending), actions = c.topology.network_ports(),
                 action_bits = width_for(actions);
  static constexpr const char* kMasks[] = {"AllPorts", "NotBack", "WithRoom"};
  Unit u;
  u.module = "hw_routing_dqn";
  const bool prefers = d.preferences > 0;
  u.candidates = prefers ? d.preferences + 1 : 2;
  // Of preferences none is asked in the cycle in which a valuation is written.
  u.questions_per_cycle =
      prefers ? 1 - 1.0 / (engine.latency_cycles + 2) : 1.0 / (engine.latency_cycles + 1);
  // Control, seed, epsilon, every how many-th packet is tracked.
  u.cfg_reset = {0, 0, fraction(d.epsilon, 32), d.ack_ratio};
  u.counts = c.observed || d.counters;
  u.table_words = kWeights + engine.weight_words * d.macs / 4;
  if (prefers) {
    u.trace_bits = valuation_bits(spec.topology.dims, d);
  } else {
    u.feedback_bits = 20 + entry;  // {lost, age, index, generation, valid}
    // Reward, then decision: see hw_dqn_agent.
    u.trace_bits = 27 + entry + 10 + entry + 3 * action_bits + actions + c.port_width() + 24 +
                   8 * layers.front();
    u.experience = {
        "hw_dqn_experience",
        (16 + u.trace_bits + 7) / 8 * 8,
        {{"EventBits", std::uint64_t{u.trace_bits}}, {"DecisionLsb", std::uint64_t{27 + entry}}}};
  }
  u.parameters = grid_parameters(c);
  append(u.parameters, escape_parameters(c));
  const auto& depths = spec.router.vc_depth_flits;
  append(
      u.parameters,
      {{"AdaptiveVcs", Bits{c.vcs(), c.adaptive_vcs}},
       {"LenLsb", std::uint64_t{f.length.lsb}},
       {"LenBits", std::uint64_t{std::max(1u, f.length.width)}},
       {"LenOffset", std::uint64_t{f.length_offset}},
       {"MaxFlits", std::uint64_t{spec.packet.max_flits}},
       {"StateLsb", std::uint64_t{f.routing_class.lsb}},
       {"ClassBits", std::uint64_t{f.routing_class.width}},
       {"AgeLsb", std::uint64_t{f.reward.lsb}},
       {"VcDepths", Vector{16, {depths.begin(), depths.end()}}},
       {"MaxHops", std::uint64_t{d.max_hops}},
       {"Coordinates", d.observation == Observation::kCoordinates},
       {"Mask", Name{std::string("hw_dqn_mask_pkg::") + kMasks[static_cast<std::size_t>(d.mask)]}},
       {"NumEntries", std::uint64_t{d.pending}},
       {"TickLsb", std::uint64_t{kTickBits}},
       {"NumLayers", std::uint64_t{layers.size() - 1}},
       {"Sizes", Vector{8, {layers.begin(), layers.end()}}},
       {"Lanes", std::uint64_t{engine.lanes}},
       {"Depth", std::uint64_t{engine.depth}},
       {"ZeroTime", d.zero_time},
       {"LongestRoom", spec.router.room == spec::Room::kLongest},
       {"Ranks", std::uint64_t{d.preferences}},
       {"MarginShift", std::uint64_t{d.preference_margin}}});
  if (spec.router.memory_parity && !d.zero_time) {  // which has no memories
    u.flips = 2;
    u.parameters.push_back({"Parity", true});
  }
  if (prefers) {
    u.router = {dor_bias(c)};
  } else {
    u.router = {{"FirstFit", true}, {"Patient", d.patient}, {"AccumulateAge", true}};
    append(u.router, timing_parameters(c));
  }
  return u;
}

}  // namespace hopwise::routing::dqn
