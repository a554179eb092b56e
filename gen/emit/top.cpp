// SPDX-License-Identifier: Apache-2.0
// The whole network in SystemVerilog: a tile per router (node, outgoing links, terminals),
// connected by the topology.
#include <algorithm>
#include <functional>

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

/// Of the synchroniser of the network's reset: one register that may be metastable, one behind it.
constexpr unsigned kResetStages = 2;

/// The source field of a terminal's packets: the router's coordinates as they stand in the header,
/// then the slot.
std::string source_expression(const RouterShape& s, unsigned slot) {
  std::string text;
  const auto& f = s.format;
  unsigned bits = f.dst_coord[0].lsb;
  for (unsigned d = 0; d < f.dst_coord.size(); ++d) {
    const unsigned width = f.dst_coord[d].width;
    std::string part = s.coord_bits() == 1 ? "coord_i"  // a scalar has no part-select
                                           : fmt::format("coord_i[{}+:{}]", d * s.coord_width,
                                                         std::min(width, s.coord_width));
    if (width > s.coord_width) part = fmt::format("{}'h0, {}", width - s.coord_width, part);
    text = text.empty() ? part : part + ", " + text;
    bits = f.dst_coord[d].lsb + width;
  }
  if (s.format.kind == spec::PacketFormatKind::kApenet) {
    if (bits < f.dst_slot.lsb) text = fmt::format("{}'h0, {}", f.dst_slot.lsb - bits, text);
  }
  if (f.dst_slot.width > 0) text = fmt::format("{}, {}", sv::literal(f.dst_slot.width, slot), text);
  return "{" + text + "}";
}

/// The streams of `terminals` terminals, one for each message class; none where there are none.
std::vector<Port> stream_ports(const RouterShape& s, std::size_t terminals,
                               const char* into_comment, const char* out_comment) {
  const std::size_t user = s.user_bits(), streams = terminals * s.message_classes;
  const auto vector = [streams](std::size_t width) { return vector_range(streams * width); };
  if (terminals == 0) return {};
  if (s.messages) return message_ports(s, terminals);
  std::vector<Port> ports = {
      {"input", vector(1), "s_tvalid_i", into_comment},
      {"output", vector(1), "s_tready_o", ""},
      {"input", vector(s.stream_bits()), "s_tdata_i", ""},
      {"input", vector(1), "s_tlast_i", ""},
      {"input", vector(s.keep_bits), "s_tkeep_i", ""},
      {"input", vector(user), "s_tuser_i", ""},
      {"input", vector(1), "s_abort_i", "The stream's source is in reset"},
      {"output", vector(1), "m_tvalid_o", out_comment},
      {"input", vector(1), "m_tready_i", ""},
      {"output", vector(s.stream_bits()), "m_tdata_o", ""},
      {"output", vector(1), "m_tlast_o", ""},
      {"output", vector(s.keep_bits), "m_tkeep_o", ""},
      {"output", vector(s.out_user_bits()), "m_tuser_o", ""},
      {"output", vector(1), "ni_error_o", "A packet of wrong length was dropped"}};
  if (s.keep_bits == 0)
    std::erase_if(ports, [](const Port& port) { return port.name.find("tkeep") == 2; });
  add_stop_ports(ports, s, terminals);
  return ports;
}

/// Bits of a terminal's slice of a stream's pin, all message classes together.
std::size_t stream_width(const RouterShape& s, const std::string& pin) {
  if (s.messages) {
    for (const Port& port : message_ports(s, 1))
      if (port.name == pin) return port_bits(port);
  }
  if (pin == "stop_valid_o") return s.flows;
  if (pin == "stop_dst_o") return std::size_t{s.flows} * s.address_bits();
  if (pin.find("tdata") != std::string::npos)
    return std::size_t{s.message_classes} * s.stream_bits();
  if (pin.find("tkeep") != std::string::npos) return std::size_t{s.message_classes} * s.keep_bits;
  if (pin == "s_tuser_i") return std::size_t{s.message_classes} * s.user_bits();
  if (pin == "m_tuser_o") return std::size_t{s.message_classes} * s.out_user_bits();
  return s.message_classes;
}

