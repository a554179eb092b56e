// SPDX-License-Identifier: Apache-2.0
#include "measure/fairness.hpp"

#include <algorithm>

#include "measure/window.hpp"

namespace hopwise::measure {

Fairness fairness(std::span<const std::uint64_t> flits_per_terminal) {
  Fairness result;
  if (flits_per_terminal.empty()) return result;
  Sum sum = 0;
  Sum squares = 0;
  result.min = flits_per_terminal.front();
  for (const std::uint64_t x : flits_per_terminal) {
    result.min = std::min(result.min, x);
    result.max = std::max(result.max, x);
    sum += x;
    squares += static_cast<Sum>(x) * x;
  }
  const double n = static_cast<double>(flits_per_terminal.size());
  const double total = static_cast<double>(sum);
  result.mean = total / n;
  if (sum != 0) result.jain = total * total / (n * static_cast<double>(squares));
  return result;
}

}  // namespace hopwise::measure
