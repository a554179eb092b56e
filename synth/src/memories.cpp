// SPDX-License-Identifier: Apache-2.0
#include "synth/src/memories.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>

namespace hopwise::synth {

namespace {

std::uint64_t integer(const nlohmann::json& parameters, const char* name) {
  return std::stoull(parameters.at(name).get<std::string>(), nullptr, 2);
}

/// The largest group of neighbouring bits that share a write enable, in all ports of the memory.
std::uint64_t lane_bits(const nlohmann::json& enables, std::uint64_t width) {
  std::uint64_t lane = width;
  for (std::size_t i = 1; i < enables.size(); ++i) {
    if (i % width != 0 && enables[i] != enables[i - 1]) lane = std::gcd(lane, i % width);
  }
  return lane;
}

/// Ports of a black box: name, direction, width.
struct Port {
  std::string name;
  bool output;
  std::uint64_t width;
  std::string wire;  ///< the port of `$mem_v2` that it stands for
};

std::vector<Port> ports(const MemoryShape& s) {
  const std::uint64_t lanes = s.width / s.lane_bits;
  std::string enables;
  for (std::uint64_t i = s.write_ports * lanes; i-- > 0;)
    enables += fmt::format("WR_EN[{}]{}", i * s.lane_bits, i == 0 ? "" : ", ");
  return {{"read_enable", false, s.read_ports, "RD_EN"},
          {"read_set", false, s.read_ports, "RD_SRST"},
          {"read_address", false, s.read_ports * s.address_bits, "RD_ADDR"},
          {"read_data", true, s.read_ports * s.width, "RD_DATA"},
          {"write_enable", false, s.write_ports * lanes, "{" + enables + "}"},
          {"write_address", false, s.write_ports * s.address_bits, "WR_ADDR"},
          {"write_data", false, s.write_ports * s.width, "WR_DATA"}};
}

}  // namespace

std::string MemoryShape::macro() const {
  return fmt::format("hopwise_memory_{}x{}_r{}_w{}_l{}", words, width, read_clocked, write_ports,
                     lane_bits);
}

bool MemoryShape::serves(const MemoryShape& memory) const {
  return words == memory.words && width == memory.width && write_ports == memory.write_ports &&
         read_clocked == memory.read_clocked;
}

std::optional<MemoryShape> read_memory(const nlohmann::json& cell) {
  if (cell.at("type") != "$mem_v2") return std::nullopt;
  const nlohmann::json& p = cell.at("parameters");
  MemoryShape s{.width = integer(p, "WIDTH"),
                .words = integer(p, "SIZE"),
                .address_bits = integer(p, "ABITS"),
                .read_ports = static_cast<unsigned>(integer(p, "RD_PORTS")),
                .write_ports = static_cast<unsigned>(integer(p, "WR_PORTS")),
                .read_clocked = p.at("RD_CLK_ENABLE").get<std::string>()};
  s.lane_bits = lane_bits(cell.at("connections").at("WR_EN"), s.width);
  return s;
}

std::vector<MemoryShape> find_memories(const nlohmann::json& design) {
  std::vector<MemoryShape> shapes;
  for (const auto& module : design.at("modules")) {
    for (const auto& cell : module.at("cells")) {
      const auto memory = read_memory(cell);
      if (!memory || memory->write_ports == 0 || memory->read_ports == 0 ||
          memory->bits() < kLeastMacroBits)
        continue;
      const auto known = std::find_if(shapes.begin(), shapes.end(),
                                      [&](const MemoryShape& s) { return s.serves(*memory); });
      if (known == shapes.end())
        shapes.push_back(*memory);
      else
        known->lane_bits = std::gcd(known->lane_bits, memory->lane_bits);
    }
  }
  return shapes;
}

std::string black_boxes(const std::vector<MemoryShape>& shapes) {
  std::string text;
  for (const auto& s : shapes) {
    text += fmt::format("(* blackbox *)\nmodule {} (input clk", s.macro());
    for (const auto& p : ports(s))
      text += fmt::format(",\n  {} [{}:0] {}", p.output ? "output" : "input", p.width - 1, p.name);
    text += ");\nendmodule\n\n";
  }
  return text;
}

std::string techmap(const std::vector<MemoryShape>& shapes) {
  std::string text = R"((* techmap_celltype = "$mem_v2" *)
module hopwise_memory_map (RD_CLK, RD_EN, RD_ARST, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, WR_ADDR, WR_DATA);
  parameter MEMID = "";
  parameter signed SIZE = 4;
  parameter signed OFFSET = 0;
  parameter signed ABITS = 2;
  parameter signed WIDTH = 8;
  parameter signed INIT = 1'bx;
  parameter signed RD_PORTS = 1;
  parameter RD_CLK_ENABLE = 1'b1;
  parameter RD_CLK_POLARITY = 1'b1;
  parameter RD_TRANSPARENCY_MASK = 1'b0;
  parameter RD_COLLISION_X_MASK = 1'b0;
  parameter RD_WIDE_CONTINUATION = 1'b0;
  parameter RD_CE_OVER_SRST = 1'b0;
  parameter RD_ARST_VALUE = 1'b0;
  parameter RD_SRST_VALUE = 1'b0;
  parameter RD_INIT_VALUE = 1'b0;
  parameter signed WR_PORTS = 1;
  parameter WR_CLK_ENABLE = 1'b1;
  parameter WR_CLK_POLARITY = 1'b1;
  parameter WR_PRIORITY_MASK = 1'b0;
  parameter WR_WIDE_CONTINUATION = 1'b0;
  input [RD_PORTS-1:0] RD_CLK, RD_EN, RD_ARST, RD_SRST;
  input [RD_PORTS*ABITS-1:0] RD_ADDR;
  output [RD_PORTS*WIDTH-1:0] RD_DATA;
  input [WR_PORTS-1:0] WR_CLK;
  input [WR_PORTS*WIDTH-1:0] WR_EN, WR_DATA;
  input [WR_PORTS*ABITS-1:0] WR_ADDR;
  generate
)";
  for (const auto& s : shapes) {
    text += fmt::format(
        "    if (SIZE == {} && WIDTH == {} && RD_PORTS == {} && WR_PORTS == {} && RD_CLK_ENABLE == "
        "{}'b{}) begin\n"
        "      {} _TECHMAP_REPLACE_ (.clk(WR_CLK[0])",
        s.words, s.width, s.read_ports, s.write_ports, s.read_ports, s.read_clocked, s.macro());
    for (const auto& p : ports(s)) text += fmt::format(", .{}({})", p.name, p.wire);
    text += ");\n    end else\n";
  }
  return text + "    begin\n      wire _TECHMAP_FAIL_ = 1'b1;\n    end\n  endgenerate\nendmodule\n";
}