/// What the network interface of terminal `i` has on its tuser: with TKEEP above it, class by
/// class.
std::string user_expression(const RouterShape& s, const Port& port, std::size_t i) {
  if (s.keep_bits == 0) return lane(port.name, i, stream_width(s, port.name));
  const bool out = port.name == "m_tuser_o";
  std::string text;
  for (std::size_t stream = i * s.message_classes; stream < (i + 1) * s.message_classes; ++stream)
    text = fmt::format("{}, {}{}{}", lane(out ? "m_tkeep_o" : "s_tkeep_i", stream, s.keep_bits),
                       lane(port.name, stream, out ? s.out_user_bits() : s.user_bits()),
                       text.empty() ? "" : ", ", text);
  return "{" + text + "}";
}

/// The streams of a tile.
std::vector<Port> tile_streams(const RouterShape& s) {
  return stream_ports(s, s.ports - s.network_ports,
                      "AXI4-Stream, packets into the network, one slice per terminal",
                      "AXI4-Stream, packets out of the network");
}

}  // namespace

std::vector<Port> tile_ports(const RouterShape& s) {
  std::vector<Port> ports = {
      {"input", "", "clk_i", ""},
      {"input", "", "rst_ni", ""},
      {"input", range(s.coord_bits()), "coord_i", "Static: the router's coordinates"},
      {"input", "[63:0]", "now_i", "Core cycles since reset"}};
  for (auto& part :
       {channel_ports(s, s.network_ports, "Channels from the neighbours, behind their links",
                      "Channels to the neighbours, behind the links of this tile"),
        tile_streams(s), axi_lite_ports("csr"), experience_ports(s)})
    ports.insert(ports.end(), part.begin(), part.end());
  ports.push_back({"output", "", "irq_o", "Level: an event of STATUS that MASK has"});
  return ports;
}

