// SPDX-License-Identifier: Apache-2.0
// Receives have numbers, windows and keys that senders work out by themselves.
#include "engine/window_plan.hpp"

#include <set>

#include "fixture.hpp"

namespace hopwise::engine {
namespace {

/// Four ranks at terminals 8 to 11, whose receives are of different lengths.
traffic::Job job() {
  auto spec = config::load(
      kTorus, "test.yaml",
      {"packet.max_flits=5", "router.vc_depth_flits=16", "job.program=custom", "job.iterations=3",
       "job.warmup_iterations=1", "job.ranks=4", "job.placement=list", "job.terminals=[8,9,10,11]",
       "job.operations=[0 send 1 10,0 send 1 0,1-3 compute 5,1 recv 0,"
       "1 recv 0,1 wait,0 send 2 7,2 recv 0]"},
      app::builtin_catalogue());
  EXPECT_TRUE(spec.ok()) << (spec.ok() ? "" : format(spec.errors()));
  const topology::Topology topology(app::builtin_catalogue().kinds, spec.value().network.topology,
                                    spec.value().network.link);
  auto made = traffic::make_job(spec.value().job, spec.value().network, topology);
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : format(made.errors()));
  return std::move(made).value();
}

TEST(WindowPlan, ReceivesAndStepsOfTheirRankAreTheSame) {
  const traffic::Job own = job();
  const WindowPlan plan(&own, 16, 4, 8);
  EXPECT_EQ(plan.rank_at(8), 0u);
  EXPECT_EQ(plan.rank_at(11), 3u);
  EXPECT_EQ(plan.rank_at(0), WindowPlan::kNoRank);
  EXPECT_EQ(plan.receives(0), 0u);
  EXPECT_EQ(plan.receives(1), 4u * 2);
  std::set<std::uint64_t> steps;
  for (std::uint64_t n = 0; n < plan.receives(1); ++n) {
    EXPECT_EQ(plan.receive(1, plan.step(1, n)), n);
    EXPECT_EQ(plan.bytes(1, n), n % 2 == 0 ? 10u : 1u);  // without data it is a byte
    steps.insert(plan.step(1, n));
  }
  EXPECT_EQ(steps.size(), plan.receives(1));
  EXPECT_EQ(plan.bytes(2, 3), 7u);
}

TEST(WindowPlan, AWindowIsUsedAgainWithAnotherKeyAndNeverTheFirst) {
  const traffic::Job own = job();
  const WindowPlan plan(&own, 16, 4, 8);
  for (std::uint64_t n = 0; n < 30; ++n) {
    EXPECT_GE(plan.window(n), 1u);
    EXPECT_LE(plan.window(n), 3u);
    EXPECT_EQ(plan.window(n), plan.window(n + 3));
    EXPECT_NE(plan.key(n), plan.key(n + 3));
  }
}

TEST(WindowPlan, WhatIsOpenIsKnownAnEpochLater) {
  WindowPlan plan(nullptr, 2, 16, 8);
  plan.tell(0, 1, {5, true});
  EXPECT_EQ(plan.open(0, 1).receives, 0u);
  EXPECT_FALSE(plan.open(0, 1).base);
  EXPECT_EQ(plan.open(1, 1).receives, 5u);
  EXPECT_TRUE(plan.open(1, 1).base);
}

}  // namespace
}  // namespace hopwise::engine
