// SPDX-License-Identifier: Apache-2.0
// The check of decisions passes what the weights say and notices each part of a decision that is
// wrong.
#include <gtest/gtest.h>

#include <functional>

#include "fixture.hpp"
#include "probes/dqn/check.hpp"
#include "routing/dqn/dqn.hpp"

namespace hopwise::probes::dqn::test {
namespace {

TEST(CheckDecision, passes_what_is_right_and_notices_every_fault) {
  traffic::Random random(1, 0);
  Shape shape;
  shape.dims = {4, 4};
  shape.layers = {13, 16, 4};
  for (const auto mask : {routing::dqn::ActionMask::kNone, routing::dqn::ActionMask::kReceive,
                          routing::dqn::ActionMask::kRoom}) {
    shape.mask = mask;
    for (int round = 0; round < 50; ++round) {
      const learn::FloatNetwork network = learn::test::random_network(shape.layers, 0.6, random);
      const learn::IntegerNetwork weights =
          quantise(network, learn::test::random_bytes(13 * 20, random)).weights;
      Decision good;
      const auto seen = learn::test::random_bytes(13, random);
      std::copy(seen.begin(), seen.end(), good.observation.begin());
      good.in_port = static_cast<std::uint32_t>(random.below(5));
      const std::uint32_t without = good.in_port < 4 ? 15U & ~(1U << good.in_port) : 15U;
      good.allowed = mask == routing::dqn::ActionMask::kNone ? 15U : without;
      const auto values = infer(weights, seen);
      good.greedy = good.action = learn::argmax(values, good.allowed);
      good.value = values[good.greedy];
      good.random = learn::argmax(values, good.allowed & ~(1U << good.greedy));  // the second best
      good.accepted = good.sampled = true;
      EXPECT_EQ(check_decision(shape, weights, good), "");
      Decision explores = good;
      explores.explored = true;
      explores.action = explores.random;
      EXPECT_EQ(check_decision(shape, weights, explores), "");

      const std::vector<std::function<void(Decision&)>> faults = {[](Decision& d) { d.value ^= 1; },
                                                                  [](Decision& d) { d.greedy = d.action = d.random; },
                                                                  [](Decision& d) { d.action = d.random; },
                                                                  [](Decision& d) { d.explored = true; },
                                                                  [](Decision& d) { d.allowed = 0; },
                                                                  [](Decision& d) { d.allowed &= ~(1U << d.greedy); },
                                                                  [](Decision& d) { d.accepted = false; }};
      for (std::size_t f = 0; f < faults.size(); ++f) {
        Decision bad = good;
        faults[f](bad);
        EXPECT_NE(check_decision(shape, weights, bad), "") << "fault " << f;
      }
      learn::IntegerNetwork others = weights;  // of another version
      others.parameters.back().bias[good.greedy] += 1;
      EXPECT_NE(check_decision(shape, others, good), "");
      if (mask != routing::dqn::ActionMask::kNone && good.in_port < 4) {
        Decision bad = good;
        bad.allowed = 15;
        EXPECT_NE(check_decision(shape, weights, bad), "");
      }
    }
  }
}

TEST(CheckDecision, notices_where_a_router_thinks_it_is_and_rewards_that_cannot_be) {
  Shape shape;
  shape.dims = {4, 3};
  shape.layers = {13, 16, 4};
  Decision d;
  d.observation = {85, 254, 255, 0};  // at (1, 2): one up in dimension 0, one down in dimension 1
  EXPECT_EQ(check_place(shape, 9, d.observation), "");
  EXPECT_NE(check_place(shape, 5, d.observation), "");
  EXPECT_NE(check_place(shape, 10, d.observation), "");
  EXPECT_EQ(observed_distance(shape, d), 2U);
  EXPECT_EQ(check_reward({.distance = 2, .latency = 204}, 2, 102), "");
  EXPECT_NE(check_reward({.distance = 2, .latency = 203}, 2, 102), "");
  EXPECT_NE(check_reward({.distance = 1, .latency = 999}, 2, 102), "");
}

}  // namespace
}  // namespace hopwise::probes::dqn::test
