// SPDX-License-Identifier: Apache-2.0
// The one hash: FNV-1a of 64 bits. It tells whether two texts are the same, not who changed one.
// http://www.isthe.com/chongo/tech/comp/fnv/
#pragma once

#include <cstdint>
#include <string_view>

namespace hopwise {

/// Of no text; and where every hash begins.
inline constexpr std::uint64_t kFnv1aStart = 0xcbf29ce484222325ULL;

/// One step, on from `h`.
constexpr std::uint64_t fnv1a_step(std::uint64_t h, std::uint64_t value) {
  return (h ^ value) * 0x100000001b3ULL;
}

/// All bytes of a text, on from `h`. O(length).
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t h = kFnv1aStart) {
  for (const char c : text) h = fnv1a_step(h, static_cast<unsigned char>(c));
  return h;
}

}  // namespace hopwise
