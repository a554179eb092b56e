// SPDX-License-Identifier: Apache-2.0
#include "measure/steady_state.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>

#include "measure/statistics.hpp"

namespace hopwise::measure {
namespace {

// to detect the end of warm-up, and for an interval
constexpr std::size_t kMinBatches = 10;
constexpr std::size_t kMinGrowthBatches = 16;  // four per quarter of the run
// few and long, so that they are nearly independent
constexpr std::size_t kMaxMeasuredBatches = 32;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Mean of a sample and the squared standard error of that mean.
struct Estimate {
  double mean = 0;
  double error2 = 0;
};

Estimate estimate(std::span<const double> values) {
  const double n = static_cast<double>(values.size());
  Estimate result;
  for (const double v : values) result.mean += v / n;
  for (const double v : values) result.error2 += (v - result.mean) * (v - result.mean);
  result.error2 /= n * (n - 1);
  return result;
}

/// By how much the second half of the series lies above the first: 0 unless it is more than chance
/// (2 standard errors) and more than matters (2 %), either way.
double drift(std::span<const double> values) {
  const Estimate first = estimate(values.first(values.size() / 2));
  const Estimate second = estimate(values.subspan(values.size() / 2));
  const double rise = second.mean - first.mean;
  const double middle = (first.mean + second.mean) / 2;
  const bool counts = std::abs(rise) > 2 * std::sqrt(first.error2 + second.error2) &&
                      std::abs(rise) > 0.02 * middle;
  return counts ? rise : 0;
}

/// Numerator and denominator of a ratio, for each batch.
struct Pairs {
  std::vector<double> x;
  std::vector<double> n;
};

/// Half width of the 95 % interval of sum(x) / sum(n), from the batches' residuals about that
/// ratio.
double ratio_half_width(const Pairs& pairs) {
  double sum_x = 0;
  double sum_n = 0;
  for (const double x : pairs.x) sum_x += x;
  for (const double n : pairs.n) sum_n += n;
  if (sum_n <= 0) return kInfinity;
  const double ratio = sum_x / sum_n;
  double squares = 0;
  for (std::size_t i = 0; i < pairs.x.size(); ++i) {
    const double residual = pairs.x[i] - ratio * pairs.n[i];
    squares += residual * residual;
  }
  const double batches = static_cast<double>(pairs.x.size());
  return student_t95(pairs.x.size() - 1) * std::sqrt(batches / (batches - 1) * squares) / sum_n;
}

Pairs joined(const Pairs& pairs) {
  Pairs result;
  for (std::size_t i = pairs.x.size() % 2; i < pairs.x.size(); i += 2) {
    result.x.push_back(pairs.x[i] + pairs.x[i + 1]);
    result.n.push_back(pairs.n[i] + pairs.n[i + 1]);
  }
  return result;
}

}  // namespace

SteadyState::SteadyState(const SteadyStateOptions& options) : options_(options) {
  if (options.window_cycles == 0) std::abort();
  measured_.limit = kMaxMeasuredBatches;
}

bool SteadyState::Series::add(const Window& window, std::uint64_t queued_before) {
  const auto count = [&](Batch& batch) {
    if (batch.windows++ == 0) batch.queued_start = queued_before;
    batch.sum += window;
    batch.queued_end = window.queued_flits;
  };
  count(total);
  count(open);
  if (open.windows < windows_per_batch) return false;
  batches.push_back(open);
  open = {};
  if (batches.size() < limit) return true;
  join_neighbours(batches);
  windows_per_batch *= 2;
  return true;
}

bool SteadyState::add(const Window& window) {
  const bool batch_closed = run_.add(window, last_queued_);
  if (warm_) {
    if (measured_windows_ == 0) in_flight_at_start_ = last_in_flight_;
    measured_.add(window, last_queued_);
    ++measured_windows_;
  } else {
    ++warmup_windows_;
    if (options_.warmup_windows != 0) {
      warm_ = warmup_windows_ == options_.warmup_windows;
    } else {
      warm_ = (batch_closed && detect_warm()) || warmup_windows_ == options_.max_warmup_windows;
    }
  }
  last_queued_ = window.queued_flits;
  last_in_flight_ = window.in_flight_flits;
  return warm_;
}

bool SteadyState::detect_warm() const {
  // Batches without packets have no latency; at very low load they are left out. Beyond saturation
  // latency grows for ever, and accepted traffic and the flits in the network proper take its
  // place.
  const bool beyond = queues_grow();
  std::vector<double> observed;
  std::vector<double> filling;
  for (const Batch& b : run_.batches) {
    const double windows = static_cast<double>(b.windows);
    if (beyond) {
      observed.push_back(static_cast<double>(b.sum.accepted_flits) / windows);
      filling.push_back(static_cast<double>(b.sum.in_flight_flits) / windows);
    } else if (b.sum.packets > 0) {
      observed.push_back(static_cast<double>(b.sum.latency_sum) /
                         static_cast<double>(b.sum.packets));
      filling.push_back(static_cast<double>(b.sum.in_flight_flits + b.sum.queued_flits) / windows);
    }
  }
  if (observed.size() < kMinBatches) return false;
  // A drift test on fewer batches than that would take a slow rise for noise.
  const std::size_t dropped = mser_truncation(observed);
  const std::size_t kept = observed.size() - dropped;
  return kept >= kMinBatches && kept >= dropped && drift(std::span(observed).last(kept)) == 0 &&
         drift(std::span(filling).last(kept)) == 0;
}

bool SteadyState::queues_grow() const { return queues_grow_by(1 - options_.accepted_limit); }

bool SteadyState::queues_grow_by(double part) const {
  const std::vector<Batch>& batches = run_.batches;
  if (batches.size() < kMinGrowthBatches) return false;
  const std::size_t quarter = batches.size() / 4;
  for (std::size_t end = batches.size(); end > batches.size() - 3 * quarter; end -= quarter) {
    double offered = 0;
    for (std::size_t i = end - quarter; i < end; ++i)
      offered += static_cast<double>(batches[i].sum.offered_flits);
    const double growth = static_cast<double>(batches[end - 1].queued_end) -
                          static_cast<double>(batches[end - quarter].queued_start);
    if (growth <= part * offered) return false;
  }
  return true;
}

double SteadyState::half_width(std::uint64_t Window::*numerator, bool per_packet) const {
  if (measured_.batches.size() < kMinBatches) return kInfinity;
  Pairs pairs;
  for (const Batch& b : measured_.batches) {
    pairs.x.push_back(static_cast<double>(b.sum.*numerator));
    pairs.n.push_back(
        static_cast<double>(per_packet ? b.sum.packets : b.windows * options_.window_cycles));
  }
  return std::max(ratio_half_width(pairs), ratio_half_width(joined(pairs)));
}

double SteadyState::mean(std::uint64_t Window::*numerator, std::uint64_t over) const {
  return over == 0 ? 0 : static_cast<double>(measured().*numerator) / static_cast<double>(over);
}

double SteadyState::mean_latency() const { return mean(&Window::latency_sum, measured().packets); }
double SteadyState::ci95() const { return half_width(&Window::latency_sum, true); }

double SteadyState::accepted() const { return mean(&Window::accepted_flits, measured_cycles()); }
double SteadyState::offered() const { return mean(&Window::offered_flits, measured_cycles()); }

bool SteadyState::saturated() const {
  if (queues_grow()) return true;
  if (measured_windows_ == 0) return false;
  if (measured_.batches.size() < kMinBatches)
    return left_behind() || mean_latency() > options_.latency_limit_cycles;
  return accepted() < options_.accepted_limit * offered() ||
         mean_latency() > options_.latency_limit_cycles;
}

/// What was offered has neither arrived nor entered the network.
bool SteadyState::left_behind() const {
  const auto flits = [](std::uint64_t n) { return static_cast<double>(n); };
  const double offered = flits(measured().offered_flits);
  const double taken =
      flits(measured().accepted_flits) + flits(last_in_flight_) - flits(in_flight_at_start_);
  return taken + options_.slack_flits < options_.accepted_limit * offered;
}

bool SteadyState::overrun() const {
  if (!queues_grow_by(0)) return false;
  const std::vector<Batch>& batches = run_.batches;
  double accepted = 0, windows = 0;
  for (std::size_t i = batches.size() - batches.size() / 4; i < batches.size(); ++i) {
    accepted += static_cast<double>(batches[i].sum.accepted_flits);
    windows += static_cast<double>(batches[i].windows);
  }
  const double cycles = windows * static_cast<double>(options_.window_cycles);
  return static_cast<double>(last_queued_) * cycles > 2 * options_.latency_limit_cycles * accepted;
}

bool SteadyState::filling_rises() const {
  std::vector<double> filling;
  for (const Batch& b : measured_.batches)
    filling.push_back(static_cast<double>(b.sum.in_flight_flits + b.sum.queued_flits));
  return drift(filling) > 0;
}

Verdict SteadyState::verdict() const {
  if (overrun()) return Verdict::kSaturated;
  if (measured_.batches.size() < kMinBatches) return Verdict::kOpen;
  const double ci_accepted = half_width(&Window::accepted_flits, false);
  const double needed = options_.accepted_limit * offered();
  if (mean_latency() - ci95() > options_.latency_limit_cycles || accepted() + ci_accepted < needed)
    return Verdict::kSaturated;
  return mean_latency() + ci95() <= options_.latency_limit_cycles / 2 &&
                 accepted() - ci_accepted >= needed && !filling_rises()
             ? Verdict::kSustained
             : Verdict::kOpen;
}

bool SteadyState::precise(double ci_relative) const {
  const auto within = [ci_relative](double half, double mean) {
    return mean > 0 && half / mean <= ci_relative;
  };
  return warm_ && (saturated() ? within(half_width(&Window::accepted_flits, false), accepted())
                               : within(ci95(), mean_latency()));
}

}  // namespace hopwise::measure
