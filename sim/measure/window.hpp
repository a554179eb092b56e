// SPDX-License-Identifier: Apache-2.0
// What a simulation counts in one window of a fixed number of cycles: integers only, so that
// partitions add up to the same bytes in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "measure/counts.hpp"

namespace hopwise::measure {

/// A sum that no run overflows.
__extension__ using Sum = unsigned __int128;

struct Window {
  std::uint64_t packets = 0;  ///< packets whose tail was ejected in the window
  /// of these packets, core cycles from generation to ejection of the tail
  std::uint64_t latency_sum = 0;
  std::uint64_t offered_flits = 0;    ///< flits of the packets generated in the window
  std::uint64_t accepted_flits = 0;   ///< flits ejected in the window
  std::uint64_t in_flight_flits = 0;  ///< at the window's end: injected and not yet ejected
  std::uint64_t queued_flits = 0;     ///< at the window's end: generated and not yet injected
  /// of the routing and of probes, in the window, all routers together
  Counts counts = {};

  /// Adds another partition's count of the same window.
  Window& operator+=(const Window& other) {
    packets += other.packets;
    latency_sum += other.latency_sum;
    offered_flits += other.offered_flits;
    accepted_flits += other.accepted_flits;
    in_flight_flits += other.in_flight_flits;
    queued_flits += other.queued_flits;
    counts += other.counts;
    return *this;
  }
  bool operator==(const Window&) const = default;
};

/// Halves the memory of a course in time: neighbours are added up. Precondition: an even number.
template <class Row>
void join_neighbours(std::vector<Row>& rows) {
  for (std::size_t i = 0; i < rows.size() / 2; ++i) {
    rows[2 * i] += rows[2 * i + 1];
    rows[i] = rows[2 * i];
  }
  rows.resize(rows.size() / 2);
}

}  // namespace hopwise::measure