std::string tile_module(const RouterShape& s, const deadlock::ProvenNetwork& network) {
  const auto& spec = network.spec().network;
  const auto& topology = network.topology();
  const std::size_t n = s.network_ports, t = s.ports - s.network_ports;

  std::string body = sv::module_header(s.prefix + "_tile", tile_ports(s));
  body += "\n  // The router's own pins\n";
  const std::vector<Wire> wires = channel_wires(s);
  for (const char* channel : {"r_in", "r_out"}) {
    for (const Wire& w : wires)
      body += fmt::format("  logic {} {};\n", range(vector_bits(s, w, s.ports)), w.net(channel));
  }
  body += "  logic quiescent;\n";
  if (t > 0) body += fmt::format("  logic {} ni_quiescent;\n", vector_range(t));
  body += fmt::format("  wire unused_quiescent = &{{1'b0, quiescent{}}};\n\n",
                      t > 0 ? ", ni_quiescent" : "");
  if (t > 0) {
    body += fmt::format("  logic {0} bad_parity;\n  logic {0} broken;\n",
                        vector_range(t * s.message_classes));
    if (!s.messages) {
      body += fmt::format("  logic {} refused_cause;\n  logic {} refused_user;\n",
                          vector_range(t * s.message_classes * kDropCauseBits),
                          vector_range(t * s.message_classes * s.user_bits()));
      if (!s.checks) body += "  wire unused_refused = &{1'b0, refused_cause, refused_user};\n";
    }
    if (s.format.parity.width == 0) body += "  wire unused_parity = &{1'b0, bad_parity};\n";
    if (!s.poison) body += "  wire unused_broken = &{1'b0, broken};\n";
    if (s.reset_cycles > 0) body += fmt::format("  logic {} guard_lost;\n", vector_range(t));
    body += "\n";
  }
  // The counters are also read through the table window.
  Bindings unread;
  std::string names;
  for (const Watched& w : watched(s)) {
    if (!w.shown) continue;
    body += fmt::format("  logic {} {};\n", range(w.bits), w.name);
    names += ", " + w.name;
    unread.emplace_back(w.pin(), w.name);
  }
  if (!names.empty()) body += fmt::format("  wire unused_watched = &{{1'b0{}}};\n\n", names);
  for (const Wire& w : wires) {
    const std::string pin = w.pin("in", End::kReceiver),
                      own = fmt::format("{}[{}:0]", w.net("r_in"), vector_bits(s, w, n) - 1);
    const bool whole = w.feedback || t == 0;
    body += w.forward ? fmt::format("  assign {} = {};\n", whole ? w.net("r_in") : own, pin)
                      : fmt::format("  assign {} = {};\n", pin, whole ? w.net("r_in") : own);
  }
  body += "\n";
  Bindings node = {{"coord_i", "coord_i"}, {"now_i", "now_i"}};
  for (const auto& [channel, end] : kChannels) {
    for (const Wire& w : wires)
      node.emplace_back(w.pin(channel, end), fmt::format("r_{}", w.net(channel)));
  }
  for (const AxiWire& w : axi_lite()) node.emplace_back(w.pin("s"), w.pin("csr"));
  for (const Port& port : event_ports(s)) {
    const std::string net = port.name.substr(0, port.name.rfind('_'));
    node.emplace_back(port.name, t == 0             ? sv::literal(port_bits(port), 0)
                                 : net == "refused" ? "ni_error_o"
                                                    : net);
  }
  for (const Port& port : guard_ports(s)) node.emplace_back(port.name, "guard_lost");
  node.emplace_back("irq_o", "irq_o");
  if (!s.congestion.empty()) {
    body += "  logic [63:0] congestion;\n";
    if (t == 0) body += "  wire unused_congestion = &{1'b0, congestion};\n";
    node.emplace_back("congestion_o", "congestion");
  }
  node.emplace_back("quiescent_o", "quiescent");
  node.insert(node.end(), unread.begin(), unread.end());
  for (const auto& port : experience_ports(s)) node.emplace_back(port.name, port.name);
  body += clocked_instance(s.prefix + "_node", "u_node", {}, node);

  // A link between two channels: one end of each, and the lanes that it joins.
  using Lane = std::function<std::string(const Wire&)>;
  const auto link = [&](const std::string& name, unsigned latency, const Lane& up,
                        const Lane& down) {
    Bindings c;
    for (const Wire& w : wires) {
      if (w.feedback) continue;
      c.emplace_back(w.pin("up", End::kReceiver), up(w));
      c.emplace_back(w.pin("down", End::kSender), down(w));
    }
    body += clocked_instance("hw_link_pipe", name,
                             {{"NumVcs", number(s.vcs)},
                              {"FlitBits", number(s.flit_bits)},
                              {"Latency", number(latency)}},
                             c);
  };
  const auto router_lane = [](const char* channel, std::size_t port) -> Lane {
    return [=](const Wire& w) { return lane(w.net(channel), port, w.width); };
  };
  body += "\n  // Links to the neighbours\n";
  for (std::size_t p = 0; p < n; ++p) {
    const unsigned latency = topology.port_latency_cycles(topology.shapes()[s.index],
                                                          PortId(static_cast<std::uint16_t>(p)));
    const Lane out = [p](const Wire& w) { return lane(w.pin("out", End::kSender), p, w.width); };
    link(fmt::format("u_link_{}", p), latency, router_lane("r_out", p), out);
    for (const Wire& w : wires) {
      if (!w.feedback) continue;
      body += clocked_instance("hw_feedback_pipe", fmt::format("u_{}_{}", w.name, p),
                               {{"Width", number(w.width)}, {"Latency", number(latency)}},
                               {{w.pin("down", End::kSender), out(w)},
                                {w.pin("up", End::kReceiver), router_lane("r_out", p)(w)}});
    }
  }
  for (std::size_t i = 0; i < t; ++i) {
    const std::size_t p = n + i;
    body += fmt::format("\n  // Terminal {}\n", i);
    const std::string inj = fmt::format("inj{}", i), ej = fmt::format("ej{}", i);
    for (const std::string& channel : {inj, ej}) {
      for (const Wire& w : wires) {
        if (!w.feedback) body += fmt::format("  logic {} {};\n", range(w.width), w.net(channel));
      }
    }
    const Lane from_terminal = [&inj](const Wire&w) { return w.net(inj); },
               to_terminal = [&ej](const Wire&w) { return w.net(ej); };
    link(fmt::format("u_injection_link_{}", i), spec.link.terminal_latency_cycles, from_terminal,
         router_lane("r_in", p));
    link(fmt::format("u_ejection_link_{}", i), spec.link.terminal_latency_cycles,
         router_lane("r_out", p), to_terminal);
    if (s.reset_cycles > 0) body += terminal_guard(s, i);
    const std::string own = s.reset_cycles > 0 ? "ni_" : "";
    Bindings ni = {{"src_i", source_expression(s, static_cast<unsigned>(i))}};
    for (const auto& port : tile_streams(s)) {
      if (port.name.find("tkeep") == 2) continue;  // beside tuser
      if (port.name.find("tuser") == 2) {
        ni.emplace_back(port.name, user_expression(s, port, i));
        continue;
      }
      ni.emplace_back(port.name == "ni_error_o"       ? "error_o"
                      : port.name == "nic_counters_o" ? "counters_o"
                                                      : port.name,
                      lane(port.name, i, stream_width(s, port.name)));
    }
    for (const Wire& w : wires) {
      if (w.feedback) continue;
      ni.emplace_back(w.pin("inj", End::kSender), own + w.net(inj));
      ni.emplace_back(w.pin("ej", End::kReceiver), own + w.net(ej));
    }
    ni.emplace_back("bad_parity_o", lane("bad_parity", i, s.message_classes));
    if (s.messages) {
      // Packets come whole.
      body += fmt::format("  assign {} = '0;\n", lane("broken", i, s.message_classes));
      for (auto& word : message_words(spec.terminal)) ni.push_back(std::move(word));
    } else {
      ni.emplace_back("broken_o", lane("broken", i, s.message_classes));
      ni.emplace_back("error_cause_o",
                      lane("refused_cause", i, s.message_classes * kDropCauseBits));
      ni.emplace_back("error_user_o", lane("refused_user", i, s.message_classes * s.user_bits()));
    }
    ni.emplace_back("quiescent_o", lane("ni_quiescent", i, 1));
    const auto unwatched = [&](const std::string& net, std::size_t width) {
      body += fmt::format("  logic {0} {1}{2};\n  wire unused_{1}{2} = &{{1'b0, {1}{2}}};\n",
                          vector_range(width), net, i);
      ni.emplace_back(net + "_o", fmt::format("{}{}", net, i));
    };
    if (terminal_module_name(s) == "hw_class_interface") unwatched("stalled", s.message_classes);
    if (s.messages) unwatched("throttles", 1);
    if (s.messages && s.flows == 0) {
      unwatched("stop_valid", 1);
      unwatched("stop_dst", s.address_bits());
    }
    if (s.messages || s.flows > 0)
      ni.emplace_back("congestion_i", s.flows > 0 ? "congestion" : "64'd0");
    body += clocked_instance(terminal_module_name(s), fmt::format("u_terminal_{}", i),
                             terminal_parameters(s, network), ni);
  }
  body += "\nendmodule\n";
  return sv::file(
      fmt::format(
          "Tile of {}: a node, its links to the neighbours and to its terminals, and the "
          "terminals'\n"
          "network interfaces. Channels on the ports are as the neighbours' links deliver them.",
          s.prefix),
      body);
}

