// SPDX-License-Identifier: Apache-2.0
// Logic of single bits: AND, XOR and multiplexers over wires that may be inverted. Constants fold,
// and a gate that is there already is not made again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hopwise::lanes {

/// Twice the number of a gate, and 1 more where it is inverted.
using Wire = std::uint32_t;
using Wires = std::vector<Wire>;  ///< lowest bit first
inline constexpr Wire kFalse = 0, kTrue = 1;

inline Wire inverted(Wire a) { return a ^ 1; }

struct Gate {
  enum class Kind : std::uint8_t { kConstant, kInput, kAnd, kXor, kMux };
  Kind kind = Kind::kConstant;
  Wire a = 0, b = 0, c = 0;  ///< kMux: a ? b : c

  bool operator==(const Gate&) const = default;
};

class Gates {
 public:
  Wire input();
  Wire both(Wire a, Wire b);
  Wire either(Wire a, Wire b) { return inverted(both(inverted(a), inverted(b))); }
  Wire differ(Wire a, Wire b);
  Wire choose(Wire select, Wire one, Wire zero);

  /// Gate 0 is the constant; operands of a gate have lower numbers.
  const std::vector<Gate>& all() const { return gates_; }

 private:
  struct Hash {
    std::size_t operator()(const Gate& gate) const;
  };

  Wire made(const Gate& gate);

  std::vector<Gate> gates_ = {Gate{}};
  std::unordered_map<Gate, Wire, Hash> known_;
};

}  // namespace hopwise::lanes
