// SPDX-License-Identifier: Apache-2.0
// The router of a network (core, routing unit, monitors) and the node (router and CSR block).
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "emit/channel.hpp"
#include "emit/parts.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

namespace {

using sv::Bindings;
using sv::Port;
using sv::range;
using sv::vector_range;

/// A terminal that holds flits and returns no credit for so long is taken to drain no more.
constexpr unsigned kDrainLimitCycles = 100000;

constexpr std::array kSwitchings{"hw_router_pkg::VirtualCutThrough",
                                 "hw_router_pkg::StoreAndForward", "hw_router_pkg::Wormhole"};
constexpr std::array kRooms{"PacketRoom", "LongestRoom", "CollectedRoom"};
constexpr std::array kQueueMetrics{"hw_router_pkg::NoMetric", "hw_router_pkg::LocalQueue",
                                   "hw_router_pkg::UsedCredits", "hw_router_pkg::Both",
                                   "hw_router_pkg::InFlightCorrected"};
constexpr unsigned kInFlightCorrected = 4;

/// Two link latencies of each port: how long a flit counts as in flight (Won et al. 2015).
std::string flight_cycles(const RouterShape& s, const topology::Topology& topology) {
  if (s.queue_metric != kInFlightCorrected) return "'0";
  std::vector<std::uint64_t> cycles;
  for (std::uint16_t p = 0; p < s.ports; ++p)
    cycles.push_back(2 * topology.port_latency_cycles(topology.shapes()[s.index], PortId{p}));
  return sv::flat_literal(16, cycles);
}

/// Packets in a turn of each input port that presses (hw_port_turns). Behind the links of the first
/// class lie the nodes of a row or a group, behind the others whole rows and groups; flows get
/// nearly equal shares of a link under overload with three times as many at each step.
std::string turn_weights(const RouterShape& s, const spec::NetworkSpec& spec,
                         const topology::Topology& topology) {
  std::vector<std::uint64_t> weights(s.ports, 1);
  if (spec.router.arbiter == spec::ArbiterKind::kWeighted) {
    const auto& ports = topology.shapes()[s.index].network_ports;
    std::ranges::transform(ports, weights.begin(),
                           [](const auto& port) { return port.link_class == 0 ? 3U : 9U; });
  }
  return sv::flat_literal(4, weights);
}

Bindings core_parameters(const RouterShape& s, const spec::NetworkSpec& spec,
                         const topology::Topology& topology) {
  const auto& f = s.format;
  Bindings b = {
      {"NumPorts", number(s.ports)},
      {"NumVcs", number(s.vcs)},
      {"FlitBits", number(s.flit_bits)},
      {"MaxFlits", number(s.max_flits)},
      {"VcDepths", vc_depths_literal(s)},
      {"RouteBits", number(f.route_bits)},
      {"LenLsb", number(f.length.lsb)},
      {"LenBits", number(std::max(1u, f.length.width))},
      {"LenOffset", number(f.length_offset)},
      {"StateLsb", number(f.routing_class.lsb)},
      {"StateBits", number(s.state_bits())},
      {"NumCands", number(s.unit.candidates)},
      {"LatePorts", sv::bit_literal(s.unit.late_ports)},
      {"InFlight", number(s.unit.answer_cycles)},
      {"Switching", kSwitchings.at(static_cast<std::size_t>(spec.router.switching))},
      {"AdaptiveVcs", sv::literal(s.vcs, s.adaptive_vcs)},
      {"OutputQueueFlits", number(spec.router.output_queue_flits)},
      {"OutputFirst", bit(spec.router.allocator == spec::AllocatorKind::kSeparableOutputFirst)},
      {"Weights", turn_weights(s, spec, topology)},
      {"Iterations", number(spec.router.allocator_iterations)},
      {"Room", fmt::format("hw_router_pkg::{}", kRooms.at(std::size_t(spec.router.room)))},
      {"HoldPacket", bit(spec.router.granularity == spec::Granularity::kPacket)},
      {"PipelineCycles", number(spec.router.pipeline_cycles)},
      {"CyclesPerFlitNum", number(spec.link.cycles_per_flit.num)},
      {"CyclesPerFlitDen", number(spec.link.cycles_per_flit.den)},
      {"IdleWait", bit(spec.link.idle_wait)},
      {"SpaceWidth", number(s.space_width)},
      {"QueueMetric", kQueueMetrics.at(s.queue_metric)},
      {"QueueWidth", number(s.queue_width)},
      {"FlightCycles", flight_cycles(s, topology)},
      {"TurnTable", "TurnTable"}};
  if (!s.class_ranks.empty()) {
    std::vector<std::uint64_t> ranks;
    for (unsigned v = 0; v < s.vcs; ++v)
      ranks.push_back(s.class_ranks[v / (s.vcs / s.message_classes)]);
    b.insert(b.end(),
             {{"Ranks", sv::flat_literal(4, ranks)}, {"RankPackets", number(s.class_packets)}});
  }
  if (!s.congestion.empty())
    b.insert(b.end(), {{"Marks", bit(true)},
                       {"MarkLsb", number(f.mark().lsb)},
                       {"MarkClasses", number(s.message_classes)}});
  if (spec.router.reservations) b.emplace_back("Reserve", bit(true));
  if (s.watchdog_cycles > 0) b.emplace_back("Watched", bit(true));
  if (s.checks || !s.congestion.empty()) b.emplace_back("NumNetworkPorts", number(s.network_ports));
  if (s.checks) {
    if (s.poison) b.emplace_back("Poison", bit(true));
    if (s.memory_parity) b.emplace_back("MemoryParity", bit(true));
    b.insert(b.end(), {{"Checks", bit(true)},
                       {"ClassLsb", number(f.routing_class.lsb)},
                       {"ClassBits", number(f.routing_class.width)}});
    if (f.hops.width > 0) {
      b.insert(b.end(), {{"HopLsb", number(f.hops.lsb)},
                         {"HopBits", number(f.hops.width)},
                         {"HopLimit", number(spec.packet.hop_limit)}});
    }
    for (auto part : {parity_parameters(s), field_parameters(s, topology)})
      b.insert(b.end(), part.begin(), part.end());
  }
  for (auto& parameter : bindings(s.unit.router)) b.push_back(std::move(parameter));
  return b;
}

/// The turns of the proof as a constant that one can read: see hw_turn_monitor.
std::string turn_table(const RouterShape& s, const topology::RouterShape& shape) {
  const std::size_t outs = s.ports * s.vcs;
  std::string text = fmt::format(
      "  // The turns of the proved relation: a line per input VC; in it a group per output port, "
      "from {} down to 0, of a bit\n  // per output VC, from {} down to 0.\n"
      "  localparam bit [{}:0] TurnTable = {{\n",
      s.ports - 1, s.vcs - 1, outs * outs - 1);
  for (std::size_t in = outs; in-- > 0;) {
    std::string row;
    for (std::size_t out = outs; out-- > 0;) {
      row += s.turns[in * outs + out] ? '1' : '0';
      if (out > 0 && out % s.vcs == 0) row += '_';
    }
    const std::size_t port = in / s.vcs;
    text += fmt::format("    {}'b{}{}  // VC {} of port {}, {}\n", outs, row, in > 0 ? "," : " ",
                        in % s.vcs, port,
                        port < s.network_ports ? shape.network_ports[port].name : "a terminal");
  }
  return text + "  };\n\n";
}

std::vector<Port> router_channels(const RouterShape& s) {
  return channel_ports(s, s.ports, "Incoming channels, one slice per port",
                       "Outgoing channels, one slice per port");
}

Bindings channel_bindings(const RouterShape& s, bool feedback) {
  Bindings b;
  for (const auto& [channel, end] : kChannels) {
    for (const Wire& w : channel_wires(s)) {
      if (feedback || !w.feedback) b.emplace_back(w.pin(channel, end), w.pin(channel, end));
    }
  }
  return b;
}

/// Of a node's router.
Bindings router_channel_bindings(const RouterShape& s) {
  Bindings b;
  for (const auto& [channel, end] : kChannels) {
    for (const Wire& w : channel_wires(s))
      b.emplace_back(w.pin(channel, end), router_net(s, w, channel, end));
  }
  return b;
}

/// The net of a node on a pin of its CSR block.
std::string csr_net(const RouterShape& s, const Port& port) {
  const std::string name = port.name.substr(0, port.name.rfind('_'));
  if (name == "cfg" || name == "stalled" || name == "empty" || name.starts_with("table_") ||
      (name.starts_with("drop") && port.direction == "input"))
    return name;
  for (const auto& [channel, end] : kChannels) {
    for (const Wire& w : channel_wires(s)) {
      if (w.net(channel) == name) return router_net(s, w, channel, end);
    }
  }
  if (name == "core_rst") return "core_rst_n";
  if (name.starts_with("flip")) return name;
  return name.starts_with("stuck") || name == "lost" ? name + "_o" : port.name;
}

}  // namespace

