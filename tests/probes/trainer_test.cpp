// SPDX-License-Identifier: Apache-2.0
// Training as a whole: it learns what is to be learned, the integers say the same, and the same run
// gives the same weights.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fixture.hpp"
#include "probes/dqn/trainer.hpp"
#include "routing/dqn/dqn.hpp"

namespace hopwise::probes::dqn::test {
namespace {

constexpr unsigned kActions = 4;

/// Contexts: the first two bytes are coordinates of a 4x4 torus, the others anything.
std::vector<std::uint8_t> context(std::size_t inputs, traffic::Random& random) {
  auto seen = learn::test::random_bytes(inputs, random);
  for (int i : {0, 1})
    seen[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(85 * random.below(4));
  return seen;
}

/// A bandit: the best of four actions depends on which quarter the first two bytes are in, and the
/// reward of others on the third.
double mean_reward(std::span<const std::uint8_t> seen, unsigned action) {
  const unsigned best = (seen[0] >> 7) + 2 * (seen[1] >> 7);
  return action == best ? 0.8 : 0.2 + 0.3 * seen[2] / 255.0 * (action % 2);
}

Trainer play(const routing::dqn::Training& spec, std::vector<unsigned> layers, unsigned samples,
             std::uint64_t seed) {
  traffic::Random random(seed, 1), start(seed, 2);
  Trainer trainer(initial_network(layers, start), spec, traffic::Random(seed, 3));
  for (unsigned n = 0; n < samples; ++n) {
    const auto seen = context(layers.front(), random);
    const auto action = static_cast<unsigned>(random.below(kActions));
    const double noise = 0.2 * (learn::test::uniform(random) - 0.5);
    trainer.add(seen, action, static_cast<float>(mean_reward(seen, action) + noise));
  }
  return trainer;
}

/// Part of random contexts in which the integers choose the best action.
double skill(const learn::Quantised& q, std::uint64_t seed) {
  traffic::Random random(seed, 9);
  unsigned right = 0;
  for (unsigned n = 0; n < 1000; ++n) {
    const auto seen = context(q.weights.layers.front(), random);
    const unsigned chosen = learn::argmax(infer(q.weights, seen), (1U << kActions) - 1);
    right += chosen == static_cast<unsigned>((seen[0] >> 7) + 2 * (seen[1] >> 7)) ? 1 : 0;
  }
  return right / 1000.0;
}

TEST(Trainer, learns_a_bandit_and_its_integers_agree) {
  for (const bool aware : {true, false}) {
    routing::dqn::Training spec;
    spec.quantisation_aware = aware;
    spec.learning_rate = 2e-3;
    const Trainer trainer = play(spec, {5, 32, 16, kActions}, 30000, 1);
    EXPECT_EQ(trainer.steps(), (30000U - 1000U) / 4 + 1);
    const learn::Quantised q = trainer.quantised();
    EXPECT_GT(skill(q, 2), 0.95) << "aware " << aware;
    const learn::QuantisationError e = compare(trainer.network(), q, trainer.observations(4000));
    EXPECT_GE(e.agreement, 0.99) << "aware " << aware;
    EXPECT_LT(e.mean_error, 0.02) << "aware " << aware;
    EXPECT_LT(e.regret, 0.001) << "aware " << aware;
  }
}

TEST(Trainer, the_same_samples_and_seed_give_the_same_weights) {
  const routing::dqn::Training spec;
  const auto once = play(spec, {5, 8, kActions}, 3000, 7),
             again = play(spec, {5, 8, kActions}, 3000, 7);
  EXPECT_EQ(once.network(), again.network());
  EXPECT_EQ(once.quantised(), again.quantised());
  EXPECT_NE(once.network(), play(spec, {5, 8, kActions}, 3000, 8).network());
}

TEST(Trainer, steps_start_and_come_when_the_specification_says) {
  routing::dqn::Training spec;
  spec.start_samples = 10;
  spec.samples_per_step = 3;
  spec.replay = 8;
  traffic::Random start(1, 0);
  Trainer trainer(initial_network(std::vector<unsigned>{2, 2}, start), spec, traffic::Random(1, 1));
  std::vector<unsigned> steps;
  for (unsigned n = 1; n <= 20; ++n) {
    if (trainer.add(std::vector<std::uint8_t>{static_cast<std::uint8_t>(n), 0}, 1, 0.5F))
      steps.push_back(n);
  }
  EXPECT_EQ(steps, (std::vector<unsigned>{12, 15, 18}));
  // The ring keeps the latest.
  auto kept = trainer.observations(100);
  std::vector<unsigned> firsts;
  for (std::size_t i = 0; i < kept.size(); i += 2) firsts.push_back(kept[i]);
  std::sort(firsts.begin(), firsts.end());
  EXPECT_EQ(firsts, (std::vector<unsigned>{13, 14, 15, 16, 17, 18, 19, 20}));
}

TEST(Trainer, exploration_follows_its_schedule) {
  const routing::dqn::Training spec;  // 1 to 0.1 over 10,000 decisions, 0.1 to 100,000, then 0.02
  EXPECT_DOUBLE_EQ(exploration(spec, 0), 1);
  EXPECT_DOUBLE_EQ(exploration(spec, 5000), 0.55);
  EXPECT_DOUBLE_EQ(exploration(spec, 10000), 0.1);
  EXPECT_DOUBLE_EQ(exploration(spec, 99999), 0.1);
  EXPECT_DOUBLE_EQ(exploration(spec, 100000), 0.02);
  EXPECT_DOUBLE_EQ(exploration(spec, 1u << 30), 0.02);
}

}  // namespace
}  // namespace hopwise::probes::dqn::test
