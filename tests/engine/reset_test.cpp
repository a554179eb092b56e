// SPDX-License-Identifier: Apache-2.0
// Routers that are reset alone: every packet arrives, arrives broken, or is counted as lost, and
// when resets are over the network is as it was.
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fixture.hpp"
#include "spec/csr_map.hpp"

namespace hopwise::engine {
namespace {

const char* const kAlone = R"(
topology: {kind: torus, dims: [4, 3]}
packet: {flit_bits: 64, max_flits: 4}
router: {vc_depth_flits: 8, checks: true, partial_reset: true}
traffic: {packet_flits: {min: 1, max: 4}}
)";

const char* const kDragonflyAlone = R"(
topology: {kind: dragonfly, terminals_per_router: 1, routers_per_group: 2, global_ports: 1}
link: {latency_cycles: [3, 20]}
packet: {flit_bits: 64, max_flits: 3}
router: {vc_depth_flits: 12, checks: true, partial_reset: true, output_queue_flits: 4}
routing: {algorithm: ugal_lg}
)";

struct ResetCase {
  const char* yaml;
  std::vector<std::string> overrides;
};
const ResetCase kResetCases[] = {
    {kAlone, {}},
    {kAlone, {"routing.algorithm=star_channel", "router.vcs=3"}},
    {kAlone, {"router.pipeline_cycles=5", "router.switching=saf"}},
    {kAlone, {"router.message_classes=[a,b]", "router.header_parity=true"}},
    {kDragonflyAlone, {}}};

TEST(PartialReset, EveryPacketIsAccountedForWhereRoutersAreResetAgainAndAgain) {
  for (const ResetCase& c : kResetCases) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(c.overrides, " ")));
    const app::Simulated network = compiled(c.yaml, c.overrides);
    RunOptions run = short_run(network, 0.5, 6000);
    run.faults.reset_rate = 0.0005;
    const RunResult r = simulated(network, run);
    EXPECT_TRUE(r.failures.empty()) << r.failures.front();
    EXPECT_EQ(r.lost, 0u);
    EXPECT_GT(r.delivered, r.injected / 2);
    EXPECT_GT(r.dropped[kDropReset], 50u);
    EXPECT_GT(r.dropped[kDropBroken], 0u);
    EXPECT_EQ(std::accumulate(r.dropped.begin(), r.dropped.end(), std::uint64_t{0}),
              r.dropped[kDropReset] + r.dropped[kDropBroken]);
    RunOptions other = run;
    other.threads = 3;
    const RunResult threaded = simulated(network, other);
    EXPECT_EQ(threaded.delivered, r.delivered);
    EXPECT_EQ(threaded.dropped, r.dropped);
  }
}

/// Nobody tells the source of a lost packet, whose number stays taken: each has 4,096 of them.
TEST(PartialReset, SourcesGoOnWhenAllTheirNumbersAreOfLostPackets) {
  const app::Simulated network = compiled(kDragonflyAlone);
  RunOptions run = short_run(network, 0.4, 60000);
  run.traffic.length = {1, 1};
  run.faults.reset_rate = 0.003;
  const RunResult r = simulated(network, run);
  EXPECT_TRUE(r.failures.empty()) << r.failures.front();
  EXPECT_EQ(r.lost, 0u);
  EXPECT_GT(r.dropped[kDropReset], 6u * 4096);
  EXPECT_GT(r.series.back().accepted, 0);
}

TEST(PartialReset, CountersThatBeginAgainAreRead) {
  const app::Simulated network = compiled(kDragonflyAlone);
  RunOptions run = short_run(network, 0.4, 6000);
  run.faults.resets = {{0, 2000}, {3, 2500}};
  const RunResult r = simulated(network, run);
  EXPECT_GT(r.whole.counts[measure::kDecisions], 100);
  EXPECT_LT(r.whole.counts[measure::kDecisions], 2 * static_cast<std::int64_t>(r.injected));
}

TEST(PartialReset, IsTheSameInLanes) {
  const std::string yaml = std::string(kAlone) + "fault: {reset_rate: 0.001}\n";
  const app::Simulated network = in_lanes(yaml, 64),
                       reference = compiled(yaml, {"simulation.engine=verilator"});
  RunOptions run = short_run(network, 0.5, 3000);
  run.record_deliveries = true;
  const RunResult expected = simulated(reference, run);
  run.shadow_all = true;  // every pin in every cycle
  const RunResult found = simulated(network, run);
  EXPECT_TRUE(found.failures.empty()) << found.failures.front();
  EXPECT_EQ(found.deliveries, expected.deliveries);
  EXPECT_EQ(found.dropped, expected.dropped);
  EXPECT_GT(found.dropped[kDropReset], 50u);
}

