// SPDX-License-Identifier: Apache-2.0
// hw_dqn_agent against a naive agent, cycle by cycle.
#include "Vaccepts_blindly.h"
#include "Vany_generation.h"
#include "Vbelieves_lost.h"
#include "Vdies_young.h"
#include "Vdqn_agent_3d.h"
#include "Vdqn_agent_ring.h"
#include "Vdqn_agent_torus.h"
#include "Vdqn_agent_zero.h"
#include "Vforgets_turn.h"
#include "Vignores_mask.h"
#include "Vimmortal.h"
#include "Vkeeps_entry.h"
#include "Vloses_credit.h"
#include "Vloses_silently.h"
#include "Vodd_offset.h"
#include "Vone_way_distance.h"
#include "Vpushes_into_full.h"
#include "Vrestless_dice.h"
#include "Vtakes_used_entry.h"
#include "Vtracks_terminals.h"
#include "Vtwo_words.h"
#include "Vunfair_agent.h"
#include "agent_run_pending.hpp"

namespace hopwise::test {
namespace {

template <class Model>
using Like = DqnAgent<Model, 2, 3, 0b100, 5, 1, 8, 6, false, false, 4, 4>;
using Torus = Like<Vdqn_agent_torus>;
using ZeroTime = DqnAgent<Vdqn_agent_zero, 1, 3, 0b110, 1, 2, 5, 5, true, true, 5, 3>;
using Solid = DqnAgent<Vdqn_agent_3d, 1, 3, 0b100, 1, 0, 32, 8, false, false, 2, 3, 4>;
using Ring = DqnAgent<Vdqn_agent_ring, 1, 3, 0b001, 3, 2, 4, 4, false, false, 5>;

template <class T>
class DqnAgents : public testing::Test {};
using Agents = testing::Types<Torus, ZeroTime, Solid, Ring>;
TYPED_TEST_SUITE(DqnAgents, Agents);

TYPED_TEST(DqnAgents, SayInEveryCycleWhatTheNaiveAgentSays) {
  std::array<std::uint64_t, 12> counts{};
  std::uint64_t relayed = 0, no_action = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    DqnSettings s;
    s.seed = static_cast<std::uint32_t>(seed * 77);
    s.ack_ratio = std::array{1U, 3U, 0U, 1U}[seed % 4];
    s.epsilon = seed % 2 == 0 ? 0 : 1U << 31;
    s.ack_percent = seed % 3 == 0 ? 5 : 40;
    s.ask_percent = seed % 3 == 1 ? 5 : 40;
    const DqnResult r = DqnRun<TypeParam>(s, seed).run(5000);
    ASSERT_EQ(r.wrong, 0U) << "seed " << seed << ": " << r.first;
    for (unsigned c = 0; c < 12; ++c) counts[c] += r.counts[c];
    relayed += r.relayed;
    no_action += r.no_action;
  }
  // Everything has happened.
  for (unsigned c = 0; c < 12; ++c) EXPECT_GT(counts[c], 0U) << "counter " << c;
  EXPECT_GT(relayed, 0U);
  EXPECT_EQ(no_action > 0, TypeParam::kMask == 2);
  fmt::print("{}; {} relayed, {} without action\n", fmt::join(counts, " "), relayed, no_action);
}

TYPED_TEST(DqnAgents, TimeMayJumpWhereTheAgentIsIdle) {
  DqnSettings s;
  s.skip_idle = true;
  const DqnResult r = DqnRun<TypeParam>(s, 11).run(30000);
  EXPECT_EQ(r.wrong, 0U) << r.first;
  EXPECT_GT(r.jumps, 100U);
}

template <class Model>
std::uint64_t wrong() {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  std::uint64_t wrong = 0;
  for (std::uint64_t seed = 1; seed <= 4 && wrong == 0; ++seed) {
    DqnSettings s;
    s.ack_percent = seed % 2 == 0 ? 4 : 40;  // few acknowledges: entries expire
    wrong = DqnRun<Like<Model>>(s, seed).run(4000).wrong;
  }
  testing::internal::GetCapturedStdout();
  testing::internal::GetCapturedStderr();
  return wrong;
}

TEST(DqnAgentChecks, CatchFaults) {
  EXPECT_EQ(wrong<Vdqn_agent_torus>(), 0U);
  EXPECT_GT(wrong<Vaccepts_blindly>(), 0U);
  EXPECT_GT(wrong<Vignores_mask>(), 0U);
  EXPECT_GT(wrong<Vrestless_dice>(), 0U);
  EXPECT_GT(wrong<Vunfair_agent>(), 0U);
  EXPECT_GT(wrong<Vtracks_terminals>(), 0U);
  EXPECT_GT(wrong<Vloses_credit>(), 0U);
  EXPECT_GT(wrong<Vodd_offset>(), 0U);
  EXPECT_GT(wrong<Vone_way_distance>(), 0U);
  EXPECT_GT(wrong<Vtakes_used_entry>(), 0U);
  EXPECT_GT(wrong<Vany_generation>(), 0U);
  EXPECT_GT(wrong<Vforgets_turn>(), 0U);
  EXPECT_GT(wrong<Vimmortal>(), 0U);
  EXPECT_GT(wrong<Vdies_young>(), 0U);
  EXPECT_GT(wrong<Vpushes_into_full>(), 0U);
  EXPECT_GT(wrong<Vkeeps_entry>(), 0U);
  EXPECT_GT(wrong<Vtwo_words>(), 0U);
  EXPECT_GT(wrong<Vbelieves_lost>(), 0U);
  EXPECT_GT(wrong<Vloses_silently>(), 0U);
}

}  // namespace
}  // namespace hopwise::test
