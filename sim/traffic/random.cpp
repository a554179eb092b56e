// SPDX-License-Identifier: Apache-2.0
#include "traffic/random.hpp"

#include <cassert>
#include <cmath>

namespace hopwise::traffic {
namespace {

/// p * 2^64 for p in [0, 1): exact, since it only moves the exponent.
std::uint64_t fixed_point(double p) { return static_cast<std::uint64_t>(std::ldexp(p, 64)); }

}  // namespace

Chance::Chance(double probability)
    : below_(probability >= 1 ? 0 : fixed_point(probability)), always_(probability >= 1) {
  assert(probability >= 0 && probability <= 1);
}

Geometric::Geometric(double p) {
  assert(p >= 0 && p <= 1);
  if (p >= 1) return;  // no powers: always 0 failures
  const std::uint64_t success = fixed_point(p);
  // keeps the highest power at 2^62, so that failures fit 64 bits
  if (success < (std::uint64_t{1} << 8)) {
    never_ = true;
    return;
  }
  for (std::uint64_t q = 0 - success; q != 0; q = multiply_high(q, q)) powers_.push_back(q);
  for (std::uint64_t high = 0; high < known_.size(); ++high) {
    const std::uint64_t first = high << (64 - kKnownBits);
    const std::uint64_t most = bisected(first),
                        least = bisected(first | ~std::uint64_t{0} >> kKnownBits);
    known_[high] = most == least && most < kUnknown ? static_cast<std::uint16_t>(most) : kUnknown;
  }
}

}  // namespace hopwise::traffic
