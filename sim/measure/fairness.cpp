// SPDX-License-Identifier: Apache-2.0
#include "measure/fairness.hpp"

#include <algorithm>
#include <limits>

namespace hopwise::measure {

Fairness fairness(std::span<const std::uint64_t> accepted, std::span<const double> offered) {
  Fairness result;
  double sum = 0, squares = 0, n = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < accepted.size(); ++i) {
    if (offered[i] <= 0) continue;
    const double part = static_cast<double>(accepted[i]) / offered[i];
    least = std::min(least, part);
    result.max = std::max(result.max, part);
    sum += part;
    squares += part * part;
    ++n;
  }
  if (n == 0) return result;
  result.min = least;
  result.mean = sum / n;
  if (squares > 0) result.jain = sum * sum / (n * squares);
  return result;
}

}  // namespace hopwise::measure
