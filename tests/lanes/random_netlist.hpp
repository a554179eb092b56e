// SPDX-License-Identifier: Apache-2.0
// Random netlists of every kind of cell that the compiler for lanes takes.
#pragma once

#include <random>
#include <string>

#include "model/lanes/netlist.hpp"

namespace hopwise::lanes {

/// Ports: clk_i, rst_ni, in_i, out_o (some words of the netlist), more_o (others), fail_o (an
/// assertion or assumption fails). Nothing in it is undefined: selects of $pmux are one-hot,
/// indices of $shiftx inside.
class RandomNetlist {
 public:
  /// `all_registers`: also those with synchronous reset and with enables that are low, which the
  /// compiler has Yosys take apart.
  RandomNetlist(unsigned seed, std::size_t cells, bool all_registers);
  const Netlist& netlist() const { return n_; }

 private:
  std::size_t upto(std::size_t most) { return 1 + random_() % most; }
  bool one_in(unsigned n) { return random_() % n == 0; }
  /// 1 to 9 bits, now and then up to 70.
  std::size_t width() { return one_in(6) ? upto(70) : upto(9); }
  Bits word(std::size_t width);  ///< pieced together of what there is
  /// The same, made different from whatever else by input bits: what a register without reset
  /// takes. Yosys makes a constant of one that takes nothing else, whatever it begins with.
  Bits data(std::size_t width);
  Bits cell(const std::string& type, std::map<std::string, std::string> parameters,
            std::map<std::string, Bits> pins, const std::string& output, std::size_t width);

  void add_unary(const std::string& type);
  void add_binary(const std::string& type);
  void add_shift(const std::string& type);
  void add_choices();
  void add_registers(std::size_t number, bool all_kinds);
  void finish_registers();
  void add_memory(std::size_t size, std::size_t reads, std::size_t writes);
  void finish_memories();
  void add_assertions();

  std::mt19937 random_;
  Netlist n_;
  Bit clock_ = n_.fresh(), reset_ = n_.fresh();
  std::vector<Bits> words_;  ///< to be used as operands
  std::vector<std::size_t> registers_, memories_;
};

}  // namespace hopwise::lanes
