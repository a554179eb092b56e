// SPDX-License-Identifier: Apache-2.0
// The two classical tools behind steady-state measurement, each usable and tested on its own.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace hopwise::measure {

/// Two-sided 95 % quantile of Student's t: P(|T| <= t) = 0.95. Infinite for 0 degrees of freedom.
double student_t95(std::size_t degrees_of_freedom);

/// MSER truncation point (White 1997; with means of five observations: MSER-5, White, Cobb & Spratt
/// 2000): how many of the first values to drop so that the squared standard error of the mean of
/// the rest is least. The last tenth of the values, five at least, is always kept. A result above
/// half the length means that the series is too short to tell. O(n).
std::size_t mser_truncation(std::span<const double> values);

/// What a box plot draws. Quartiles lie between the two nearest values, in proportion (Hyndman &
/// Fan 1996, type 7); all 0 where there are no values.
struct Quartiles {
  double mean = 0, median = 0, q1 = 0, q3 = 0, min = 0, max = 0;
  /// the values farthest out that are within 1.5 (q3 - q1) of the quartiles
  double low_whisker = 0, high_whisker = 0;
  /// (q3 - q1) / (q3 + q1), the quartile coefficient of dispersion; 0 where both are 0
  double qcd() const { return q1 + q3 == 0 ? 0 : (q3 - q1) / (q3 + q1); }
};
/// O(n log n).
Quartiles quartiles(std::span<const double> values);

/// Pearson's, of pairs; nothing where either side is constant. The spans are of one length. O(n).
std::optional<double> correlation(std::span<const double> x, std::span<const double> y);

}  // namespace hopwise::measure
