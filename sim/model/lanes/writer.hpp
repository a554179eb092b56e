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
};

/// Defines, in namespace hopwise::lanes,
///   struct State: registers and memories of kLanes modules, zero until `reset`;
///   void reset(State&): registers take their reset values where they have one;
///   Word next(State&, const Word* in, const Word& active): a rising edge in the active lanes;
///     returns the lanes in which an assertion failed;
///   void show(State&, const Word* in, Word* out), void watch(State&, const Word* in, Word* out):
///     the output pins;
///   kInputs, kShown, kWatched: the sizes of these arrays;
///   and for every pin kPin_NAME: per bit its place in the array, or -1 (input: not read; output: 0)
std::string write_model(const Machine& machine, const Logic& logic, const WriterOptions& options);

}  // namespace hopwise::lanes
