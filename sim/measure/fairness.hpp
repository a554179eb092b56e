// SPDX-License-Identifier: Apache-2.0
// How evenly the network serves its terminals.
#pragma once

#include <cstdint>
#include <span>

namespace hopwise::measure {

struct Fairness {
  std::uint64_t min = 0;
  std::uint64_t max = 0;
  double mean = 0;
  /// (sum x)^2 / (n * sum x^2): 1 when all are equal, 1/n when one takes it all
  double jain = 1;
};

/// Of the flits that each active terminal got accepted (or injected) in the measuring interval.
/// Silent terminals are left out by the caller. jain is 1 where there are no terminals or no flits.
/// Sums are exact. O(n).
Fairness fairness(std::span<const std::uint64_t> flits_per_terminal);

}  // namespace hopwise::measure
