// SPDX-License-Identifier: Apache-2.0
// Random bits that depend on (seed, stream) alone: not on threads, not on the platform, not on a
// standard library.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace hopwise::traffic {

/// The high 64 bits of the product: x/2^64 of y.
constexpr std::uint64_t multiply_high(std::uint64_t x, std::uint64_t y) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(x) * y) >> 64);
}

/// The mixing function of splitmix64 (Steele, Lea, Flood 2014); a bijection of 64-bit words.
constexpr std::uint64_t mix64(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// Streams of a seed: a terminal has that of its number (below 2^32), and kLaterPhases + 2^32 *
/// phase + number for the phases after the first; from kNetworkStreams up are draws of the network
/// as a whole (a random permutation).
inline constexpr std::uint64_t kLaterPhases = std::uint64_t{1} << 62;
inline constexpr std::uint64_t kNetworkStreams = std::uint64_t{1} << 63;

/// xoshiro256** (Blackman, Vigna 2018) as a value: 32 bytes, copied freely, no allocation.
///
/// Each terminal draws from its own stream (its number), so what one terminal draws never shifts
/// another's sequence.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream) {
    constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
    // distinct streams of a seed start at distinct words
    std::uint64_t z = mix64(mix64(seed + kGolden) + stream);
    for (auto& word : state_) word = mix64(z += kGolden);
  }

  /// 64 random bits.
  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// Uniform on 0 .. bound-1, without bias (Lemire 2019); bound > 0.
  std::uint64_t below(std::uint64_t bound) {
    std::uint64_t word = next();
    if (word * bound < bound) {  // rare: the low half may fall into the incomplete last interval
      const std::uint64_t reject = (0 - bound) % bound;
      while (word * bound < reject) word = next();
    }
    return multiply_high(word, bound);
  }

 private:
  std::array<std::uint64_t, 4> state_;
};

/// A probability as a 64-bit threshold; exact for every double in [0, 1] down to a resolution of
/// 2^-64.
class Chance {
 public:
  explicit Chance(double probability);  ///< in [0, 1]
  bool operator()(Random& random) const { return random.next() < below_ || always_; }

 private:
  std::uint64_t below_;
  bool always_;
};

/// Number of failures before the first success of trials with probability p: 0, 1, 2, ... with mean
/// (1-p)/p.
///
/// Drawn by bisection on powers of 1-p in 64-bit fixed point: one random word and about log2(45/p)
/// multiplications, whatever the value drawn, and no logarithm, whose last bit would differ from
/// one libm to the next. Where the highest bits of the word decide, a table has the value: it never
/// grows with the word, so words between two of one value have that value too.
class Geometric {
 public:
  explicit Geometric(double p);  ///< in [0, 1]; below 2^-56 it never succeeds
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};  ///< what it then draws

  std::uint64_t operator()(Random& random) const {
    if (never_) return kNever;
    const std::uint64_t word = random.next();
    const std::uint16_t known = known_[word >> (64 - kKnownBits)];
    return known != kUnknown ? known : bisected(word);
  }

 private:
  static constexpr unsigned kKnownBits = 9;
  static constexpr std::uint16_t kUnknown = 0xffff;

  std::uint64_t bisected(std::uint64_t word) const {
    std::uint64_t failures = 0;
    std::uint64_t tail = ~std::uint64_t{0};  // probability of at least `failures` failures
    for (std::size_t i = powers_.size(); i-- > 0;) {
      const std::uint64_t next_tail = multiply_high(tail, powers_[i]);
      if (word < next_tail) {
        tail = next_tail;
        failures += std::uint64_t{1} << i;
      }
    }
    return failures;
  }

  // [i]: (1-p)^(2^i) in units of 2^-64, down to the last that is not 0
  std::vector<std::uint64_t> powers_;
  std::array<std::uint16_t, 1U << kKnownBits> known_{};  // [highest bits of the word]
  bool never_ = false;
};

}  // namespace hopwise::traffic
