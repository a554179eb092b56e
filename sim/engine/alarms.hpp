// SPDX-License-Identifier: Apache-2.0
// Which of many terminals have something to do in a cycle.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hopwise::engine {

/// One alarm for each of `count` terminals: the next cycle in which to look at it. Setting one
/// costs a store; finding those that ring costs a compare for each of all, without a branch.
///
/// Alarms far ahead ring early, every kFarthest cycles: whoever is woken looks whether it is time.
class Alarms {
 public:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  explicit Alarms(std::size_t count = 0) : at_(count, 0), ringing_(count) {}

  /// Rings in `cycle`, at least `now` (the cycle at hand), in place of what was set before.
  void set(std::size_t i, std::uint64_t now, std::uint64_t cycle) {
    at_[i] = static_cast<std::uint32_t>(cycle - now < kFarthest ? cycle : now + kFarthest);
  }

  /// Those whose alarm is for cycle `now` or before, ascending; they ring again in each cycle until
  /// they are set anew. Asked in every cycle. Valid until the next call.
  std::span<const std::uint32_t> ringing(std::uint64_t now) {
    const auto time = static_cast<std::uint32_t>(now);
    std::size_t found = 0;
    for (std::size_t i = 0; i < at_.size(); ++i) {
      ringing_[found] = static_cast<std::uint32_t>(i);
      found += time - at_[i] <= kFarthest ? 1 : 0;
    }
    return {ringing_.data(), found};
  }

 private:
  static constexpr std::uint32_t kFarthest = 1U << 30;
  std::vector<std::uint32_t> at_;       // modulo 2^32
  std::vector<std::uint32_t> ringing_;  // as last asked for
};

}  // namespace hopwise::engine
