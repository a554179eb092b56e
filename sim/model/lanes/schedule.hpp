// SPDX-License-Identifier: Apache-2.0
// In which order the values of a machine are computed, and which of them only where they matter.
#pragma once

#include <cstddef>
#include <vector>

#include "model/lanes/logic.hpp"
#include "model/lanes/machine.hpp"

namespace hopwise::lanes {

/// A table to compute, or a memory to read.
struct Step {
  enum class Kind { kTable, kRead };
  Kind kind = Kind::kTable;
  Value table = 0;
  std::size_t memory = 0, read = 0;
};

/// Registers of one enable whose logic serves nothing else. Where no lane has the enable, neither
/// is computed; the registers are held in place.
struct Guarded {
  Value enable = 0;
  std::vector<std::size_t> registers;
  std::vector<Step> steps;
};

struct Schedule {
  std::vector<Step> steps;       ///< every cycle, in order
  std::vector<Guarded> guarded;  ///< after them
};

/// The order for these roots: depth first, so that a value is computed near its use.
std::vector<Step> order(const Machine& machine, const Logic& logic,
                        const std::vector<Value>& roots);

/// The order for a clock cycle: next state, what memories take, and the value of `check`. Registers
/// are guarded where that saves at least `least` tables.
Schedule schedule_cycle(const Machine& machine, const Logic& logic, Bit check, std::size_t least);

}  // namespace hopwise::lanes
