// SPDX-License-Identifier: Apache-2.0
// The whole network in SystemVerilog: a tile per router (node, outgoing links, terminals),
// connected by the topology.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "emit/parts.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

namespace {

using sv::Bindings;
using sv::Port;
using sv::range;
using sv::vector_range;

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

unsigned address_bits(const RouterShape& s) {
  return s.format.dst_slot.lsb + s.format.dst_slot.width;
}

/// One wire of a channel, as tile ports of both directions see it.
struct Wire {
  const char* name;
  std::size_t width;
};

std::vector<Wire> flit_wires(const RouterShape& s) {
  return {{"valid", 1}, {"vc", s.vc_width()}, {"head", 1}, {"tail", 1}, {"data", s.flit_bits}};
}
std::vector<Wire> credit_wires(const RouterShape& s) {
  return {{"credit_valid", 1}, {"credit_vc", s.vc_width()}};
}
/// What goes against the flits between routers: credits, and feedback where routing learns from it.
std::vector<Wire> reverse_wires(const RouterShape& s) {
  auto wires = credit_wires(s);
  if (s.feedback_bits > 0) wires.push_back({"feedback", s.feedback_bits});
  return wires;
}

std::string slice(const std::string& vector, std::size_t first, std::size_t width) {
  return width == 1 ? fmt::format("{}[{}]", vector, first)
                    : fmt::format("{}[{}+:{}]", vector, first, width);
}
std::string pick(const std::string& vector, std::size_t index, std::size_t width) {
  return slice(vector, index * width, width);
}

/// The streams of `terminals` terminals; none where there are none.
std::vector<Port> stream_ports(const RouterShape& s, std::size_t terminals,
                               const char* into_comment, const char* out_comment) {
  const std::size_t user = s.format.message_class.width + address_bits(s);
  const auto vector = [terminals](std::size_t width) { return vector_range(terminals * width); };
  if (terminals == 0) return {};
  return {{"input", vector(1), "s_tvalid_i", into_comment},
          {"output", vector(1), "s_tready_o", ""},
          {"input", vector(s.flit_bits), "s_tdata_i", ""},
          {"input", vector(1), "s_tlast_i", ""},
          {"input", vector(user), "s_tuser_i", ""},
          {"output", vector(1), "m_tvalid_o", out_comment},
          {"input", vector(1), "m_tready_i", ""},
          {"output", vector(s.flit_bits), "m_tdata_o", ""},
          {"output", vector(1), "m_tlast_o", ""},
          {"output", vector(user), "m_tuser_o", ""},
          {"output", vector(1), "ni_error_o", "A packet of wrong length was dropped"}};
}

/// Bits of a terminal's slice of a stream's pin.
std::size_t stream_width(const RouterShape& s, const std::string& pin) {
  if (pin.find("tdata") != std::string::npos) return s.flit_bits;
  if (pin.find("tuser") != std::string::npos) return s.format.message_class.width + address_bits(s);
  return 1;
}

}  // namespace

