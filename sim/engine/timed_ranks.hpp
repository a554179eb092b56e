// SPDX-License-Identifier: Apache-2.0
// Ranks, and what the others cost this one.
#pragma once

#include <chrono>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/cpu_time.hpp"
#include "engine/options.hpp"
#include "engine/ranks.hpp"

namespace hopwise::engine {

class TimedRanks final : public Ranks {
 public:
  explicit TimedRanks(Ranks& ranks) : ranks_(ranks) {}
  unsigned rank() const override { return ranks_.rank(); }
  unsigned size() const override { return ranks_.size(); }
  std::vector<Bytes> gather(std::span<const std::byte> mine) override {
    return waited([&] { return ranks_.gather(mine); });
  }
  void send(unsigned to, Bytes bytes) override {
    ++costs_.messages;
    costs_.bytes += bytes.size();
    ranks_.send(to, std::move(bytes));
  }
  Bytes receive(unsigned from) override {
    return waited([&] { return ranks_.receive(from); });
  }
  /// Of these only waiting, messages and bytes.
  const RankCosts& costs() const { return costs_; }

 private:
  template <class F>
  std::invoke_result_t<F> waited(F&& work) {
    using Clock = std::chrono::steady_clock;
    const double cpu = thread_seconds();
    const Clock::time_point wall = Clock::now();
    auto found = work();
    costs_.wait += std::chrono::duration<double>(Clock::now() - wall).count();
    costs_.wait_cpu += thread_seconds() - cpu;
    return found;
  }

  Ranks& ranks_;
  RankCosts costs_;
};

}  // namespace hopwise::engine
