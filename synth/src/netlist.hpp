// SPDX-License-Identifier: Apache-2.0
// What the tools say about a design, as data.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace hopwise::synth {

/// Numbers of measured quantities, not of the design.
inline double rounded(double value, double per_unit) {
  return std::round(value * per_unit) / per_unit;
}

/// Cells by type of each module, from the text of Yosys' `stat`.
using CellCounts = std::map<std::string, std::map<std::string, std::uint64_t>>;
CellCounts read_stat(const std::string& text);

/// Those of a module and of its instances, modules themselves left out.
std::map<std::string, std::uint64_t> all_cells(const CellCounts& counts, const std::string& module);

/// Modules and their instances, from the JSON of an elaborated design.
struct Module {
  std::string name;  ///< as it is written in SystemVerilog
  /// the name, with the parameters that tell its variants apart
  std::string label;
  std::map<std::string, std::string>
      parameters;  ///< values: decimal, or hexadecimal beyond 64 bits
  /// path within the module -> Yosys' name of the instance's module
  std::map<std::string, std::string> instances;
  std::uint64_t count = 0;  ///< how often it is in the design
};
using Hierarchy = std::map<std::string, Module>;  ///< by Yosys' name
Hierarchy read_hierarchy(const nlohmann::json& design, const std::string& top);

/// The deepest instance that holds the register or memory of this hierarchical name.
struct Place {
  std::string instance, module;  ///< path ("" is the top module), label of its module
};
Place place_of(const Hierarchy& hierarchy, const std::string& top, const std::string& name);

/// The longest path of an OpenSTA report_checks.
struct Path {
  std::string from, to;  ///< instances
  double ns = 0;         ///< clock edge to data arrival, and the setup time: the least clock period
  unsigned levels = 0;   ///< cells between the two
};
std::optional<Path> read_path(const std::string& report, double period_ns);

/// The least clock period in ns that each register and memory needs as the end of a path, by
/// instance, from OpenSTA's `report_checks -format end`.
std::map<std::string, double> read_ends(const std::string& report, double period_ns);

/// RTL name of what a flip-flop of the netlist (Verilog, one port per line) holds; of a read
/// address, the memory `mem` that it is of; the instance's name where it has no other.
std::string register_name(const std::string& netlist, const std::string& instance);

/// Of all flip-flops whose name is no gate's.
std::map<std::string, std::string> register_names(const std::string& netlist);

/// Watts of OpenSTA's report_power.
struct Power {
  double internal = 0, switching = 0, leakage = 0;
};
std::optional<Power> read_power(const std::string& report);

}  // namespace hopwise::synth
