// SPDX-License-Identifier: Apache-2.0
// Takes a router's trace_o apart.
#pragma once

#include <cstdint>
#include <span>

namespace hopwise::probes {

/// Reads the fields of the words one after the other, the lowest bit first.
class TraceReader {
 public:
  explicit TraceReader(std::span<const std::uint32_t> words, unsigned first_bit = 0)
      : words_(words), at_(first_bit) {}
  /// A field of at most 32 bits.
  std::uint32_t next(unsigned width) {
    std::uint64_t both = words_[at_ / 32];
    if (at_ / 32 + 1 < words_.size()) both |= std::uint64_t{words_[at_ / 32 + 1]} << 32;
    both >>= at_ % 32;
    at_ += width;
    return static_cast<std::uint32_t>(both & ((std::uint64_t{1} << width) - 1));
  }
  bool flag() { return next(1) != 0; }

 private:
  std::span<const std::uint32_t> words_;
  unsigned at_;
};

}  // namespace hopwise::probes
