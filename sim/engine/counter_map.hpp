// SPDX-License-Identifier: Apache-2.0
// The map of one counter: each router's mean over its decisions, over time.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/network.hpp"
#include "engine/options.hpp"

namespace hopwise::engine {

/// In bounded memory: when it is full, neighbours in time are joined.
class CounterMap {
 public:
  /// One window: every router's decisions in it.
  void add(const std::vector<Network::RouterDecisions>& routers);
  /// `window`: core cycles of each that was added. Writes nothing where the counter stayed 0.
  void write(RunResult& result, std::uint64_t window) const;

 private:
  struct Cell {
    std::uint64_t decisions = 0, mapped = 0;
    void add(std::uint64_t d, std::uint64_t m) {
      decisions += d;
      mapped += m;
    }
  };
  std::vector<std::vector<Cell>> rows_;
  std::uint64_t windows_per_row_ = 1, in_last_ = 0;
};

}  // namespace hopwise::engine
