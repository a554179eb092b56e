// SPDX-License-Identifier: Apache-2.0
// The route computations of a router, and the blocks that adaptive routings keep beside them.
#include <algorithm>

#include <fmt/format.h>

#include "emit/parts.hpp"
#include "routing/dqn/dqn.hpp"
#include "routing/dqn/schedule.hpp"
#include "routing/ugal/ugal.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

namespace {

using sv::Bindings;
using sv::Port;
using sv::range;

std::vector<std::uint64_t> lsbs(const std::vector<topology::HeaderField>& fields) {
  std::vector<std::uint64_t> out;
  for (const auto& f : fields) out.push_back(f.lsb);
  return out;
}

std::vector<std::uint64_t> widths(const std::vector<topology::HeaderField>& fields) {
  std::vector<std::uint64_t> out;
  for (const auto& f : fields) out.push_back(f.width);
  return out;
}

}  // namespace

Bindings grid_parameters(const RouterShape& s, const spec::NetworkSpec& spec) {
  const auto& f = s.format;
  const std::vector<std::uint64_t> sizes(spec.topology.dims.begin(), spec.topology.dims.end());
  return {{"NumDims", number(sizes.size())},
          {"Torus", bit(spec.topology.has_wraparound())},
          {"DimSizes", sv::flat_literal(8, sizes)},
          {"DstLsbs", sv::flat_literal(8, lsbs(f.dst_coord))},
          {"DstBits", sv::flat_literal(8, widths(f.dst_coord))}};
}

Bindings step_parameters(const RouterShape& s, const spec::NetworkSpec& spec) {
  std::vector<std::uint64_t> steps;
  std::vector<bool> step_vcs;
  std::uint64_t step = 0;
  for (const unsigned count : spec.routing.vcs_per_class) {
    for (unsigned v = 0; v < s.vcs; ++v)
      step_vcs.push_back(v >= steps.size() && v < steps.size() + count);
    steps.insert(steps.end(), count, step++);
  }
  return {{"VcSteps", sv::flat_literal(4, steps)},
          {"NumSteps", number(step)},
          {"StepVcs", sv::bit_literal(step_vcs)}};
}

