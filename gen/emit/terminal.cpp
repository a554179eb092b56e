// SPDX-License-Identifier: Apache-2.0
// What stands between a router's terminal port and a host, and its parameters.
#include <utility>

#include "emit/parts.hpp"
#include "emit/terminal_parts.hpp"
#include "spec/message_csr_map.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

using sv::Bindings;

std::string terminal_module_name(const RouterShape& s) {
  return s.message_registers     ? "hw_message_register_terminal"
         : s.messages            ? "hw_message_terminal"
         : s.flows > 0           ? "hw_congestion_interface"
         : s.message_classes > 1 ? "hw_class_interface"
                                 : "hw_network_interface";
}

unsigned port_bits(const sv::Port& port) {
  return port.range.empty() ? 1 : static_cast<unsigned>(std::stoul(port.range.substr(1))) + 1;
}

void add_stop_ports(std::vector<sv::Port>& ports, const RouterShape& s, std::size_t terminals) {
  if (s.flows == 0) return;
  ports.push_back({"output", sv::vector_range(terminals * s.flows), "stop_valid_o",
                   "Destinations to begin nothing for, of each terminal"});
  ports.push_back(
      {"output", sv::vector_range(terminals * s.flows * s.address_bits()), "stop_dst_o", ""});
}

std::vector<sv::Port> message_ports(const RouterShape& s, std::size_t terminals) {
  using namespace spec;
  const std::size_t data = s.stream_bits(), strobe = data / 8, window = s.window_bits;
  // The words of rtl/common/hw_message.svh.
  const std::size_t desc =
      s.address_bits() + 38 + kAddressBits + window + kKeyBits + kOffsetBits + kTagBits;
  const std::size_t cpl = kTagBits + 38, win = 3 + kKeyBits + kAddressBits + 64;
  struct Pin {
    const char* name;
    std::size_t width;
    const char* comment = "";
  };
  const std::vector<Pin> pins = {
      {"desc_valid_i", 1, "Descriptors of messages, one slice per terminal"},
      {"desc_ready_o", 1},
      {"desc_i", desc},
      {"cpl_valid_o", 1, "Completions"},
      {"cpl_ready_i", 1},
      {"cpl_o", cpl},
      {"evt_valid_o", 1, "Windows that are full"},
      {"evt_ready_i", 1},
      {"evt_o", window},
      {"win_valid_i", 1, "Windows that are opened"},
      {"win_ready_o", 1},
      {"win_index_i", window},
      {"win_i", win},
      {"m_axi_arid_o", 2, "AXI4 masters: the memory of each terminal's host"},
      {"m_axi_araddr_o", kAddressBits},
      {"m_axi_arlen_o", 8},
      {"m_axi_arvalid_o", 1},
      {"m_axi_arready_i", 1},
      {"m_axi_rid_i", 2},
      {"m_axi_rdata_i", data},
      {"m_axi_rresp_i", 2},
      {"m_axi_rlast_i", 1},
      {"m_axi_rvalid_i", 1},
      {"m_axi_rready_o", 1},
      {"m_axi_awid_o", 2},
      {"m_axi_awaddr_o", kAddressBits},
      {"m_axi_awlen_o", 8},
      {"m_axi_awvalid_o", 1},
      {"m_axi_awready_i", 1},
      {"m_axi_wdata_o", data},
      {"m_axi_wstrb_o", strobe},
      {"m_axi_wlast_o", 1},
      {"m_axi_wvalid_o", 1},
      {"m_axi_wready_i", 1},
      {"m_axi_bid_i", 2},
      {"m_axi_bresp_i", 2},
      {"m_axi_bvalid_i", 1},
      {"m_axi_bready_o", 1},
      {"ctr_clear_i", 1, "Counters of the interfaces"},
      {"ctr_freeze_i", 1},
      {"nic_counters_o", csr::kNumNicCounters * 64},
      {"ni_error_o", 2, "A packet of wrong length was dropped"}};
  std::vector<sv::Port> ports;
  for (const Pin& pin : pins) {
    const std::string_view name = pin.name;
    ports.push_back({name.ends_with("_i") ? "input" : "output",
                     sv::vector_range(terminals * pin.width), pin.name, pin.comment});
  }
  add_stop_ports(ports, s, terminals);
  if (!s.message_registers) return ports;
  for (const AxiWire& w : axi_lite())
    ports.push_back({w.from_master ? "input" : "output", sv::vector_range(terminals * w.width),
                     w.pin("msg"), &w == axi_lite().data() ? "AXI4-Lite of the registers" : ""});
  ports.push_back({"output", sv::vector_range(terminals), "msg_irq_o", "Their interrupts"});
  return ports;
}

