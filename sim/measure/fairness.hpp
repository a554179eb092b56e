// SPDX-License-Identifier: Apache-2.0
// How evenly the network serves its terminals.
#pragma once

#include <cstdint>
#include <span>

namespace hopwise::measure {

/// Over the terminals, of each the part of its offered flits that the network accepted.
struct Fairness {
  double min = 0;
  double max = 0;
  double mean = 0;
  /// (sum x)^2 / (n * sum x^2): 1 when all are equal, 1/n when one takes it all
  double jain = 1;
};

/// Of the flits that were accepted from each terminal, and offered by it, in one interval.
/// Terminals that offered none are left out; more than was offered is accepted where flits waited
/// before. All 0 and jain 1 where nothing was offered; jain is 1 where nothing was accepted.
/// Precondition: both have the same size. O(n).
Fairness fairness(std::span<const std::uint64_t> accepted, std::span<const double> offered);

}  // namespace hopwise::measure
