// SPDX-License-Identifier: Apache-2.0
// DQN-Routing: one route computation per input port, one agent with its engine and its table of
// pending packets, CSR access.
#include <algorithm>

#include <fmt/format.h>

#include "emit/parts.hpp"
#include "routing/dqn/dqn.hpp"
#include "routing/dqn/schedule.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

namespace {

using sv::Bindings;
using sv::range;

/// An entry of the pending table lives two to three ticks of so many cycles' logarithm: well within
/// the 16 bits of an age.
constexpr unsigned kTickLsb = 13;

struct Wire {
  const char* name;
  std::size_t width;
};

std::string slice(const std::string& name, std::size_t width) {
  return width == 1 ? name + "[p]" : fmt::format("{}[p*{}+:{}]", name, width, width);
}

std::string word(DqnConfigWord which, unsigned lsb, unsigned width) {
  return fmt::format("cfg_i[{}+:{}]", 32 * static_cast<unsigned>(which) + lsb, width);
}

void append(Bindings& to, const Bindings& more) { to.insert(to.end(), more.begin(), more.end()); }

/// Where the packet is bound for, as both modules read it.
Bindings grid(const RouterShape& s, const spec::NetworkSpec& spec) {
  Bindings b = {{"CoordWidth", number(s.coord_width)}};
  for (const auto& [name, value] : grid_parameters(s, spec)) {
    if (name != "Torus") b.emplace_back(name, value);
  }
  return b;
}

Bindings route_parameters(const RouterShape& s, const spec::NetworkSpec& spec) {
  const auto& f = s.format;
  Bindings b = {{"NumPorts", number(s.ports)},
                {"NumVcs", number(s.vcs)},
                {"RouteBits", number(f.route_bits)},
                {"InPort", "p"}};
  append(b, grid(s, spec));
  append(b, {{"SlotLsb", number(f.dst_slot.lsb)},
             {"SlotBits", number(f.dst_slot.width)},
             {"StateLsb", number(f.routing_class.lsb)},
             {"ClassBits", number(f.routing_class.width)},
             {"TrackBits", number(f.track.width)},
             {"Balanced", bit(false)},
             {"EscapeVcs0", sv::literal(s.vcs, s.escape0)},
             {"EscapeVcs1", sv::literal(s.vcs, s.escape1)},
             {"AdaptiveVcs", sv::literal(s.vcs, s.adaptive_vcs)},
             {"MaxHops", number(routing::dqn::settings(spec.routing).max_hops)}});
  return b;
}

Bindings agent_parameters(const RouterShape& s, const spec::NetworkSpec& spec,
                          std::size_t info_bits) {
  const auto& f = s.format;
  const auto d = routing::dqn::settings(spec.routing);
  const auto layers = d.layers(spec.topology.dims.size());
  const auto schedule = routing::dqn::schedule(layers, d.macs, d.zero_time);
  Bindings b = {{"NumPorts", number(s.ports)},
                {"NumVcs", number(s.vcs)},
                {"RouteBits", number(f.route_bits)}};
  append(b, grid(s, spec));
  append(b,
         {{"LenLsb", number(f.length.lsb)},
          {"LenBits", number(std::max(1u, f.length.width))},
          {"LenOffset", number(f.length_offset)},
          {"MaxFlits", number(s.max_flits)},
          {"StateLsb", number(f.routing_class.lsb)},
          {"ClassBits", number(f.routing_class.width)},
          {"AgeLsb", number(f.reward.lsb)},
          {"VcDepths", vc_depths_literal(s)},
          {"AdaptiveVcs", sv::literal(s.vcs, s.adaptive_vcs)},
          {"SpaceWidth", number(s.space_width)},
          {"InfoBits", number(info_bits)},
          {"Coordinates", bit(d.observation == routing::dqn::Observation::kCoordinates)},
          {"Mask", number(static_cast<unsigned>(d.mask))},
          {"NumEntries", number(d.pending)},
          {"TickLsb", number(kTickLsb)},
          {"NumLayers", number(layers.size() - 1)},
          {"Sizes", sv::flat_literal(8, std::vector<std::uint64_t>(layers.begin(), layers.end()))},
          {"Lanes", number(schedule.lanes)},
          {"Depth", number(schedule.depth)},
          {"ZeroTime", bit(d.zero_time)}});
  return b;
}

}  // namespace

