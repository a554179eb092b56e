// SPDX-License-Identifier: Apache-2.0
// When to start measuring, when to stop, and how far to trust the mean: fed with one Window after
// the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "measure/window.hpp"

namespace hopwise::measure {

struct SteadyStateOptions {
  std::uint64_t window_cycles = 500;  ///< core cycles of each window that is fed
  /// 0: detected; else exactly so many windows are warm-up
  std::uint64_t warmup_windows = 0;
  /// 0: waits for ever; else measures from there on, steady or not
  std::uint64_t max_warmup_windows = 0;
  /// saturated above; 500 link cycles, so times cycles_per_flit
  double latency_limit_cycles = 500;
  double accepted_limit = 0.98;  ///< saturated where accepted < this part of offered
  /// flits that a network may be behind by chance, in an interval that is too short for batches
  double slack_flits = 0;
};

/// What a run says of its load, so far.
enum class Verdict { kOpen, kSustained, kSaturated };

/// On-line warm-up detection, 95 % confidence intervals and the saturation verdict of one run.
///
/// Warm-up ends at the first end of a batch (five windows, more in long runs; 50 windows at least)
/// where
///  * MSER-5 on mean latency drops at most the first half of the run and leaves ten batches, and
///  over what is kept
///    neither mean latency nor the flits in flight and in the source queues drift (two-sample test
///    of the halves, 2 standard errors, or less than 2 % of the mean); or
///  * the source queues grow steadily (the load is beyond saturation, mean latency has no steady
///  state), while the
///    same tests on accepted traffic and on the flits in flight say that the network itself is
///    steady.
/// Windows fed from then on are the measuring interval; nothing measured before counts. With
/// `max_warmup_windows` the measuring interval begins then at the latest.
///
/// Intervals are batch means of ratios: up to 32 batches of equally many windows, doubled in length
/// when full. The wider of the intervals from the batches and from pairs of them counts, which
/// guards against batches too short to be independent. All state is integers, so it depends on the
/// windows only. Memory is bounded; `add` is O(256) at worst.
class SteadyState {
 public:
  explicit SteadyState(const SteadyStateOptions& options);

  /// Feeds the next window: all partitions added up. Returns warm().
  bool add(const Window& window);

  bool warm() const { return warm_; }  ///< windows fed from now on are measured; never turns back
  /// so far, or in all
  std::uint64_t warmup_cycles() const { return warmup_windows_ * options_.window_cycles; }
  std::uint64_t measured_cycles() const { return measured_windows_ * options_.window_cycles; }

  /// every field summed over the measuring interval
  const Window& measured() const { return measured_.total.sum; }

  /// core cycles, of the packets of the measuring interval; 0 without packets
  double mean_latency() const;
  /// half width of the interval of mean latency, core cycles; infinite below 10 batches
  double ci95() const;

  /// flits per core cycle of the whole network, over the measuring interval
  double accepted() const;
  double offered() const;  ///< likewise

  /// The load cannot be sustained: over the measuring interval, accepted < accepted_limit *
  /// offered, or mean latency is above the limit; or queues_grow(). Below 10 measured batches what
  /// is under way counts as accepted, and the network may be slack_flits behind.
  bool saturated() const;
  /// The source queues have grown in each of the last three quarters of the run so far, by more
  /// than the part of the offered flits that `accepted_limit` tolerates. Known during warm-up too:
  /// a search need not wait for the end.
  bool queues_grow() const;

  /// Whether the load is sustained, once that is clear; a search need not know more.
  ///  * Saturated: the interval of mean latency lies above the limit, or that of accepted traffic
  ///    below accepted_limit * offered. Without intervals, during warm-up too: the source queues
  ///    have grown in each of the last three quarters of the run so far, and hold what the network
  ///    accepts in twice the latency limit, so that packets wait for longer (Little's law).
  ///  * Sustained: the interval of mean latency lies below half the limit and that of accepted
  ///    traffic above accepted_limit * offered, and the flits in the network and its queues do not
  ///    rise from the first to the second half of the measuring interval.
  Verdict verdict() const;

  /// The measurement is good enough: warm, and the interval is within `ci_relative` of the mean; of
  /// mean latency, or of accepted traffic where the run is saturated.
  bool precise(double ci_relative) const;

 private:
  struct Batch {  // sums over `windows` consecutive windows
    std::uint64_t windows = 0;
    Window sum;                      // every field summed over the windows
    std::uint64_t queued_start = 0;  // source queues before the first and after the last window
    std::uint64_t queued_end = 0;
    Batch& operator+=(const Batch& next) {
      windows += next.windows;
      sum += next.sum;
      queued_end = next.queued_end;
      return *this;
    }
  };
  struct Series {  // batches of equally many windows; when `limit` is reached, pairs are joined
    std::vector<Batch> batches;
    Batch open;
    std::uint64_t windows_per_batch = 5;
    std::size_t limit = 256;
    Batch total;
    bool add(const Window& window, std::uint64_t queued_before);  // true where a batch was closed
  };

  bool detect_warm() const;
  /// The source queues have grown in each of the last three quarters of the run by more than `part`
  /// of the offered flits.
  bool queues_grow_by(double part) const;
  /// The source queues grow, and hold what the network accepts in twice the latency limit.
  bool overrun() const;
  bool filling_rises() const;
  bool left_behind() const;
  double mean(std::uint64_t Window::*numerator, std::uint64_t over) const;
  double half_width(std::uint64_t Window::*numerator, bool per_packet) const;

  SteadyStateOptions options_;
  Series run_;       // since the beginning
  Series measured_;  // since warm-up
  std::uint64_t last_queued_ = 0;
  std::uint64_t last_in_flight_ = 0, in_flight_at_start_ = 0;  // of the measuring interval
  std::uint64_t warmup_windows_ = 0;
  std::uint64_t measured_windows_ = 0;
  bool warm_ = false;
};

}  // namespace hopwise::measure