namespace {

/// dor, star_channel
Bindings escape_parameters(const RouterShape& s, const spec::NetworkSpec& spec) {
  Bindings b = grid_parameters(s, spec);
  b.emplace_back("Balanced", bit(s.balanced));
  b.emplace_back("EscapeVcs0", sv::literal(s.vcs, s.escape0));
  b.emplace_back("EscapeVcs1", sv::literal(s.vcs, s.escape1));
  b.emplace_back("AdaptiveVcs", sv::literal(s.vcs, s.adaptive_vcs));
  return b;
}

Bindings valiant_parameters(const RouterShape& s, const spec::NetworkSpec& spec) {
  const bool torus = spec.topology.has_wraparound();
  Bindings b = grid_parameters(s, spec);
  // Masks of both ways, each for dateline class 0 and 1.
  std::vector<std::uint64_t> masks;
  unsigned first = 0;
  for (const unsigned count : spec.routing.vcs_per_class) {
    masks.push_back(((std::uint64_t{1} << count) - 1) << first);
    if (!torus) masks.push_back(masks.back());
    first += count;
  }
  b.emplace_back("WayVcs", sv::flat_literal(s.vcs, masks));
  b.emplace_back("StateLsb", number(s.format.routing_class.lsb));
  b.emplace_back("ViaLsbs", sv::flat_literal(8, lsbs(s.format.via_coord)));
  return b;
}

Bindings dragonfly_parameters(const RouterShape& s, const spec::NetworkSpec& spec) {
  const auto& d = spec.topology.dragonfly;
  const routing::ugal::Settings a = routing::ugal::settings(spec.routing);
  const auto& f = s.format;
  Bindings b = {{"NumRouters", number(d.routers_per_group)},
                {"NumGroups", number(d.groups)},
                {"GlobalPorts", number(d.global_ports)},
                {"Links", number(d.links_per_group_pair)},
                {"Columns", number(topology::Dragonfly(d).columns())},
                {"Arrangement", number(static_cast<unsigned>(d.arrangement))},
                {"DstRouterLsb", number(f.dst_coord[0].lsb)},
                {"DstGroupLsb", number(f.dst_coord[1].lsb)},
                {"StateLsb", number(f.routing_class.lsb)},
                {"TakesMinimal", bit(a.facts.minimal)},
                {"TakesNonminimal", bit(a.facts.nonminimal)},
                {"ThroughRouter", bit(a.facts.through_router)},
                {"Reconsider", bit(a.reconsider)},
                {"NumMinimal", number(a.minimal_candidates)},
                {"NumNonminimal", number(a.nonminimal_candidates)},
                {"OneTwo", bit(a.hop_metric == routing::ugal::HopMetric::kOneTwo)},
                {"Oracle", bit(s.oracle)},
                {"RouteCycles", number(a.route_cycles)}};
  const Bindings of_steps = step_parameters(s, spec);
  b.insert(b.end(), of_steps.begin(), of_steps.end());
  return b;
}

Bindings route_parameters(const RouterShape& s, const spec::NetworkSpec& spec) {
  Bindings b = {{"NumPorts", number(s.ports)},
                {"NumVcs", number(s.vcs)},
                {"SpaceWidth", number(s.space_width)},
                {"QueueWidth", number(s.queue_width)},
                {"CountWidth", number(s.count_width)},
                {"RouteBits", number(s.format.route_bits)},
                {"StateWidth", number(s.route_state_width())},
                {"InPort", "p"},
                {"NumCfg", number(s.cfg_reset.size())},
                {"NumCands", number(s.candidates)},
                {"CoordWidth", number(s.coord_width)},
                {"SlotLsb", number(s.format.dst_slot.lsb)},
                {"SlotBits", number(s.format.dst_slot.width)}};
  const bool dragonfly = spec.topology.has_groups();
  const bool valiant = s.route_compute == "hw_route_compute_valiant";
  const Bindings own = dragonfly ? dragonfly_parameters(s, spec)
                       : valiant ? valiant_parameters(s, spec)
                                 : escape_parameters(s, spec);
  b.insert(b.end(), own.begin(), own.end());
  return b;
}

std::string slice(std::string_view name, std::size_t width) {
  return width == 1 ? fmt::format("{}[p]", name) : fmt::format("{}[p*{}+:{}]", name, width, width);
}

/// Bits of port p's request.
std::string field(const RouterShape& s, const topology::HeaderField& f, std::size_t port) {
  return fmt::format("rc_bits[{}+:{}]", port * s.format.route_bits + f.lsb, f.width);
}
/// Bits of the request that port p's response answers.
std::string answered_field(const RouterShape& s, const topology::HeaderField& f, std::size_t port) {
  return fmt::format("rsp_bits[{}+:{}]", port * s.format.route_bits + f.lsb, f.width);
}

/// {p, p-1, ..., 0}
template <class Each>
std::string concatenation(std::size_t first, std::size_t end, Each each) {
  std::string text;
  for (std::size_t p = end; p-- > first;) text += (text.empty() ? "" : ",\n      ") + each(p);
  return "{" + text + "}";
}

std::string contention_counters(const RouterShape& s, const spec::NetworkSpec& spec) {
  const topology::Dragonfly d(spec.topology.dragonfly);
  const auto& f = s.format;
  const std::size_t terminals = s.ports - s.network_ports, local = d.local_ports(),
                    n = s.network_ports;
  const std::size_t group_bits = f.dst_coord[1].width;
  const auto leaves = [&](std::size_t p) {
    return fmt::format("rc_valid[{}] && {} != own_group", p, field(s, f.dst_coord[1], p));
  };
  const auto group = [&](std::size_t p) { return field(s, f.dst_coord[1], p); };
  // Rows: this router's terminals, then the other routers of the group, whose packets come over
  // their own local link.
  const auto row_port = [&](std::size_t row) {
    return row < terminals ? n + row : row - terminals;
  };
  const auto observed = [&](std::size_t row) {
    const std::size_t p = row_port(row);
    return row < terminals
               ? "(" + leaves(p) + ")"
               : fmt::format("({} && {} == own_group)", leaves(p), field(s, f.src_coord[1], p));
  };
  std::string text = fmt::format(
      "\n  // Contention: packets of the group's own routers on their way to other groups, seen "
      "once each, when their route\n"
      "  // is computed. A packet of this group that comes over a local link comes from the router "
      "at its other end.\n"
      "  logic {} observed;\n  logic {} observed_group;\n"
      "  logic {} look_count;\n",
      range(terminals + local), range((terminals + local) * group_bits),
      range(terminals * s.count_width));
  text += fmt::format("  assign observed = {};\n", concatenation(0, terminals + local, observed));
  text += fmt::format(
      "  assign observed_group = {};\n",
      concatenation(0, terminals + local, [&](std::size_t row) { return group(row_port(row)); }));
  text += sv::instance(
      "hw_contention_counters", "u_contention",
      {{"NumRouters", number(d.routers_per_group())},
       {"OwnRows", number(terminals)},
       {"NumGroups", number(d.groups())},
       {"NumLookups", number(terminals)}},
      {{"clk_i", "clk_i"},
       {"rst_ni", "rst_ni"},
       {"threshold_i",
        fmt::format("cfg_i[{}+:4]", 32 * static_cast<unsigned>(ConfigWord::kContention))},
       {"window_i",
        fmt::format("cfg_i[{}+:16]", 32 * static_cast<unsigned>(ConfigWord::kContentionWindow))},
       {"mode_i",
        fmt::format("cfg_i[{}+:2]", 32 * static_cast<unsigned>(ConfigWord::kContention) + 4)},
       {"obs_valid_i", "observed"},
       {"obs_group_i", "observed_group"},
       {"look_valid_i", fmt::format("observed[{}:0]", terminals - 1)},
       {"look_group_i", fmt::format("observed_group[{}:0]", terminals * group_bits - 1)},
       {"look_count_o", "look_count"},
       {"csr_valid_i", fmt::format("table_req_i && table_addr_i >= {}", kContentionTable)},
       {"csr_group_i", "table_group"},
       {"csr_active_o", "table_active"},
       {"csr_count_o", "table_count"},
       {"at_rest_o", "contention_at_rest"}});
  text += fmt::format("  assign rc_count = {{look_count, {}}};\n",
                      sv::literal(static_cast<unsigned>(n * s.count_width), 0));
  return text;
}

/// Stamps, feedback and the bias that is learned from it.
std::string bias_learner(const RouterShape& s, const spec::NetworkSpec& spec) {
  const topology::Dragonfly d(spec.topology.dragonfly);
  const auto& f = s.format;
  const std::size_t n = s.network_ports, terminals = s.ports - n, group_bits = f.dst_coord[1].width;
  const unsigned stamp_bits = f.stamp.width, feedback_bits = f.feedback.width,
                 route_state = s.route_state_width();
  const auto all = [&](const topology::HeaderField& what) {
    return concatenation(0, n, [&](std::size_t p) { return field(s, what, p); });
  };
  const auto ends = [&](std::size_t p) {
    return fmt::format("({} == own_group && {} == own_router)", field(s, f.dst_coord[1], p),
                       field(s, f.dst_coord[0], p));
  };
  const auto comes = [&](std::size_t p) {
    return fmt::format("rc_valid[{}] && {} != own_group", p, field(s, f.src_coord[1], p));
  };
  const auto turns = [&](std::size_t p) {
    return fmt::format("({} && {} == hw_dragonfly_class_pkg::ToRouter && {} == own_router)",
                       comes(p), field(s, f.routing_class, p), field(s, f.via_coord[0], p));
  };
  std::string text = fmt::format(
      "\n  // Learned bias: a packet is stamped where it is injected, and takes feedback along.\n"
      "  logic {} ended, turned, took_detour;\n  logic {} look_bias;\n  logic {} feedback;\n  "
      "logic {} target;\n  logic {} asks, leaves;\n"
      "  logic {} own_router;\n  assign own_router = coord_q[{}:0];\n",
      range(n), range(terminals * 16), range(terminals * feedback_bits),
      range(terminals * group_bits), range(terminals), range(f.dst_coord[0].width),
      f.dst_coord[0].width - 1);
  text += fmt::format("  assign ended = {};\n", concatenation(0, n, [&](std::size_t p) {
                        return "(" + comes(p) + " && " + ends(p) + ")";
                      }));
  text += fmt::format("  assign turned = ended | {};\n", concatenation(0, n, turns));
  text += fmt::format("  assign took_detour = {};\n", concatenation(0, n, [&](std::size_t p) {
                        return fmt::format("({} != {})", field(s, f.via_coord[1], p),
                                           field(s, f.src_coord[1], p));
                      }));
  // The group that a packet's feedback is for: its intermediate's, if it has one.
  const auto via = [&](std::size_t t) {
    return fmt::format("route_state[{}+:{}]", (n + t) * route_state + route_state - group_bits,
                       group_bits);
  };
  text += fmt::format("  assign asks = {};\n", concatenation(0, terminals, [&](std::size_t t) {
                        return fmt::format("(rc_valid[{}] && {} != own_group)", n + t,
                                           field(s, f.dst_coord[1], n + t));
                      }));
  text += fmt::format("  assign leaves = {};\n", concatenation(0, terminals, [&](std::size_t t) {
                        return fmt::format("(rsp_valid[{}] && {} != own_group)", n + t,
                                           answered_field(s, f.dst_coord[1], n + t));
                      }));
  text += fmt::format("  assign target = {};\n", concatenation(0, terminals, [&](std::size_t t) {
                        return fmt::format("({0} == own_group ? {1} : {0})", via(t),
                                           answered_field(s, f.dst_coord[1], n + t));
                      }));
  text += fmt::format(
      "  assign rsp_state = {};\n", concatenation(0, s.ports, [&](std::size_t p) {
        const std::string state = fmt::format("route_state[{}+:{}]", p * route_state, route_state);
        if (p >= n)
          return fmt::format("{{feedback[{}+:{}], now_i[{}:0], {}}}", (p - n) * feedback_bits,
                             feedback_bits, stamp_bits - 1, state);
        return fmt::format("{{{}, {}, {}}}", answered_field(s, f.feedback, p),
                           answered_field(s, f.stamp, p), state);
      }));
  text += fmt::format("  assign rc_bias = {{look_bias, {}}};\n",
                      sv::literal(static_cast<unsigned>(n * 16), 0));
  text += sv::instance(
      "hw_bias_learner", "u_learner",
      {{"NumPorts", number(n)},
       {"NumTerminals", number(terminals)},
       {"NumGroups", number(d.groups())},
       {"StampBits", number(stamp_bits)},
       {"BiasMax", number(*std::max_element(s.vc_depths.begin(), s.vc_depths.end()))}},
      {{"clk_i", "clk_i"},
       {"rst_ni", "rst_ni"},
       {"rate_i",
        fmt::format("cfg_i[{}+:16]", 32 * static_cast<unsigned>(ConfigWord::kLearningRate))},
       {"now_i", fmt::format("now_i[{}:0]", stamp_bits - 1)},
       {"end_valid_i", "ended"},
       {"turn_valid_i", "turned"},
       {"from_group_i", all(f.src_coord[1])},
       {"stamp_i", all(f.stamp)},
       {"nonminimal_i", "took_detour"},
       {"feedback_i", all(f.feedback)},
       {"look_valid_i", "asks"},
       {"look_group_i",
        concatenation(0, terminals,
                      [&](std::size_t t) { return field(s, f.dst_coord[1], n + t); })},
       {"look_bias_o", "look_bias"},
       {"take_valid_i", "leaves"},
       {"take_group_i", "target"},
       {"take_feedback_o", "feedback"}});
  return text;
}

}  // namespace

