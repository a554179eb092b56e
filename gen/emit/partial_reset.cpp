// SPDX-License-Identifier: Apache-2.0
// What lets a router be reset alone: the guards at both ends of its links, and in the node what
// resets it and counts the packets that this loses.
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "emit/channel.hpp"
#include "emit/parts.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

namespace {

using sv::Bindings;
using sv::range;
using sv::vector_range;

Bindings guard_parameters(const RouterShape& s) {
  return {{"NumVcs", number(s.vcs)},
          {"FlitBits", number(s.flit_bits)},
          {"SpaceWidth", number(s.space_width)}};
}

/// Port p of a vector of a node.
std::string port_p(const std::string& vector, std::size_t width) {
  return width == 1 ? vector + "[p]" : fmt::format("{}[p*{}+:{}]", vector, width, width);
}

/// Packets in a router, at most: of one flit each, in buffers and output queues, and some on their
/// way through it.
unsigned inside_bits(const RouterShape& s) {
  const unsigned buffers = std::accumulate(s.vc_depths.begin(), s.vc_depths.end(), 0U);
  return width_for(2 * s.ports * (buffers + s.vcs * s.output_queue_flits + s.vcs + 1));
}

}  // namespace

std::string router_net(const RouterShape& s, const Wire& w, std::string_view channel, End end) {
  return s.reset_cycles == 0 ? w.pin(channel, end) : "core_" + w.net(channel);
}

std::vector<sv::Port> guard_ports(const RouterShape& s) {
  if (s.reset_cycles == 0 || s.ports == s.network_ports) return {};
  return {{"input", vector_range(s.ports - s.network_ports), "guard_lost_i",
           "Guards of terminals that discard a packet"}};
}

std::string guards_module(const RouterShape& s) {
  const std::vector<Wire> wires = channel_wires(s);
  const std::string per_port = range(s.ports);
  std::vector<sv::Port> ports = {{"input", "", "clk_i", ""},
                                 {"input", "", "rst_ni", ""},
                                 {"input", "", "request_i", "Its rise has the router reset alone"},
                                 {"output", "", "core_rst_no", "Reset of the router"}};
  for (auto& port : channel_ports(s, s.ports, "Incoming channels, one slice per port",
                                  "Outgoing channels, one slice per port"))
    ports.push_back(std::move(port));
  std::string_view comment = "The same behind the guards: the router's own";
  for (const auto& [channel, end] : {std::pair{"to", End::kSender}, {"from", End::kReceiver}}) {
    for (const Wire& w : wires)
      ports.push_back({w.driven_by(end) ? "output" : "input", range(vector_bits(s, w, s.ports)),
                       w.pin(channel, end), std::string(std::exchange(comment, ""))});
  }
  ports.push_back({"input", per_port, "drop_i", "Input ports that drop a packet"});
  for (auto& port : guard_ports(s)) ports.push_back(std::move(port));
  ports.push_back({"output", range(kDropCountBits), "lost_o", "See hw_reset_losses"});
  ports.push_back({"output", "", "idle_o", "Without input, nothing changes"});

  std::string body = sv::module_header(s.prefix + "_guards", ports);
  body += fmt::format("\n  logic core_rst_n, resets;\n  logic {} lost_in, lost_out, idle;\n\n",
                      per_port);
  body += clocked_instance(
              "hw_node_reset", "u_reset", {{"Cycles", number(s.reset_cycles)}},
              {{"request_i", "request_i"}, {"rst_no", "core_rst_n"}, {"reset_o", "resets"}}) +
          "\n";
  Bindings guard = {{"reset_i", "resets"}};
  for (const auto& [channel, end] : {std::pair{"in", End::kReceiver},
                                     {"out", End::kSender},
                                     {"to", End::kSender},
                                     {"from", End::kReceiver}}) {
    for (const Wire& w : wires)
      guard.emplace_back(w.pin(channel, end), port_p(w.pin(channel, end), w.width));
  }
  for (const char* name : {"lost_in", "lost_out", "idle"})
    guard.emplace_back(fmt::format("{}_o", name), fmt::format("{}[p]", name));
  body += sv::generate_for('p', 0, s.ports, "gen_guard",
                           clocked_instance("hw_link_guard", "u_guard", guard_parameters(s), guard,
                                            {.reset = "core_rst_n"}));
  const bool terminals = !guard_ports(s).empty();
  body += "\n" + clocked_instance(
                     "hw_reset_losses", "u_losses",
                     {{"NumPorts", number(s.ports)},
                      {"NumGuards", number(terminals ? 2 * s.ports - s.network_ports : s.ports)},
                      {"InsideBits", number(inside_bits(s))},
                      {"CountBits", number(kDropCountBits)}},
                     {{"reset_i", "resets"},
                      {"enters_i", "to_valid_o & to_head_o"},
                      {"leaves_i", "from_valid_i & from_head_i"},
                      {"drops_i", "drop_i"},
                      {"lost_in_i", "lost_in"},
                      {"lost_out_i", terminals ? "{guard_lost_i, lost_out}" : "lost_out"},
                      {"lost_o", "lost_o"}});
  body += "\n  assign core_rst_no = core_rst_n;\n  assign idle_o = idle == '1;\n\nendmodule\n";
  return sv::file(fmt::format("Guards of a node of {}: they let its router be reset alone.\n"
                              "See docs/reference/link.md.",
                              s.prefix),
                  body);
}

