// SPDX-License-Identifier: Apache-2.0
// The course of a run for a plot, in bounded memory however long the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "measure/window.hpp"

namespace hopwise::measure {

/// Windows one after the other; when `max_points` are full, neighbours are joined and the window
/// doubles.
class TimeSeries {
 public:
  /// `window_cycles`: core cycles of each window that is added; `max_points`: even, 2 or more.
  explicit TimeSeries(std::uint64_t window_cycles, std::size_t max_points = 512);

  /// One or more windows joined.
  struct Point {
    /// how many are joined; the last point may have fewer than the others
    std::uint64_t windows = 0;
    Window sum = {};  ///< every field summed over the windows
    Point& operator+=(const Point& other) {
      windows += other.windows;
      sum += other.sum;
      return *this;
    }
  };

  /// What a report stores of a point.
  struct Row {
    std::uint64_t cycle = 0;  ///< first core cycle after the point
    double accepted = 0;      ///< flits per core cycle, whole network
    double offered = 0;       ///< likewise
    double mean_latency = 0;  ///< core cycles; 0 where no packet arrived
    double in_flight = 0;     ///< flits, mean over the window ends
    double queued = 0;        ///< likewise, flits in the source queues
    Counts counts = {};       ///< sums, as in Window
  };

  /// O(1) amortised.
  void add(const Window& window);

  const std::vector<Point>& points() const { return points_; }
  std::uint64_t windows_per_point() const { return windows_per_point_; }
  std::uint64_t cycles_per_point() const { return windows_per_point_ * window_cycles_; }
  std::vector<Row> rows() const;

 private:
  std::vector<Point> points_;
  std::uint64_t window_cycles_;
  std::uint64_t windows_per_point_ = 1;
  std::size_t max_points_;
};

}  // namespace hopwise::measure
