// SPDX-License-Identifier: Apache-2.0
// When a link takes the next flit.
#pragma once

#include <cstdint>

#include "spec/spec.hpp"

namespace hopwise::engine {

/// Integer pacer: the same rule as rtl/link/hw_link_pacer, without a step in each cycle. There, a
/// flit adds num - den to a debt, a cycle without one takes den off it while it is above 0 and
/// clears it otherwise, and a flit may go where it is not above 0. What a flit owes is thus paid by
/// cycle `ready_`; a fraction that was paid in excess counts in that cycle alone.
class Pacer {
 public:
  bool ready(std::uint64_t cycle) const { return cycle >= ready_; }
  std::uint64_t ready_cycle() const { return ready_; }

  /// A flit goes in `cycle`. Precondition: ready(cycle).
  void send(std::uint64_t cycle, spec::Rational rate) {
    const auto num = static_cast<std::int32_t>(rate.num), den = static_cast<std::int32_t>(rate.den);
    std::int32_t debt = (cycle == ready_ ? excess_ : 0) + num - den;
    ready_ = cycle + 1;
    if (debt > 0) {
      const std::uint32_t cycles = static_cast<std::uint32_t>(debt + den - 1) / rate.den;
      ready_ += cycles;
      debt -= static_cast<std::int32_t>(cycles) * den;
    }
    excess_ = debt;
  }

 private:
  std::uint64_t ready_ = 0;
  std::int32_t excess_ = 0;  // not above 0
};

}  // namespace hopwise::engine
