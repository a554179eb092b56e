// SPDX-License-Identifier: Apache-2.0
// PORTS.md of a bundle: every pin of the network, its tiles and its nodes, and the head flit.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/channel.hpp"
#include "emit/parts.hpp"

namespace hopwise::emit {

namespace {

/// What pins of this name are for, without direction; of the wires of a channel and of AXI4-Lite
/// without the name of the channel.
constexpr std::pair<std::string_view, std::string_view> kMeanings[] = {
    {"clk", "clock of all other pins"},
    {"rst_n",
     "reset, active low, asserted at any time; released at any time at the network, in step with "
     "`clk_i` at tiles and nodes"},
    {"rst",
     "the reset that the network has, for what its streams and registers are connected to: falls "
     "with `rst_ni`, rises with the second edge of `clk_i` behind its end"},
    {"coord", "static: the router's coordinates, laid out as above"},
    {"now", "core cycles since reset, the same at every router"},
    {"valid", "a flit is on the wires"},
    {"vc", "its virtual channel"},
    {"head", "it is the first flit of its packet"},
    {"tail", "it is the last flit of its packet"},
    {"data", "the flit"},
    {"credit_valid", "back to the sender: a place in a buffer became free"},
    {"credit_vc", "back to the sender: the virtual channel of that buffer"},
    {"feedback", "back to the sender, network ports only: what routing learns from; bit 0: valid"},
    {"s_tvalid", "into the network, AXI4-Stream: a beat, which is one flit"},
    {"s_tready", "the network takes the beat"},
    {"s_tdata", "the flit; the network fills in its fields of the head flit"},
    {"s_tlast", "the beat ends its packet"},
    {"s_tuser", "of the first beat: message class and destination, laid out as above"},
    {"s_abort",
     "the source of the stream is in reset: a packet that it has begun is over, and the next beat "
     "begins another; tie it low where sources are reset with the network only"},
    {"m_tvalid", "out of the network, AXI4-Stream: a beat, which is one flit"},
    {"m_tready", "the terminal takes the beat; it must do so eventually"},
    {"m_tdata", "the flit, with the head flit's fields"},
    {"m_tlast", "the beat ends its packet"},
    {"m_tuser", "message class and source, laid out as `s_tuser_i`"},
    {"ni_error", "for one cycle: a packet longer or shorter than allowed was dropped"},
    {"awvalid", "AXI4, of CSRs AXI4-Lite, write address: valid"},
    {"awready", "write address: ready"},
    {"awaddr", "write address: byte address of a register"},
    {"awprot", "write address: protection, which is ignored"},
    {"wvalid", "write data: valid"},
    {"wready", "write data: ready"},
    {"wdata", "write data"},
    {"wstrb", "write data: the bytes that are written"},
    {"bvalid", "write response: valid"},
    {"bready", "write response: ready"},
    {"bresp", "write response: 0 OKAY, 2 SLVERR: no such register, or not writable"},
    {"arvalid", "read address: valid"},
    {"arready", "read address: ready"},
    {"araddr", "read address: byte address of a register"},
    {"arprot", "read address: protection, which is ignored"},
    {"rvalid", "read data: valid"},
    {"rready", "read data: ready"},
    {"rdata", "read data"},
    {"rresp", "read data: 0 OKAY, 2 SLVERR: no such register"},
    {"desc_valid", "a descriptor of a message is there"},
    {"desc_ready", "it is taken"},
    {"desc", "the descriptor, as `docs/reference/messages.md` lays it out, like the next ones"},
    {"cpl_valid", "a completion of a message is there"},
    {"cpl_ready", "it is taken"},
    {"cpl", "the completion"},
    {"evt_valid", "a window is full"},
    {"evt_ready", "the event is taken"},
    {"evt", "which window"},
    {"win_valid", "a window is to be opened"},
    {"win_ready", "it is taken"},
    {"win_index", "which window"},
    {"win", "what it is"},
    {"arid", "read address: 0 for own messages, 1 for others'"},
    {"arlen", "read address: words less one"},
    {"rid", "read data: that of its address"},
    {"rlast", "read data: the last word"},
    {"awid", "write address: 2 for own messages, 3 for others'"},
    {"awlen", "write address: words less one"},
    {"wlast", "write data: the last word"},
    {"bid", "write response: that of its address"},
    {"ctr_clear", "the counters are cleared"},
    {"ctr_freeze", "the counters hold"},
    {"nic_counters", "counters of 64 bits, as `docs/reference/messages.md` lists them"},
    {"quiescent", "without input, nothing but counters changes"},
    {"counters",
     "words of 32 bits: what routing counts, as `counters` of `manifest.json` lists it"},
    {"trace", "what routing decides and learns, for checkers and trainers; leave it open"},
    {"experience_tvalid", "experience of the agent, AXI4-Stream: a record is there"},
    {"experience_tready", "the record is taken; tie it high where nobody trains"},
    {"experience_tdata", "the record, as the routing's page lays it out; one a beat, no tlast"},
    {"tkeep",
     "bytes of the beat that are the packet's: all, of the last beat one or more from bit 0"},
    {"stop_valid", "a destination is in this place: begin no packet to it"},
    {"stop_dst", "that destination, as in the streams' tuser"},
    {"congestion", "configuration words of congestion control, for the terminals"},
    {"refused", "a network interface dropped a packet in this cycle"},
    {"refused_cause", "why, of each stream: the numbers of REFUSED"},
    {"refused_user", "`tuser` of its first beat, of each stream"},
    {"bad_parity", "a network interface discarded a packet whose head came with bad parity"},
    {"broken", "a network interface handed over a broken packet"},
    {"guard_lost", "a terminal's guard discards a packet, as the router has been reset alone"},
    {"lost", "packets lost by resets of this router or a neighbour, modulo 2^16"},
    {"irq", "interrupt, a level: an event that is in STATUS and in MASK of the CSR block"},
    {"drops",
     "packets dropped, modulo 2^16 each: bad destination, bad length, bad class, no route, bad "
     "parity, hop limit"},
    {"dropped_cause", "of the packet dropped last: 1 to 6 in that order, 0: none was dropped"},
    {"dropped_port", "of the packet dropped last: its input port"},
    {"dropped_head", "of the packet dropped last: the low bits of its head flit"},
    {"stuck_report", "a VC has not moved for `router.watchdog_cycles`: `stuck_o` tells which"},
    {"stuck",
     "of the VC reported last: the words of STUCK and WAITS_FOR (`docs/reference/csr.md`)"},
    {"flips", "words of tables found with bad parity in this cycle, a bit each"},
    {"flip_word", "of the one found last: its place in the table window"},
    {"queue", "queue length of the output port, as routing compares it"}};

std::string_view meaning(std::string_view pin) {
  std::string_view name = pin.substr(0, pin.rfind('_'));
  if (pin == "rst_ni") name = "rst_n";
  for (const unsigned shortened : {0u, 1u, 2u}) {
    if (shortened > 0) name.remove_prefix(std::min(name.size(), name.find('_') + 1));
    for (const auto& [known, text] : kMeanings) {
      if (known == name) return text;
    }
  }
  std::fprintf(stderr, "PORTS.md: no meaning of %s\n", std::string(pin).c_str());
  std::abort();
}

/// A table of ports. Pins of channels and streams are slices side by side: of a router's ports, and
/// of `terminals`.
std::string table(const RouterShape& s, const std::vector<sv::Port>& ports, std::size_t terminals) {
  std::string text = "| pin | direction | bits | slices | meaning |\n|---|---|---|---|---|\n";
  const auto slices = [&](const sv::Port& port) -> std::size_t {
    for (const auto& [channel, end] : kChannels) {
      for (const Wire& w : channel_wires(s)) {
        if (port.name == w.pin(channel, end)) return port_bits(port) / w.width;
      }
    }
    if (port.name == "queue_o") return s.ports;
    const bool stream =
        port.name.find("_t") == 1 || port.name == "ni_error_o" || port.name.starts_with("stop_");
    // An event comes from a terminal's stream; interrupts are side by side at the network alone.
    if (port.name == "irq_o" || port.name == "refused_i" || port.name == "bad_parity_i" ||
        port.name == "broken_i" || port.name == "guard_lost_i")
      return port_bits(port);
    if (port.name == "refused_cause_i") return port_bits(port) / kDropCauseBits;
    if (port.name == "refused_user_i") return port_bits(port) / s.user_bits();
    if (s.messages && terminals > 0) {
      for (const sv::Port& pin : message_ports(s, terminals))
        if (pin.name == port.name) return terminals;
    }
    return stream ? terminals * s.message_classes : 1;
  };
  for (const sv::Port& port : ports) {
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", port.name, port.direction,
                        port_bits(port), slices(port), meaning(port.name));
  }
  return text;
}

std::string head_flit(const topology::PacketFormat& f) {
  std::string text = "\n## Head flit\n\n| bits | field |\n|---|---|\n";
  const auto field = [&text](const topology::HeaderField& where, const std::string& what) {
    if (where.width > 0)
      text += fmt::format("| [{}:{}] | {} |\n", where.lsb + where.width - 1, where.lsb, what);
  };
  for (unsigned d = 0; d < f.dst_coord.size(); ++d)
    field(f.dst_coord[d], fmt::format("destination coordinate {}", d));
  field(f.dst_slot, "destination slot");
  field(f.length, fmt::format("length in flits less {}", f.length_offset));
  field(f.routing_class,
        f.kind == spec::PacketFormatKind::kApenet ? "Pdor (routing class)" : "routing class");
  for (unsigned d = 0; d < f.via_coord.size(); ++d)
    field(f.via_coord[d], fmt::format("intermediate router's coordinate {}", d));
  field(f.track, "index, generation and valid bit of the last router's pending entry");
  field(f.stamp, "time of injection, core cycles modulo the field's range");
  field(f.feedback, "latency that the packet tells, non-minimal, valid");
  field(f.reward, f.track.width > 0 ? "age: core cycles of all hops, modulo the field's range"
                                    : "core cycles of the last hop, at most the field's range");
  field(f.arrival, "when the head came to the input pins, core cycles modulo the field's range");
  field(f.mode, "routing mode, the sender's: codes of hw_mode_pkg");
  field(f.label, "flow label, the sender's");
  for (unsigned d = 0; d < f.src_coord.size(); ++d)
    field(f.src_coord[d], fmt::format("source coordinate {}", d));
  field(f.src_slot, "source slot");
  field(f.hops, "links crossed");
  field(f.message_class,
        f.kind == spec::PacketFormatKind::kApenet ? "proto (message class)" : "message class");
  field(f.mark(), "marked: too many send to this destination");
  field(f.notification(), "notification: too many send to its source");
  field(f.message, "message interface: what docs/reference/messages.md says of a packet");
  field(f.tail_bytes, "bytes of the tail flit that are the packet's, less 1");
  field(f.packet_id, "packet id: packets of this source, modulo its range");
  field(f.parity, "parity: even over the header, but what routers write anew");
  return text + fmt::format(
                    "\nThe length, source and id fields are the network interface's; bits from {} "
                    "up are payload.\n",
                    f.header_bits);
}

}  // namespace