std::string tile_module(const RouterShape& s, const deadlock::ProvenNetwork& network) {
  const auto& spec = network.spec().network;
  const auto& topology = network.topology();
  const auto& f = s.format;
  const std::size_t n = s.network_ports, t = s.ports - s.network_ports;
  std::vector<Port> ports = {
      {"input", "", "clk_i", ""},
      {"input", "", "rst_ni", ""},
      {"input", range(s.coord_bits()), "coord_i", "Static: the router's coordinates"},
      {"input", "[63:0]", "now_i", "Core cycles since reset"}};
  std::string group = "Channels from the neighbours, behind their links, and credits to them";
  for (const auto& w : flit_wires(s)) {
    ports.push_back({"input", range(n * w.width), fmt::format("in_{}_i", w.name), group});
    group.clear();
  }
  for (const auto& w : reverse_wires(s))
    ports.push_back({"output", range(n * w.width), fmt::format("in_{}_o", w.name), ""});
  group = "Channels to the neighbours, behind the links of this tile, and credits from them";
  for (const auto& w : flit_wires(s)) {
    ports.push_back({"output", range(n * w.width), fmt::format("out_{}_o", w.name), group});
    group.clear();
  }
  for (const auto& w : reverse_wires(s))
    ports.push_back({"input", range(n * w.width), fmt::format("out_{}_i", w.name), ""});
  const std::vector<Port> stream =
      stream_ports(s, t, "AXI4-Stream, packets into the network, one slice per terminal",
                   "AXI4-Stream, packets out of the network");
  ports.insert(ports.end(), stream.begin(), stream.end());
  const auto axi = axi_lite_ports("csr_");
  ports.insert(ports.end(), axi.begin(), axi.end());

  std::string body = sv::module_header(s.prefix + "_tile", ports);
  body += "\n  // The router's own pins\n";
  for (const char* side : {"in", "out"}) {
    for (const auto& list : {flit_wires(s), credit_wires(s)}) {
      for (const auto& w : list)
        body += fmt::format("  logic {} r_{}_{};\n", range(s.ports * w.width), side, w.name);
    }
  }
  const unsigned feedback = s.feedback_bits;
  if (feedback > 0)
    body += fmt::format("  logic {0} r_in_feedback, r_out_feedback;\n", range(n * feedback));
  body += "  logic quiescent;\n";
  if (t > 0) body += fmt::format("  logic {} ni_quiescent;\n", vector_range(t));
  body += fmt::format("  wire unused_quiescent = &{{1'b0, quiescent{}}};\n\n",
                      t > 0 ? ", ni_quiescent" : "");
  // Outputs for whoever watches; the monitor is also read through the table window.
  Bindings watched;
  if (s.monitor_words() > 0) watched.emplace_back("monitor", range(32 * s.monitor_words()));
  if (s.queue_metric > 0) watched.emplace_back("queue", range(s.ports * s.queue_width));
  if (s.learn_bits > 0) watched.emplace_back("learn", range(s.learn_bits));
  std::string names;
  for (const auto& [name, bits] : watched) {
    body += fmt::format("  logic {} {};\n", bits, name);
    names += ", " + name;
  }
  if (!watched.empty()) body += fmt::format("  wire unused_watched = &{{1'b0{}}};\n\n", names);
  for (const auto& w : flit_wires(s)) {
    body += fmt::format("  assign r_in_{0}[{1}-1:0] = in_{0}_i;\n", w.name, n * w.width);
  }
  for (const auto& w : reverse_wires(s)) {
    body += fmt::format("  assign in_{0}_o = r_in_{0}[{1}-1:0];\n", w.name, n * w.width);
  }
  body += "\n";
  Bindings node = {
      {"clk_i", "clk_i"}, {"rst_ni", "rst_ni"}, {"coord_i", "coord_i"}, {"now_i", "now_i"}};
  for (const auto& w : flit_wires(s))
    node.emplace_back(fmt::format("in_{}_i", w.name), fmt::format("r_in_{}", w.name));
  for (const auto& w : reverse_wires(s))
    node.emplace_back(fmt::format("in_{}_o", w.name), fmt::format("r_in_{}", w.name));
  for (const auto& w : flit_wires(s))
    node.emplace_back(fmt::format("out_{}_o", w.name), fmt::format("r_out_{}", w.name));
  for (const auto& w : reverse_wires(s))
    node.emplace_back(fmt::format("out_{}_i", w.name), fmt::format("r_out_{}", w.name));
  const auto inner = axi_lite_ports("s_");
  for (std::size_t i = 0; i < axi.size(); ++i) node.emplace_back(inner[i].name, axi[i].name);
  node.emplace_back("quiescent_o", "quiescent");
  for (const auto& [name, bits] : watched) node.emplace_back(name + "_o", name);
  body += sv::instance(s.prefix + "_node", "u_node", {}, node);

  const auto link = [&](const std::string& name, unsigned latency, const Bindings& connections) {
    body += sv::instance("hw_link_pipe", name,
                         {{"NumVcs", number(s.vcs)},
                          {"FlitBits", number(s.flit_bits)},
                          {"Latency", number(latency)}},
                         connections);
  };
  body += "\n  // Links to the neighbours\n";
  for (std::size_t p = 0; p < n; ++p) {
    Bindings c = {{"clk_i", "clk_i"}, {"rst_ni", "rst_ni"}};
    for (const auto& w : flit_wires(s)) {
      c.emplace_back(fmt::format("up_{}_i", w.name),
                     pick(fmt::format("r_out_{}", w.name), p, w.width));
      c.emplace_back(fmt::format("down_{}_o", w.name),
                     pick(fmt::format("out_{}_o", w.name), p, w.width));
    }
    for (const auto& w : credit_wires(s)) {
      c.emplace_back(fmt::format("up_{}_o", w.name),
                     pick(fmt::format("r_out_{}", w.name), p, w.width));
      c.emplace_back(fmt::format("down_{}_i", w.name),
                     pick(fmt::format("out_{}_i", w.name), p, w.width));
    }
    const unsigned latency = topology.port_latency_cycles(topology.shapes()[s.index],
                                                          PortId(static_cast<std::uint16_t>(p)));
    link(fmt::format("u_link_{}", p), latency, c);
    if (feedback == 0) continue;
    body += sv::instance("hw_feedback_pipe", fmt::format("u_feedback_{}", p),
                         {{"Width", number(feedback)}, {"Latency", number(latency)}},
                         {{"clk_i", "clk_i"},
                          {"rst_ni", "rst_ni"},
                          {"down_feedback_i", pick("out_feedback_i", p, feedback)},
                          {"up_feedback_o", pick("r_out_feedback", p, feedback)}});
  }
  for (std::size_t i = 0; i < t; ++i) {
    const std::size_t p = n + i;
    body += fmt::format("\n  // Terminal {}\n", i);
    for (const char* prefix : {"inj", "ej"}) {
      for (const auto& list : {flit_wires(s), credit_wires(s)}) {
        for (const auto& w : list)
          body += fmt::format("  logic {} {}{}_{};\n", range(w.width), prefix, i, w.name);
      }
    }
    Bindings injection = {{"clk_i", "clk_i"}, {"rst_ni", "rst_ni"}}, ejection = injection;
    for (const auto& w : flit_wires(s)) {
      injection.emplace_back(fmt::format("up_{}_i", w.name), fmt::format("inj{}_{}", i, w.name));
      injection.emplace_back(fmt::format("down_{}_o", w.name),
                             pick(fmt::format("r_in_{}", w.name), p, w.width));
      ejection.emplace_back(fmt::format("up_{}_i", w.name),
                            pick(fmt::format("r_out_{}", w.name), p, w.width));
      ejection.emplace_back(fmt::format("down_{}_o", w.name), fmt::format("ej{}_{}", i, w.name));
    }
    for (const auto& w : credit_wires(s)) {
      injection.emplace_back(fmt::format("up_{}_o", w.name), fmt::format("inj{}_{}", i, w.name));
      injection.emplace_back(fmt::format("down_{}_i", w.name),
                             pick(fmt::format("r_in_{}", w.name), p, w.width));
      ejection.emplace_back(fmt::format("up_{}_o", w.name),
                            pick(fmt::format("r_out_{}", w.name), p, w.width));
      ejection.emplace_back(fmt::format("down_{}_i", w.name), fmt::format("ej{}_{}", i, w.name));
    }
    link(fmt::format("u_injection_link_{}", i), spec.link.terminal_latency_cycles, injection);
    link(fmt::format("u_ejection_link_{}", i), spec.link.terminal_latency_cycles, ejection);
    Bindings ni = {{"clk_i", "clk_i"},
                   {"rst_ni", "rst_ni"},
                   {"src_i", source_expression(s, static_cast<unsigned>(i))}};
    for (const auto& port : stream) {
      ni.emplace_back(port.name == "ni_error_o" ? "error_o" : port.name,
                      pick(port.name, i, stream_width(s, port.name)));
    }
    for (const auto& w : flit_wires(s)) {
      ni.emplace_back(fmt::format("inj_{}_o", w.name), fmt::format("inj{}_{}", i, w.name));
      ni.emplace_back(fmt::format("ej_{}_i", w.name), fmt::format("ej{}_{}", i, w.name));
    }
    for (const auto& w : credit_wires(s)) {
      ni.emplace_back(fmt::format("inj_{}_i", w.name), fmt::format("inj{}_{}", i, w.name));
      ni.emplace_back(fmt::format("ej_{}_o", w.name), fmt::format("ej{}_{}", i, w.name));
    }
    ni.emplace_back("quiescent_o", pick("ni_quiescent", i, 1));
    body += sv::instance(
        "hw_network_interface", fmt::format("u_terminal_{}", i),
        {{"NumVcs", number(s.vcs)},
         {"FlitBits", number(s.flit_bits)},
         {"MaxFlits", number(s.max_flits)},
         {"MinFlits", number(s.min_flits)},
         {"EjectDepth", number(s.vc_depths[0])},
         {"DstLsb", number(f.dst_coord[0].lsb)},
         {"DstBits", number(address_bits(s))},
         {"LenLsb", number(f.length.lsb)},
         {"LenBits", number(f.length.width)},
         {"LenOffset", number(f.length_offset)},
         {"ClassLsb", number(f.routing_class.lsb)},
         {"ClassBits", number(f.routing_class.width)},
         {"SrcLsb", number(f.src_coord[0].lsb)},
         {"SrcBits", number(address_bits(s))},
         {"MsgLsb", number(f.message_class.lsb)},
         {"MsgBits", number(f.message_class.width)},
         {"IdLsb", number(f.packet_id.lsb)},
         {"IdBits", number(f.packet_id.width)},
         {"VcSelect", number(s.fixed_vc_by_destination ? 1 : 0)},
         {"NeedWhole", number(spec.router.switching == spec::Switching::kWormhole ? 0 : 1)},
         {"VcDepths", vc_depths_literal(s)},
         {"CyclesPerFlitNum", number(spec.link.cycles_per_flit.num)},
         {"CyclesPerFlitDen", number(spec.link.cycles_per_flit.den)}},
        ni);
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

unsigned csr_select_bits(const topology::Topology& topology) {
  return std::max(1u, static_cast<unsigned>(std::bit_width(topology.num_routers() - 1)));
}

std::string top_module(const std::vector<RouterShape>& shapes,
                       const deadlock::ProvenNetwork& network) {
  const auto& spec = network.spec().network;
  const auto& topology = network.topology();
  const std::size_t routers = topology.num_routers(), terminals = topology.num_terminals();
  const auto shape_at = [&](RouterId router) -> const RouterShape& {
    return shapes[topology.shape_index(router)];
  };
  const unsigned select = csr_select_bits(topology);
  std::vector<Port> ports = {{"input", "", "clk_i", ""}, {"input", "", "rst_ni", ""}};
  const std::vector<Port> stream = stream_ports(
      shapes[0], terminals,
      "AXI4-Stream into the network, one slice per terminal; tuser = {class, destination}",
      "AXI4-Stream out of the network; tuser = {class, source}");
  ports.insert(ports.end(), stream.begin(), stream.end());
  auto axi = axi_lite_ports("csr_");
  for (auto& port : axi) {
    if (port.name.find("addr") != std::string::npos) port.range = range(kCsrAddressBits + select);
    if (!port.comment.empty())
      port.comment = "AXI4-Lite of all CSR blocks: address = {router, register}";
  }
  ports.insert(ports.end(), axi.begin(), axi.end());
  std::string body = sv::module_header(spec.name + "_top", ports);
  body += "\n  logic [63:0] now;\n" +
          sv::instance("hw_cycle_counter", "u_now", {},
                       {{"clk_i", "clk_i"}, {"rst_ni", "rst_ni"}, {"now_o", "now"}}) +
          "\n";
  struct Fanned {
    const char* name;
    std::size_t width;
    bool shared;
  };
  const std::vector<Fanned> fanned = {{"awvalid", 1, false},
                                      {"awready", 1, false},
                                      {"awaddr", kCsrAddressBits, true},
                                      {"wvalid", 1, false},
                                      {"wready", 1, false},
                                      {"wdata", 32, true},
                                      {"wstrb", 4, true},
                                      {"bvalid", 1, false},
                                      {"bready", 1, false},
                                      {"bresp", 2, false},
                                      {"arvalid", 1, false},
                                      {"arready", 1, false},
                                      {"araddr", kCsrAddressBits, true},
                                      {"rvalid", 1, false},
                                      {"rready", 1, false},
                                      {"rdata", 32, false},
                                      {"rresp", 2, false}};
  Bindings demux = {{"clk_i", "clk_i"}, {"rst_ni", "rst_ni"}};
  for (std::size_t i = 0; i < axi.size(); ++i)
    demux.emplace_back(axi_lite_ports("s_")[i].name, axi[i].name);
  for (std::size_t i = 0; i < fanned.size(); ++i) {
    const auto& w = fanned[i];
    body += fmt::format("  logic {} csr_{};\n",
                        (w.shared ? range(w.width) : vector_range(routers * w.width)), w.name);
    const bool from_master = axi[i].direction == "input";
    demux.emplace_back(fmt::format("m_{}_{}", w.name, from_master ? "o" : "i"),
                       fmt::format("csr_{}", w.name));
  }
  body +=
      sv::instance("hw_axil_demux", "u_csr_demux",
                   {{"NumSlaves", number(routers)}, {"AddrBits", number(kCsrAddressBits)}}, demux);

  body += "\n  // What leaves each router, behind its links\n";
  for (std::uint32_t r = 0; r < routers; ++r) {
    const RouterShape& s = shape_at(RouterId{r});
    for (const auto& list : {flit_wires(s), reverse_wires(s)}) {
      for (const auto& w : list)
        body += fmt::format("  logic {} {}_{};\n", range(s.network_ports * w.width), w.name, r);
    }
  }
  for (std::uint32_t r = 0; r < routers; ++r) {
    const RouterId router{r};
    const RouterShape& s = shape_at(router);
    const std::size_t n = s.network_ports, t = s.ports - n;
    Bindings c = {{"clk_i", "clk_i"},
                  {"rst_ni", "rst_ni"},
                  {"coord_i", sv::literal(s.coord_bits(), coordinate_value(s, topology, router))},
                  {"now_i", "now"}};
    // Port p is fed by whatever channel the topology leads there; its credits go back the same way.
    const auto from_neighbours = [&](const Wire& w, bool credits) {
      std::string text;
      for (std::size_t p = n; p-- > 0;) {
        const auto port = PortId(static_cast<std::uint16_t>(p));
        const auto channel =
            credits ? topology.out_channel(router, port) : topology.in_channel(router, port);
        if (!text.empty()) text += ", ";
        if (!channel) {
          text += sv::literal(static_cast<unsigned>(w.width), 0);
        } else {
          const auto& ch = topology.channel(*channel);
          const std::size_t peer = index(credits ? ch.dst : ch.src);
          text += pick(fmt::format("{}_{}", w.name, peer),
                       index(credits ? ch.dst_port : ch.src_port), w.width);
        }
      }
      return "{" + text + "}";
    };
    for (const auto& w : flit_wires(s))
      c.emplace_back(fmt::format("in_{}_i", w.name), from_neighbours(w, false));
    for (const auto& w : reverse_wires(s))
      c.emplace_back(fmt::format("in_{}_o", w.name), fmt::format("{}_{}", w.name, r));
    for (const auto& w : flit_wires(s))
      c.emplace_back(fmt::format("out_{}_o", w.name), fmt::format("{}_{}", w.name, r));
    for (const auto& w : reverse_wires(s))
      c.emplace_back(fmt::format("out_{}_i", w.name), from_neighbours(w, true));
    for (const Port& pin : stream) {
      const std::size_t width = stream_width(s, pin.name);
      if (t > 0)
        c.emplace_back(pin.name,
                       slice(pin.name, index(topology.terminal_at(router, 0)) * width, t * width));
    }
    for (std::size_t i = 0; i < axi.size(); ++i) {
      const auto& w = fanned[i];
      c.emplace_back(axi[i].name, w.shared ? fmt::format("csr_{}", w.name)
                                           : pick(fmt::format("csr_{}", w.name), r, w.width));
    }
    body += fmt::format("\n  // {}\n", topology.name(router));
    // A mesh's border ports lead nowhere; their output wires are read here, so that lint knows
    // them.
    std::string border;
    for (std::size_t p = 0; p < n; ++p) {
      const auto port = PortId(static_cast<std::uint16_t>(p));
      const auto note = [&](const Wire& w) {
        border += ", " + pick(fmt::format("{}_{}", w.name, r), p, w.width);
      };
      if (!topology.out_channel(router, port))
        for (const auto& w : flit_wires(s)) note(w);
      if (!topology.in_channel(router, port))
        for (const auto& w : reverse_wires(s)) note(w);
    }
    if (!border.empty()) body += fmt::format("  wire unused_border_{} = &{{1'b0{}}};\n", r, border);
    body += sv::instance(s.prefix + "_tile", fmt::format("u_tile_{}", r), {}, c);
  }
  body += "\nendmodule\n";
  return sv::file(
      fmt::format("{}: the whole network. {} routers, {} terminals, numbered router by router.\n"
                  "Ports are listed in PORTS.md.",
                  spec.name, routers, terminals),
      body);
}

}  // namespace hopwise::emit
