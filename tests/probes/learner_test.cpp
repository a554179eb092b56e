// SPDX-License-Identifier: Apache-2.0
// Events in, weights out: who learns from what, and when it may be loaded.
#include <gtest/gtest.h>

#include "fixture.hpp"
#include "probes/dqn/learner.hpp"
#include "routing/dqn/dqn.hpp"

namespace hopwise::probes::dqn::test {
namespace {

Shape shape_4x4() {
  Shape s;
  s.dims = {4, 4};
  s.layers = {13, 8, 4};
  s.entry_bits = 3;
  s.action_bits = 2;
  s.port_bits = 3;
  return s;
}

Event decision(std::uint32_t index, std::uint32_t generation, std::uint32_t action) {
  Event e;
  e.decides = true;
  e.decision.sampled = e.decision.accepted = true;
  e.decision.index = index;
  e.decision.generation = generation;
  e.decision.action = action;
  return e;
}

Event reward(std::uint32_t index, std::uint32_t generation, std::uint32_t distance,
             std::uint32_t latency) {
  Event e;
  e.rewards = true;
  e.reward = {index, generation, distance, latency};
  return e;
}

/// trace_o of an event: its fields from the lowest bit up.
std::vector<std::uint32_t> words_of(const Shape& s, const Event& e) {
  std::vector<std::uint32_t> words((s.event_bits() + 31) / 32);
  unsigned at = 0;
  const auto put = [&](std::uint32_t field, unsigned width) {
    for (unsigned b = 0; b < width; ++b, ++at) words[at / 32] |= ((field >> b) & 1U) << (at % 32);
  };
  const Reward& r = e.reward;
  const Decision& d = e.decision;
  put(e.rewards, 1);
  put(r.index, s.entry_bits);
  put(r.generation, 2);
  put(r.distance, 8);
  put(r.latency, 16);
  for (const bool flag : {e.decides, d.sampled, d.accepted, d.explored}) put(flag, 1);
  put(d.index, s.entry_bits);
  put(d.generation, 2);
  for (const std::uint32_t action : {d.action, d.greedy, d.random}) put(action, s.action_bits);
  put(d.allowed, s.actions());
  put(d.in_port, s.port_bits);
  put(d.version, 4);
  put(static_cast<std::uint32_t>(d.value), 24);
  for (unsigned i = 0; i < s.inputs(); ++i) put(d.observation[i], 8);
  return words;
}

TEST(Event, comes_back_from_its_words) {
  traffic::Random random(1, 0);
  for (int round = 0; round < 200; ++round) {
    Shape s = shape_4x4();
    s.layers = {round % 2 == 0 ? 13U : 25U, 8, round % 2 == 0 ? 4U : 8U};
    s.entry_bits = 1 + static_cast<unsigned>(random.below(8));
    s.action_bits = round % 2 == 0 ? 2 : 3;
    const auto draw = [&](unsigned bits) {
      return static_cast<std::uint32_t>(random.below(std::uint64_t{1} << bits));
    };
    Event e;
    e.rewards = draw(1) != 0;
    e.decides = draw(1) != 0;
    e.reward = {draw(s.entry_bits), draw(2), draw(8), draw(16)};
    Decision& d = e.decision;
    d.sampled = draw(1) != 0;
    d.accepted = draw(1) != 0;
    d.explored = draw(1) != 0;
    d.index = draw(s.entry_bits);
    d.generation = draw(2);
    d.action = draw(s.action_bits);
    d.greedy = draw(s.action_bits);
    d.random = draw(s.action_bits);
    d.allowed = draw(s.actions());
    d.in_port = draw(s.port_bits);
    d.version = draw(4);
    d.value = static_cast<std::int32_t>(draw(24)) - (1 << 23);
    for (unsigned i = 0; i < s.inputs(); ++i) d.observation[i] = static_cast<std::uint8_t>(draw(8));
    const auto words = words_of(s, e);
    EXPECT_EQ(words.size(), (s.event_bits() + 31) / 32);
    EXPECT_EQ(take_apart(s, words), e);
    EXPECT_EQ(any_event(s, words), e.rewards || e.decides);
  }
}

TEST(Event, knows_the_minimal_ports) {
  Shape s = shape_4x4();
  // Coordinates count 85; offsets 0, 1, 2, 3 stand for -2, -1, 0, 1.
  const auto seen = [](unsigned x, unsigned y, unsigned dx, unsigned dy) {
    std::vector<std::uint8_t> bytes;
    for (const unsigned v : {x, y, dx, dy}) bytes.push_back(static_cast<std::uint8_t>(85 * v));
    return bytes;
  };
  EXPECT_EQ(s.minimal_actions(seen(1, 2, 2, 2)), 0b0000U);
  EXPECT_EQ(s.minimal_actions(seen(1, 2, 3, 2)), 0b0001U);
  EXPECT_EQ(s.minimal_actions(seen(1, 2, 1, 3)), 0b0110U);
  EXPECT_EQ(s.minimal_actions(seen(1, 2, 0, 2)), 0b0011U);  // half way round: either
  s.coordinates = true;
  EXPECT_EQ(s.minimal_actions(seen(3, 1, 0, 1)), 0b0001U);  // over the edge
  EXPECT_EQ(s.minimal_actions(seen(3, 1, 2, 3)), 0b1110U);
  s.dims = {5, 4};
  s.coordinates = false;
  // offset 2 of 5
  EXPECT_EQ(s.minimal_actions(std::vector<std::uint8_t>{0, 0, 4 * 63, 85 * 2}), 0b0001U);
  EXPECT_EQ(s.minimal_actions(std::vector<std::uint8_t>{0, 0, 0, 85 * 2}), 0b0010U);  // -2
}

TEST(Event, routers_share_as_the_specification_says) {
  const std::vector<unsigned> dims = {4, 3};
  EXPECT_EQ(agent_of(routing::dqn::AgentSharing::kRouter, dims, 7), 7U);
  EXPECT_EQ(agent_of(routing::dqn::AgentSharing::kRow, dims, 7), 1U);
  EXPECT_EQ(agent_of(routing::dqn::AgentSharing::kRow, dims, 11), 2U);
  EXPECT_EQ(agent_of(routing::dqn::AgentSharing::kAll, dims, 11), 0U);
}

TEST(Learner, a_reward_meets_its_decision_and_no_other) {
  routing::dqn::Training spec;
  spec.share = routing::dqn::AgentSharing::kRow;
  Learner learner(shape_4x4(), spec, 10, 1);
  EXPECT_EQ(learner.agents(), 4U);
  learner.take(1, 5, decision(3, 2, 1), 0.5);
  learner.take(2, 5, reward(3, 1, 2, 40), 0);  // another generation
  learner.take(3, 6, reward(3, 2, 2, 40), 0);  // another router
  EXPECT_EQ(learner.trainer(1).samples(), 0U);
  learner.take(4, 5, reward(3, 2, 2, 40), 0);
  EXPECT_EQ(learner.trainer(1).samples(), 1U);
  learner.take(5, 5, reward(3, 2, 2, 40), 0);  // told twice
  EXPECT_EQ(learner.trainer(1).samples(), 1U);
  // the entry is taken again in the cycle that frees it
  Event both = decision(3, 3, 0);
  both.rewards = true;
  both.reward = {3, 2, 2, 40};
  learner.take(6, 5, decision(3, 2, 1), 0);
  learner.take(7, 5, both, 0);
  learner.take(8, 5, reward(3, 3, 2, 40), 0);
  EXPECT_EQ(learner.trainer(1).samples(), 3U);
  Event untracked = decision(4, 0, 0);
  untracked.decision.sampled = false;
  learner.take(9, 5, untracked, 0);
  learner.take(10, 5, reward(4, 0, 2, 40), 0);
  EXPECT_EQ(learner.trainer(1).samples(), 3U);
  EXPECT_EQ(learner.decisions(1), 4U);
  EXPECT_EQ(learner.decisions(0), 0U);
  EXPECT_FALSE(learner.done());
  const auto course = learner.course();
  ASSERT_EQ(course.size(), 1U);
  // 2 hops of 10 in 40 cycles
  EXPECT_DOUBLE_EQ(course[0].reward / static_cast<double>(course[0].rewards), 0.5);
}

TEST(Learner, weights_come_when_the_delay_is_over) {
  routing::dqn::Training spec;
  spec.share = routing::dqn::AgentSharing::kAll;
  spec.start_samples = 1;
  spec.samples_per_step = 1;
  spec.swap_delay_cycles = 100;
  Learner learner(shape_4x4(), spec, 10, 1);
  const auto first = learner.weights(0, 0);
  const auto learn_at = [&](std::uint64_t cycle) {
    learner.take(cycle, 0, decision(0, 0, 1), 0);
    learner.take(cycle, 0, reward(0, 0, 2, 40), 0);
    learner.publish();
  };
  learn_at(10);
  learn_at(50);
  EXPECT_EQ(learner.weights(0, 109), first);
  const auto second = learner.weights(0, 110);
  EXPECT_NE(second, first);
  EXPECT_EQ(learner.weights(0, 149), second);
  const auto third = learner.weights(0, 150);
  EXPECT_NE(third, second);
  EXPECT_EQ(learner.weights(0, 1000000), third);
  EXPECT_EQ(*third, learner.trainer(0).quantised());
}

TEST(Learner, its_course_is_bounded_and_loses_nothing) {
  routing::dqn::Training spec;
  spec.share = routing::dqn::AgentSharing::kRow;
  spec.decisions = 50000;
  Learner learner(shape_4x4(), spec, 10, 1);
  constexpr std::uint64_t kDecisions = 100000;
  for (std::uint64_t n = 0; n < kDecisions; ++n) {
    learner.take(n, static_cast<std::uint32_t>(n % 2 * 4), decision(0, 0, 1), 0.25);
  }
  EXPECT_EQ(learner.fewest_decisions(), 0U);  // two of the four rows have not decided
  std::uint64_t sum = 0;
  const auto course = learner.course();
  EXPECT_LE(course.size(), 256U);
  EXPECT_GE(course.size(), 100U);
  for (const auto& row : course) sum += row.proposals;
  EXPECT_EQ(sum, kDecisions);
  EXPECT_EQ(course.back().decisions, kDecisions);
  EXPECT_EQ(course.back().cycle, kDecisions - 1);
  EXPECT_DOUBLE_EQ(learner.epsilon(0), 0.1);
  EXPECT_EQ(learner.epsilon_word(2), 0xffffffffU);  // 1, as near as the register has it
}

}  // namespace
}  // namespace hopwise::probes::dqn::test