/// "0: +d0, 1: -d0": what leads where.
std::string port_order(const topology::RouterShape& shape) {
  std::string names;
  for (unsigned p = 0; p < shape.num_network_ports(); ++p)
    names += fmt::format("{}{} {}",
                         p == 0       ? ""
                         : p % 8 == 0 ? ",\n"
                                      : ", ",
                         p, shape.network_ports[p].name);
  return fmt::format("Network ports:\n{};\nthe others are terminals.", names);
}

std::string vc_depths_literal(const RouterShape& s) {
  return sv::flat_literal(16, std::vector<std::uint64_t>(s.vc_depths.begin(), s.vc_depths.end()));
}

std::string router_module(const RouterShape& s, const deadlock::ProvenNetwork& network) {
  const auto& spec = network.spec().network;
  const auto& f = s.format;
  const std::size_t p = s.ports;
  std::vector<Port> ports = {
      {"input", "", "clk_i", ""},
      {"input", "", "rst_ni", ""},
      {"input", range(s.coord_bits()), "coord_i", "Static: the router's coordinates"},
      {"input", range(32 * s.router_words().size()), "cfg_i",
       "Configuration words of the CSR block"},
      {"input", "[63:0]", "now_i", "Core cycles since reset"}};
  for (auto& port : router_channels(s)) ports.push_back(std::move(port));
  for (auto& port : routing_ports(s)) ports.push_back(port);
  ports.push_back({"output", range(p), "stalled_o", "Status"});
  ports.push_back({"output", range(p * s.queue_width), "queue_o", ""});
  for (const Watched& w : reported(s))
    ports.push_back({"output", range(w.bits), w.pin(), w.comment});
  ports.push_back({"output", "", "quiescent_o", ""});

  std::string body = sv::module_header(s.prefix + "_router", ports) + "\n";
  for (const auto& [name, bits] : routing_nets(s))
    body += fmt::format("  logic {} {};\n", bits, name);
  body += fmt::format("  logic {} coord;\n  logic core_quiescent, routing_idle;\n",
                      vector_range(s.coord_bits()));
  if (s.feedback_bits == 0) body += "  wire logic unused_feedback;\n";
  if (s.unit.flips == 0)
    body += "  wire logic unused_flips;\n  wire logic [31:0] unused_flip_word;\n";
  for (const ReportNet& net : report_nets(s))
    body += fmt::format("  logic {} {};\n", range(net.bits), net.name);

  body +=
      "\n  // Coordinates do not change while the router runs; a register keeps them off every "
      "path.\n";
  body += clocked_instance("hw_pipe_register", "u_coord", {{"Width", number(s.coord_bits())}},
                           {{"data_i", "coord_i"}, {"data_o", "coord"}}) +
          "\n";
  body += turn_table(s, network.topology().shapes()[s.index]);
  Bindings core = {
      {"now_i", f.arrival.width > 0 ? fmt::format("now_i[{}:0]", f.arrival.width - 1) : "1'b0"},
      {"mark_i",
       s.congestion.empty() ? "16'h0" : fmt::format("cfg_i[{}+:16]", 32 * s.cfg_reset.size())}};
  for (auto& b : channel_bindings(s, false)) core.push_back(std::move(b));
  core.insert(core.end(), {{"rc_valid_o", "req_valid"},
                           {"rc_ready_i", "req_ready"},
                           {"rc_vc_o", "req_vc"},
                           {"rc_bits_o", "req_bits"},
                           {"rc_space_o", "space"},
                           {"rc_buffer_space_o", "buffer_space"},
                           {"rc_queue_o", "queue_o"},
                           {"rsp_valid_i", "rsp_valid"},
                           {"rsp_vc_i", "rsp_vc"},
                           {"rsp_port_i", "rsp_port"},
                           {"rsp_vcs_i", "rsp_vcs"},
                           {"rsp_state_i", "rsp_state"},
                           {"turn_valid_o", "turn_valid"},
                           {"turn_vc_o", "turn_vc"},
                           {"turn_out_vc_o", "turn_out_vc"},
                           {"stalled_o", "stalled_o"},
                           {"quiescent_o", "core_quiescent"}});
  for (const ReportNet& net : report_nets(s)) core.emplace_back(net.pin(), net.name);
  body +=
      clocked_instance("hw_router", "u_core", core_parameters(s, spec, network.topology()), core);
  body += "\n";
  body += reports(s);
  if (!s.congestion.empty())
    body += fmt::format("  wire unused_congestion = &{{1'b0, cfg_i[{}:{}]}};\n\n",
                        32 * s.router_words().size() - 1, 32 * s.cfg_reset.size() + 16);
  body += message_classes_instance(s) + routing_unit(s);
  body += "  assign quiescent_o = core_quiescent && routing_idle;\n\n";
  body += sv::generate_for(
      't', s.network_ports, p, "gen_drain",
      clocked_instance("hw_drain_monitor", "u_drain", {{"LimitCycles", number(kDrainLimitCycles)}},
                       {{"sent_i", "out_valid_o[t]"}, {"credit_i", "out_credit_valid_i[t]"}}));
  body += "\nendmodule\n";
  return sv::file(
      fmt::format("Router of {}: hw_router, {} beside it ({}) and the monitors of the proof's\n"
                  "premises. Latency, throughput and guarantees: see hw_router. {}",
                  s.prefix, s.unit.module, network.spec().network.routing.algorithm,
                  port_order(network.topology().shapes()[s.index])),
      body);
}

