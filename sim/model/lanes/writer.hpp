// SPDX-License-Identifier: Apache-2.0
// C++ that evaluates a machine in all lanes at once: straight-line code over Words (lane_word.hpp).
#pragma once

#include <string>
#include <vector>

#include "model/lanes/logic.hpp"
#include "model/lanes/machine.hpp"

namespace hopwise::lanes {

struct WriterOptions {
  std::string check;               ///< output pin: an assertion fails
  std::vector<std::string> shown;  ///< output pins that are wanted every cycle; others on demand
  std::size_t guard = 48;          ///< tables that must be saved before registers are guarded
  std::size_t part = 600;          ///< steps of a function: compilers take long over long ones
};

/// C++ in namespace hopwise::lanes, of which compilers can take the parts side by side.
struct Sources {
  /// Defines
  ///   struct State: registers and memories of kLanes modules, zero until `reset`;
  ///   kInputs, kShown, kWatched: sizes of the arrays of pins;
  ///   kPin_NAME, for every pin: per bit its place in its array, or -1 (input: nobody reads it;
  ///     output: 0);
  /// and declares
  ///   void reset(State&): registers take their reset values where they have one;
  ///   next_parts, functions (State&, const Word* in, const Word& active), and
  ///   Word end_of_cycle(the same, const Word& kept): called in turn, these are a rising edge in
  ///   the
  ///     active lanes (lane_edge.hpp); kept lanes stay as they are, lanes that are neither become
  ///     anything; the last one returns the lanes in which an assertion failed;
  ///   void show(State&, const Word* in, Word* out), void watch(...): the output pins.
  std::string header;
  std::vector<std::string> parts;  ///< functions; each part needs the header alone
};

Sources write_model(const Machine& machine, const Logic& logic, const WriterOptions& options);

}  // namespace hopwise::lanes