std::string node_guards(const RouterShape& s) {
  if (s.reset_cycles == 0) return {};
  std::string body = "  // The router's own pins, behind the guards\n";
  Bindings guards = {{"request_i", fmt::format("cfg[{}]", 32 * s.router_words().size())},
                     {"core_rst_no", "core_rst_n"}};
  for (const auto& [channel, end] : kChannels) {
    const bool in = end == End::kReceiver;
    for (const Wire& w : channel_wires(s)) {
      const std::string net = router_net(s, w, channel, end);
      body += fmt::format("  logic {} {};\n", range(vector_bits(s, w, s.ports)), net);
      guards.emplace_back(w.pin(channel, end), w.pin(channel, end));
      guards.emplace_back(in ? w.pin("to", End::kSender) : w.pin("from", End::kReceiver), net);
    }
  }
  guards.insert(guards.end(),
                {{"drop_i", "drop"}, {"lost_o", "lost_o"}, {"idle_o", "guards_idle"}});
  for (const sv::Port& port : guard_ports(s)) guards.emplace_back(port.name, port.name);
  return body + "  logic guards_idle;\n\n" +
         clocked_instance(s.prefix + "_guards", "u_guards", {}, guards) + "\n";
}

std::string terminal_guard(const RouterShape& s, std::size_t terminal) {
  const std::string inj = fmt::format("inj{}", terminal), ej = fmt::format("ej{}", terminal);
  std::string body;
  Bindings guard = {{"reset_i", "1'b0"}};
  for (const Wire& w : channel_wires(s)) {
    for (const std::string& channel : {inj, ej})
      body += fmt::format("  logic {} ni_{};\n", range(w.width), w.net(channel));
    guard.emplace_back(w.pin("in", End::kReceiver), w.net(ej));
    guard.emplace_back(w.pin("out", End::kSender), w.net(inj));
    guard.emplace_back(w.pin("to", End::kSender), "ni_" + w.net(ej));
    guard.emplace_back(w.pin("from", End::kReceiver), "ni_" + w.net(inj));
  }
  body += fmt::format(
      "  logic guard_lost_in{0}, guard_idle{0};\n"
      "  wire unused_guard{0} = &{{1'b0, guard_lost_in{0}, guard_idle{0}}};\n",
      terminal);
  guard.emplace_back("lost_in_o", fmt::format("guard_lost_in{}", terminal));
  guard.emplace_back("lost_out_o", lane("guard_lost", terminal, 1));
  guard.emplace_back("idle_o", fmt::format("guard_idle{}", terminal));
  return body + clocked_instance("hw_link_guard", fmt::format("u_guard_{}", terminal),
                                 guard_parameters(s), guard);
}

}  // namespace hopwise::emit
