// SPDX-License-Identifier: Apache-2.0
// A memory of the netlist, one for each lane: written and read lane by lane, but only where an
// address has changed or its word was written. Compiled into every model that has memories.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "model/lanes/lane_word.hpp"

namespace hopwise::lanes {

template <unsigned kAddress, unsigned kWidth, unsigned kReads, std::size_t kSize>
class LaneMemory {
  static_assert(kAddress <= 16 && kWidth <= 64);

 public:
  /// What read port `port` shows at `address` (kAddress slices): kWidth slices, until the next
  /// read.
  const Word* read(unsigned port, const Word* address) {
    Shown& s = shown_[port];
    for (unsigned k = 0; k < kGroups; ++k) {
      std::uint64_t changed = s.stale[k];
      for (unsigned a = 0; a < kAddress; ++a) {
        const std::uint64_t now = group(address[a], k);
        changed |= now ^ group(s.address[a], k);
        set_group(s.address[a], k, now);
      }
      if (changed == 0) continue;
      s.stale[k] = 0;
      std::uint8_t at[kAddressPlanes];
      to_planes(address, kAddress, k, at);
      std::uint8_t* values = s.values + k * kWidthPlanes;
      for_lanes(changed, [&](unsigned lane) {
        const std::size_t word = in_planes(at, kAddress, lane);
        into_planes(values, kWidth, lane, word < kSize ? store_[place(k, lane, word)] : 0);
      });
      from_planes(values, kWidth, k, s.slices);
    }
    return s.slices;
  }

  /// What the last read of the port showed.
  const Word* shown(unsigned port) const { return shown_[port].slices; }

  /// All words of these lanes are 0, and the read ports show what they show at first.
  void clear(const Word& lanes) {
    for (unsigned k = 0; k < kGroups; ++k) {
      for_lanes(group(lanes, k), [&](unsigned lane) {
        std::fill_n(store_.begin() + static_cast<std::ptrdiff_t>(place(k, lane, 0)), kSize, 0);
        for (Shown& s : shown_) into_planes(s.values + k * kWidthPlanes, kWidth, lane, 0);
      });
    }
    for (Shown& s : shown_) {
      for (Word& slice : s.slices) slice &= ~lanes;
      for (Word& slice : s.address) slice &= ~lanes;
      for (unsigned k = 0; k < kGroups; ++k) s.stale[k] &= ~group(lanes, k);
    }
  }

  void write(const Word* address, const Word* data, const Word& enable) {
    for (unsigned k = 0; k < kGroups; ++k) {
      const std::uint64_t lanes = group(enable, k);
      if (lanes == 0) continue;
      std::uint8_t at[kAddressPlanes], values[kWidthPlanes];
      to_planes(address, kAddress, k, at);
      to_planes(data, kWidth, k, values);
      for_lanes(lanes, [&](unsigned lane) {
        const std::size_t word = in_planes(at, kAddress, lane);
        if (word < kSize)
          store_[place(k, lane, word)] = static_cast<Element>(in_planes(values, kWidth, lane));
      });
      for (Shown& s : shown_) s.stale[k] |= lanes;
    }
  }

 private:
  using Element = std::conditional_t<
      (kWidth > 32), std::uint64_t,
      std::conditional_t<(kWidth > 16), std::uint32_t,
                         std::conditional_t<(kWidth > 8), std::uint16_t, std::uint8_t>>>;
  static constexpr unsigned kAddressPlanes = (kAddress + 7) / 8 * 64,
                            kWidthPlanes = (kWidth + 7) / 8 * 64;
  static std::size_t place(unsigned k, unsigned lane, std::size_t word) {
    return (std::size_t{64} * k + lane) * kSize + word;
  }

  struct Shown {
    Word slices[kWidth] = {};
    Word address[kAddress] = {};
    std::uint64_t stale[kGroups] = {};
    std::uint8_t values[kGroups * kWidthPlanes] = {};
  };
  std::vector<Element> store_ = std::vector<Element>(kLanes * kSize);
  Shown shown_[kReads];
};

}  // namespace hopwise::lanes
