// SPDX-License-Identifier: Apache-2.0
#include "measure/settling.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hopwise::measure {
namespace {

constexpr std::size_t kLeastPoints = 8;
constexpr std::size_t kLeastWindows = 4;
constexpr std::uint64_t kWindowsByDefault = 20;

/// A mean over points as a ratio: running sums before each point, and after the last.
struct Ratio {
  std::vector<double> over{0}, under{0};
  void add(double numerator, double denominator) {
    over.push_back(over.back() + numerator);
    under.push_back(under.back() + denominator);
  }
  std::size_t points() const { return over.size() - 1; }
  /// Of `count` points from `first` on; 0 where there is nothing to divide by.
  double mean(std::size_t first, std::size_t count) const {
    const double n = under[first + count] - under[first];
    return n > 0 ? (over[first + count] - over[first]) / n : 0;
  }
};

/// Ends of the points are multiples of `point_cycles` but for the last.
Settling settle(const Ratio& ratio, std::size_t window, double tolerance, std::uint64_t lead,
                std::uint64_t point_cycles) {
  const std::size_t n = ratio.points(), quarter = std::max<std::size_t>(1, n / 4);
  Settling result;
  result.final_mean = ratio.mean(n - quarter, quarter);
  if (result.final_mean <= 0) return result;
  std::size_t first = n - window + 1;  // the first window of those that stay
  while (first > 0 && std::abs(ratio.mean(first - 1, window) - result.final_mean) <=
                          tolerance * result.final_mean)
    --first;
  if (first > n - quarter) return result;
  result.cycles = first == 0 ? 0 : lead + first * point_cycles;
  return result;
}

}  // namespace

std::optional<SettlingTimes> settling_times(const TimeSeries& series,
                                            const SettlingOptions& options) {
  const std::uint64_t point_cycles = series.cycles_per_point();
  const std::uint64_t window_cycles = point_cycles / series.windows_per_point();
  Ratio latency, accepted;
  std::uint64_t begin = 0, from = 0, to = 0;
  for (const auto& p : series.points()) {
    const std::uint64_t cycles = p.windows * window_cycles, end = begin + cycles;
    if (begin >= options.from && (options.to == 0 || end <= options.to)) {
      if (latency.points() == 0) from = begin;
      to = end;
      latency.add(static_cast<double>(p.sum.latency_sum), static_cast<double>(p.sum.packets));
      accepted.add(static_cast<double>(p.sum.accepted_flits), static_cast<double>(cycles));
    }
    begin = end;
  }
  const std::size_t points = latency.points();
  if (points < kLeastPoints) return std::nullopt;
  const std::uint64_t wanted =
      options.window_cycles != 0 ? options.window_cycles : (to - from) / kWindowsByDefault;
  const std::size_t window = std::max<std::size_t>(
      1, static_cast<std::size_t>((wanted + point_cycles / 2) / point_cycles));
  if (window * kLeastWindows > points) return std::nullopt;
  const std::uint64_t lead = from - options.from;
  return SettlingTimes{.from = from,
                       .to = to,
                       .window_cycles = window * point_cycles,
                       .latency = settle(latency, window, options.tolerance, lead, point_cycles),
                       .accepted = settle(accepted, window, options.tolerance, lead, point_cycles)};
}

}  // namespace hopwise::measure
