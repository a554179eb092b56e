// SPDX-License-Identifier: Apache-2.0
// The pins of a verilated router as words, whatever types Verilator gave them. Part of
// verilated_bank.hpp, whose macros it uses.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace hopwise::model {
namespace {

constexpr std::uint32_t kPorts = HOPWISE_PORTS;
constexpr std::uint32_t kVcs = HOPWISE_VCS;
constexpr std::uint32_t kFlitBits = HOPWISE_FLIT_BITS;

constexpr std::uint32_t clog2(std::uint32_t n) { return n <= 1 ? 0 : 1 + clog2((n + 1) / 2); }
constexpr std::uint32_t kVcWidth = kVcs > 1 ? clog2(kVcs) : 1;
constexpr std::uint32_t kFlitWords = (kFlitBits + 31) / 32;
constexpr bool kAligned = kFlitBits % 32 == 0;
constexpr std::uint32_t kStride = (kPorts + 7) / 8 * 8;

/// A flat vector port as 32-bit words, whatever type Verilator gave it.
template <std::uint32_t Bits>
struct Vector {
  std::array<std::uint32_t, (Bits + 31) / 32> words{};

  void set(std::uint32_t lsb, std::uint32_t value) {  // at most 16 bits, may cross a word
    const std::uint64_t shifted = std::uint64_t{value} << (lsb % 32);
    words[lsb / 32] |= static_cast<std::uint32_t>(shifted);
    if (lsb / 32 + 1 < words.size())
      words[lsb / 32 + 1] |= static_cast<std::uint32_t>(shifted >> 32);
  }
  std::uint32_t get(std::uint32_t lsb, std::uint32_t width) const {
    std::uint64_t both = words[lsb / 32];
    if (lsb / 32 + 1 < words.size()) both |= std::uint64_t{words[lsb / 32 + 1]} << 32;
    return static_cast<std::uint32_t>(both >> (lsb % 32)) & ((1u << width) - 1);
  }
  void set64(std::uint32_t lsb, std::uint32_t width, std::uint64_t value) {
    for (; width > 16; width -= 16, lsb += 16, value >>= 16) set(lsb, value & 0xffff);
    set(lsb, static_cast<std::uint32_t>(value));
  }
  std::uint64_t get64(std::uint32_t lsb, std::uint32_t width) const {
    std::uint64_t value = 0;
    for (std::uint32_t at = 0; at < width; at += 16)
      value |= std::uint64_t{get(lsb + at, std::min(width - at, 16u))} << at;
    return value;
  }
  template <class Pin>
  void drive(Pin& pin) const {
    if constexpr (std::is_integral_v<Pin>) {
      std::uint64_t value = words[0];
      if constexpr (Bits > 32) value |= std::uint64_t{words[1]} << 32;
      pin = static_cast<Pin>(value);
    } else {
      for (std::size_t i = 0; i < words.size(); ++i) pin[i] = words[i];
    }
  }
  template <class Pin>
  void sample(const Pin& pin) {
    if constexpr (std::is_integral_v<Pin>) {
      words[0] = static_cast<std::uint32_t>(pin);
      if constexpr (Bits > 32) words[1] = static_cast<std::uint32_t>(std::uint64_t{pin} >> 32);
    } else {
      for (std::size_t i = 0; i < words.size(); ++i) words[i] = pin[i];
    }
  }
};

/// Copies flit `port` between a wire slot and the flat data pin.
template <class Pin>
void put_flit(Pin& pin, std::uint32_t port, const std::byte* from) {
  if constexpr (kAligned) {
    std::memcpy(&pin[port * kFlitWords], from, kFlitWords * 4);
  } else {
    std::uint32_t words[kFlitWords + 1] = {};
    std::memcpy(words, from, kFlitWords * 4);
    for (std::uint32_t i = 0; i < kFlitBits; ++i) {
      const std::uint32_t at = port * kFlitBits + i, bit = (words[i / 32] >> (i % 32)) & 1;
      pin[at / 32] = (pin[at / 32] & ~(1u << (at % 32))) | bit << (at % 32);
    }
  }
}
template <class Pin>
void get_flit(const Pin& pin, std::uint32_t port, std::byte* to) {
  if constexpr (kAligned) {
    std::memcpy(to, &pin[port * kFlitWords], kFlitWords * 4);
  } else {
    std::uint32_t words[kFlitWords + 1] = {};
    for (std::uint32_t i = 0; i < kFlitBits; ++i) {
      const std::uint32_t at = port * kFlitBits + i;
      words[i / 32] |= ((pin[at / 32] >> (at % 32)) & 1) << (i % 32);
    }
    std::memcpy(to, words, kFlitWords * 4);
  }
}

}  // namespace
}  // namespace hopwise::model