std::string dqn_blocks(const RouterShape& s, const spec::NetworkSpec& spec) {
  const auto& f = s.format;
  const std::size_t p = s.ports, info = f.routing_class.width + s.port_width() + s.vcs;
  const std::size_t track = f.track.width;
  const std::vector<Wire> questions = {{"valid", 1}, {"ready", 1}, {"forced", 1}, {"info", info}};
  const std::vector<Wire> answers = {{"vc", s.vc_width()},
                                     {"port", s.port_width()},
                                     {"accept", 1},
                                     {"track", track},
                                     {"info", info}};
  std::string text =
      "\n  // What the route computations ask the agent, one slice per input port, and its "
      "answer\n";
  for (const auto& w : questions)
    text += fmt::format("  logic {} ask_{};\n", range(p * w.width), w.name);
  text += fmt::format("  logic {} arrived, agent_valid;\n", range(p));
  for (const auto& w : answers)
    text += fmt::format("  logic{}{} agent_{};\n", w.width == 1 ? "" : " ", range(w.width), w.name);

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
  append(nets, {{"arrived_o", "arrived[p]"}, {"agent_valid_i", "agent_valid[p]"}});
  for (const auto& w : answers)
    nets.emplace_back(fmt::format("agent_{}_i", w.name), fmt::format("agent_{}", w.name));
  append(nets, {{"rsp_valid_o", "rsp_valid[p]"},
                {"rsp_vc_o", slice("rsp_vc", s.vc_width())},
                {"rsp_port_o", slice("rsp_port", s.candidates * s.port_width())},
                {"rsp_vcs_o", slice("rsp_vcs", s.candidates * s.vcs)},
                {"rsp_state_o", slice("rsp_state", s.state_width())}});
  text += "\n" + sv::generate_for(
                     'p', 0, p, "gen_route",
                     sv::instance(s.route_compute, "u_route", route_parameters(s, spec), nets));

  text += fmt::format(
      "\n  // Agent: observation, engine, choice, pending packets and their acknowledges\n"
      "  logic agent_idle, loads, load_ready, loaded;\n  logic {} counts;\n",
      range(32 * s.monitor_words()));
  nets = {{"clk_i", "clk_i"},
          {"rst_ni", "rst_ni"},
          {"now_i", "now_i"},
          {"coord_i", "coord_q"},
          {"escape_only_i", word(DqnConfigWord::kControl, 0, 1)},
          {"load_seed_i", "cfg_i[31]"},
          {"seed_i", word(DqnConfigWord::kSeed, 0, 32)},
          {"epsilon_i", word(DqnConfigWord::kEpsilon, 0, 32)},
          {"ack_ratio_i", word(DqnConfigWord::kAckRatio, 0, 16)},
          {"ask_vc_i", "rc_vc"},
          {"ask_bits_i", "rc_bits"},
          {"arrived_i", "arrived"}};
  for (const auto& w : questions) {
    const std::string name = w.name;
    nets.emplace_back("ask_" + name + (name == "ready" ? "_o" : "_i"), "ask_" + name);
  }
  append(nets, {{"held_i", "rc_held"},
                {"in_valid_i", "in_valid_i"},
                {"in_vc_i", "in_vc_i"},
                {"in_credit_valid_i", "in_credit_valid_o"},
                {"in_credit_vc_i", "in_credit_vc_o"},
                {"out_valid_i", "out_valid_o"},
                {"out_vc_i", "out_vc_o"},
                {"out_credit_valid_i", "out_credit_valid_i"},
                {"out_credit_vc_i", "out_credit_vc_i"},
                {"turn_valid_i", "turn_valid"},
                {"turn_vc_i", "turn_vc"},
                {"turn_out_vc_i", "turn_out_vc"},
                {"rsp_valid_o", "agent_valid"}});
  for (const auto& w : answers)
    nets.emplace_back(fmt::format("rsp_{}_o", w.name), fmt::format("agent_{}", w.name));
  append(nets, {{"ack_i", "out_feedback_i"},
                {"ack_o", "in_feedback_o"},
                {"load_valid_i", "loads"},
                {"load_ready_o", "load_ready"},
                {"load_addr_i", "table_addr_i[15:0]"},
                {"load_data_i", "table_wdata_i"},
                {"loaded_o", "loaded"},
                {"counts_o", "counts"},
                {"event_o", "learn_o"},
                {"idle_o", "agent_idle"}});
  text += sv::instance("hw_dqn_agent", "u_agent", agent_parameters(s, spec, info), nets);
  text += fmt::format(R"(
  assign monitor_o = counts;
  assign quiescent_o = core_quiescent && agent_idle;

  // Table window: counters, then what loads the engine, which is written only; word {0} reads whether it has weights.
  logic answered_q;
  logic [31:0] table_rdata;
  assign loads = table_req_i && table_we_i && table_addr_i >= {0};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) answered_q <= 1'b0;
    else answered_q <= table_req_i && !loads && !answered_q;
  end
  assign table_ack_o = loads ? load_ready : answered_q && table_req_i;
  assign table_rdata_o = table_rdata;
  always_comb begin
    table_rdata = '0;
    if (table_addr_i < {1}) table_rdata = counts[table_addr_i[3:0]*32+:32];
    else if (table_addr_i == {0}) table_rdata[0] = loaded;
  end
  wire unused_dqn = &{{1'b0, rc_space, rc_queue, table_addr_i, cfg_i}};
)",
                      kDqnLoad, s.monitor_words());
  return text;
}

}  // namespace hopwise::emit
