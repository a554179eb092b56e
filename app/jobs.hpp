// SPDX-License-Identifier: Apache-2.0
// Jobs side by side.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace hopwise::app {

/// Runs jobs in up to `workers` threads; each hears its number.
template <class F>
void for_all(std::size_t jobs, unsigned workers, F&& job) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < jobs;) job(i);
  };
  std::vector<std::thread> threads;
  for (unsigned w = 1; w < std::min<std::size_t>(workers, jobs); ++w) threads.emplace_back(work);
  work();
  for (auto& t : threads) t.join();
}

}  // namespace hopwise::app