/// Adds up field LOST of all routers.
class LossReader final : public Probe {
 public:
  explicit LossReader(std::uint64_t& lost) : lost_(lost) {}
  Needs needs() const override { return {}; }
  void prepare(const Section& section) override {
    bank_ = section.bank;
    routers_ = section.end - section.first;
  }
  void report(RunResult&) const override {
    for (std::size_t r = 0; r < routers_; ++r) {
      std::uint32_t dropped = 0;
      bank_->csr_read(r, csr::offset_of("DROPPED"), dropped);
      lost_ += dropped >> 16;
    }
  }

 private:
  model::RouterBank* bank_ = nullptr;
  std::size_t routers_ = 0;
  std::uint64_t& lost_;
};

TEST(PartialReset, RegistersSayHowManyPacketsWereLost) {
  const app::Simulated network = compiled(kAlone);
  RunOptions run = short_run(network, 0.3);
  run.threads = 1;
  run.faults.reset_rate = 0.001;
  std::uint64_t lost = 0;
  run.probes = {[&](const Scene&) { return std::make_unique<LossReader>(lost); }};
  EXPECT_EQ(simulated(network, run).dropped[kDropReset], lost);
  EXPECT_GT(lost, 0u);
}

/// Resets every router once; then nothing more is lost, and all terminals send and get packets.
TEST(PartialReset, OthersGoOnAndTheRouterServesAgain) {
  for (const ResetCase& c : {kResetCases[0], kResetCases[4]}) {
    const app::Simulated network = compiled(c.yaml, c.overrides);
    const auto routers = static_cast<std::uint32_t>(network.proven->topology().num_routers());
    constexpr std::uint64_t kBetween = 400, kFirst = 500;
    const std::uint64_t last = kFirst + routers * kBetween;
    RunOptions run = short_run(network, 0.2, 3000);
    run.simulation.warmup_cycles = last;
    for (std::uint32_t r = 0; r < routers; ++r)
      run.faults.resets.push_back({r, kFirst + r * kBetween});
    run.record_deliveries = true;
    const RunResult r = simulated(network, run);
    EXPECT_TRUE(r.failures.empty()) << r.failures.front();
    EXPECT_EQ(r.lost, 0u);
    EXPECT_GT(r.dropped[kDropReset], 0u);
    EXPECT_LT(r.dropped[kDropReset], r.injected / 20);

    constexpr std::uint64_t kWindowCycles = 100;
    std::set<TerminalId> from, to;
    std::vector<unsigned> arrived(last / kWindowCycles + 1);
    for (const Delivery& d : r.deliveries) {
      if (d.cycle > last) {
        from.insert(d.src);
        to.insert(d.dst);
      } else {
        ++arrived[d.cycle / kWindowCycles];
      }
    }
    EXPECT_EQ(from.size(), network.proven->topology().num_terminals());
    EXPECT_EQ(to.size(), from.size());
    for (std::size_t w = kFirst / kWindowCycles; w + 1 < arrived.size(); ++w)
      EXPECT_GT(arrived[w], 0u) << "nothing arrives from cycle " << w * kWindowCycles << " on";

    // The same packets, without resets after a time: what is lost is lost by then.
    RunOptions longer = run;
    longer.simulation.cycles = 6000;
    EXPECT_EQ(simulated(network, longer).dropped[kDropReset], r.dropped[kDropReset]);
  }
}

TEST(PartialReset, WithoutAResetNothingElseChanges) {
  const app::Simulated with = compiled(kAlone),
                       without = compiled(kAlone, {"router.partial_reset=false"});
  RunOptions run = short_run(with, 0.8, 2000);
  run.record_deliveries = true;
  EXPECT_EQ(simulated(with, run).deliveries, simulated(without, run).deliveries);
}

TEST(PartialReset, APacketThatDisappearsIsNotTakenForALostOne) {
  const app::Simulated network = compiled(kAlone, {"packet.max_flits=1", "traffic.packet_flits=1"});
  RunOptions run = short_run(network, 0.3);
  run.faults.reset_rate = 0.0005;
  run.fault = SeededFault{SeededFault::Kind::kDrop, 100};
  const RunResult r = simulated(network, run);
  EXPECT_EQ(r.lost, 1u);
  EXPECT_FALSE(r.failures.empty());
}

TEST(PartialReset, AProgramThatWaitsForPacketsIsRefused) {
  const app::Simulated network =
      compiled(kAlone, {"packet.max_flits=16", "router.vc_depth_flits=16", "traffic.dpsnn_steps=6",
                        "traffic.dpsnn_spike_cycles=2", "traffic.pattern=dpsnn:40"});
  RunOptions run = short_run(network, 0.3);
  run.faults.reset_rate = 0.0005;
  const auto result = simulate(*network.setup, run);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.errors().front().code, "config.fault-reset");
}

}  // namespace
}  // namespace hopwise::engine
