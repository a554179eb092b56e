// SPDX-License-Identifier: Apache-2.0
// How long rtl/routing/dqn/hw_dqn_engine.sv takes for a network, and the shape of its array that
// takes least.
#pragma once

#include <span>

namespace hopwise::routing::dqn {

struct Schedule {
  unsigned lanes = 0;            ///< neurons at a time
  unsigned depth = 0;            ///< inputs of each at a time; lanes * depth multipliers
  unsigned latency_cycles = 0;   ///< from the accepted request to its answer; 0 with zero time
  unsigned interval_cycles = 0;  ///< between accepted requests, at least
  /// rows of weights in a bank, lanes * depth bytes each: the steps of a request
  unsigned weight_words = 0;
};

/// The schedule of the network `layers` (inputs, hidden layers, outputs; two to five sizes of 1 to
/// 255) on `macs` multipliers, a power of two from 4 on. Of all lanes x depth = macs in powers of
/// two the one with the fewest steps; of equal ones the one with the fewest lanes, which has the
/// fewest activations and biases. Anything else aborts. O(log macs * layers). Source: the pipeline
/// of hw_dqn_array; docs/reference/dqn-engine.md.
Schedule schedule(std::span<const unsigned> layers, unsigned macs, bool zero_time);

}  // namespace hopwise::routing::dqn