std::string ports_page(const std::vector<RouterShape>& shapes,
                       const deadlock::ProvenNetwork& network) {
  const auto& name = network.spec().network.name;
  const RouterShape& s = shapes[0];
  const auto& topology = network.topology();
  const std::size_t terminals = topology.num_terminals();
  const unsigned user = s.user_bits(), address = s.address_bits();
  std::string text = fmt::format(
      "# Ports of {0}\n\n"
      "Every pin of the network `{0}_top`, of its tiles (a node, the links that leave it, the "
      "network interfaces of its terminals)\nand of its nodes (a router with its CSR block). "
      "Inputs are sampled and outputs change at the rising edge of `clk_i`; `rst_ni` is\n"
      "asynchronous, `coord_i` does not change after reset.\n\n"
      "A pin of n slices holds n values side by side, number 0 in the low bits: one per terminal "
      "in streams, one per port of the\nrouter in channels `in_*` and `out_*`. Terminals and "
      "routers have the numbers of `terminals.csv`.\n\n"
      "* `s_tuser_i`, {1} bits a terminal: message class [{2}:{3}], destination [{4}:0], which is "
      "the address in `terminals.csv`.\n"
      "* `coord_i`: coordinate d of the router in bits [{5}d+{6}:{5}d], {7} coordinates.\n"
      "* `csr_*`: the address at the network is router x 2^{8} + register; at a tile and at a node "
      "(`s_*`), the register.\n\n"
      "## `{0}_top`\n\n",
      name, user, user - 1, address, address - 1, s.coord_width, s.coord_width - 1, s.num_coords,
      kCsrAddressBits);
  if (s.message_classes > 1)
    text.insert(
        text.find("* `coord_i`"),
        fmt::format(
            "* Streams: a slice for each terminal and message class, slice {}t+c of terminal t "
            "and class c: {}. The class in `s_tuser_i`\n  is not read.\n",
            s.message_classes, fmt::join(network.spec().network.router.message_classes, ", ")));
  text += table(s, top_ports(shapes, network), terminals);
  for (const RouterShape& shape : shapes) {
    text += fmt::format(
        "\n## `{0}_tile`\n\nIts channels are those of the network ports, behind their links.\n\n",
        shape.prefix);
    text += table(shape, tile_ports(shape), shape.ports - shape.network_ports);
    text += fmt::format("\n## `{0}_node`\n\n{1}\n\n", shape.prefix,
                        port_order(topology.shapes()[shape.index]));
    text += table(shape, node_ports(shape), 0);
  }
  return text + head_flit(s.format);
}

}  // namespace hopwise::emit
