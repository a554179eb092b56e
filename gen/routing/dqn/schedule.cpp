// SPDX-License-Identifier: Apache-2.0
#include "routing/dqn/schedule.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace hopwise::routing::dqn {
namespace {

constexpr unsigned kDrainCycles = 2;  // between two layers
constexpr unsigned kStages = 3;       // from the last step to the answer, beside its own cycle

void must(bool kept, const char* what) {
  if (kept) return;
  std::fprintf(stderr, "hopwise::routing::dqn::schedule: %s\n", what);
  std::abort();
}

unsigned steps(std::span<const unsigned> layers, unsigned lanes, unsigned depth) {
  unsigned sum = 0;
  for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
    sum += ((layers[l + 1] + lanes - 1) / lanes) * ((layers[l] + depth - 1) / depth);
  }
  return sum;
}

}  // namespace

Schedule schedule(std::span<const unsigned> layers, unsigned macs, bool zero_time) {
  must(layers.size() >= 2 && layers.size() <= 5, "two to five layers");
  must(std::all_of(layers.begin(), layers.end(), [](unsigned n) { return n >= 1 && n <= 255; }),
       "layers of 1 to 255");
  must(std::has_single_bit(macs) && macs >= 4, "a power of two of at least 4 multipliers");
  Schedule best{1, macs, 0, 1, steps(layers, 1, macs)};
  for (unsigned lanes = 2; lanes <= macs; lanes *= 2) {
    const unsigned words = steps(layers, lanes, macs / lanes);
    if (words < best.weight_words) best = {lanes, macs / lanes, 0, 1, words};
  }
  if (!zero_time) {
    const auto drains = static_cast<unsigned>(layers.size()) - 2;
    best.interval_cycles = best.weight_words + kDrainCycles * drains;
    best.latency_cycles = best.interval_cycles + kStages;
  }
  return best;
}

}  // namespace hopwise::routing::dqn
