// SPDX-License-Identifier: Apache-2.0
// The logic of a machine as look-up tables of three inputs, and C++ for each table.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/lanes/machine.hpp"

namespace hopwise::lanes {

/// What a lane holds one bit of: 0 and 1 are the constants, then come the sources of the machine,
/// then the tables.
using Value = std::uint32_t;

struct Table {
  std::array<Value, 3> in{};  ///< the first `inputs` count
  unsigned inputs = 0;
  std::uint8_t truth = 0;  ///< bit i: the value where in[0] is bit 0 of i, and so on
};

struct Logic {
  std::size_t sources = 0;
  std::vector<Table> tables;
  std::unordered_map<Bit, Value> value;  ///< of the machine's sources and sinks

  Value first_table() const { return static_cast<Value>(2 + sources); }
  bool is_table(Value v) const { return v >= first_table(); }
  const Table& table(Value v) const { return tables[v - first_table()]; }
  Value of(Bit bit) const;
};

/// `sinks`: the values of machine.sinks().
Logic make_logic(const Machine& machine, std::vector<Table> tables,
                 const std::vector<Value>& sinks);

/// C++ of the table over operands `a`, `b`, `c`: of the fewest AND, OR, XOR and NOT.
std::string expression(const Table& table, const std::array<std::string, 3>& operands);

/// As many operators are in it.
unsigned operators(const Table& table);

}  // namespace hopwise::lanes
