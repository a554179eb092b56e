// SPDX-License-Identifier: Apache-2.0
// Flits on their way through the lanes: what the netlist only moves stays in a pool, and a token,
// its number there, goes through the netlist instead. Part of lanes_bank.hpp.
//
// A flit enters the pool when it is on the input pins, and leaves it when its token is on the
// output pins; the bits that the netlist reads are taken from it and put back there. A token that
// is not in use, and so a flit that leaves twice or was mixed of two, throws std::runtime_error.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "model/lanes/lane_word.hpp"

namespace hopwise::lanes {

constexpr unsigned kFlitBits = HOPWISE_FLIT_BITS, kFlitWords = (kFlitBits + 63) / 64,
                   kFlitStride = (kFlitBits + 31) / 32 * 32;
constexpr unsigned kControls = std::size(kControl) - 1, kTokenBits = std::size(kToken) - 1,
                   kPlanes = (kControls + 7) / 8;
static_assert(std::endian::native == std::endian::little, "words of flits are copied as bytes");

/// Neighbouring bits of a flit that are neighbours among the control bits too.
struct Run {
  std::uint16_t word = 0, lsb = 0, width = 0, at = 0;
};
struct Runs {
  Run run[kControls + 1] = {};
  unsigned number = 0;
};

/// Runs end at bytes of `at`, so that each goes into one plane.
constexpr Runs find_runs() {
  Runs runs;
  for (unsigned i = 0; i < kControls; ++i) {
    Run* last = runs.number == 0 ? nullptr : &runs.run[runs.number - 1];
    if (last != nullptr && i % 8 != 0 && kControl[i] == kControl[i - 1] + 1 &&
        kControl[i] % 64 != 0)
      ++last->width;
    else
      runs.run[runs.number++] = {static_cast<std::uint16_t>(kControl[i] / 64),
                                 static_cast<std::uint16_t>(kControl[i] % 64), 1,
                                 static_cast<std::uint16_t>(i)};
  }
  return runs;
}
constexpr Runs kRuns = find_runs();

/// The flits of kLanes routers.
class FlitPool {
 public:
  FlitPool() {
    if (kTokenBits == 0) return;
    flits_ = std::make_unique_for_overwrite<Flit[]>(std::size_t{kLanes} * kPool);
    used_.assign(std::size_t{kLanes} * kPool, false);
    free_ = std::make_unique_for_overwrite<Token[]>(std::size_t{kLanes} * kPool);
    number_free_.assign(kLanes, 0);
    fresh_.assign(kLanes, 0);
  }

  /// The lane's tokens are all free.
  void clear(unsigned lane) {
    if (kTokenBits == 0) return;
    for (std::size_t token = 0; token < fresh_[lane]; ++token) used_[at(lane, token)] = false;
    number_free_[lane] = fresh_[lane] = 0;
  }

  /// Flits of group `k` at `data`, `stride` bytes apart, to the pins of a port.
  void take(std::uint64_t lanes, unsigned k, const std::byte* data, std::size_t stride,
            const std::int16_t* pins, Word* in) {
    std::uint8_t controls[64 * (kPlanes + 1)] = {}, tokens[64 * ((kTokenBits + 7) / 8 + 1)];
    for_lanes(lanes, [&](unsigned l) {
      Flit flit;
      std::memcpy(flit.word, data + stride * l, sizeof flit.word);
      for (unsigned i = 0; i < kRuns.number; ++i) {
        const Run& r = kRuns.run[i];
        const std::uint64_t bits = flit.word[r.word] >> r.lsb & ((1u << r.width) - 1);
        controls[64 * (r.at / 8) + l] |= static_cast<std::uint8_t>(bits << (r.at % 8));
      }
      if (kTokenBits > 0) into_planes(tokens, kTokenBits, l, enter(64 * k + l, flit));
    });
    take_planes(controls, kControls, k, kControl, pins, in);
    if (kTokenBits > 0) take_planes(tokens, kTokenBits, k, kToken, pins, in);
  }

 private:
  friend class FlitReader;
  struct Flit {
    std::uint64_t word[kFlitWords];
  };

