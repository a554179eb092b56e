// SPDX-License-Identifier: Apache-2.0
// Heads with parity and with a number of hops: no flipped bit is believed, and nothing else is
// dropped.
#include <fmt/format.h>

#include "fixture.hpp"

namespace hopwise::engine {
namespace {

/// Drops for other causes than this.
std::uint64_t others(const RunResult& r, std::size_t cause) {
  return std::accumulate(r.dropped.begin(), r.dropped.end(), std::uint64_t{0}) - r.dropped[cause];
}

TEST(HeaderParity, FindsEveryOneOfAHundredThousandFlips) {
  const app::Simulated network =
      compiled(kTorus, with(kChecked, {"router.header_parity=true", "fault.header_flips=0.5",
                                       "routing.algorithm=star_channel"}));
  const RunResult r = simulated(network, short_run(network, 0.5, 90000));
  expect_accounted_with_drops(r);
  EXPECT_GT(r.dropped[kDropParity], 100000u);
  EXPECT_EQ(others(r, kDropParity), 0u);
  EXPECT_EQ(r.damaged, 0u);
  EXPECT_GT(r.delivered, 10000u);
}

/// Flips that no check finds: of what routers write anew, too. Threads meet each other's packets
/// long after these were hit.
TEST(HeaderFlips, AreCountedTheSameByAnyNumberOfThreads) {
  const app::Simulated network =
      compiled(kTorus, with(kChecked, {"router.hop_limit=15", "fault.header_flips=0.3",
                                       "link.latency_cycles=30", "router.vc_depth_flits=64"}));
  RunOptions run = short_run(network, 0.2, 6000);
  run.threads = 1;
  const RunResult r = simulated(network, run);
  expect_accounted_with_drops(r);
  EXPECT_GT(r.damaged, 1000u);
  for (const auto& row : r.series) EXPECT_LT(row.in_flight, 1e6);
  for (const unsigned threads : {2u, 3u}) {
    run.threads = threads;
    const RunResult other = simulated(network, run);
    EXPECT_EQ(other.delivered, r.delivered);
    EXPECT_EQ(other.damaged, r.damaged);
    EXPECT_EQ(other.dropped, r.dropped);
  }
}

/// A damaged packet is not answered; a reply to it would have no length.
TEST(HeaderFlips, AskForNoReply) {
  const app::Simulated network = compiled(
      kTorus, with(kChecked,
                   {"fault.header_flips=0.3", "link.latency_cycles=30",
                    "router.message_classes=[request,reply]", "terminal.replies={request: reply}",
                    "router.vcs=4", "traffic.reply_queue_packets=4", "router.vc_depth_flits=64"}));
  const RunResult r = simulated(network, short_run(network, 0.2, 6000));
  expect_accounted_with_drops(r);
  EXPECT_GT(r.by_class[1].delivered, 100u);
}

TEST(HeaderParity, OfAPacketWithAWrongHeadIsRight) {
  const app::Simulated network =
      compiled(kTorus, with(kChecked, {"router.header_parity=true", "fault.bad_packets=0.3"}));
  const RunResult r = simulated(network, short_run(network, 0.5));
  expect_accounted_with_drops(r);
  EXPECT_EQ(r.dropped[kDropParity], 0u);
  EXPECT_GT(r.dropped[0], 0u);
}

TEST(HeaderParity, IsCheckedByTerminalsToo) {
  const app::Simulated network =
      compiled(kTorus, {"router.checks=true", "router.header_parity=true"});
  RunOptions run = short_run(network, 0.3);
  run.fault = SeededFault{SeededFault::Kind::kCorrupt, 100};
  const RunResult r = simulated(network, run);
  EXPECT_EQ(r.dropped[kDropParity], 1u);
  EXPECT_EQ(r.lost, 0u);
}

struct Rewrites {
  const char *name, *yaml;
  std::vector<std::string> overrides;
};
class EveryRewrite : public testing::TestWithParam<Rewrites> {};

/// A parity that did not follow would drop packets.
TEST_P(EveryRewrite, OfAHeadKeepsItsParityAndItsHops) {
  std::vector<std::string> overrides = GetParam().overrides;
  overrides.insert(overrides.end(), {"router.checks=true", "router.header_parity=true",
                                     "router.hop_limit=12", "packet.flit_bits=128"});
  const app::Simulated network = compiled(GetParam().yaml, overrides);
  const RunResult r = simulated(network, short_run(network, 0.4, 3000));
  expect_accounted(r);
  EXPECT_EQ(others(r, kDropHopLimit) + r.dropped[kDropHopLimit], 0u);
}

INSTANTIATE_TEST_SUITE_P(
    , EveryRewrite,
    testing::Values(Rewrites{"none", kTorus, {}},
                    Rewrites{"sticky_escape", kTorus, {"routing.algorithm=star_channel"}},
                    Rewrites{"queues_pipeline_5",
                             kTorus,
                             {"routing.algorithm=star_channel", "router.pipeline_cycles=5",
                              "router.output_queue_flits=8", "packet.max_flits=4",
                              "traffic.packet_flits={min: 1, max: 4}"}},
                    Rewrites{"intermediate", kIdealDragonfly, {"routing.algorithm=valg"}},
                    Rewrites{"stamps", kIdealDragonfly, {"routing.algorithm=ugal_ln"}},
                    Rewrites{"times", kLearningDragonfly, {}}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST(HopLimit, DropsAHeadThatSaysTooMany) {
  const app::Simulated network =
      compiled(kTorus, with(kChecked, {"router.hop_limit=4", "fault.header_flips=0.3"}));
  const RunResult r = simulated(network, short_run(network, 0.5));
  expect_accounted_with_drops(r);
  EXPECT_GT(r.dropped[kDropHopLimit], 0u);
}

TEST(HopLimit, BelowThatOfTheRoutingIsRefused) {
  const auto outcome = [](const char* limit) {
    auto spec =
        config::load(kTorus, "test.yaml", std::vector<std::string>{"router.checks=true", limit},
                     app::builtin_catalogue());
    return app::prove(spec.value(), app::builtin_catalogue());
  };
  const auto refused = outcome("router.hop_limit=3"), good = outcome("router.hop_limit=4");
  EXPECT_TRUE(std::holds_alternative<deadlock::ProvenNetwork>(good));
  const auto* failure = std::get_if<deadlock::ProofFailure>(&refused);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->kind, deadlock::ProofFailure::Kind::kHopLimit);
  EXPECT_NE(failure->text.find("found 3, allowed: 0, or 4 and more"), std::string::npos);
}

}  // namespace
}  // namespace hopwise::engine
