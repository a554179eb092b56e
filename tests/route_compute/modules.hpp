// SPDX-License-Identifier: Apache-2.0
// Writes instances of a routing's modules, with the parameters that the generator gives its unit.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "emit/bundle.hpp"
#include "emit/parts.hpp"
#include "sv/writer.hpp"

namespace hopwise::test {

/// A port of a module and its width.
using Pins = std::vector<std::pair<std::string, std::size_t>>;

inline const std::string& library_text(const std::string& module) {
  for (const auto& [path, text] : emit::rtl_library()) {
    if (path.ends_with("/" + module + ".sv")) return text;
  }
  std::abort();
}

/// Those of the unit's parameters that `module`, which stands within it, has, too.
inline sv::Bindings parameters_of(const std::string& module, const emit::RouterShape& shape) {
  // Derived ones, which come last, are none.
  const std::string& text = library_text(module);
  const std::string header = text.substr(0, text.find("  localparam "));
  sv::Bindings out;
  for (const auto& parameter : emit::unit_parameters(shape)) {
    if (header.find(" " + parameter.first + " = ") != std::string::npos) out.push_back(parameter);
  }
  return out;
}

/// The ports of a routing unit: inputs, then outputs. See rtl/common/hw_routing_ports.svh.
inline Pins unit_inputs(const emit::RouterShape& s) {
  const std::size_t p = s.ports, vc = p * s.vc_width(), space = p * s.vcs * s.space_width;
  return {{"now_i", 64},
          {"space_i", space},
          {"buffer_space_i", space},
          {"queue_i", p * s.queue_width},
          {"in_valid_i", p},
          {"in_vc_i", vc},
          {"in_credit_valid_i", p},
          {"in_credit_vc_i", vc},
          {"out_valid_i", p},
          {"out_vc_i", vc},
          {"out_credit_valid_i", p},
          {"out_credit_vc_i", vc},
          {"turn_valid_i", p},
          {"turn_vc_i", vc},
          {"turn_out_vc_i", vc},
          {"out_feedback_i", 1},
          {"table_req_i", 1},
          {"table_we_i", 1},
          {"table_addr_i", 32},
          {"table_wdata_i", 32}};
}
inline Pins unit_outputs(const emit::RouterShape& s) {
  const std::size_t p = s.ports, k = s.unit.candidates;
  return {{"req_ready_o", p},
          {"rsp_valid_o", p},
          {"rsp_vc_o", p * s.vc_width()},
          {"rsp_port_o", p * k * s.port_width()},
          {"rsp_vcs_o", p * k * s.vcs},
          {"rsp_state_o", p * s.state_width()},
          {"in_feedback_o", 1},
          {"table_ack_o", 1},
          {"table_rdata_o", 32},
          {"counters_o", 1},
          {"trace_o", 1},
          {"flips_o", 1},
          {"flip_word_o", 32},
          {"idle_o", 1}};
}

inline void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// Writes `text` and the library files that it needs into `dir`, and a list of them, files.f.
/// `change`: what is done to a library file.
inline void write_model(
    const std::filesystem::path& dir, const std::string& name, const std::string& text,
    const std::function<std::string(const std::string&)>& change = [](const auto& t) {
      return t;
    }) {
  std::string list = "+incdir+" + dir.string() + "\n";
  for (const auto& file : emit::library_closure({text}, false)) {
    const auto path = dir / std::filesystem::path(file).filename();
    write(path, change(emit::rtl_library().at(file)));
    if (path.extension() == ".sv") list += path.string() + "\n";
  }
  write(dir / name, text);
  write(dir / "files.f", list + (dir / name).string() + "\n");
}

}  // namespace hopwise::test