  static void take_planes(const std::uint8_t* planes, unsigned width, unsigned k,
                          const std::uint16_t* places, const std::int16_t* pins, Word* in) {
    Word slices[kFlitBits];
    from_planes(planes, width, k, slices);
    for (unsigned i = 0; i < width; ++i) {
      const int place = pins[places[i]];
      if (place >= 0) set_group(in[place], k, group(slices[i], k));
    }
  }

  /// Lanes side by side: few tokens of each are used again and again, and so few lines of cache.
  static std::size_t at(unsigned lane, std::size_t token) { return token * kLanes + lane; }

  std::uint32_t enter(unsigned lane, const Flit& flit) {
    std::uint32_t token;
    if (number_free_[lane] > 0) {
      token = free_[at(lane, --number_free_[lane])];
    } else {
      token = fresh_[lane];
      if (token == kPool) throw std::runtime_error("more flits in a router than it has places for");
      ++fresh_[lane];
    }
    flits_[at(lane, token)] = flit;
    used_[at(lane, token)] = true;
    return token;
  }

  void fetch(unsigned lane, std::size_t token) const {
    if (token < kPool) __builtin_prefetch(&flits_[at(lane, token)]);
  }

  const Flit& leave(unsigned lane, std::uint32_t token) {
    if (token >= kPool || !used_[at(lane, token)])
      throw std::runtime_error("a flit leaves a router that did not enter it, or left before");
    used_[at(lane, token)] = false;
    free_[at(lane, number_free_[lane]++)] = static_cast<Token>(token);
    return flits_[at(lane, token)];
  }

  std::unique_ptr<Flit[]> flits_;   // [token][lane]
  std::vector<std::uint8_t> used_;  // [token][lane]
  using Token = std::conditional_t<(kPool > 0x10000), std::uint32_t, std::uint16_t>;
  std::unique_ptr<Token[]> free_;  // [number][lane]: a stack of tokens
  // [lane]: tokens on the stack, and those below this one were used before
  std::vector<std::uint32_t> number_free_, fresh_;
};

/// The flits on the output pins of a port, in the lanes of one group.
class FlitReader {
 public:
  FlitReader(FlitPool& pool, const Word* shown, const std::int16_t* pins, unsigned k)
      : pool_(pool), k_(k) {
    give_planes(shown, kControl, kControls, pins, controls_);
    if (kTokenBits > 0) give_planes(shown, kToken, kTokenBits, pins, tokens_);
  }

  /// Has the flit of lane `l` of the group brought from memory, in time for give().
  void fetch(unsigned l) const {
    if (kTokenBits > 0) pool_.fetch(64 * k_ + l, in_planes(tokens_, kTokenBits, l));
  }

  /// Writes the flit of lane `l` of the group.
  void give(unsigned l, std::byte* to) {
    FlitPool::Flit flit{};
    if (kTokenBits > 0)
      flit =
          pool_.leave(64 * k_ + l, static_cast<std::uint32_t>(in_planes(tokens_, kTokenBits, l)));
    for (unsigned i = 0; i < kRuns.number; ++i) {
      const Run& r = kRuns.run[i];
      const std::uint64_t mask = (std::uint64_t{1} << r.width) - 1,
                          bits = controls_[64 * (r.at / 8) + l] >> (r.at % 8) & mask;
      flit.word[r.word] = (flit.word[r.word] & ~(mask << r.lsb)) | bits << r.lsb;
    }
    std::memcpy(to, flit.word, (kFlitBits + 31) / 32 * 4);
  }

 private:
  void give_planes(const Word* shown, const std::uint16_t* places, unsigned width,
                   const std::int16_t* pins, std::uint8_t* planes) const {
    Word slices[kFlitBits];
    for (unsigned i = 0; i < width; ++i) {
      const int place = pins[places[i]];
      set_group(slices[i], k_, place < 0 ? 0 : group(shown[place], k_));
    }
    to_planes(slices, width, k_, planes);
  }

  FlitPool& pool_;
  unsigned k_;
  std::uint8_t controls_[64 * (kPlanes + 1)], tokens_[64 * ((kTokenBits + 7) / 8 + 1)];
};

}  // namespace hopwise::lanes
