// SPDX-License-Identifier: Apache-2.0
// Words of lanes, one bit per lane, and their transposition to bytes of lanes. Compiled into every
// model with HOPWISE_LANES: 64, or a multiple of it that is a power of two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace hopwise::lanes {

constexpr unsigned kLanes = HOPWISE_LANES;
constexpr unsigned kGroups = kLanes / 64;  ///< of 64 lanes, which are one machine word

#if HOPWISE_LANES == 64
using Word = std::uint64_t;
inline std::uint64_t group(Word w, unsigned) { return w; }
inline void set_group(Word& w, unsigned, std::uint64_t value) { w = value; }
inline bool any(Word w) { return w != 0; }
inline Word all_lanes(bool value) { return value ? ~Word{0} : Word{0}; }
#else
typedef std::uint64_t Word __attribute__((vector_size(HOPWISE_LANES / 8)));
inline std::uint64_t group(const Word& w, unsigned k) { return w[k]; }
inline void set_group(Word& w, unsigned k, std::uint64_t value) { w[k] = value; }
inline bool any(const Word& w) {
#if HOPWISE_LANES == 512 && defined(__AVX512F__)
  const __m512i v = reinterpret_cast<__m512i>(w);
  return _mm512_test_epi64_mask(v, v) != 0;
#elif HOPWISE_LANES == 256 && defined(__AVX2__)
  const __m256i v = reinterpret_cast<__m256i>(w);
  return _mm256_testz_si256(v, v) == 0;
#else
  std::uint64_t sum = 0;
  for (unsigned k = 0; k < kGroups; ++k) sum |= w[k];
  return sum != 0;
#endif
}
inline Word all_lanes(bool value) { return value ? ~Word{} : Word{}; }
#endif

inline bool lane_of(const Word& w, unsigned lane) {
  return (group(w, lane / 64) >> (lane % 64) & 1) != 0;
}
inline void set_lane(Word& w, unsigned lane, bool value) {
  const std::uint64_t bit = std::uint64_t{1} << (lane % 64), old = group(w, lane / 64);
  set_group(w, lane / 64, value ? old | bit : old & ~bit);
}
/// The lanes [first, first + count).
inline Word lanes_from(unsigned first, unsigned count) {
  Word w{};
  for (unsigned lane = first; lane < first + count; ++lane) set_lane(w, lane, true);
  return w;
}

/// Byte `lane` of `bytes` gets bit j from lane `lane` of slices[j], of group `k`; n is at most 8.
inline void to_bytes(const Word* slices, unsigned n, unsigned k, std::uint8_t* bytes) {
#if defined(__AVX512BW__)
  __m512i sum = _mm512_setzero_si512();
  for (unsigned j = 0; j < n; ++j) {
    const __m512i bit = _mm512_set1_epi8(static_cast<char>(1 << j));
    sum = _mm512_or_si512(sum, _mm512_maskz_mov_epi8(group(slices[j], k), bit));
  }
  _mm512_storeu_si512(bytes, sum);
#elif defined(__AVX2__)
  const __m256i spread = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2,
                                          2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
  const __m256i pick = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201u));
  __m256i low = _mm256_setzero_si256(), high = low;
  for (unsigned j = 0; j < n; ++j) {
    const std::uint64_t s = group(slices[j], k);
    const __m256i bit = _mm256_set1_epi8(static_cast<char>(1 << j));
    const auto half = [&](std::uint32_t lanes) {
      const __m256i spreaded =
          _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(lanes)), spread);
      return _mm256_and_si256(_mm256_cmpeq_epi8(_mm256_and_si256(spreaded, pick), pick), bit);
    };
    low = _mm256_or_si256(low, half(static_cast<std::uint32_t>(s)));
    high = _mm256_or_si256(high, half(static_cast<std::uint32_t>(s >> 32)));
  }
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(bytes), low);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(bytes + 32), high);
#else
  for (unsigned at = 0; at < 8; ++at) {
    std::uint64_t eight = 0;  // lanes 8 * at and on
    for (unsigned j = 0; j < n; ++j) {
      const std::uint64_t s = group(slices[j], k) >> (8 * at) & 0xff;
      // Bit i to byte i: copies of the byte, of which each keeps its own bit, made 1.
      const std::uint64_t own = s * 0x0101010101010101u & 0x8040201008040201u;
      eight |= ((own + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u) << j;
    }
    std::memcpy(bytes + 8 * at, &eight, 8);
  }
#endif
}

/// The other way: slices[j], of group `k`, gets bit j of every lane's byte.
inline void to_slices(const std::uint8_t* bytes, unsigned n, unsigned k, Word* slices) {
#if defined(__AVX512BW__)
  const __m512i lanes = _mm512_loadu_si512(bytes);
  for (unsigned j = 0; j < n; ++j) {
    const __m512i bit = _mm512_set1_epi8(static_cast<char>(1 << j));
    set_group(slices[j], k, _mm512_test_epi8_mask(lanes, bit));
  }
#elif defined(__AVX2__)
  const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes)),
                high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes + 32));
  for (unsigned j = 0; j < n; ++j) {
    const __m128i up = _mm_cvtsi32_si128(static_cast<int>(7 - j));
    const auto half = [&](__m256i lanes) {
      return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_sll_epi64(lanes, up)));
    };
    set_group(slices[j], k, std::uint64_t{half(high)} << 32 | half(low));
  }
#else
  std::uint64_t sums[8] = {};
  for (unsigned at = 0; at < 8; ++at) {
    std::uint64_t eight;
    std::memcpy(&eight, bytes + 8 * at, 8);
    for (unsigned j = 0; j < n; ++j) {
      sums[j] |= ((eight >> j & 0x0101010101010101u) * 0x0102040810204080u >> 56) << (8 * at);
    }
  }
  for (unsigned j = 0; j < n; ++j) set_group(slices[j], k, sums[j]);
#endif
}

/// The same for numbers of `width` bits, in planes of 64 bytes: plane b holds bits 8 b and on.
inline void to_planes(const Word* slices, unsigned width, unsigned k, std::uint8_t* planes) {
  for (unsigned b = 0; 8 * b < width; ++b)
    to_bytes(slices + 8 * b, width - 8 * b < 8 ? width - 8 * b : 8, k, planes + 64 * b);
}
inline void from_planes(const std::uint8_t* planes, unsigned width, unsigned k, Word* slices) {
  for (unsigned b = 0; 8 * b < width; ++b)
    to_slices(planes + 64 * b, width - 8 * b < 8 ? width - 8 * b : 8, k, slices + 8 * b);
}
inline std::uint64_t in_planes(const std::uint8_t* planes, unsigned width, unsigned lane) {
  std::uint64_t value = 0;
  for (unsigned b = 0; 8 * b < width; ++b) value |= std::uint64_t{planes[64 * b + lane]} << (8 * b);
  return value;
}
inline void into_planes(std::uint8_t* planes, unsigned width, unsigned lane, std::uint64_t value) {
  for (unsigned b = 0; 8 * b < width; ++b)
    planes[64 * b + lane] = static_cast<std::uint8_t>(value >> (8 * b));
}

/// Calls f(lane) for every lane of a group's mask.
template <class F>
inline void for_lanes(std::uint64_t mask, F&& f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(__builtin_ctzll(mask)));
}

}  // namespace hopwise::lanes
