// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <gtest/gtest.h>

#include "dqn_play.hpp"

namespace hopwise::learn {
namespace {

using Values = std::vector<std::int32_t>;
using Observation = std::vector<std::uint8_t>;

TEST(DqnNetwork, HiddenValuesAreShiftedThenClippedToAByte) {
  IntegerNetwork network = zero_network(std::vector<unsigned>{1, 4, 4});
  network.parameters[0] = {{100, 100, -1, 1}, {0, 1000000, 0, 3}, 4};
  for (unsigned o = 0; o < 4; ++o) network.parameters[1].w[5 * o] = 1;
  EXPECT_EQ(infer(network, Observation{20}), (Values{125, 255, 0, 1}));
  network.parameters[0].shift = 15;
  EXPECT_EQ(infer(network, Observation{20}), (Values{0, 30, 0, 0}));
  network.parameters[0].shift = 0;
  EXPECT_EQ(infer(network, Observation{2}), (Values{200, 255, 0, 5}));
}

TEST(DqnNetwork, ValuesSaturateAt24Bits) {
  IntegerNetwork network = zero_network(std::vector<unsigned>{1, 1});
  network.parameters[0] = {{1}, {(1 << 23) - 1}, 0};
  EXPECT_TRUE(well_formed(network));
  EXPECT_FALSE(fits(network));
  EXPECT_EQ(infer(network, Observation{1}), (Values{(1 << 23) - 1}));
  network.parameters[0].bias[0] -= 255;
  EXPECT_TRUE(fits(network));
  EXPECT_EQ(infer(network, Observation{255}), (Values{(1 << 23) - 1}));
}

TEST(DqnNetwork, OfEqualValuesTheLowestAllowedActionIsTaken) {
  const Values values = {5, 7, 7, -3};
  EXPECT_EQ(argmax(values, 0xf), 1u);
  EXPECT_EQ(argmax(values, 0xd), 2u);
  EXPECT_EQ(argmax(values, 0x8), 3u);
  EXPECT_EQ(argmax(values, 0), 4u);
}

TEST(DqnNetwork, IsNotWellFormedWithWrongSizesBiasesOrShifts) {
  const IntegerNetwork good = zero_network(std::vector<unsigned>{3, 2, 1});
  EXPECT_TRUE(well_formed(good));
  for (unsigned fault = 0; fault < 6; ++fault) {
    IntegerNetwork bad = good;
    if (fault == 0) bad.parameters[1].w.pop_back();
    if (fault == 1) bad.parameters[0].bias.push_back(0);
    if (fault == 2) bad.parameters[0].shift = 16;
    if (fault == 3) bad.parameters[1].bias[0] = 1 << 23;
    if (fault == 4) bad.layers[1] = 0;
    if (fault == 5) bad.parameters.pop_back();
    EXPECT_FALSE(well_formed(bad)) << fault;
  }
}

TEST(DqnNetwork, LoadWordsWriteAllOfANetworkAndThenSwap) {
  std::mt19937_64 random{3};
  const std::vector<std::vector<unsigned>> shapes = {
      {13, 32, 16, 4}, {7, 9, 2}, {1, 1}, {255, 3, 255}, {5, 4, 3, 2, 6}};
  const std::vector<std::pair<unsigned, unsigned>> arrays = {
      {4, 16}, {1, 4}, {4, 1}, {32, 2}, {1, 256}};
  for (const auto& layers : shapes) {
    for (const auto& [lanes, depth] : arrays) {
      const IntegerNetwork network = test::random_network(layers, random);
      test::DqnBanks banks(layers, lanes, depth);
      const auto words = load_words(network, lanes, depth);
      for (const auto& [address, data] : words) banks.write({address, data});
      EXPECT_EQ(banks.swaps, 1u);
      EXPECT_EQ(banks.used, network);
      EXPECT_EQ(words.back().first, 16u);
    }
  }
}

}  // namespace
}  // namespace hopwise::learn
