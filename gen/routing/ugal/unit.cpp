// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "routing/unit_parameters.hpp"

namespace hopwise::routing {

namespace {

using enum spec::Algorithm;

/// hw_decision_counters
constexpr std::array<Counter, 6> kCounters = {
    {{"decisions", "decisions", "choices between minimal and non-minimal paths"},
     {"nonminimal", "decisions", "of these, for the non-minimal path"},
     {"queue", "flits", "sum over the choices: queue of the minimal path's first port"},
     {"estimate", "flits x hops", "sum over the choices: estimate of the minimal path"},
     {"contention", "routers", "sum over the choices: contention factor"},
     {"bias", "flits", "sum over the choices: learned bias, signed"}}};

/// First word of the groups in the table window, two words a group.
constexpr unsigned kGroupTable = 16;

}  // namespace

Unit ugal_unit(const UnitContext& c) {
  const auto& spec = c.spec;
  const auto& d = spec.topology.dragonfly;
  const auto& a = spec.routing.adaptive;
  const auto& f = c.format;
  const spec::Algorithm algorithm = spec.routing.algorithm;
  const bool adaptive = algorithm != kMin && algorithm != kValg && algorithm != kValn;
  const bool contention = adaptive && spec::counts_contention(algorithm);
  const bool learning = adaptive && spec::learns_bias(algorithm);
  Unit unit;
  unit.module = "hw_routing_ugal";
  // Control; seed; bias; window, threshold and kind of the contention counters; learning rate.
  if (algorithm != kMin || d.links_per_group_pair > 1) unit.cfg_reset.push_back(0);
  if (adaptive) {
    unit.cfg_reset.push_back(static_cast<std::uint32_t>(a.bias_flits) & 0xffff);
    unit.queue_metric = 1 + static_cast<unsigned>(a.queue_metric);
    unsigned longest = c.downstream_flits();
    if (spec.router.output_queue_flits > 1)
      longest += spec.router.output_queue_flits * spec.router.vcs;
    unit.queue_width = clog2(longest + 1);
    unit.counters = kCounters;
    unit.table_words = contention ? kGroupTable + 2 * d.groups : unsigned{kCounters.size()};
  }
  const double flit_cycles = spec.link.cycles_per_flit.value();
  if (contention || learning) {
    const double window = a.contention_window_link_cycles * flit_cycles;
    unit.cfg_reset.push_back(static_cast<std::uint32_t>(std::ceil(window - 1e-9)));
    unit.cfg_reset.push_back(a.contention_threshold | static_cast<std::uint32_t>(a.contention_count)
                                                          << 4);
  }
  // Of a link cycle's latency; latencies are measured in core cycles.
  if (learning) {
    unit.cfg_reset.push_back(
        static_cast<std::uint32_t>(std::lround(a.learning_rate * 65536 / flit_cycles)));
  }
  unit.simulation_only = algorithm == kUgalGlobal;
  unit.parameters = dragonfly_parameters(c);
  append(unit.parameters, {{"Links", std::uint64_t{d.links_per_group_pair}},
                           {"Columns", std::uint64_t{topology::Dragonfly(d).columns()}},
                           {"StateLsb", std::uint64_t{f.routing_class.lsb}},
                           {"TakesMinimal", algorithm != kValg && algorithm != kValn},
                           {"TakesNonminimal", algorithm != kMin},
                           {"ThroughRouter", algorithm != kValg && algorithm != kUgalLg},
                           {"Reconsider", a.reconsider},
                           {"NumMinimal", std::uint64_t{a.minimal_candidates}},
                           {"NumNonminimal", std::uint64_t{a.nonminimal_candidates}},
                           {"OneTwo", a.hop_metric == spec::HopMetric::kOneTwo},
                           {"Oracle", unit.simulation_only},
                           {"RouteCycles", std::uint64_t{spec.routing.route_cycles}}});
  if (contention || learning) {
    const auto& depths = spec.router.vc_depth_flits;
    append(unit.parameters,
           {{"Contention", contention},
            {"SrcGroupLsb", std::uint64_t{f.src_coord[1].lsb}},
            {"StampBits", std::uint64_t{f.stamp.width}},
            {"BiasMax", std::uint64_t{*std::max_element(depths.begin(), depths.end())}}});
  }
  return unit;
}

}  // namespace hopwise::routing
