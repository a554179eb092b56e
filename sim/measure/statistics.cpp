// SPDX-License-Identifier: Apache-2.0
#include "measure/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <vector>

namespace hopwise::measure {

double student_t95(std::size_t degrees_of_freedom) {
  constexpr std::array<double, 31> kTable = {std::numeric_limits<double>::infinity(),
                                             12.7062,
                                             4.3027,
                                             3.1824,
                                             2.7764,
                                             2.5706,
                                             2.4469,
                                             2.3646,
                                             2.3060,
                                             2.2622,
                                             2.2281,
                                             2.2010,
                                             2.1788,
                                             2.1604,
                                             2.1448,
                                             2.1314,
                                             2.1199,
                                             2.1098,
                                             2.1009,
                                             2.0930,
                                             2.0860,
                                             2.0796,
                                             2.0739,
                                             2.0687,
                                             2.0639,
                                             2.0595,
                                             2.0555,
                                             2.0518,
                                             2.0484,
                                             2.0452,
                                             2.0423};
  if (degrees_of_freedom < kTable.size()) return kTable[degrees_of_freedom];
  // Cornish-Fisher expansion about the normal quantile (Abramowitz & Stegun 26.7.5): within 1e-5
  // here.
  constexpr double z = 1.959963984540054;
  constexpr double z2 = z * z;
  constexpr double g1 = z * (z2 + 1) / 4;
  constexpr double g2 = z * (5 * z2 * z2 + 16 * z2 + 3) / 96;
  const double n = static_cast<double>(degrees_of_freedom);
  return z + g1 / n + g2 / (n * n);
}

std::size_t mser_truncation(std::span<const double> values) {
  const std::size_t n = values.size();
  const std::size_t keep = std::max<std::size_t>(5, n / 10);
  double best = std::numeric_limits<double>::infinity();
  std::size_t truncation = 0;
  double mean = 0;
  double squares = 0;  // sum of squared deviations of values[d..] (Welford)
  for (std::size_t d = n; d-- > 0;) {
    const double m = static_cast<double>(n - d);
    const double step = values[d] - mean;
    mean += step / m;
    squares += step * (values[d] - mean);
    if (n - d < keep) continue;
    const double statistic = squares / (m * m);
    if (statistic <= best) {  // of equals, the one that drops least
      best = statistic;
      truncation = d;
    }
  }
  return truncation;
}

Quartiles quartiles(std::span<const double> values) {
  if (values.empty()) return {};
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const auto at = [&](double part) {
    const double place = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const double rest = place - static_cast<double>(below);
    const double above = sorted[std::min(below + 1, sorted.size() - 1)];
    return sorted[below] + rest * (above - sorted[below]);
  };
  const double sum = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  const double q1 = at(0.25), q3 = at(0.75), reach = 1.5 * (q3 - q1);
  return {.mean = sum / static_cast<double>(sorted.size()),
          .median = at(0.5),
          .q1 = q1,
          .q3 = q3,
          .min = sorted.front(),
          .max = sorted.back(),
          .low_whisker = *std::lower_bound(sorted.begin(), sorted.end(), q1 - reach),
          .high_whisker = *std::prev(std::upper_bound(sorted.begin(), sorted.end(), q3 + reach))};
}

std::optional<double> correlation(std::span<const double> x, std::span<const double> y) {
  const double n = static_cast<double>(x.size());
  const double x_mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
  const double y_mean = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - x_mean) * (x[i] - x_mean);
    yy += (y[i] - y_mean) * (y[i] - y_mean);
    xy += (x[i] - x_mean) * (y[i] - y_mean);
  }
  if (xx == 0 || yy == 0) return std::nullopt;
  return xy / std::sqrt(xx * yy);
}

}  // namespace hopwise::measure
