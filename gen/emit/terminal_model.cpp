// SPDX-License-Identifier: Apache-2.0
// A terminal with a message interface with the pins that the engine drives: those of a router of
// one port, and two vectors of pins between the interface and its host.
#include <algorithm>

#include <fmt/format.h>

#include "emit/channel.hpp"
#include "emit/parts.hpp"
#include "spec/message_csr_map.hpp"
#include "sv/writer.hpp"
#include "topology/message_format.hpp"

namespace hopwise::emit {
namespace {

constexpr unsigned kAxiIdBits = 2, kAxiLengthBits = 8, kAxiResponseBits = 2;

/// A pin of the host: its name in the engine's layout, and its bits.
struct HostField {
  const char* name;
  unsigned bits;
};

std::string slices(const char* vector, const MetaLayout& layout,
                   const std::vector<HostField>& fields) {
  std::string all;  // the first in the low bits
  for (const HostField& f : fields)
    all = slice(vector, layout.at(f.name), f.bits) + (all.empty() ? "" : ", ") + all;
  return "{" + all + "}";
}

}  // namespace

Files emit_terminal_model(const deadlock::ProvenNetwork& network, const RouterShape& router,
                          const ModelLayout& layout, std::string& top) {
  RouterShape s = router;
  s.ports = 1;
  s.network_ports = 0;
  s.feedback_bits = 0;
  s.watchdog_cycles = 0;
  s.message_registers = false;  // hosts of simulations have the streams
  top = s.prefix + "_terminal_model";
  const spec::NetworkSpec& spec = network.spec().network;
  const unsigned window = topology::message_format(spec.terminal, spec.packet).window,
                 data = s.stream_bits();
  const std::vector<HostField> descriptor = {{"desc_dst", s.address_bits()},
                                             {"desc_op", 1},
                                             {"desc_mode", 3},
                                             {"desc_auto", 1},
                                             {"desc_alltoall", 1},
                                             {"desc_bytes", 32},
                                             {"desc_local", spec::kAddressBits},
                                             {"desc_window", window},
                                             {"desc_key", spec::kKeyBits},
                                             {"desc_offset", spec::kOffsetBits},
                                             {"desc_tag", spec::kTagBits}},
                               opening = {{"win_open", 1},
                                          {"win_may_write", 1},
                                          {"win_may_read", 1},
                                          {"win_key", spec::kKeyBits},
                                          {"win_base", spec::kAddressBits},
                                          {"win_size", 32},
                                          {"win_expect", 32}},
                               completion = {{"cpl_tag", spec::kTagBits},
                                             {"cpl_status", 3},
                                             {"cpl_bytes", 32},
                                             {"cpl_mode", 3}};
  struct Pin {
    const char* name;
    const char* field;
    unsigned bits;
  };
  const Pin driven[] = {{"desc_valid_i", "desc_valid", 1},
                        {"cpl_ready_i", "cpl_ready", 1},
                        {"evt_ready_i", "evt_ready", 1},
                        {"win_valid_i", "win_valid", 1},
                        {"win_index_i", "win_index", window},
                        {"m_axi_arready_i", "ar_ready", 1},
                        {"m_axi_rvalid_i", "r_valid", 1},
                        {"m_axi_rid_i", "r_id", kAxiIdBits},
                        {"m_axi_rresp_i", "r_resp", kAxiResponseBits},
                        {"m_axi_rlast_i", "r_last", 1},
                        {"m_axi_rdata_i", "r_data", data},
                        {"m_axi_awready_i", "aw_ready", 1},
                        {"m_axi_wready_i", "w_ready", 1},
                        {"m_axi_bvalid_i", "b_valid", 1},
                        {"m_axi_bid_i", "b_id", kAxiIdBits},
                        {"m_axi_bresp_i", "b_resp", kAxiResponseBits},
                        {"ctr_clear_i", "ctr_clear", 1},
                        {"ctr_freeze_i", "ctr_freeze", 1},
                        {"timeout_i", "timeout", 32},
                        {"sel_threshold_i", "sel_threshold", 32},
                        {"sel_lambda_i", "sel_lambda", 8},
                        {"sel_sigma_i", "sel_sigma", 8},
                        {"sel_max_age_i", "sel_max_age", 8}},
            shown[] = {{"quiescent_o", "at_rest", 1},
                       {"desc_ready_o", "desc_ready", 1},
                       {"cpl_valid_o", "cpl_valid", 1},
                       {"evt_valid_o", "evt_valid", 1},
                       {"evt_o", "evt_window", window},
                       {"win_ready_o", "win_ready", 1},
                       {"m_axi_arvalid_o", "ar_valid", 1},
                       {"m_axi_arid_o", "ar_id", kAxiIdBits},
                       {"m_axi_araddr_o", "ar_addr", spec::kAddressBits},
                       {"m_axi_arlen_o", "ar_len", kAxiLengthBits},
                       {"m_axi_rready_o", "r_ready", 1},
                       {"m_axi_awvalid_o", "aw_valid", 1},
                       {"m_axi_awid_o", "aw_id", kAxiIdBits},
                       {"m_axi_awaddr_o", "aw_addr", spec::kAddressBits},
                       {"m_axi_awlen_o", "aw_len", kAxiLengthBits},
                       {"m_axi_wvalid_o", "w_valid", 1},
                       {"m_axi_wlast_o", "w_last", 1},
                       {"m_axi_wstrb_o", "w_strb", data / 8},
                       {"m_axi_wdata_o", "w_data", data},
                       {"m_axi_bready_o", "b_ready", 1}};

  std::vector<sv::Port> ports = model_ports(s);
  for (sv::Port& port : ports) {
    if (port.name == "counters_o")
      port.range = sv::range(model_pin_bits(csr::kNumNicCounters * 64));
    if (port.name == "trace_o") port.range = sv::range(model_pin_bits(1));
  }
  ports.push_back({"input", sv::range(layout.host_input_bits), "host_i", "What the host drives"});
  ports.push_back(
      {"output", sv::range(layout.host_output_bits), "host_o", "What the interface drives"});
  std::string body = sv::module_header(top, ports) + "\n" + model_channels(s, layout.wires);
  sv::Bindings pins = {{"src_i", fmt::format("coord_i[{}:0]", s.address_bits() - 1)}};
  for (const Wire& w : channel_wires(s)) {
    pins.emplace_back(w.pin("inj", End::kSender), w.net("out"));
    pins.emplace_back(w.pin("ej", End::kReceiver), w.net("in"));
  }
  pins.emplace_back("desc_i", slices("host_i", layout.host_inputs, descriptor));
  pins.emplace_back("win_i", slices("host_i", layout.host_inputs, opening));
  for (const Pin& pin : driven)
    pins.emplace_back(pin.name, slice("host_i", layout.host_inputs.at(pin.field), pin.bits));

  // Pins of the host are words of their own; what lies between them is 0.
  std::string host = "  always_comb begin\n    host_o = '0;\n";
  const auto show = [&](const char* field, unsigned bits, const std::string& net) {
    host += fmt::format("    host_o[{}+:{}] = {};\n", layout.host_outputs.at(field), bits, net);
  };
  for (const Pin& pin : shown) {
    body += fmt::format("  logic {} {};\n", sv::range(pin.bits), pin.field);
    pins.emplace_back(pin.name, pin.field);
    show(pin.field, pin.bits, pin.field);
  }
  body += "  logic throttles, quiescent;\n  assign quiescent = at_rest && !throttles;\n";
  pins.emplace_back("throttles_o", "throttles");
  show("quiescent", 1, "quiescent");
  const unsigned flows = std::max(s.flows, 1U), stop_bits = flows * s.address_bits();
  body += fmt::format("  logic {} stop_valid;\n  logic {} stop_dst;\n", sv::range(flows),
                      sv::range(stop_bits));
  pins.emplace_back("stop_valid_o", "stop_valid");
  pins.emplace_back("stop_dst_o", "stop_dst");
  pins.emplace_back("congestion_i",
                    s.flows == 0
                        ? "64'd0"
                        : sv::literal(64, std::uint64_t{s.congestion[2]} << 32 | s.congestion[1]));
  show("stop_valid", flows, "stop_valid");
  for (unsigned f = 0; f < flows; ++f)
    host += fmt::format("    host_o[{}+:{}] = {};\n", layout.host_outputs.at("stop_dst") + 32 * f,
                        s.address_bits(), lane("stop_dst", f, s.address_bits()));
  unsigned at = 0;
  for (const HostField& f : completion) {
    show(f.name, f.bits, slice("completion", at, f.bits));
    at += f.bits;
  }
  body += fmt::format("  logic {} completion;\n  logic {} counters;\n", sv::range(at),
                      sv::range(csr::kNumNicCounters * 64));
  pins.emplace_back("cpl_o", "completion");
  pins.emplace_back("counters_o", "counters");
  for (const char* unwatched : {"error", "bad_parity"}) {
    body += fmt::format("  logic [1:0] {};\n", unwatched);
    pins.emplace_back(fmt::format("{}_o", unwatched), unwatched);
  }
  body += "\n" + host + "  end\n";
  body += fmt::format("  assign counters_o = {}'(counters);\n",
                      model_pin_bits(csr::kNumNicCounters * 64));
  body += "  assign quiescent_o = quiescent;\n";
  for (const sv::Port& port : ports) {
    for (const char* unused : {"trace_o", "queue_o", "drops_o", "stuck_o"})
      if (port.name == unused) body += fmt::format("  assign {} = '0;\n", port.name);
    if (port.direction == "output" && port.name.starts_with("s_"))
      body += fmt::format("  assign {} = '0;\n", port.name);
  }
  body += "\n" +
          clocked_instance(terminal_module_name(s), "u_terminal", terminal_parameters(s, network),
                           pins) +
          "\nendmodule\n";
  Files files;
  for (const std::string& name : library_closure({body}, false))
    files.emplace("rtl/" + name, rtl_library().at(name));
  files.emplace(
      fmt::format("rtl/{}.sv", top),
      sv::file("A terminal with a message interface with the pins that the engine drives.", body));
  return files;
}

}  // namespace hopwise::emit
