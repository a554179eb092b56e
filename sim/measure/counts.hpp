// SPDX-License-Identifier: Apache-2.0
// Counters that have names, and sums of them: what is counted depends on the routing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace hopwise::measure {

/// What is counted. The texts are borrowed, and outlive it.
struct Counter {
  std::string_view name;
  std::string_view unit;
  std::string_view meaning;
  /// a router's 32-bit counter that also counts down
  bool negative = false;
};

using Counters = std::vector<Counter>;

/// Names that every routing which counts has in common: choices of a path or port, and those of
/// them that are not for the minimal path.
inline constexpr std::string_view kDecisions = "decisions", kNonminimal = "nonminimal";

/// The place of the counter of that name; their number where none has it. O(size).
inline std::size_t place_of(std::string_view name, const Counters& counters) {
  std::size_t place = 0;
  while (place < counters.size() && counters[place].name != name) ++place;
  return place;
}

/// One sum for each of some counters. Without any it is empty, and adds nothing.
class Counts {
 public:
  Counts() = default;
  /// All 0.
  explicit Counts(std::shared_ptr<const Counters> of) : of_(std::move(of)), sums_(of_->size()) {}

  std::int64_t& at(std::size_t place) { return sums_[place]; }
  std::span<std::int64_t> sums() { return sums_; }

  /// The sum of the counter of that name; 0 where there is none. O(size).
  std::int64_t operator[](std::string_view name) const {
    if (sums_.empty()) return 0;
    const std::size_t place = place_of(name, *of_);
    return place < sums_.size() ? sums_[place] : 0;
  }
  /// A sum over the things that another counter counts: its mean; 0 where there are none.
  double mean(std::string_view name, std::string_view over) const {
    const std::int64_t count = (*this)[over];
    return count == 0 ? 0 : static_cast<double>((*this)[name]) / static_cast<double>(count);
  }

  /// Of the same counters, or empty.
  Counts& operator+=(const Counts& other) {
    if (other.sums_.empty()) return *this;
    if (sums_.empty()) return *this = other;
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += other.sums_[i];
    return *this;
  }
  friend bool operator==(const Counts& a, const Counts& b) { return a.sums_ == b.sums_; }

 private:
  std::shared_ptr<const Counters> of_;
  std::vector<std::int64_t> sums_;
};

}  // namespace hopwise::measure