std::vector<Port> top_ports(const std::vector<RouterShape>& shapes,
                            const deadlock::ProvenNetwork& network) {
  std::vector<Port> ports = {
      {"input", "", "clk_i", ""},
      {"input", "", "rst_ni", ""},
      {"output", "", "rst_no", "The reset as the network has it: released in step with the clock"}};
  for (auto& port : stream_ports(
           shapes[0], network.topology().num_terminals(),
           "AXI4-Stream into the network, one slice per terminal; tuser = {class, destination}",
           "AXI4-Stream out of the network; tuser = {class, source}"))
    ports.push_back(std::move(port));
  for (auto& port : axi_lite_ports("csr")) {
    if (port.name.find("addr") != std::string::npos)
      port.range = range(kCsrAddressBits + csr_select_bits(network.topology()));
    if (!port.comment.empty())
      port.comment = "AXI4-Lite of all CSR blocks: address = {router, register}";
    ports.push_back(std::move(port));
  }
  ports.push_back({"output", vector_range(network.topology().num_routers()), "irq_o",
                   "Interrupts, one bit per router"});
  return ports;
}

std::string top_module(const std::vector<RouterShape>& shapes,
                       const deadlock::ProvenNetwork& network) {
  const auto& spec = network.spec().network;
  const auto& topology = network.topology();
  const std::size_t routers = topology.num_routers();
  const auto shape_at = [&](RouterId router) -> const RouterShape& {
    return shapes[topology.shape_index(router)];
  };
  std::string body = sv::module_header(spec.name + "_top", top_ports(shapes, network));
  constexpr Domain kReset{.reset = "rst_no"};
  body += "\n" +
          clocked_instance("hw_reset_sync", "u_reset", {{"Stages", number(kResetStages)}},
                           {{"rst_no", "rst_no"}}) +
          "\n  logic [63:0] now;\n" +
          clocked_instance("hw_cycle_counter", "u_now", {}, {{"now_o", "now"}}, kReset) + "\n";
  Bindings demux;
  for (const AxiWire& w : axi_lite()) demux.emplace_back(w.pin("s"), w.pin("csr"));
  for (const AxiWire& w : axi_lite()) {
    body += fmt::format("  logic {} csr_{};\n",
                        w.broadcast ? range(w.width) : vector_range(routers * w.width), w.name);
    demux.emplace_back(fmt::format("m_{}_{}", w.name, w.from_master ? 'o' : 'i'),
                       fmt::format("csr_{}", w.name));
  }
  body += clocked_instance("hw_axil_demux", "u_csr_demux",
                           {{"NumSlaves", number(routers)}, {"AddrBits", number(kCsrAddressBits)}},
                           demux, kReset);

  body += "\n  // What leaves each router, behind its links\n";
  for (std::uint32_t r = 0; r < routers; ++r) {
    const RouterShape& s = shape_at(RouterId{r});
    for (const Wire& w : channel_wires(s))
      body +=
          fmt::format("  logic {} {}_{};\n", vector_range(s.network_ports * w.width), w.name, r);
  }
  for (std::uint32_t r = 0; r < routers; ++r) {
    const RouterId router{r};
    const RouterShape& s = shape_at(router);
    const std::size_t n = s.network_ports, t = s.ports - n;
    Bindings c = {{"coord_i", sv::literal(s.coord_bits(), coordinate_value(s, topology, router))},
                  {"now_i", "now"}};
    const std::vector<Wire> wires = channel_wires(s);
    // Lane p comes from whatever the topology connects with port p, at either end.
    const auto from_neighbours = [&](const Wire& w) {
      std::string text;
      for (std::size_t p = n; p-- > 0;) {
        const auto port = PortId(static_cast<std::uint16_t>(p));
        const auto channel =
            w.forward ? topology.in_channel(router, port) : topology.out_channel(router, port);
        if (!text.empty()) text += ", ";
        if (!channel) {
          text += sv::literal(static_cast<unsigned>(w.width), 0);
        } else {
          const auto& ch = topology.channel(*channel);
          const std::size_t peer = index(w.forward ? ch.src : ch.dst);
          text += lane(fmt::format("{}_{}", w.name, peer),
                       index(w.forward ? ch.src_port : ch.dst_port), w.width);
        }
      }
      return "{" + text + "}";
    };
    // Flits leave on the wires of their sender, credits on those of the flits' receiver.
    for (const auto& [channel, end] : kChannels) {
      for (const Wire& w : wires)
        c.emplace_back(w.pin(channel, end),
                       w.driven_by(end) ? fmt::format("{}_{}", w.name, r) : from_neighbours(w));
    }
    for (const Port& pin : tile_streams(s)) {
      const std::size_t width = stream_width(s, pin.name);
      if (t > 0)
        c.emplace_back(pin.name,
                       slice(pin.name, index(topology.terminal_at(router, 0)) * width, t * width));
    }
    for (const AxiWire& w : axi_lite()) {
      const std::string net = fmt::format("csr_{}", w.name);
      c.emplace_back(w.pin("csr"), w.broadcast ? net : lane(net, r, w.width));
    }
    c.emplace_back("irq_o", lane("irq_o", r, 1));
    body += fmt::format("\n  // {}\n", topology.name(router));
    // Nobody trains here: a host listens at the tiles.
    for (const Port& pin : experience_ports(s)) {
      const bool in = pin.direction == "input";
      if (!in) body += fmt::format("  wire {} unused_{}_{};\n", pin.range, pin.name, r);
      c.emplace_back(pin.name, in ? "1'b1" : fmt::format("unused_{}_{}", pin.name, r));
    }
    // A mesh's border ports lead nowhere; their output wires are read here, so that lint knows
    // them.
    std::string border;
    for (std::size_t p = 0; p < n; ++p) {
      const auto port = PortId(static_cast<std::uint16_t>(p));
      for (const Wire& w : wires) {
        if (!(w.forward ? topology.out_channel(router, port) : topology.in_channel(router, port)))
          border += ", " + lane(fmt::format("{}_{}", w.name, r), p, w.width);
      }
    }
    if (!border.empty()) body += fmt::format("  wire unused_border_{} = &{{1'b0{}}};\n", r, border);
    body += clocked_instance(s.prefix + "_tile", fmt::format("u_tile_{}", r), {}, c, kReset);
  }
  body += "\nendmodule\n";
  return sv::file(
      fmt::format("{}: the whole network. {} routers, {} terminals, numbered router by router.\n"
                  "Ports are listed in PORTS.md.",
                  spec.name, routers, topology.num_terminals()),
      body);
}

}  // namespace hopwise::emit
