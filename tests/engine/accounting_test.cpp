// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include <fmt/format.h>

#include "app/results.hpp"
#include "fixture.hpp"

namespace hopwise::engine {
namespace {

const std::vector<std::string> kLongPackets = {"packet.max_flits=5",
                                               "traffic.packet_flits={min: 1, max: 5}"};

RunResult with_fault(SeededFault::Kind kind, std::uint64_t flit) {
  const app::Simulated network = compiled(kTorus, kLongPackets);
  RunOptions run = short_run(network, 0.3);
  run.fault = SeededFault{kind, flit};
  return simulated(network, run);
}

TEST(Accounting, FindsADroppedFlit) {
  EXPECT_FALSE(with_fault(SeededFault::Kind::kDrop, 100).failures.empty());
}
TEST(Accounting, FindsADamagedFlit) {
  EXPECT_FALSE(with_fault(SeededFault::Kind::kCorrupt, 100).failures.empty());
}
TEST(Accounting, FindsADuplicatedFlit) {
  EXPECT_FALSE(with_fault(SeededFault::Kind::kDuplicate, 100).failures.empty());
}
TEST(Accounting, FindsAFlitWithAWrongSource) {
  std::size_t found = 0;  // the fault bites where it hits a head flit
  for (std::uint64_t flit = 100; flit < 106; ++flit)
    found += !with_fault(SeededFault::Kind::kMisdeliver, flit).failures.empty();
  EXPECT_GT(found, 0u);
}

TEST(Accounting, ADroppedPacketIsReportedAsLost) {
  const app::Simulated network = compiled(kTorus);
  RunOptions run = short_run(network, 0.3);
  run.fault = SeededFault{SeededFault::Kind::kDrop, 100};
  EXPECT_EQ(simulated(network, run).lost, 1u);
}

TEST(Accounting, AKindThatTheNetworkCannotExpressLeavesItsShareToTheOthers) {
  const app::Simulated network = compiled(
      kTorus, with(kChecked, {"topology.dims=[4, 4]", "fault.bad_packets=0.5"}));  // all exist
  const RunResult r = simulated(network, short_run(network, 0.5));
  expect_accounted_with_drops(r);
  EXPECT_EQ(r.dropped[kDropDestination], 0u);
  EXPECT_GT(r.dropped[kDropLength], r.injected * 2 / 5);
}

TEST(Accounting, BadPacketsAreDroppedByCauseAndHarmNobody) {
  for (const char* kind : {"destination", "length"}) {
    SCOPED_TRACE(kind);
    const app::Simulated network = compiled(
        kTorus, with(kChecked, {"fault.bad_packets=0.5", fmt::format("fault.kinds=[{}]", kind)}));
    const RunResult r = simulated(network, short_run(network, 0.5));
    expect_accounted_with_drops(r);
    const std::size_t cause = kind == std::string_view("length") ? 1 : 0;
    EXPECT_GT(r.dropped[cause], r.injected / 3);
    for (std::size_t c = 0; c < kDropCauses; ++c)
      EXPECT_TRUE(c == cause || r.dropped[c] == 0) << kDropNames[c];
  }
}

TEST(Accounting, PacketsWhoseStreamBreaksOffArriveMarkedAndHarmNobody) {
  // Closed by a network interface, or by the router, which makes up what is missing.
  for (const char* enter : {"interface", "router"}) {
    SCOPED_TRACE(enter);
    const app::Simulated network = compiled(
        kTorus, with(kChecked, {"terminal.injection=cut_through", "fault.bad_packets=0.5",
                                "fault.kinds=[stream]", fmt::format("fault.enter={}", enter)}));
    const RunResult r = simulated(network, short_run(network, 0.3));
    expect_accounted_with_drops(r);
    EXPECT_GT(r.dropped[kDropBroken], r.injected / 4);
    EXPECT_EQ(std::accumulate(r.dropped.begin(), r.dropped.end(), std::uint64_t{0}),
              r.dropped[kDropBroken]);
  }
}

TEST(Accounting, NetworkInterfacesRefuseWhatTheySeeToBeWrong) {
  const app::Simulated network =
      compiled(kTorus, with(kChecked, {"fault.bad_packets=0.5", "fault.enter=interface"}));
  const RunResult r = simulated(network, short_run(network, 0.5));
  expect_accounted_with_drops(r);
  EXPECT_GT(r.dropped[kDropDestination], r.injected / 16);
  EXPECT_GT(r.dropped[kDropLength], r.injected / 8);
  // None came to a router.
  std::uint64_t in = 0, out = 0;
  for (const auto& c : r.routers) {
    in += c.flits_in;
    out += c.flits_out;
  }
  EXPECT_EQ(in, out);
}

TEST(Accounting, WithoutChecksABadPacketIsAFailure) {
  const app::Simulated network = compiled(kTorus, {"topology.dims=[4,3]"});
  RunOptions run = short_run(network, 0.3);
  run.faults.bad_packets = 0.01;
  run.faults.kinds = {spec::FaultSpec::Kind::kDestination};
  EXPECT_FALSE(simulated(network, run).failures.empty());
}

TEST(Accounting, FlippedHeadersAreDroppedOrArriveDamagedAndNothingHangs) {
  const app::Simulated network = compiled(kTorus, with(kChecked, {"fault.header_flips=0.2"}));
  const RunResult r = simulated(network, short_run(network, 0.5));
  expect_accounted_with_drops(r);
  EXPECT_GT(r.damaged, 0u);
  EXPECT_GT(r.dropped[0], 0u);
}

TEST(Accounting, WhatIsDamagedWithoutAFlippedHeaderIsSeenWhereHeadersFlip) {
  const app::Simulated network = compiled(kTorus, with(kChecked, {"fault.header_flips=1e-9"}));
  RunOptions run = short_run(network, 0.5);
  EXPECT_TRUE(simulated(network, run).failures.empty());
  for (const auto kind : {SeededFault::Kind::kCorrupt, SeededFault::Kind::kMisdeliver}) {
    run.fault = SeededFault{.kind = kind, .ejected_flit = 100};
    EXPECT_FALSE(simulated(network, run).failures.empty()) << static_cast<int>(kind);
  }
}

TEST(Accounting, WhatWasNotMeasuredIsNull) {
  const app::Simulated network = compiled(kTorus);
  RunOptions run = short_run(network, 1e-5, 100);
  run.simulation.warmup_cycles = 20;
  const RunResult r = simulated(network, run);
  ASSERT_EQ(r.latency.packets, 0u);
  const auto point = app::point_json("dor", "uniform", r, *network.proven);
  for (const auto& value : point["latency_cycles"]) EXPECT_TRUE(value.is_null());
  EXPECT_TRUE(point["hops_mean"].is_null());
}

TEST(Accounting, DroppedPacketsAndFlitsMadeUpAreTheSameInLanes) {
  std::vector<std::string> faults = with(
      kChecked, {"fault.bad_packets=0.3", "fault.header_flips=0.05", "simulation.engine=lanes"});
  const app::Simulated lanes = compiled(kTorus, faults);
  ASSERT_GT(lanes.lanes, 0u);
  faults.back() = "simulation.engine=verilator";
  const app::Simulated one = compiled(kTorus, faults);
  RunOptions run = short_run(one, 0.5);
  run.record_deliveries = true;
  const RunResult a = simulated(one, run), b = simulated(lanes, run);
  expect_accounted_with_drops(a);
  expect_equal(a, b);
  EXPECT_EQ(a.dropped, b.dropped);
  EXPECT_EQ(a.damaged, b.damaged);
  EXPECT_GT(b.dropped[1], 0u);
  EXPECT_GT(b.damaged, 0u);
}

class EveryMode : public testing::TestWithParam<Mode> {};

TEST_P(EveryMode, DeliversEveryPacketAtLowAndBeyondFullLoad) {
  const app::Simulated network = compiled(kTorus, GetParam().overrides);
  for (const double load : {0.1, 1.0}) {
    SCOPED_TRACE(load);
    const RunResult r = simulated(network, short_run(network, load, 3000));
    expect_accounted(r);
    // The routers' own counters, read over AXI4-Lite, agree with what the terminals saw.
    std::uint64_t in = 0, out = 0;
    for (const auto& c : r.routers) {
      in += c.flits_in;
      out += c.flits_out;
    }
    EXPECT_EQ(in, out);
    EXPECT_GT(in, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(
    , EveryMode,
    testing::Values(
        Mode{"dor", {}}, Mode{"dor_balanced", {"routing.dateline=balanced"}},
        Mode{"star_channel", {"routing.algorithm=star_channel"}},
        Mode{"saf",
             {"router.switching=saf", "packet.max_flits=5",
              "traffic.packet_flits={min: 1, max: 5}"}},
        Mode{"wormhole",
             {"router.switching=wormhole", "routing.algorithm=star_channel", "packet.max_flits=20",
              "traffic.packet_flits={min: 1, max: 20}"}},
        Mode{"flit_by_flit",
             {"router.allocator.granularity=flit", "packet.max_flits=5",
              "routing.algorithm=star_channel", "traffic.packet_flits={min: 1, max: 5}"}},
        Mode{"output_queues",
             {"router.output_queue_flits=16", "link.cycles_per_flit=5/2", "packet.max_flits=5",
              "routing.algorithm=star_channel", "traffic.packet_flits={min: 1, max: 5}"}},
        Mode{"round_robin", {"router.allocator.arbiter=round_robin", "router.pipeline_cycles=5"}},
        Mode{"round_robin_held",
             {"router.allocator.arbiter=round_robin",
              "router.allocator.kind=separable_output_first", "router.allocator.iterations=2",
              "packet.max_flits=5", "traffic.packet_flits={min: 1, max: 5}"}},
        Mode{"output_first",
             {"router.allocator.kind=separable_output_first", "router.allocator.iterations=2",
              "router.pipeline_cycles=3"}},
        Mode{"pipeline_4",
             {"router.pipeline_cycles=4", "packet.max_flits=5",
              "traffic.packet_flits={min: 1, max: 5}"}},
        Mode{"pipeline_4_flit_by_flit",
             {"router.pipeline_cycles=4", "router.allocator.granularity=flit", "packet.max_flits=5",
              "router.vcs=2", "traffic.packet_flits={min: 1, max: 5}"}},
        Mode{"pipeline_5_single",
             {"router.pipeline_cycles=5", "packet.max_flits=1", "traffic.packet_flits=1"}},
        Mode{"pipeline_5",
             {"router.pipeline_cycles=5", "router.output_queue_flits=16",
              "link.cycles_per_flit=5/2", "packet.max_flits=5", "routing.algorithm=star_channel",
              "traffic.packet_flits={min: 1, max: 5}"}},
        Mode{"narrow_flits", {"packet.flit_bits=40", "packet.max_flits=3", "topology.dims=[3,3]"}},
        Mode{"ring_of_two", {"topology.dims=[2]", "topology.terminals_per_router=3"}},
        Mode{"four_dimensions", {"topology.dims=[2,2,2,2]", "routing.algorithm=star_channel"}},
        Mode{"bursts", {"traffic.injection=on_off", "routing.algorithm=star_channel"}}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST(Accounting, OneVcPerDatelineClassKeepsTheOrderOfEveryFlow) {
  const app::Simulated network = compiled(kTorus, {"router.vcs=2"});
  ASSERT_TRUE(network.setup->in_order);
  expect_accounted(simulated(network, short_run(network, 0.9, 3000)));
}

TEST(Accounting, TheOrderCheckNoticesARoutingThatDoesNotKeepIt) {
  const app::Simulated network = compiled(kTorus, {"routing.algorithm=star_channel"});
  network.setup->in_order = true;  // a promise that star-channel does not make
  EXPECT_FALSE(simulated(network, short_run(network, 0.9, 3000)).failures.empty());
}

}  // namespace
}  // namespace hopwise::engine