std::vector<Port> node_ports(const RouterShape& s) {
  std::vector<Port> ports = {
      {"input", "", "clk_i", ""},
      {"input", "", "rst_ni", ""},
      {"input", range(s.coord_bits()), "coord_i", "Static: the router's coordinates"},
      {"input", "[63:0]", "now_i", "Core cycles since reset"}};
  for (auto& port : router_channels(s)) ports.push_back(std::move(port));
  for (auto& port : axi_lite_ports("s")) ports.push_back(std::move(port));
  for (auto& part : {event_ports(s), guard_ports(s)})
    ports.insert(ports.end(), part.begin(), part.end());
  ports.push_back({"output", "", "irq_o", "Level: an event of STATUS that MASK has"});
  ports.push_back({"output", "", "quiescent_o", "Without input, nothing but counters changes"});
  for (const Watched& w : watched(s)) {
    if (w.shown) ports.push_back({"output", range(w.bits), w.pin(), w.comment});
  }
  for (auto& port : experience_ports(s)) ports.push_back(std::move(port));
  if (!s.congestion.empty())
    ports.push_back({"output", "[63:0]", "congestion_o", "Configuration of the terminals"});
  return ports;
}

std::string node_module(const RouterShape& s) {
  const std::size_t p = s.ports;
  const bool alone = s.reset_cycles > 0;
  std::string body = sv::module_header(s.prefix + "_node", node_ports(s));
  body += fmt::format(
      "\n  logic [{}:0] cfg;\n  logic {} stalled;\n  logic router_quiescent, empty;\n\n",
      32 * s.config_words().size() - 1, range(p));
  Bindings router = {{"coord_i", "coord_i"},
                     {"cfg_i", alone ? word_range("cfg", 0, s.router_words().size()) : "cfg"},
                     {"now_i", "now_i"}};
  for (auto& b : router_channel_bindings(s)) router.push_back(std::move(b));
  for (const char* name : {"table_req_i", "table_we_i", "table_addr_i", "table_wdata_i",
                           "table_ack_o", "table_rdata_o"}) {
    router.emplace_back(name, std::string_view(name).substr(0, std::string_view(name).size() - 2));
  }
  for (const Watched& w : reported(s)) {
    if (w.shown) continue;
    body += fmt::format("  logic {} {};\n", range(w.bits), w.name);
    router.emplace_back(w.pin(), w.name);
  }
  std::string unused;
  if (alone) {
    const std::size_t word = 32 * s.router_words().size();
    unused = fmt::format(", cfg[{}:{}]", word + 31, word + 1);
    body += "  logic core_rst_n;\n";
  }
  for (const Watched& w : watched_router(s)) {
    router.emplace_back(w.pin(), w.shown ? w.pin() : w.name);
    if (w.shown) continue;
    body += fmt::format("  logic {} {};\n", vector_range(w.bits), w.name);
    unused += ", " + w.name;
  }
  router.emplace_back("stalled_o", "stalled");
  router.emplace_back("quiescent_o", "router_quiescent");
  body +=
      "  logic table_req, table_we, table_ack;\n  logic [31:0] table_addr, table_wdata, "
      "table_rdata;\n  logic [3:0] table_wstrb;\n";
  body += fmt::format("  wire unused = &{{1'b0, table_wstrb{}}};\n\n", unused);
  body += node_guards(s);
  if (s.clock_gating) body += node_clock(s);
  body += clocked_instance(s.prefix + "_router", "u_router", {}, router,
                           Domain{.clock = s.clock_gating ? "core_clk" : "clk_i",
                                  .reset = alone ? "core_rst_n" : "rst_ni"}) +
          "\n";
  Bindings csr;
  for (const Port& port : csr_ports(s)) {
    if (port.name != "clk_i" && port.name != "rst_ni")
      csr.emplace_back(port.name, csr_net(s, port));
  }
  body += clocked_instance(s.prefix + "_csr", "u_csr", {}, csr);
  if (!s.congestion.empty())
    body += fmt::format("\n  assign congestion_o = {};\n",
                        word_range("cfg", s.cfg_reset.size() + 1, 2));
  const routing::Experience& experience = s.unit.experience;
  if (experience.data_bits > 0) {
    body += "\n  logic experience_idle;\n";
    Bindings c = {{"event_i", "trace_o"}, {"idle_o", "experience_idle"}};
    for (const auto& port : experience_ports(s)) c.emplace_back(port.name, port.name);
    body += clocked_instance(experience.module, "u_experience", bindings(experience.parameters), c);
  }
  body += fmt::format("\n  assign quiescent_o = router_quiescent && empty{}{};\n\nendmodule\n",
                      experience.data_bits > 0 ? " && experience_idle" : "",
                      alone ? " && guards_idle" : "");
  return sv::file(
      fmt::format(
          "Node of {}: its router with the CSR block behind AXI4-Lite. One model of this module\n"
          "stands for every router of its shape; only coord_i differs.",
          s.prefix),
      body);
}

}  // namespace hopwise::emit