unsigned table_words(const RouterShape& s, const spec::NetworkSpec& spec) {
  if (s.q_table) return kQTable + (s.q_rows << s.q_col_bits());
  if (s.dqn) {
    const routing::dqn::Settings d = routing::dqn::settings(spec.routing);
    const auto layers = d.layers(spec.topology.dims.size());
    return kDqnWeights +
           routing::dqn::schedule(layers, d.macs, d.zero_time).weight_words * d.macs / 4;
  }
  if (!s.adaptive) return 0;
  return s.contention ? kContentionTable + 2 * spec.topology.dragonfly.groups : kMonitorWords;
}

std::string adaptive_blocks(const RouterShape& s, const spec::NetworkSpec& spec) {
  std::string text = "\n";
  if (s.contention || s.learning) {
    const unsigned group_bits = s.format.dst_coord[1].width;
    text += fmt::format("  logic {} own_group;\n  assign own_group = coord_q[{}+:{}];\n",
                        range(group_bits), s.coord_width, group_bits);
  }
  if (s.echoes_question()) text += "  wire unused_answered = &{1'b0, rsp_bits};\n";
  text += s.learning ? bias_learner(s, spec) : "  assign rc_bias = '0;\n";
  if (!s.contention) text += "  assign rc_count = '0;\n";
  if (!s.adaptive) {
    return text +
           "  assign quiescent_o = core_quiescent;\n  wire unused_adaptive = &{1'b0, rc_queue, "
           "rc_count, rc_bias, decision};\n";
  }
  text += "  logic decisions_at_rest;\n";
  if (s.contention) {
    const unsigned group_bits = s.format.dst_coord[1].width,
                   routers = spec.topology.dragonfly.routers_per_group;
    text += fmt::format(
        "  logic contention_at_rest;\n  logic {} table_group;\n  logic {} table_active;\n  logic "
        "{} table_count;\n"
        "  assign table_group = {}'((table_addr_i - {}) >> 1);\n",
        range(group_bits), range(routers), range(s.count_width), group_bits, kContentionTable);
    text += contention_counters(s, spec);
    text += "  assign quiescent_o = core_quiescent && decisions_at_rest && contention_at_rest;\n";
  } else {
    text += "  assign quiescent_o = core_quiescent && decisions_at_rest;\n";
  }
  text += "\n";
  text += sv::instance("hw_decision_counters", "u_decisions",
                       {{"NumPorts", number(s.ports)},
                        {"QueueWidth", number(s.queue_width)},
                        {"EstimateWidth", number(s.estimate_width())},
                        {"CountWidth", number(s.count_width)}},
                       {{"clk_i", "clk_i"},
                        {"rst_ni", "rst_ni"},
                        {"decision_i", "decision"},
                        {"sums_o", "monitor_o"},
                        {"at_rest_o", "decisions_at_rest"}});
  text += R"(
  // Table window: the contention table needs a cycle, so every access takes one.
  logic table_ready_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) table_ready_q <= 1'b0;
    else table_ready_q <= table_req_i && !table_ready_q;
  end
  assign table_ack_o = table_ready_q && table_req_i;
  logic [31:0] table_rdata;  // an output assigned in a block is a net to Yosys, and a warning
  assign table_rdata_o = table_rdata;
  always_comb begin
    table_rdata = '0;
)";
  text +=
      fmt::format("    if (table_addr_i < {}) table_rdata = monitor_o[table_addr_i[2:0]*32+:32];\n",
                  kMonitorWords);
  if (s.contention) {
    text += fmt::format(
        "    if (table_addr_i >= {}) table_rdata = table_addr_i[0] ? 32'(table_active) : "
        "32'(table_count);\n",
        kContentionTable);
  }
  text += "  end\n";
  return text;
}