Bindings message_words(const spec::TerminalSpec& terminal) {
  if (terminal.message_registers) return {};
  const spec::SelectorSpec& selector = terminal.selector;
  return {{"timeout_i", sv::literal(32, terminal.timeout_cycles)},
          {"sel_threshold_i", sv::literal(32, selector.threshold_bytes)},
          {"sel_lambda_i", sv::literal(8, selector.lambda)},
          {"sel_sigma_i", sv::literal(8, selector.sigma)},
          {"sel_max_age_i", sv::literal(8, selector.max_age)}};
}

namespace {

Bindings message_parameters(const RouterShape& s, const spec::TerminalSpec& terminal) {
  return {
      {"MessageLsb", number(s.format.message.lsb)},    {"AddrBits", number(spec::kAddressBits)},
      {"WindowBits", number(s.window_bits)},           {"KeyBits", number(spec::kKeyBits)},
      {"OffsetBits", number(spec::kOffsetBits)},       {"TagBits", number(spec::kTagBits)},
      {"OutstandingBits", number(s.outstanding_bits)}, {"ModeBits", number(s.format.mode.width)},
      {"ModeSelector", bit(terminal.mode_selector)}};
}

Bindings register_parameters(const spec::TerminalSpec& terminal) {
  const spec::SelectorSpec& selector = terminal.selector;
  return {{"ResetTimeout", sv::literal(32, terminal.timeout_cycles)},
          {"ResetThreshold", sv::literal(32, selector.threshold_bytes)},
          {"ResetFactors", sv::literal(24, selector_factors(selector))}};
}

}  // namespace

std::uint32_t selector_factors(const spec::SelectorSpec& selector) {
  return selector.max_age << 16 | selector.sigma << 8 | selector.lambda;
}

Bindings terminal_parameters(const RouterShape& s, const deadlock::ProvenNetwork& network) {
  const spec::NetworkSpec& spec = network.spec().network;
  const topology::PacketFormat& f = s.format;
  Bindings parameters;
  if (s.flows > 0) parameters.emplace_back("Flows", number(s.flows));
  if (s.flows > 0 && !s.messages) {
    std::vector<bool> free;
    for (unsigned c = 0; c < s.message_classes; ++c) free.push_back(spec.terminal.answers(c));
    parameters.emplace_back("NoteClass", number(spec.terminal.note_class(s.message_classes)));
    parameters.emplace_back("Free", sv::bit_literal(free));
  }
  if (s.message_classes > 1 && !s.messages)
    parameters.emplace_back("NumClasses", number(s.message_classes));
  if (!s.class_ranks.empty()) {
    parameters.emplace_back("Ranks", sv::flat_literal(4, s.class_ranks));
    parameters.emplace_back("RankPackets", number(s.class_packets));
  }
  const auto add = [&parameters](const Bindings& part) {
    parameters.insert(parameters.end(), part.begin(), part.end());
  };
  add({{"NumVcs", number(s.vcs)},
       {"FlitBits", number(s.flit_bits)},
       {"MaxFlits", number(s.max_flits)},
       {"MinFlits", number(s.min_flits)},
       {"EjectDepth", number(s.vc_depths[0])},
       {"DstLsb", number(f.dst_coord[0].lsb)},
       {"DstBits", number(s.address_bits())},
       {"LenLsb", number(f.length.lsb)},
       {"LenBits", number(f.length.width)},
       {"LenOffset", number(f.length_offset)},
       {"ClassLsb", number(f.routing_class.lsb)},
       {"ClassBits", number(f.routing_class.width)},
       {"SrcLsb", number(f.src_coord[0].lsb)},
       {"SrcBits", number(s.address_bits())},
       {"MsgLsb", number(f.message_class.lsb)},
       {"MsgBits", number(f.message_class.width)},
       {"IdLsb", number(f.packet_id.lsb)},
       {"IdBits", number(f.packet_id.width)},
       {"VcSelect", number(s.fixed_vc_by_destination ? 1
                           : f.mode.width > 0        ? 2
                                                     : 0)},
       {"NeedWhole", number(spec.router.switching == spec::Switching::kWormhole ? 0 : 1)},
       {"VcDepths", vc_depths_literal(s)},
       {"CyclesPerFlitNum", number(spec.link.cycles_per_flit.num)},
       {"CyclesPerFlitDen", number(spec.link.cycles_per_flit.den)}});
  add(field_parameters(s, network.topology()));
  add(parity_parameters(s));
  if (s.keep_bits > 0) {
    parameters.emplace_back("KeepBits", number(s.keep_bits));
    parameters.emplace_back("BytesLsb", number(f.tail_bytes.lsb));
  }
  if (f.mode.width > 0) parameters.emplace_back("ModeLsb", number(f.mode.lsb));
  if (s.poison) parameters.emplace_back("Poison", bit(true));
  if (spec.terminal.cut_through)
    parameters.emplace_back("PauseCycles", number(spec.terminal.pause_cycles));
  if (s.messages) add(message_parameters(s, spec.terminal));
  if (s.message_registers) add(register_parameters(spec.terminal));
  return parameters;
}

