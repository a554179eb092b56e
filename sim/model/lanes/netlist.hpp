// SPDX-License-Identifier: Apache-2.0
// A flat netlist as Yosys writes it (write_json): cells of words, nets of single bits.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hopwise::lanes {

/// A net, one bit wide. Constants are nets too; an undefined bit ("x") is a 0, as in the verilated
/// models.
using Bit = std::int32_t;
inline constexpr Bit kZero = 0, kOne = 1;
using Bits = std::vector<Bit>;  ///< lowest first

struct Cell {
  std::string name;
  std::string type;                               ///< "$add", "$dff", "$mem_v2", ...
  std::map<std::string, std::string> parameters;  ///< of bits ("0101", highest first) or text
  std::map<std::string, Bits> pins;

  const Bits& pin(const std::string& which) const;
  bool has(const std::string& which) const { return pins.contains(which); }
  /// A parameter that is a number; 0 where the cell has none of that name.
  std::uint64_t number(const std::string& which) const;
  /// Bit `i` of a parameter; false where it is not set.
  bool flag(const std::string& which, std::size_t i) const;
};

struct Port {
  std::string name;
  bool input = false;
  Bits bits;
};

/// One module, without hierarchy.
struct Netlist {
  std::string top;
  std::vector<Port> ports;
  std::vector<Cell> cells;
  Bit nets = 2;  ///< nets are [0, nets)

  Bit fresh() { return nets++; }
  Bits fresh(std::size_t width);
  const Port* port(const std::string& name) const;  ///< nullptr: there is none
};

/// The output pins of a cell, by name: what it drives.
bool drives(const Cell& cell, const std::string& pin);

/// True for modules that the netlist has as they are: without contents, under their names. Their
/// pins end in _i and _o.
bool is_hosted(const Cell& cell);

/// True for registers that this compiler knows: $dff, $dffe, $adff, $adffe.
bool is_register(const Cell& cell);

/// The text of write_json. Throws std::runtime_error where it is none of module `top`.
Netlist read_netlist(const std::string& json, const std::string& top);

/// A text that read_json takes.
std::string write_netlist(const Netlist& netlist);

}  // namespace hopwise::lanes
