// SPDX-License-Identifier: Apache-2.0
// The routings with a Q-table: a route computation per input port, and one agent with one table for
// all of them.
#include <cmath>

#include <fmt/format.h>

#include "emit/parts.hpp"
#include "routing/q/q.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

namespace {

using sv::Bindings;
using sv::range;

/// Names and widths, per input port, of what route computations and agent exchange.
struct Wire {
  const char* name;
  std::size_t width;
};

unsigned info_bits(const RouterShape& s) {
  return s.candidates == 1 ? s.vcs : s.state_width() + s.port_width() + 2 * s.vcs;
}

std::string word(QConfigWord which, unsigned lsb, unsigned width) {
  return fmt::format("cfg_i[{}+:{}]", 32 * static_cast<unsigned>(which) + lsb, width);
}

/// Core cycles of a hop without other traffic: through a router that asks its table, and over the
/// link.
std::uint64_t hop_time(const spec::NetworkSpec& spec, unsigned link_cycles) {
  const auto wait = spec.link.idle_wait
                        ? static_cast<unsigned>(std::ceil(spec.link.cycles_per_flit.value())) + 1
                        : 0;
  return std::uint64_t{spec.router.pipeline_cycles +
                       routing::q::settings(spec.routing).table_cycles + wait + link_cycles}
         << routing::q::settings(spec.routing).fraction_bits;
}

Bindings table_parameters(const RouterShape& s, const spec::NetworkSpec& spec) {
  return {{"NumRows", number(s.q_rows)},
          {"ValueBits", number(routing::q::settings(spec.routing).value_bits)}};
}

Bindings dragonfly_parameters(const spec::NetworkSpec& spec) {
  const auto& d = spec.topology.dragonfly;
  return {{"NumRouters", number(d.routers_per_group)},
          {"NumGroups", number(d.groups)},
          {"GlobalPorts", number(d.global_ports)},
          {"Terminals", number(spec.topology.terminals_per_router)},
          {"Arrangement", number(static_cast<unsigned>(d.arrangement))},
          {"TwoLevel", bit(!routing::q::settings(spec.routing).everywhere)}};
}

void append(Bindings& to, const Bindings& more) { to.insert(to.end(), more.begin(), more.end()); }

Bindings route_parameters(const RouterShape& s, const spec::NetworkSpec& spec) {
  const auto& f = s.format;
  const auto q = routing::q::settings(spec.routing);
  Bindings b = {{"NumPorts", number(s.ports)},          {"NumVcs", number(s.vcs)},
                {"RouteBits", number(f.route_bits)},    {"InPort", "p"},
                {"CoordWidth", number(s.coord_width)},  {"SlotLsb", number(f.dst_slot.lsb)},
                {"SlotBits", number(f.dst_slot.width)}, {"RewardLsb", number(f.reward.lsb)},
                {"TimeBits", number(f.reward.width)},   {"FractionBits", number(q.fraction_bits)}};
  append(b, table_parameters(s, spec));
  if (spec.topology.has_groups()) {
    append(b, dragonfly_parameters(spec));
    append(b, step_parameters(s, spec));
    append(b, {{"DstRouterLsb", number(f.dst_coord[0].lsb)},
               {"DstGroupLsb", number(f.dst_coord[1].lsb)},
               {"SrcSlotLsb", number(f.src_slot.lsb)},
               {"LocalDetours", bit(q.local_detours)},
               {"Progressive", bit(q.progressive)}});
    if (routing::q::settings(spec.routing).everywhere)
      b.emplace_back("MaxHops", number(q.max_hops));
    return b;
  }
  for (const auto& [name, value] : grid_parameters(s, spec)) {
    if (name != "Torus") b.emplace_back(name, value);
  }
  append(b, {{"StateLsb", number(f.routing_class.lsb)},
             {"StateWidth", number(s.state_width())},
             {"Balanced", bit(false)},
             {"EscapeVcs0", sv::literal(s.vcs, s.escape0)},
             {"EscapeVcs1", sv::literal(s.vcs, s.escape1)},
             {"AdaptiveVcs", sv::literal(s.vcs, s.adaptive_vcs)},
             {"MaxHops", number(q.max_hops)}});
  return b;
}

/// The values that the table starts from.
std::string start_values(const RouterShape& s, const spec::NetworkSpec& spec,
                         const topology::Topology& topology) {
  const auto latency = [&](unsigned port) {
    return topology.port_latency_cycles(PortId(static_cast<std::uint16_t>(port)));
  };
  Bindings b = table_parameters(s, spec);
  append(b, {{"CoordWidth", number(s.coord_width)},
             {"Optimistic", bit(routing::q::settings(spec.routing).initial ==
                                routing::q::Initial::kOptimistic)}});
  Bindings nets = {{"coord_i", "coord_q"}, {"row_i", "start_row"}, {"values_o", "start_values"}};
  if (spec.topology.has_groups()) {
    append(b, dragonfly_parameters(spec));
    append(b, {{"LocalTime", number(hop_time(spec, latency(0)))},
               {"GlobalTime", number(hop_time(spec, latency(s.network_ports - 1)))}});
    nets.emplace_back("connected_o", "connected");
    return sv::instance("hw_q_start_dragonfly", "u_start", b, nets);
  }
  std::vector<std::uint64_t> times;
  for (unsigned d = 0; d < topology.num_dims(); ++d)
    times.push_back(hop_time(spec, latency(2 * d)));
  for (const auto& [name, value] : grid_parameters(s, spec)) {
    if (name == "NumDims" || name == "DimSizes" || name == "DstBits") b.emplace_back(name, value);
  }
  b.emplace_back("HopTimes", sv::flat_literal(32, times));
  return sv::instance("hw_q_start_torus", "u_start", b, nets) + "  assign connected = '1;\n";
}

}  // namespace

