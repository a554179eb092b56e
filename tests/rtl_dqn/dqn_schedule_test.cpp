// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "routing/dqn/schedule.hpp"

namespace hopwise::routing::dqn {
namespace {

std::string text(const std::vector<unsigned>& layers, unsigned macs, bool zero_time = false) {
  const Schedule s = schedule(layers, macs, zero_time);
  return fmt::format("{}x{} {} {} {}", s.lanes, s.depth, s.weight_words, s.latency_cycles,
                     s.interval_cycles);
}

TEST(DqnSchedule, OfTheReferenceNetworks) {
  EXPECT_EQ(text({13, 32, 16, 4}, 64), "4x16 17 24 21");
  EXPECT_EQ(text({13, 32, 16, 4}, 16), "1x16 68 75 72");
  EXPECT_EQ(text({19, 32, 16, 6}, 64), "8x8 22 29 26");
  EXPECT_EQ(text({13, 32, 16, 4}, 64, true), "4x16 17 0 1");
}

TEST(DqnSchedule, AllWeightsFitAndNoOtherArrayTakesFewerSteps) {
  const std::vector<std::vector<unsigned>> shapes = {
      {13, 32, 16, 4}, {19, 32, 16, 6}, {25, 64, 8}, {7, 1}, {13, 3, 200, 5, 4}};
  for (const auto& layers : shapes) {
    unsigned weights = 0;
    for (std::size_t l = 0; l + 1 < layers.size(); ++l) weights += layers[l] * layers[l + 1];
    for (unsigned macs = 4; macs <= 256; macs *= 2) {
      const Schedule best = schedule(layers, macs, false);
      EXPECT_EQ(best.lanes * best.depth, macs);
      EXPECT_GE(best.weight_words * macs, weights);
      for (unsigned lanes = 1; lanes <= macs; lanes *= 2) {
        unsigned steps = 0;
        for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
          for (unsigned o = 0; o < layers[l + 1]; o += lanes) {
            for (unsigned i = 0; i < layers[l]; i += macs / lanes) ++steps;
          }
        }
        EXPECT_LE(best.weight_words, steps);
        EXPECT_TRUE(lanes >= best.lanes || best.weight_words < steps);
        EXPECT_TRUE(lanes != best.lanes || best.weight_words == steps);
      }
    }
  }
}

TEST(DqnScheduleDeathTest, ImpossibleNetworksAbort) {
  EXPECT_DEATH(schedule(std::vector<unsigned>{4}, 16, false), "two to five layers");
  EXPECT_DEATH(schedule(std::vector<unsigned>{4, 0}, 16, false), "layers of 1 to 255");
  EXPECT_DEATH(schedule(std::vector<unsigned>{4, 4}, 24, false), "a power of two");
  EXPECT_DEATH(schedule(std::vector<unsigned>{4, 4}, 2, false), "at least 4");
}

}  // namespace
}  // namespace hopwise::routing::dqn