std::string macro_liberty(const std::vector<MemoryShape>& shapes, const Liberty& liberty) {
  std::string text = liberty.header;
  const std::size_t name = text.find('(', text.find("library"));
  text.replace(name, text.find(')', name) - name, "(hopwise_memories");
  std::set<std::uint64_t> widths;
  for (const auto& s : shapes) {
    for (const auto& p : ports(s)) widths.insert(p.width);
  }
  for (const auto w : widths) {
    text += fmt::format(
        "  type (bus{}) {{ base_type : array; data_type : bit; bit_width : {}; bit_from : {}; "
        "bit_to : 0; downto : true; }}\n",
        w, w, w - 1);
  }
  std::string to_clk[2] = {liberty.input_timing, liberty.output_timing};
  for (auto& timing : to_clk) {
    for (std::size_t at; (at = timing.find("\"CLK\"")) != std::string::npos;)
      timing.replace(at, 5, "\"clk\"");
  }
  for (const auto& s : shapes) {
    text += fmt::format(
        "  cell ({}) {{\n    area : 0;\n    is_macro_cell : true;\n"
        "    pin (clk) {{ direction : input; clock : true; capacitance : {}; }}\n",
        s.macro(), liberty.input_pf);
    for (const auto& p : ports(s)) {
      text += fmt::format("    bus ({}) {{\n      bus_type : bus{};\n      direction : {};\n",
                          p.name, p.width, p.output ? "output" : "input");
      if (!p.output) text += fmt::format("      capacitance : {};\n", liberty.input_pf);
      text += to_clk[p.output ? 1 : 0] + "    }\n";
    }
    text += "  }\n";
  }
  return text + "}\n";
}

nlohmann::ordered_json memory_list(const nlohmann::json& design, const Hierarchy& hierarchy,
                                   const std::vector<MemoryShape>& macros) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& [id, module] : hierarchy) {
    for (const auto& [name, cell] : design.at("modules").at(id).at("cells").items()) {
      const auto memory = read_memory(cell);
      if (!memory || module.count == 0) continue;
      const bool macro = std::any_of(macros.begin(), macros.end(),
                                     [&](const MemoryShape& s) { return s.serves(*memory); });
      list.push_back({{"module", module.label},
                      {"name", name},
                      {"words", memory->words},
                      {"width", memory->width},
                      {"read_ports", memory->read_ports},
                      {"write_ports", memory->write_ports},
                      {"registered_reads",
                       std::count(memory->read_clocked.begin(), memory->read_clocked.end(), '1')},
                      {"count", module.count},
                      {"bits", memory->bits() * module.count},
                      {"macro", macro}});
    }
  }
  return list;
}

}  // namespace hopwise::synth