std::string q_blocks(const RouterShape& s, const spec::NetworkSpec& spec,
                     const topology::Topology& topology) {
  const auto q = routing::q::settings(spec.routing);
  const auto& f = s.format;
  const std::size_t p = s.ports, n = s.network_ports, rows = s.q_row_bits(),
                    values = n * q.value_bits;
  const unsigned feedback = s.feedback_bits, col_bits = s.q_col_bits(), row_bits = s.q_row_bits(),
                 time = f.reward.width;
  const unsigned decision = s.learn_bits - (2 + 2 * row_bits + col_bits + q.value_bits);
  const std::vector<Wire> questions = {
      {"valid", 1},    {"ready", 1},     {"row", rows},
      {"mode", 2},     {"narrow", 1},    {"minimal", s.port_width()},
      {"feedback", 1}, {"reward", time}, {"info", info_bits(s)}};
  std::string text =
      "\n  // What the route computations ask the agent, one slice per input port, and its "
      "answer\n";
  for (const auto& w : questions)
    text += fmt::format("  logic {} ask_{};\n", range(p * w.width), w.name);
  const std::vector<Wire> answers = {{"vc", s.vc_width()},
                                     {"port", s.port_width()},
                                     {"info", info_bits(s)},
                                     {"feedback", feedback}};
  text += fmt::format("  logic {} agent_valid;\n  logic {} tell;\n", range(p), range(p * feedback));
  for (const auto& w : answers)
    text += fmt::format("  logic {} agent_{};\n", range(w.width), w.name);
  const auto slice = [](const std::string& name, std::size_t width) {
    return width == 1 ? name + "[p]" : fmt::format("{}[p*{}+:{}]", name, width, width);
  };
  Bindings nets = {{"clk_i", "clk_i"},
                   {"rst_ni", "rst_ni"},
                   {"coord_i", "coord_q"},
                   {"req_valid_i", "rc_valid[p]"},
                   {"req_ready_o", "rc_ready[p]"},
                   {"req_vc_i", slice("rc_vc", s.vc_width())},
                   {"req_bits_i", slice("rc_bits", f.route_bits)}};
  for (const auto& w : questions) {
    const std::string name = w.name;
    nets.emplace_back("ask_" + name + (name == "ready" ? "_i" : "_o"),
                      slice("ask_" + name, w.width));
  }
  nets.emplace_back("agent_valid_i", "agent_valid[p]");
  for (const auto& w : answers)
    nets.emplace_back(fmt::format("agent_{}_i", w.name), fmt::format("agent_{}", w.name));
  append(nets, {{"rsp_valid_o", "rsp_valid[p]"},
                {"rsp_vc_o", slice("rsp_vc", s.vc_width())},
                {"rsp_port_o", slice("rsp_port", s.candidates * s.port_width())},
                {"rsp_vcs_o", slice("rsp_vcs", s.candidates * s.vcs)},
                {"rsp_state_o", slice("rsp_state", s.state_width())},
                {"feedback_o", slice("tell", feedback)}});
  text += "\n" + sv::generate_for(
                     'p', 0, p, "gen_route",
                     sv::instance(s.route_compute, "u_route", route_parameters(s, spec), nets));

  text += fmt::format(
      "\n  // Between agent and table: rows that are read, what they start from, what is decided "
      "and written\n"
      "  logic {} connected;\n  logic read_valid, init, agent_idle, table_idle, counted;\n  logic "
      "{} read_row, start_row;\n"
      "  logic {} read_values, start_values;\n  logic {} decision;\n  logic compare_valid, "
      "write_valid;\n"
      "  logic {} compare_row, write_row;\n  logic {} write_col;\n  logic {} write_target;\n\n",
      range(n), range(row_bits), range(values), range(decision), range(row_bits), range(col_bits),
      range(q.value_bits));
  Bindings agent = table_parameters(s, spec);
  append(
      agent,
      {{"NumPorts", number(p)},
       {"NumCols", number(n)},
       {"LocalCols", number(spec.topology.has_groups() ? topology.dragonfly().local_ports() : 0)},
       {"FractionBits", number(q.fraction_bits)},
       {"TimeBits", number(time)},
       {"VcWidth", number(s.vc_width())},
       {"InfoBits", number(info_bits(s))},
       {"Latency", number(q.table_cycles)},
       {"Admissible", bit(q.feedback == routing::q::Feedback::kAdmissible)},
       {"Queues", bit(q.queues)},
       {"QueueWidth", number(s.queue_width)},
       {"FlitCycles",
        number(static_cast<std::uint64_t>(std::llround(16 * spec.link.cycles_per_flit.value())))}});
  nets = {{"clk_i", "clk_i"},
          {"rst_ni", "rst_ni"},
          {"epsilon_i", word(QConfigWord::kEpsilon, 0, 32)},
          {"threshold_source_i", word(QConfigWord::kThresholds, 0, 16)},
          {"threshold_detour_i", word(QConfigWord::kThresholds, 16, 16)},
          {"load_seed_i", fmt::format("cfg_i[{}]", 31)},
          {"seed_i", word(QConfigWord::kSeed, 0, 32)},
          {"connected_i", "connected"},
          {"ask_vc_i", "rc_vc"}};
  for (const auto& w : questions) {
    const std::string name = w.name;
    nets.emplace_back("ask_" + name + (name == "ready" ? "_o" : "_i"), "ask_" + name);
  }
  append(nets, {{"table_ready_i", "!init"},
                {"read_valid_o", "read_valid"},
                {"read_row_o", "read_row"},
                {"read_values_i", "read_values"},
                {"queue_i", "rc_queue"},
                {"rsp_valid_o", "agent_valid"},
                {"rsp_vc_o", "agent_vc"},
                {"rsp_port_o", "agent_port"},
                {"rsp_info_o", "agent_info"},
                {"rsp_feedback_o", "agent_feedback"},
                {"compare_valid_o", "compare_valid"},
                {"compare_row_o", "compare_row"},
                {"decision_o", "decision"},
                {"idle_o", "agent_idle"}});
  text += sv::instance("hw_q_agent", "u_agent", agent, nets) + "\n";
  text += start_values(s, spec, topology);

  text += fmt::format(
      "\n  // Feedback: what the routers after this one tell it, and what it tells the ones "
      "before, behind a register\n"
      "  logic {} heard;\n  logic {} told;\n\n",
      range(n), range(n * (feedback - 1)));
  text += sv::generate_for(
      'c', 0, n, "gen_feedback",
      fmt::format("  assign heard[c] = out_feedback_i[c*{}];\n  assign told[c*{}+:{}] = "
                  "out_feedback_i[c*{}+1+:{}];\n",
                  feedback, feedback - 1, feedback - 1, feedback, feedback - 1) +
          sv::instance(
              "hw_feedback_pipe", "u_tell", {{"Width", number(feedback)}, {"Latency", "1"}},
              {{"clk_i", "clk_i"},
               {"rst_ni", "rst_ni"},
               {"down_feedback_i", fmt::format("tell[c*{}+:{}]", feedback, feedback)},
               {"up_feedback_o", fmt::format("in_feedback_o[c*{}+:{}]", feedback, feedback)}}));
  text += fmt::format("  wire unused_tell = &{{1'b0, tell[{}:{}]}};  // of terminals\n",
                      p * feedback - 1, n * feedback);
  std::string value = fmt::format("table_addr_i >= {}", kQTable);
  // words of no port
  if (n != std::size_t{1} << col_bits)
    value += fmt::format(" && 32'(table_word[{}:0]) < {}", col_bits - 1, n);
  text += fmt::format(
      "\n  // The table, and its words in the table window\n"
      "  logic in_table, table_ack, monitor_ack_q;\n  logic {} table_value;\n  logic [31:0] "
      "table_word, updates, dropped;\n"
      "  logic {} decided;\n"
      "  assign in_table = {};\n  assign table_word = table_addr_i - 32'd{};\n\n",
      range(q.value_bits), range(192), value, kQTable);
  Bindings table = table_parameters(s, spec);
  table.emplace_back("NumCols", number(n));
  // with 2, one feedback word in half a million is dropped at a load of 0.8
  table.emplace_back("FifoDepth", "3");
  text += sv::instance("hw_q_table", "u_table", table,
                       {{"clk_i", "clk_i"},
                        {"rst_ni", "rst_ni"},
                        {"alpha_i", word(QConfigWord::kRates, 0, 16)},
                        {"beta_i", word(QConfigWord::kRates, 16, 16)},
                        {"freeze_i", word(QConfigWord::kControl, 0, 1)},
                        {"init_o", "init"},
                        {"init_row_o", "start_row"},
                        {"init_values_i", "start_values"},
                        {"read_valid_i", "read_valid"},
                        {"read_row_i", "read_row"},
                        {"read_values_o", "read_values"},
                        {"feedback_valid_i", "heard"},
                        {"feedback_i", "told"},
                        {"csr_req_i", "table_req_i && in_table"},
                        {"csr_we_i", "table_we_i"},
                        {"csr_row_i", fmt::format("table_word[{}+:{}]", col_bits, row_bits)},
                        {"csr_col_i", fmt::format("table_word[{}:0]", col_bits - 1)},
                        {"csr_wdata_i", fmt::format("table_wdata_i[{}:0]", q.value_bits - 1)},
                        {"csr_ack_o", "table_ack"},
                        {"csr_rdata_o", "table_value"},
                        {"updates_o", "updates"},
                        {"dropped_o", "dropped"},
                        {"write_valid_o", "write_valid"},
                        {"write_row_o", "write_row"},
                        {"write_col_o", "write_col"},
                        {"write_target_o", "write_target"},
                        {"idle_o", "table_idle"}});
  text += "\n";
  Bindings counters = table_parameters(s, spec);
  append(counters, {{"NumPorts", number(p)},
                    {"FractionBits", number(q.fraction_bits)},
                    {"TimeBits", number(time)}});
  text += sv::instance("hw_q_counters", "u_counters", counters,
                       {{"clk_i", "clk_i"},
                        {"rst_ni", "rst_ni"},
                        {"decision_i", "decision"},
                        {"sums_o", "decided"},
                        {"at_rest_o", "counted"}});
  text += fmt::format(R"(
  assign monitor_o = {{dropped, updates, decided}};
  assign learn_o = {{decision, write_target, write_col, write_row, write_valid, compare_row, compare_valid}};
  assign quiescent_o = core_quiescent && agent_idle && table_idle && counted;

  // Table window: counters, then the table.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) monitor_ack_q <= 1'b0;
    else monitor_ack_q <= table_req_i && !in_table && !monitor_ack_q;
  end
  assign table_ack_o = in_table ? table_ack : monitor_ack_q && table_req_i;
  logic [31:0] table_rdata;  // an output assigned in a block is a net to Yosys, and a warning
  assign table_rdata_o = table_rdata;
  always_comb begin
    table_rdata = '0;
    if (in_table) table_rdata = 32'(table_value);
    else if (table_addr_i < {}) table_rdata = monitor_o[table_addr_i[2:0]*32+:32];
  end
  wire unused_q = &{{1'b0, rc_space, table_wdata_i, table_word, cfg_i}};
)",
                      kQMonitorWords);
  return text;
}

}  // namespace hopwise::emit
