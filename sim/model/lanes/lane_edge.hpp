// SPDX-License-Identifier: Apache-2.0
// A rising edge of the clock in words of lanes. Part of lanes_bank.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "model/lanes/lane_word.hpp"

namespace hopwise::lanes {

/// Of one State.
struct Edge {
  State* state;
  const Word* in;
  Word active;
  Word kept;      ///< these stay as they are; lanes that are neither have to be cleared one day
  Word failed{};  ///< afterwards: the lanes in which an assertion failed
};

/// The instructions of the logic, which run once a cycle from the first to the last: megabytes for
/// a router of 15 ports, more than a core's caches. So they are asked for ahead of their time.
class Instructions {
 public:
  Instructions() {
    std::array<std::uintptr_t, kNextParts> sorted;
    for (std::size_t p = 0; p < kNextParts; ++p) sorted[p] = address(p);
    std::sort(sorted.begin(), sorted.end());
    std::size_t all = 0;
    for (std::size_t p = 0; p < kNextParts; ++p) {
      const auto next = std::upper_bound(sorted.begin(), sorted.end(), address(p));
      bytes_[p] = next == sorted.end() ? kLine : std::min(*next - address(p), kLongest);
      all += bytes_[p];
    }
    if (all < kCached) bytes_ = {};
  }

  /// Those of a part into the core's cache of the second level.
  void fetch(std::size_t part) const {
    const char* code = reinterpret_cast<const char*>(next_parts[part]);
    for (std::size_t b = 0; b < bytes_[part]; b += kLine) __builtin_prefetch(code + b, 0, 2);
  }

 private:
  static std::uintptr_t address(std::size_t part) {
    return reinterpret_cast<std::uintptr_t>(next_parts[part]);
  }
  static constexpr std::size_t kLine = 64, kLongest = std::size_t{1} << 16,
                               kCached = std::size_t{1} << 20;  // so many stay in it anyway
  std::array<std::size_t, kNextParts> bytes_{};
};

/// In all of them, a part of the logic after the other: what is fetched of one serves all states.
inline void rising_edge(std::span<Edge> edges) {
  constexpr std::size_t kAhead = 2;
  static const Instructions instructions;
  for (std::size_t p = 0; p < kNextParts; ++p) {
    if (p + kAhead < kNextParts) instructions.fetch(p + kAhead);
    for (const Edge& e : edges) next_parts[p](*e.state, e.in, e.active);
  }
  for (Edge& e : edges) e.failed = end_of_cycle(*e.state, e.in, e.active, e.kept);
}

}  // namespace hopwise::lanes
