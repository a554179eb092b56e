// SPDX-License-Identifier: Apache-2.0
// Parameters of cells as Yosys writes them.
#pragma once

#include <cstddef>
#include <string>

namespace hopwise::lanes {

/// In binary, `width` digits.
inline std::string number(std::size_t value, std::size_t width = 32) {
  std::string text;
  for (std::size_t i = width; i-- > 0;) text += (value >> i & 1) != 0 ? '1' : '0';
  return text;
}

}  // namespace hopwise::lanes
