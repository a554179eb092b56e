// SPDX-License-Identifier: Apache-2.0
// How wide a field must be.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace hopwise {

/// Bits that hold 0 .. values - 1; 0 where there is nothing to tell apart.
constexpr unsigned bits_for(std::uint64_t values) {
  return values <= 1 ? 0 : static_cast<unsigned>(std::bit_width(values - 1));
}

/// The same for a port or register, which has one bit at least.
constexpr unsigned width_for(std::uint64_t values) { return std::max(1u, bits_for(values)); }

}  // namespace hopwise
