// SPDX-License-Identifier: Apache-2.0
// How long a network takes until it stays where it ends: from empty tables, or after a change of
// traffic.
#pragma once

#include <cstdint>
#include <optional>

#include "measure/time_series.hpp"

namespace hopwise::measure {

struct SettlingOptions {
  std::uint64_t from = 0;  ///< core cycle from which time counts
  std::uint64_t to = 0;    ///< end of what is looked at; 0: of the series
  /// over which means are taken; 0: a twentieth of the time from `from` to `to`
  std::uint64_t window_cycles = 0;
  double tolerance = 0.05;  ///< part of the final mean within which means must stay
};

/// One quantity: where it ends, and since when it is there.
struct Settling {
  double final_mean = 0;  ///< over the last quarter
  /// core cycles since `from`; nothing: not settled when the last quarter began
  std::optional<std::uint64_t> cycles;
};

struct SettlingTimes {
  std::uint64_t from = 0, to = 0;   ///< as looked at: whole points of the series
  std::uint64_t window_cycles = 0;  ///< as used: whole points
  Settling latency;                 ///< mean latency of the packets that arrived, core cycles
  Settling accepted;                ///< flits per core cycle, whole network
};

/// The settling time of a quantity is the least t such that its mean over [from + u, from + u +
/// window) is within `tolerance` of the final mean for every u >= t with a whole window before
/// `to`. All ends are ends of points of the series, so t is as fine as these; the window is rounded
/// to whole points, one at least. Nothing where the time holds fewer than eight points or four
/// windows. O(points).
std::optional<SettlingTimes> settling_times(const TimeSeries& series,
                                            const SettlingOptions& options);

}  // namespace hopwise::measure
