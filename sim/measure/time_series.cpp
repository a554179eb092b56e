// SPDX-License-Identifier: Apache-2.0
#include "measure/time_series.hpp"

#include <cstdlib>

namespace hopwise::measure {
namespace {

void add_to(TimeSeries::Point& point, const TimeSeries::Point& other) {
  point.packets += other.packets;
  point.latency_sum += other.latency_sum;
  point.offered_flits += other.offered_flits;
  point.accepted_flits += other.accepted_flits;
  point.in_flight_sum += other.in_flight_sum;
  point.queued_sum += other.queued_sum;
  point.counts += other.counts;
}

double ratio(Sum numerator, std::uint64_t denominator) {
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
    for (std::size_t i = 0; i < max_points_ / 2; ++i) {
      Point joined = points_[2 * i];
      joined.windows += points_[2 * i + 1].windows;
      add_to(joined, points_[2 * i + 1]);
      points_[i] = joined;
    }
    points_.resize(max_points_ / 2);
    windows_per_point_ *= 2;
  }
  if (full) points_.emplace_back();
  ++points_.back().windows;
  add_to(points_.back(), {1, w.packets, w.latency_sum, w.offered_flits, w.accepted_flits,
                          w.in_flight_flits, w.queued_flits, w.counts});
}

void TimeSeries::merge(const TimeSeries& other) {
  const bool same_shape =
      window_cycles_ == other.window_cycles_ && max_points_ == other.max_points_ &&
      windows_per_point_ == other.windows_per_point_ && points_.size() == other.points_.size() &&
      (points_.empty() || points_.back().windows == other.points_.back().windows);
  if (!same_shape) std::abort();
  for (std::size_t i = 0; i < points_.size(); ++i) add_to(points_[i], other.points_[i]);
}

std::vector<TimeSeries::Row> TimeSeries::rows() const {
  std::vector<Row> rows;
  rows.reserve(points_.size());
  std::uint64_t windows = 0;
  for (const Point& p : points_) {
    windows += p.windows;
    const std::uint64_t cycles = p.windows * window_cycles_;
    rows.push_back({windows * window_cycles_, ratio(p.accepted_flits, cycles),
                    ratio(p.offered_flits, cycles),
                    ratio(p.latency_sum, static_cast<std::uint64_t>(p.packets)),
                    ratio(p.in_flight_sum, p.windows), ratio(p.queued_sum, p.windows), p.counts});
  }
  return rows;
}

}  // namespace hopwise::measure