std::string route_computations(const RouterShape& s, const spec::NetworkSpec& spec,
                               const RouteNets& nets) {
  const std::size_t pw = s.port_width(), vw = s.vc_width(), k = s.candidates;
  const std::string &in = nets.request, &out = nets.response;
  Bindings ports = {{"clk_i", "clk_i"},
                    {"rst_ni", "rst_ni"},
                    {"coord_i", nets.coord},
                    {"cfg_i", "cfg_i"},
                    {"req_valid_i", slice("rc_valid" + in, 1)},
                    {"req_vc_i", slice("rc_vc" + in, vw)},
                    {"req_bits_i", slice("rc_bits" + in, s.format.route_bits)},
                    {"ctx_space_i", "rc_space" + in},
                    {"ctx_queue_i", "rc_queue" + in},
                    {"ctx_count_i", slice("rc_count" + in, s.count_width)},
                    {"ctx_bias_i", slice("rc_bias" + in, 16)},
                    {"rsp_valid_o", slice("rsp_valid" + out, 1)},
                    {"rsp_vc_o", slice("rsp_vc" + out, vw)},
                    {"rsp_port_o", slice("rsp_port" + out, k * pw)},
                    {"rsp_vcs_o", slice("rsp_vcs" + out, k * s.vcs)},
                    {"rsp_state_o", slice((s.learning ? "route_state" : "rsp_state") + out,
                                          s.route_state_width())},
                    {"decision_o", slice("decision" + out, s.decision_width())}};
  if (s.echoes_question())
    ports.emplace_back("rsp_bits_o", slice("rsp_bits" + out, s.format.route_bits));
  return "\n" + sv::generate_for(
                    'p', 0, s.ports, "gen_route",
                    sv::instance(s.route_compute, "u_route", route_parameters(s, spec), ports));
}

