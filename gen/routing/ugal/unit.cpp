// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "routing/dragonfly.hpp"
#include "routing/message_classes.hpp"
#include "routing/ugal/ugal.hpp"
#include "topology/dragonfly.hpp"

namespace hopwise::routing::ugal {

namespace {

/// First word of the groups in the table window, two words a group.
constexpr unsigned kGroupTable = 16;
/// Words of the counters in it.
constexpr unsigned kCounterWords = 6;

/// Where paths are compared: at the terminals, and where progressive routing decides again.
/// Elsewhere packets ask, and are counted and timed, when they arrive.
std::vector<bool> late_ports(const UnitContext& c, const Settings& a) {
  const Facts& row = a.facts;
  std::vector<bool> late = no_port(c);
  if (!row.adaptive()) return late;
  const unsigned network = c.router().num_network_ports(),
                 local = network - topology::dragonfly_spec(c.spec.topology).global_ports;
  for (unsigned p = 0; p < late.size(); ++p) late[p] = p >= network || (a.reconsider && p < local);
  return late;
}

struct Biases {
  unsigned high = 0, low = 0;
  std::vector<unsigned> growing;
};

/// Of the modes. A path of the longest kind whose first VC is full weighs as much as the high one:
/// up to that difference packets stay on minimal paths.
Biases biases(const spec::RouterSpec& router, const topology::DragonflySpec& d, const Settings& a) {
  const unsigned deepest =
      *std::max_element(router.vc_depth_flits.begin(), router.vc_depth_flits.end());
  const unsigned hops = a.hop_metric == HopMetric::kOneTwo ? 1 : d.group_rows > 1 ? 5 : 3;
  Biases b;
  b.high = a.high_bias_flits.value_or(std::min(deepest * hops, 32767U));
  b.low = a.low_bias_flits.value_or(b.high / 4);
  b.growing = a.growing_bias_flits;
  if (b.growing.empty()) b.growing = {0, b.low, b.high};
  return b;
}

}  // namespace

Unit unit(const UnitContext& c) {
  const auto& spec = c.spec;
  const topology::DragonflySpec d = topology::dragonfly_spec(spec.topology);
  const auto& f = c.format;
  const Settings a = settings(spec.routing);
  const Facts& row = a.facts;
  const bool adaptive = row.adaptive(), contention = adaptive && row.contention,
             learning = adaptive && row.learns();
  Unit u;
  u.module = "hw_routing_ugal";
  u.late_ports = late_ports(c, a);
  u.answer_cycles = a.route_cycles;
  // Control; seed; bias; window, threshold and kind of the contention counters; learning rate.
  if (row.nonminimal || d.links_per_group_pair > 1 || d.column_links > 1) u.cfg_reset.push_back(0);
  if (adaptive) {
    u.cfg_reset.push_back(static_cast<std::uint32_t>(a.bias_flits) & 0xffff);
    u.queue_metric = 1 + static_cast<unsigned>(a.queue_metric);
    unsigned longest = c.downstream_flits();
    if (spec.router.output_queue_flits > 1)
      longest += spec.router.output_queue_flits * spec.router.vcs;
    u.queue_width = bits_for(longest + 1);
    u.table_words = contention ? kGroupTable + 2 * d.groups : kCounterWords;
  }
  if (a.modes) {
    const Biases b = biases(spec.router, d, a);
    u.cfg_reset.push_back(b.high << 16 | b.low);
    u.cfg_reset.push_back((a.reconsider ? b.growing[1] << 16 : 0) | b.growing[0]);
    if (a.reconsider && d.group_rows > 1) u.cfg_reset.push_back(b.growing[2]);
  }
  const double flit_cycles = spec.link.cycles_per_flit.value();
  if (contention || learning) {
    const double window = a.contention_window_link_cycles * flit_cycles;
    u.cfg_reset.push_back(static_cast<std::uint32_t>(std::ceil(window - 1e-9)));
    u.cfg_reset.push_back(a.contention_threshold | static_cast<std::uint32_t>(a.contention_count)
                                                       << 4);
  }
  // Of a link cycle's latency; latencies are measured in core cycles.
  if (learning) {
    u.cfg_reset.push_back(
        static_cast<std::uint32_t>(std::lround(a.learning_rate * 65536 / flit_cycles)));
  }
  u.simulation_only = row.oracle;
  u.parameters = dragonfly_parameters(c);
  append(u.parameters, {{"Links", std::uint64_t{d.links_per_group_pair}},
                        {"Columns", std::uint64_t{topology::Dragonfly(d).columns()}},
                        {"ColumnLinks", std::uint64_t{d.column_links}},
                        {"StateLsb", std::uint64_t{f.routing_class.lsb}},
                        {"TakesMinimal", row.minimal},
                        {"TakesNonminimal", row.nonminimal},
                        {"ThroughRouter", row.through_router},
                        {"Reconsider", a.reconsider},
                        {"NumMinimal", std::uint64_t{a.minimal_candidates}},
                        {"NumNonminimal", std::uint64_t{a.nonminimal_candidates}},
                        {"OneTwo", a.hop_metric == HopMetric::kOneTwo},
                        {"Oracle", u.simulation_only},
                        {"RouteCycles", std::uint64_t{a.route_cycles}}});
  if (a.minimal_vcs == MinimalVcs::kOwn) append(u.parameters, {{"OwnVcs", true}});
  if (a.modes) {
    VcMask first = 0;  // VC of each step
    unsigned vc = 0;
    for (const unsigned count : spec.routing.vcs_per_class) {
      first |= VcMask{1} << vc;
      vc += count;
    }
    append(u.parameters, {{"HasModes", true},
                          {"ModeLsb", std::uint64_t{f.mode.lsb}},
                          {"OrderVcs", Bits{c.vcs(), in_every_message_class(first, spec.router)}}});
  }
  if (contention || learning) {
    const auto& depths = spec.router.vc_depth_flits;
    append(u.parameters,
           {{"GroupTable", std::uint64_t{kGroupTable}},
            {"Contention", contention},
            {"SrcGroupLsb", std::uint64_t{f.src_coord[1].lsb}},
            {"StampBits", std::uint64_t{f.stamp.width}},
            {"LatencyBits", std::uint64_t{learning ? f.feedback.width - 2 : 0}},
            {"BiasMax", std::uint64_t{*std::max_element(depths.begin(), depths.end())}}});
  }
  return u;
}

}  // namespace hopwise::routing::ugal
