// SPDX-License-Identifier: Apache-2.0
// A clocked module taken apart: pins, registers, memories, and the logic between them, which has no
// state. Only what some output pin depends on is left.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "model/lanes/netlist.hpp"

namespace hopwise::lanes {

struct Register {
  Bit q = 0, d = 0;
  Bit enable = kOne;
  bool reset = false;  ///< has an asynchronous reset
  bool value = false;  ///< after reset; others start with 0
  std::string name;    ///< of the cell
};

struct Memory {
  struct Read {
    Bits address, data;
  };
  struct Write {
    Bits address, data;
    Bit enable = kZero;
  };
  std::string name;
  std::size_t size = 0;       ///< words; reads behind them give 0, writes there are ignored
  std::vector<Read> reads;    ///< in the same cycle
  std::vector<Write> writes;  ///< at the clock edge; of two to one word the last stays
};

/// Wider memories are several, and so are those whose bits are written apart.
inline constexpr std::size_t kWidestMemory = 64;

struct Machine {
  std::vector<Port> pins;  ///< without the clock; bits of outputs that nobody wants are 0
  std::vector<Register> registers;
  std::vector<Memory> memories;
  /// Modules whose outputs the host computes (lane_host.hpp) once per cycle, behind the edge.
  std::vector<Cell> hosted;
  Netlist logic;         ///< cells without state; its ports are `in` and `out`
  Bits sources() const;  ///< what the logic reads: pins, registers, read data, the host's answers
  Bits sinks() const;    ///< what it must compute
};

/// Takes the module apart. `wanted` says which bits of an output pin matter.
/// Throws std::runtime_error where a cell is not of this kind: another clock, a latch, a memory
/// with registered reads or with contents from the start, a module that the host does not know.
Machine take_apart(Netlist netlist, const std::string& clock, const std::string& reset,
                   const std::function<bool(const std::string& pin, std::size_t bit)>& wanted);

/// Adds an output pin `name`, one bit: an assertion or an assumption of the netlist fails now. The
/// cells that state them ($assert, $assume, $cover) go. Returns how many are watched.
std::size_t watch_assertions(Netlist& netlist, const std::string& name);

}  // namespace hopwise::lanes
