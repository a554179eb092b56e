// SPDX-License-Identifier: Apache-2.0
// hw_reward over all waits that there may be: it saturates, and never looks short again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "Vreward.h"
#include "Vreward_that_wraps.h"

namespace hopwise::test {
namespace {

constexpr unsigned kArrivalLsb = 13, kRewardBits = 13, kRewardLsb = 40, kRewardLinkCycles = 93;
constexpr std::uint64_t kMost = (1u << kRewardBits) - 1;

/// What a head shows that has waited for so many cycles.
template <class Model>
std::uint64_t reward_after(Model& model, std::uint64_t waited, unsigned time_bits) {
  const std::uint64_t clock = (std::uint64_t{1} << time_bits) - 1, arrival = 777;
  model.now_i =
      static_cast<std::remove_reference_t<decltype(model.now_i)>>((arrival + waited) & clock);
  model.head_i = 1;
  model.data_i = arrival << kArrivalLsb;
  model.eval();
  return model.data_o >> kRewardLsb & kMost;
}

TEST(Reward, SaturatesForEveryWaitThatThereMayBe) {
  Vreward model;
  for (std::uint64_t waited = 0; waited < (1u << 18) / 8 * 7; ++waited) {
    ASSERT_EQ(reward_after(model, waited, 18), std::min(waited + kRewardLinkCycles + 1, kMost))
        << waited;
  }
}

TEST(Reward, OfAClockOf16BitsWouldWrap) {
  Vreward_that_wraps model;
  EXPECT_EQ(reward_after(model, 65000, 16), kMost);
  EXPECT_EQ(reward_after(model, 65535, 16), kRewardLinkCycles);
}

}  // namespace
}  // namespace hopwise::test
