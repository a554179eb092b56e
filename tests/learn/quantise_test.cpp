// SPDX-License-Identifier: Apache-2.0
// The integers of a perceptron: they fit the engine whatever the weights, and say what the reals
// say.
#include <gtest/gtest.h>

#include <cmath>

#include "fixture.hpp"

namespace hopwise::learn::test {
namespace {

TEST(Quantise, units_are_the_finest_that_hold_the_largest) {
  EXPECT_EQ(finest_weight_bits(1.0F), 6);
  EXPECT_EQ(finest_weight_bits(0.99F), 7);
  EXPECT_EQ(finest_weight_bits(127.0F), 0);
  EXPECT_EQ(finest_weight_bits(128.0F), -1);
  EXPECT_EQ(finest_weight_bits(0), 7);
  EXPECT_EQ(least_range(1.0F), 0);
  EXPECT_EQ(least_range(1.01F), 1);
  EXPECT_EQ(least_range(0.5F), -1);
  EXPECT_EQ(least_range(0), 0);
}

TEST(Quantise, one_neuron_by_hand) {
  const FloatNetwork network{{2, 1}, {{{0.5F, -0.25F}, {0.125F}}}};
  const Quantised q = quantise(network, std::vector<Scale>{{7, 0}});
  EXPECT_EQ(q.weights.parameters[0].w, (std::vector<std::int8_t>{64, -32}));
  EXPECT_EQ(q.weights.parameters[0].bias[0], 4080);  // 1/8 of 128 * 255
  EXPECT_DOUBLE_EQ(q.value_scale, 1.0 / (128 * 255));
  EXPECT_NEAR(infer(q.weights, std::vector<std::uint8_t>{255, 255})[0] * q.value_scale, 0.375,
              1e-9);
}

TEST(Quantise, half_a_unit_makes_the_shift_round) {
  // 255 * 64 / 2^7 = 127.5 rounds up to 128.
  const FloatNetwork network{{1, 1, 1}, {{{0.5F}, {0}}, {{1.0F}, {0}}}};
  const Quantised q = quantise(network, std::vector<Scale>{{7, 0}, {6, 0}});
  EXPECT_EQ(q.weights.parameters[0].shift, 7U);
  EXPECT_EQ(q.weights.parameters[0].bias[0], 64);
  EXPECT_EQ(infer(q.weights, std::vector<std::uint8_t>{255})[0], 128 * 64);
}

TEST(Quantise, fits_the_engine_whatever_weights_and_scales) {
  traffic::Random random(1, 0);
  for (int round = 0; round < 300; ++round) {
    const double size = std::ldexp(1.0, static_cast<int>(random.below(40)) - 20);
    std::vector<unsigned> layers = {1 + static_cast<unsigned>(random.below(25))};
    for (std::uint64_t l = random.below(3) + 1; l-- > 0;)
      layers.push_back(1 + static_cast<unsigned>(random.below(255)));
    FloatNetwork network = random_network(layers, size, random);
    if (round % 3 == 0) network.layer.back().bias[0] = static_cast<float>(1e6 * size);
    std::vector<Scale> scales;
    for (std::size_t l = 0; l < network.layer.size(); ++l) {
      scales.push_back(
          {static_cast<int>(random.below(40)) - 20, static_cast<int>(random.below(30)) - 15});
    }
    EXPECT_TRUE(fits(quantise(network, scales).weights)) << round;
    EXPECT_TRUE(fits(quantise(network, random_bytes(8 * layers[0], random)).weights)) << round;
  }
}

TEST(Quantise, values_of_random_networks_are_near) {
  traffic::Random random(2, 0);
  for (int round = 0; round < 20; ++round) {
    const FloatNetwork network = random_network({13, 32, 16, 4}, 0.4, random);
    const auto observations = random_bytes(13 * 500, random);
    const QuantisationError e = compare(network, quantise(network, observations), observations);
    EXPECT_EQ(e.observations, 500U);
    EXPECT_LT(e.mean_error, 0.03);
    EXPECT_LT(e.largest_error, 0.2);
    EXPECT_LT(e.regret, 0.002);
    EXPECT_GT(e.agreement, 0.95);  // of networks that value actions at random
  }
}

TEST(Quantise, comparing_sees_a_wrong_weight) {
  traffic::Random random(3, 0);
  const FloatNetwork network = random_network({5, 8, 3}, 0.5, random);
  const auto observations = random_bytes(5 * 200, random);
  Quantised q = quantise(network, observations);
  const QuantisationError good = compare(network, q, observations);
  q.weights.parameters[0].w[7] = static_cast<std::int8_t>(q.weights.parameters[0].w[7] ^ 0x60);
  const QuantisationError bad = compare(network, q, observations);
  EXPECT_GT(bad.mean_error, 4 * good.mean_error);
}

}  // namespace
}  // namespace hopwise::learn::test
