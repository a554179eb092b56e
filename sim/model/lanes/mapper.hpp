// SPDX-License-Identifier: Apache-2.0
// From cells of words to gates, and to the text with which ABC takes gates and gives tables.
#pragma once

#include <string>
#include <vector>

#include "model/lanes/gates.hpp"
#include "model/lanes/logic.hpp"
#include "model/lanes/netlist.hpp"

namespace hopwise::lanes {

/// `outputs` in terms of inputs, which are the first gates after the constant.
struct Circuit {
  Gates gates;
  std::size_t inputs = 0;
  Wires outputs;
};

/// Only what `outputs` depend on is made. Throws std::runtime_error at a loop of logic and at a
/// cell that words.hpp does not know. Nets that nothing drives are 0.
Circuit make_circuit(const std::vector<Cell>& cells, const Bits& inputs, const Bits& outputs);

/// BLIF with inputs i0, i1, ... and outputs o0, o1, ...
std::string write_blif(const Circuit& circuit);

/// Tables of at most three inputs; Value 0 and 1 are constants, then come inputs, then tables.
struct Mapped {
  std::vector<Table> tables;
  std::vector<Value> outputs;
};

/// Throws std::runtime_error where the text is not of this many inputs and outputs, or not mapped.
Mapped read_blif(const std::string& text, std::size_t inputs, std::size_t outputs);

}  // namespace hopwise::lanes
