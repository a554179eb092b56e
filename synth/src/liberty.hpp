// SPDX-License-Identifier: Apache-2.0
// What the cost of a netlist needs to know of a liberty file.
#pragma once

#include <map>
#include <string>

#include "support/result.hpp"

namespace hopwise::synth {

struct Cell {
  double area = 0;
  bool flip_flop = false;
};

struct Liberty {
  std::map<std::string, Cell> cells;
  std::string header;         ///< the attributes and tables before the first cell
  std::string flip_flop;      ///< the cell that memories borrow their timing from
  std::string input_timing;   ///< `timing()` groups of its D pin, with related_pin "CLK"
  std::string output_timing;  ///< those of its Q pin
  double input_pf = 0;        ///< capacitance of its D pin
};

/// Reads the groups above from the text of a liberty file; `flip_flop` names a D flip-flop with the
/// pins D, CLK and Q. Errors: synth.liberty where the text holds no cells or not that one. Linear
/// in the text.
Result<Liberty> read_liberty(const std::string& text, const std::string& file,
                             const std::string& flip_flop);

}  // namespace hopwise::synth