std::string route_module(const RouterShape& s, const spec::NetworkSpec& spec) {
  const std::size_t p = s.ports, k = s.candidates;
  std::vector<Port> ports = {
      {"input", "", "clk_i", ""},
      {"input", "", "rst_ni", ""},
      {"input", range(s.coord_bits()), "coord_i", "Static: the router's coordinates"},
      {"input", range(32 * s.cfg_reset.size()), "cfg_i", "Configuration words of the CSR block"},
      {"input", range(p), "rc_valid_i", "As hw_router's, one slice per input port"},
      {"input", range(p * s.vc_width()), "rc_vc_i", ""},
      {"input", range(p * s.format.route_bits), "rc_bits_i", ""},
      {"input", range(p * s.vcs * s.space_width), "rc_space_i", ""},
      {"input", range(p * s.queue_width), "rc_queue_i", ""},
      {"input", range(p * s.count_width), "rc_count_i", ""},
      {"input", range(p * 16), "rc_bias_i", ""},
      {"output", range(p), "rsp_valid_o", ""},
      {"output", range(p * s.vc_width()), "rsp_vc_o", ""},
      {"output", range(p * k * s.port_width()), "rsp_port_o", ""},
      {"output", range(p * k * s.vcs), "rsp_vcs_o", ""},
      {"output", range(p * s.route_state_width()), s.learning ? "route_state_o" : "rsp_state_o",
       ""},
      {"output", range(p * s.decision_width()), "decision_o", ""}};
  if (s.echoes_question())
    ports.push_back(
        {"output", range(p * s.format.route_bits), "rsp_bits_o", "The answered rc_bits_i"});
  const std::string& name = spec.name;
  return sv::file(fmt::format("The route computations of {}'s router, alone.", name),
                  sv::module_header(name + "_route", ports) +
                      route_computations(s, spec, {"coord_i", "_i", "_o"}) + "\nendmodule\n");
}

}  // namespace hopwise::emit
