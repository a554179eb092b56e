// SPDX-License-Identifier: Apache-2.0
#include "probes/failures.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace hopwise::probes {
namespace {

constexpr std::size_t kMostFailures = 5;

}  // namespace

void report_failures(std::vector<Failure> failures, engine::RunResult& result) {
  std::stable_sort(failures.begin(), failures.end(), [](const Failure& a, const Failure& b) {
    return a.cycle != b.cycle ? a.cycle < b.cycle : a.router < b.router;
  });
  for (std::size_t i = 0; i < std::min(failures.size(), kMostFailures); ++i) {
    const Failure& f = failures[i];
    result.failures.push_back(fmt::format("cycle {}, router {}: {}", f.cycle, f.router, f.what));
  }
  if (failures.size() > kMostFailures)
    result.failures.push_back(fmt::format("and {} more routers", failures.size() - kMostFailures));
}

}  // namespace hopwise::probes
