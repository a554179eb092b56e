// SPDX-License-Identifier: Apache-2.0
// The arithmetic of training against hand computation, finite differences and the engine's
// integers.
#include <gtest/gtest.h>

#include <cmath>

#include "fixture.hpp"
#include "learn/perceptron.hpp"

namespace hopwise::learn::test {
namespace {

Batch random_batch(const std::vector<unsigned>& layers, Eigen::Index samples,
                   traffic::Random& random) {
  Batch batch;
  batch.observations.resize(layers.front(), samples);
  batch.rewards.resize(samples);
  for (Eigen::Index n = 0; n < samples; ++n) {
    for (Eigen::Index i = 0; i < batch.observations.rows(); ++i)
      batch.observations(i, n) = static_cast<float>(random.below(256));
    batch.actions.push_back(static_cast<unsigned>(random.below(layers.back())));
    batch.rewards[n] = static_cast<float>(uniform(random));
  }
  return batch;
}

TEST(Perceptron, keeps_the_network_that_it_was_given) {
  traffic::Random random(1, 0);
  const FloatNetwork network = random_network({3, 5, 4, 2}, 1, random);
  EXPECT_EQ(Perceptron(network).network(), network);
}

TEST(Perceptron, values_are_those_of_plain_inference) {
  traffic::Random random(2, 0);
  const FloatNetwork network = random_network({13, 32, 16, 4}, 0.5, random);
  Perceptron p(network);
  const Batch batch = random_batch(network.layers, 16, random);
  Eigen::VectorXf gradient;
  p.loss(batch, 1, false, gradient);
  for (Eigen::Index n = 0; n < 16; ++n) {
    std::vector<std::uint8_t> bytes;
    for (Eigen::Index i = 0; i < 13; ++i)
      bytes.push_back(static_cast<std::uint8_t>(batch.observations(i, n)));
    const auto plain = infer(network, bytes);
    for (Eigen::Index a = 0; a < 4; ++a)
      EXPECT_NEAR(p.values()(a, n), plain[static_cast<std::size_t>(a)], 1e-4);
  }
}

TEST(Perceptron, gradient_is_that_of_finite_differences) {
  traffic::Random random(3, 0);
  Perceptron p(random_network({4, 6, 5, 3}, 0.8, random));
  const Batch batch = random_batch({4, 6, 5, 3}, 8, random);
  Eigen::VectorXf gradient, unused;
  for (const float delta : {1.0F, 0.05F}) {  // within, and beyond the parabola
    p.loss(batch, delta, false, gradient);
    for (Eigen::Index i = 0; i < gradient.size(); ++i) {
      constexpr float kStep = 1e-3F;  // small, or a neuron turns off within it
      const float kept = p.parameters()[i];
      p.parameters()[i] = kept + kStep;
      const float above = p.loss(batch, delta, false, unused);
      p.parameters()[i] = kept - kStep;
      const float below = p.loss(batch, delta, false, unused);
      p.parameters()[i] = kept;
      EXPECT_NEAR((above - below) / (2 * kStep), gradient[i], 2e-3) << "parameter " << i;
    }
  }
}

TEST(Perceptron, huber_loss_by_hand) {
  Perceptron p(FloatNetwork{{1, 2}, {{{0, 0}, {0.25F, 3}}}});
  Batch batch;
  batch.observations = Eigen::MatrixXf::Constant(1, 2, 255);
  batch.actions = {0, 1};
  batch.rewards = Eigen::VectorXf::Constant(2, 1);
  Eigen::VectorXf gradient;
  // Off by -0.75: 0.28125; off by 2: 2 - 1/2.
  EXPECT_FLOAT_EQ(p.loss(batch, 1, false, gradient), (0.28125F + 1.5F) / 2);
  EXPECT_FLOAT_EQ(gradient[2], -0.375F);  // biases behind the weights
  EXPECT_FLOAT_EQ(gradient[3], 0.5F);
}

TEST(Perceptron, quantised_forward_is_the_engine_bit_by_bit) {
  traffic::Random random(4, 0);
  for (int round = 0; round < 60; ++round) {
    std::vector<unsigned> layers = {13, 32, 16, 4};
    if (round % 2 != 0) layers = {25, 255, 7, 8};
    Perceptron p(random_network(layers, std::ldexp(1.0, round % 12 - 8), random));
    Eigen::VectorXf gradient;
    for (int batches = 0; batches < 3; ++batches) {
      const Batch batch = random_batch(layers, 8, random);
      p.loss(batch, 1, true, gradient);
      const Quantised q = quantise(p.network(), p.scales());
      ASSERT_TRUE(fits(q.weights));
      for (Eigen::Index n = 0; n < 8; ++n) {
        std::vector<std::uint8_t> bytes;
        for (Eigen::Index i = 0; i < layers.front(); ++i)
          bytes.push_back(static_cast<std::uint8_t>(batch.observations(i, n)));
        const auto values = infer(q.weights, bytes);
        for (std::size_t a = 0; a < values.size(); ++a) {
          const float trained = p.values()(static_cast<Eigen::Index>(a), n);
          ASSERT_EQ(static_cast<float>(values[a]) * static_cast<float>(q.value_scale), trained)
              << round << " action " << a;
        }
      }
    }
  }
}

TEST(Adam, three_steps_by_hand) {
  // Reference values by the recurrences of the paper in double precision, gradients 1, -2, 0.5 at
  // rate 0.1.
  Adam adam(1, 0.1F);
  Eigen::VectorXf x(1), g(1);
  x[0] = 1;
  double m = 0, v = 0, expected = 1;
  int t = 0;
  for (const double gradient : {1.0, -2.0, 0.5}) {
    ++t;
    m = 0.9 * m + 0.1 * gradient;
    v = 0.999 * v + 0.001 * gradient * gradient;
    expected -=
        0.1 * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
    g[0] = static_cast<float>(gradient);
    adam.step(x, g);
    EXPECT_NEAR(x[0], expected, 1e-6);
  }
  EXPECT_NEAR(x[0], 0.9 + 0.036609 + 0.013669, 1e-5);  // the first step is the rate itself
}

}  // namespace
}  // namespace hopwise::learn::test
