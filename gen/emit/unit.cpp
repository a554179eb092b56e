// SPDX-License-Identifier: Apache-2.0
// The routing unit of a shape alone, in a top whose pins are the same for every unit: one input
// port is asked at a time.
#include <fmt/format.h>

#include "emit/parts.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

namespace {

/// A pin of at least three words, which Verilator makes an array of words.
std::size_t wide(std::size_t bits) { return std::max<std::size_t>(96, (bits + 31) / 32 * 32); }

}  // namespace

Files emit_unit(const RouterShape& s, std::string& top) {
  const std::size_t p = s.ports, k = s.unit.candidates, vw = s.vc_width(), pw = s.port_width(),
                    space = p * s.vcs * s.space_width, cfg = 32 * s.cfg_reset.size();
  top = s.prefix + "_unit";
  std::string body = sv::module_header(
      top, {{"input", "", "clk_i", ""},
            {"input", "", "rst_ni", ""},
            {"input", "[63:0]", "coord_i", ""},
            {"input", sv::range(wide(cfg)), "cfg_i", ""},
            {"input", "[63:0]", "now_i", ""},
            {"input", "", "ask_i", "Question of port port_i"},
            {"output", "", "ready_o", ""},
            {"input", "[31:0]", "port_i", ""},
            {"input", "[31:0]", "vc_i", ""},
            {"input", sv::range(wide(s.format.route_bits)), "bits_i", ""},
            {"input", sv::range(wide(space)), "space_i", ""},
            {"input", sv::range(wide(space)), "buffer_space_i", ""},
            {"input", sv::range(wide(p * s.queue_width)), "queue_i", ""},
            {"output", "", "valid_o", "Its answer; candidates: port and VCs, a word each"},
            {"output", "[31:0]", "vc_o", ""},
            {"output", "[63:0]", "state_o", ""},
            {"output", sv::range(wide(64 * k)), "candidates_o", ""},
            {"output", "", "idle_o", ""}});
  sv::Bindings pins = {
      {"clk_i", "clk_i"},
      {"rst_ni", "rst_ni"},
      {"coord_i", fmt::format("coord_i[{}:0]", s.coord_bits() - 1)},
      {"cfg_i", fmt::format("cfg_i[{}:0]", cfg - 1)},
      {"now_i", "now_i"},
      {"req_valid_i", fmt::format("{}'(ask_i) << port_i", p)},
      {"req_vc_i", fmt::format("{{{}{{vc_i[{}:0]}}}}", p, vw - 1)},
      {"req_bits_i", fmt::format("{{{}{{bits_i[{}:0]}}}}", p, s.format.route_bits - 1)},
      {"space_i", fmt::format("space_i[{}:0]", space - 1)},
      {"buffer_space_i", fmt::format("buffer_space_i[{}:0]", space - 1)},
      {"queue_i", fmt::format("queue_i[{}:0]", p * s.queue_width - 1)}};
  for (const char* quiet :
       {"in_valid_i", "in_vc_i", "in_credit_valid_i", "in_credit_vc_i", "out_valid_i", "out_vc_i",
        "out_credit_valid_i", "out_credit_vc_i", "turn_valid_i", "turn_vc_i", "turn_out_vc_i",
        "out_feedback_i", "table_req_i", "table_we_i", "table_addr_i", "table_wdata_i"})
    pins.emplace_back(quiet, "'0");
  body += "\n";
  for (const auto& [name, width] : std::initializer_list<std::pair<std::string, std::size_t>>{
           {"req_ready", p},
           {"rsp_valid", p},
           {"rsp_vc", p * vw},
           {"rsp_port", p * k * pw},
           {"rsp_vcs", p * k * s.vcs},
           {"rsp_state", p * s.state_width()}}) {
    body += fmt::format("  logic {} {};\n", sv::vector_range(width), name);
    pins.emplace_back(name + "_o", name == "rsp_vcs" ? unit_vcs(s) : name);
  }
  for (const char* open : {"in_feedback_o", "table_ack_o", "table_rdata_o", "counters_o", "trace_o",
                           "flips_o", "flip_word_o"})
    pins.emplace_back(open, "");
  pins.emplace_back("idle_o", "idle_o");
  body += message_classes_instance(s);
  body += "\n" + sv::instance(s.unit.module, "u_unit", unit_parameters(s), pins);
  body += fmt::format(
      "\n  assign ready_o = req_ready[port_i];\n  assign valid_o = rsp_valid[port_i];\n"
      "  assign vc_o = 32'(rsp_vc[port_i*{}+:{}]);\n  assign state_o = "
      "64'(rsp_state[port_i*{}+:{}]);\n",
      vw, vw, s.state_width(), s.state_width());
  for (std::size_t c = 0; c < k; ++c)
    body += fmt::format(
        "  assign candidates_o[{}+:64] = {{32'(rsp_vcs[(port_i*{}+{})*{}+:{}]), "
        "32'(rsp_port[(port_i*{}+{})*{}+:{}])}};\n",
        64 * c, k, c, s.vcs, s.vcs, k, c, pw, pw);
  if (wide(64 * k) > 64 * k)
    body += fmt::format("  assign candidates_o[{}:{}] = '0;\n", wide(64 * k) - 1, 64 * k);
  const std::string text = sv::file(
      fmt::format("{} of {}, to be asked alone.", s.unit.module, s.prefix), body + "\nendmodule\n");
  const std::string unit = one_port_unit(s);
  Files files;
  if (!unit.empty()) files.emplace(fmt::format("rtl/{}.sv", s.unit.module), unit);
  for (const auto& name : library_closure({unit, text}, false))
    files.emplace("rtl/" + name, rtl_library().at(name));
  files.emplace(fmt::format("rtl/{}.sv", top), text);
  return files;
}

}  // namespace hopwise::emit
