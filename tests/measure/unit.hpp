// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "traffic/random.hpp"

namespace hopwise::measure {

/// Uniform in [0, 1).
inline double unit(traffic::Random& random) {
  return static_cast<double>(random.next() >> 11) * 0x1p-53;
}

}  // namespace hopwise::measure
