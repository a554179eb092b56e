// SPDX-License-Identifier: Apache-2.0
// Gates of the cells that Yosys makes of expressions, as /usr/share/yosys/simlib.v defines them.
// Adders ripple: in lanes each gate costs its time, however deep it is. What simlib leaves
// undefined is 0: behind the end of $shiftx, a division by zero; where $pmux has several selects
// its operands are ORed.
#pragma once

#include <string>

#include "model/lanes/gates.hpp"

namespace hopwise::lanes {

/// The inputs of a cell.
struct Operands {
  Wires a, b, s;
  bool a_signed = false, b_signed = false;
  std::size_t width = 1;  ///< of Y
};

/// True where this file has gates for cells of this type.
bool has_gates(const std::string& type);

/// Bit i of Y depends on bit i of A and B and on S only, and is made of them as if it were alone.
bool is_bitwise(const std::string& type);

/// Y. has_gates(type) holds.
Wires gates_of(const std::string& type, const Operands& operands, Gates& gates);

}  // namespace hopwise::lanes
