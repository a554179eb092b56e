// SPDX-License-Identifier: Apache-2.0
// Words of lanes against arrays of bytes, and memories in lanes against plain arrays.
#include <array>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/lanes/lane_memory.hpp"
#include "model/lanes/lane_word.hpp"

namespace hopwise::lanes {
namespace {

bool bit(const Word& w, unsigned lane) { return (group(w, lane / 64) >> (lane % 64) & 1) != 0; }

TEST(LaneWords, BytesBecomeSlicesAndBack) {
  std::mt19937 random(1);
  for (unsigned width = 1; width <= 8; ++width) {
    for (unsigned k = 0; k < kGroups; ++k) {
      std::array<std::uint8_t, 64> bytes{}, back{};
      for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random() & ((1u << width) - 1));
      std::array<Word, 8> slices{};
      to_slices(bytes.data(), width, k, slices.data());
      for (unsigned lane = 0; lane < 64; ++lane) {
        for (unsigned j = 0; j < width; ++j)
          ASSERT_EQ(bit(slices[j], 64 * k + lane), (bytes[lane] >> j & 1) != 0);
      }
      to_bytes(slices.data(), width, k, back.data());
      ASSERT_EQ(back, bytes);
    }
  }
}

TEST(LaneWords, AnyLaneIsFound) {
  EXPECT_FALSE(any(Word{}));
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    EXPECT_TRUE(any(lanes_from(lane, 1)));
    EXPECT_TRUE(bit(lanes_from(lane, 1), lane));
    EXPECT_FALSE(any(lanes_from(lane, 1) & ~lanes_from(lane, 1)));
  }
}

/// `slices` of the numbers of all lanes.
template <std::size_t kWidth>
std::array<Word, kWidth> sliced(const std::vector<std::uint32_t>& values) {
  std::array<Word, kWidth> words{};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    for (unsigned i = 0; i < kWidth; ++i) {
      if ((values[lane] >> i & 1) != 0) words[i] |= lanes_from(lane, 1);
    }
  }
  return words;
}

/// Random reads and writes, some to words that the memory does not have.
template <unsigned kAddress, unsigned kWidth, std::size_t kSize>
void compare_with_arrays() {
  LaneMemory<kAddress, kWidth, 2, kSize> memory;
  std::vector<std::vector<std::uint32_t>> plain(kLanes, std::vector<std::uint32_t>(kSize));
  std::mt19937 random(7);
  const std::uint32_t mask = kWidth == 32 ? ~0u : (std::uint32_t{1} << (kWidth % 32)) - 1;
  const auto numbers = [&](std::uint32_t below) {
    std::vector<std::uint32_t> all(kLanes);
    for (auto& value : all) value = static_cast<std::uint32_t>(random() % below);
    return all;
  };
  std::vector<std::uint32_t> at[2] = {numbers(1u << kAddress), numbers(1u << kAddress)};
  for (int cycle = 0; cycle < 300; ++cycle) {
    for (unsigned port = 0; port < 2; ++port) {
      if (cycle % 3 != 0) at[port] = numbers(1u << kAddress);  // else it stays, and is shown again
      const auto address = sliced<kAddress>(at[port]);
      const Word* shown = memory.read(port, address.data());
      ASSERT_EQ(shown, memory.shown(port));
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t word = at[port][lane], expected = word < kSize ? plain[lane][word] : 0;
        for (unsigned i = 0; i < kWidth; ++i)
          ASSERT_EQ(bit(shown[i], lane), (expected >> i & 1) != 0) << cycle << " lane " << lane;
      }
    }
    for (int write = 0; write < 2; ++write) {  // of two to one word the later stays
      const auto to = numbers(1u << kAddress);
      auto data = numbers(~0u);
      Word enable{};
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        data[lane] &= mask;
        if (random() % 3 != 0) continue;
        enable |= lanes_from(lane, 1);
        if (to[lane] < kSize) plain[lane][to[lane]] = data[lane];
      }
      memory.write(sliced<kAddress>(to).data(), sliced<kWidth>(data).data(), enable);
    }
  }
}

TEST(LaneMemory, OfBytesDoesAsArraysDo) { compare_with_arrays<3, 7, 8>(); }
TEST(LaneMemory, OfASizeThatIsNoPowerOfTwo) { compare_with_arrays<4, 12, 11>(); }
TEST(LaneMemory, OfTheWidestWords) { compare_with_arrays<9, 32, 300>(); }

}  // namespace
}  // namespace hopwise::lanes
