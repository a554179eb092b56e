// SPDX-License-Identifier: Apache-2.0
#include "measure/time_series.hpp"

#include <cstdlib>

namespace hopwise::measure {
namespace {

double ratio(std::uint64_t numerator, std::uint64_t denominator) {
  return denominator == 0 ? 0 : static_cast<double>(numerator) / static_cast<double>(denominator);
}

}  // namespace

TimeSeries::TimeSeries(std::uint64_t window_cycles, std::size_t max_points)
    : window_cycles_(window_cycles), max_points_(max_points) {
  if (window_cycles == 0 || max_points < 2 || max_points % 2 != 0) std::abort();
  points_.reserve(max_points);
}

void TimeSeries::add(const Window& w) {
  const bool full = points_.empty() || points_.back().windows == windows_per_point_;
  if (full && points_.size() == max_points_) {
    join_neighbours(points_);
    windows_per_point_ *= 2;
  }
  if (full) points_.emplace_back();
  points_.back() += {1, w};
}

std::vector<TimeSeries::Row> TimeSeries::rows() const {
  std::vector<Row> rows;
  rows.reserve(points_.size());
  std::uint64_t windows = 0;
  for (const Point& p : points_) {
    windows += p.windows;
    const std::uint64_t cycles = p.windows * window_cycles_;
    rows.push_back({windows * window_cycles_, ratio(p.sum.accepted_flits, cycles),
                    ratio(p.sum.offered_flits, cycles), ratio(p.sum.latency_sum, p.sum.packets),
                    ratio(p.sum.in_flight_flits, p.windows), ratio(p.sum.queued_flits, p.windows),
                    p.sum.counts});
  }
  return rows;
}

}  // namespace hopwise::measure
