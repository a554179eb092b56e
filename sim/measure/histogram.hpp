// SPDX-License-Identifier: Apache-2.0
// Latencies of all packets of a run in bounded memory, for percentiles that are exact or nearly so.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "measure/window.hpp"

namespace hopwise::measure {

/// Counts of values (core cycles): one bin per value below 4096, then 256 bins per power of two, as
/// in HdrHistogram, so that a bin's upper bound is at most 1/256 (0.4 %) above any value in it. At
/// most 139 KB, grown on demand.
class Histogram {
 public:
  static constexpr std::uint64_t kExactBelow = 4096;

  /// O(1), amortised over the growth of the bins.
  void add(std::uint64_t value) {
    const std::size_t bin = bin_of(value);
    if (bin >= bins_.size()) [[unlikely]]
      grow(bin);
    ++bins_[bin];
    ++count_;
    sum_ += value;
    squares_ += static_cast<Sum>(value) * value;
    if (value < min_) min_ = value;
    if (value > max_) max_ = value;
  }

  /// Adds another histogram; the result does not depend on the order of merging. O(bins).
  void merge(const Histogram& other);

  /// For another process of the same build: all that it is, and back.
  std::vector<std::byte> bytes() const;
  static Histogram from_bytes(std::span<const std::byte> bytes);

  std::uint64_t count() const { return count_; }
  std::uint64_t min() const { return count_ == 0 ? 0 : min_; }  ///< exact; 0 when empty
  std::uint64_t max() const { return max_; }                    ///< exact; 0 when empty
  /// exact up to one rounding; 0 when empty
  double mean() const;

  /// of the values added; 0 when empty
  double stdev() const;

  /// The smallest value that at least a part p in [0, 1] of the values does not exceed (nearest
  /// rank): exact below 4096, and from there on the upper bound of its bin. p = 0 gives min(), p =
  /// 1 gives max(); 0 when empty. O(bins).
  std::uint64_t percentile(double p) const;

  /// The largest value of a bin and the number of values in it.
  struct Bin {
    std::uint64_t upper = 0;
    std::uint64_t count = 0;
    bool operator==(const Bin&) const = default;
  };
  /// The bins that hold something, ascending, and an empty one where one of them begins above the
  /// bin before it: each reaches from the bound before it, exclusive, to its own. What a report
  /// stores and plots.
  std::vector<Bin> bins() const;

 private:
  static constexpr unsigned kSubBits = 8;     // 2^8 bins per power of two
  static constexpr unsigned kExactBits = 12;  // 2^12 = kExactBelow

  static std::size_t bin_of(std::uint64_t value) {
    if (value < kExactBelow) return static_cast<std::size_t>(value);
    const unsigned exponent = static_cast<unsigned>(std::bit_width(value)) - 1;
    const std::uint64_t sub = (value >> (exponent - kSubBits)) - (std::uint64_t{1} << kSubBits);
    return static_cast<std::size_t>(kExactBelow +
                                    (std::uint64_t{exponent - kExactBits} << kSubBits) + sub);
  }
  static std::uint64_t upper_of(std::size_t bin);
  void grow(std::size_t bin);

  std::vector<std::uint64_t> bins_;
  std::uint64_t count_ = 0;
  Sum sum_ = 0, squares_ = 0;
  std::uint64_t min_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t max_ = 0;
};

}  // namespace hopwise::measure
