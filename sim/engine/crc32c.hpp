// SPDX-License-Identifier: Apache-2.0
// CRC-32C (Castagnoli), the end-to-end check of a packet's flits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace hopwise::engine {

namespace detail {

constexpr std::array<std::uint32_t, 256> crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int k = 0; k < 8; ++k) c = (c & 1) != 0 ? 0x82f63b78u ^ (c >> 1) : c >> 1;
    table[i] = c;
  }
  return table;
}

inline std::uint32_t crc32c_table(std::uint32_t crc, std::uint64_t word) {
  static constexpr auto kTable = crc_table();
  for (int i = 0; i < 8; ++i) {
    crc = kTable[(crc ^ word) & 0xff] ^ (crc >> 8);
    word >>= 8;
  }
  return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) inline std::uint32_t crc32c_sse(std::uint32_t crc,
                                                                  const std::uint64_t* words,
                                                                  std::size_t count) {
  std::uint64_t c = crc;
  for (std::size_t i = 0; i < count; ++i) c = __builtin_ia32_crc32di(c, words[i]);
  return static_cast<std::uint32_t>(c);
}
#endif

}  // namespace detail

/// Continues `crc` over `count` little-endian words; the same value with and without the CPU's
/// instruction.
inline std::uint32_t crc32c(std::uint32_t crc, const std::uint64_t* words, std::size_t count) {
#if defined(__x86_64__)
  static const bool kHas = __builtin_cpu_supports("sse4.2") != 0;
  if (kHas) return detail::crc32c_sse(crc, words, count);
#endif
  for (std::size_t i = 0; i < count; ++i) crc = detail::crc32c_table(crc, words[i]);
  return crc;
}

}  // namespace hopwise::engine