namespace {

/// The parts of a terminal with a message interface, but for the interface to the two classes.
void add_message_parts(std::vector<TerminalPart>& parts, const RouterShape& s,
                       const deadlock::ProvenNetwork& network) {
  spec::TerminalSpec without = network.spec().network.terminal;
  const bool selector = std::exchange(without.mode_selector, false);
  Bindings interface = {{"StreamBits", number(s.stream_bits())},
                        {"MaxFlits", number(s.max_flits - (s.min_flits - 1))},  // no footer
                        {"DstLsb", number(s.format.dst_coord[0].lsb)},
                        {"DstBits", number(s.address_bits())},
                        {"ModeLsb", number(s.format.mode.lsb)}};
  for (const Bindings& part :
       {field_parameters(s, network.topology()), message_parameters(s, without)})
    interface.insert(interface.end(), part.begin(), part.end());
  if (s.flows > 0) interface.emplace_back("Flows", number(s.flows));
  if (s.message_registers)
    interface.emplace_back("TagBits", number(spec::kTagBits + 1));  // whose it is
  parts.push_back({"message_interface", "hw_message_interface", interface, {}});
  parts.push_back({"nic_counters",
                   "hw_nic_counters",
                   {{"NumCounters", number(csr::kNumNicCounters)},
                    {"WideCounter", number(csr::nic_counter("RSP_LATENCY"))}},
                   {}});
  if (s.message_registers)
    parts.push_back({"message_registers",
                     "hw_message_csr",
                     {{"StreamBits", number(s.stream_bits())},
                      {"DstBits", number(s.address_bits())},
                      {"WindowBits", number(s.window_bits)},
                      {"Flows", number(s.flows)}},
                     {}});
  if (selector) {
    parts.push_back(
        {"mode_selector",
         "hw_mode_selector",
         {{"DstBits", number(s.address_bits())}, {"OutstandingBits", number(s.outstanding_bits)}},
         {}});
    parts.push_back({"mode_selector", "hw_mode_sampler", {{"SumBits", number(32)}}, {}});
  }
}

}  // namespace

std::vector<TerminalPart> terminal_parts(const deadlock::ProvenNetwork& network) {
  const RouterShape s = router_shape(network);
  std::vector<TerminalPart> parts = {
      {"terminal", terminal_module_name(s), terminal_parameters(s, network), {}}};
  if (s.messages) add_message_parts(parts, s, network);
  for (TerminalPart& part : parts) {
    for (const std::string& file : library_closure({part.module}, false)) {
      if (file.ends_with(".sv")) part.sources.push_back("rtl/" + file);
    }
  }
  return parts;
}

}  // namespace hopwise::emit
