// SPDX-License-Identifier: Apache-2.0
// Routing modes of packets in the engine: who keeps the order, what biases do, what is counted.
#include <map>

#include "app/job_results.hpp"
#include "fixture.hpp"

namespace hopwise::engine {
namespace {

/// Two links between groups, two VCs on every step.
const char* const kModes = R"(
topology: {kind: dragonfly, terminals_per_router: 2, routers_per_group: 4, global_ports: 2, groups: 5,
           links_per_group_pair: 2}
packet: {flit_bits: 128, max_flits: 4}
router: {vcs: 8, vc_depth_flits: 8}
routing: {algorithm: ugal_ln, modes: true}
traffic: {packet_flits: {min: 1, max: 4}}
)";

/// Packets that arrived after one that their source had sent to the same terminal later. Ids do not
/// come around in runs as short as these.
std::size_t overtaken(const RunResult& r) {
  std::map<std::pair<TerminalId, TerminalId>, std::uint32_t> last;
  std::size_t late = 0;
  for (const Delivery& d : r.deliveries) {
    if (d.flit != 0) continue;
    const auto [at, first] = last.try_emplace({d.src, d.dst}, d.packet_id);
    if (!first && d.packet_id < at->second) ++late;
    at->second = std::max(at->second, d.packet_id);
  }
  return late;
}

RunOptions run_in(const app::Simulated& network, spec::Mode mode, double load = 0.4) {
  RunOptions run = short_run(network, load);
  run.traffic.mode = mode;
  run.record_deliveries = true;
  return run;
}

TEST(PacketsInEveryMode, ArriveAndThoseInOrderInTheirOrder) {
  const app::Simulated network = compiled(kModes);
  ASSERT_FALSE(network.setup->in_order);
  for (std::size_t m = 0; m < spec::kModes; ++m) {
    SCOPED_TRACE(spec::kModeNames[m]);
    const RunResult r = simulated(network, run_in(network, static_cast<spec::Mode>(m)));
    expect_accounted(r);
    const auto mode = static_cast<spec::Mode>(m);
    if (mode == spec::Mode::kInOrder) {
      EXPECT_EQ(overtaken(r), 0U);
    } else {
      EXPECT_GT(overtaken(r), 0U);
    }
    // A packet within a group, or to a router's own terminal, goes no detour in any mode.
    if (mode == spec::Mode::kMinHash || mode == spec::Mode::kInOrder) {
      EXPECT_EQ(r.nonminimal_share, 0);
    } else if (mode == spec::Mode::kNminHash) {
      EXPECT_NEAR(r.nonminimal_share, 0.8 * 40 / 39, 0.05);
    }
  }
}

TEST(PacketsInEveryMode, TheHigherTheBiasTheMoreAreMinimal) {
  const app::Simulated network = compiled(kModes, {"traffic.pattern=adv+1"});
  double last = 1;
  for (const spec::Mode mode :
       {spec::Mode::kAdaptive0, spec::Mode::kAdaptive2, spec::Mode::kAdaptive3}) {
    const RunResult r = simulated(network, run_in(network, mode, 0.3));
    expect_accounted(r);
    EXPECT_LT(r.nonminimal_share, last) << spec::name_of(mode);
    last = r.nonminimal_share;
  }
}

TEST(PacketsInEveryMode, AreTheSameInLanesAndForAnyNumberOfThreads) {
  const app::Simulated lanes = compiled(kModes, {"simulation.engine=lanes"}),
                       one = compiled(kModes, {"simulation.engine=verilator"});
  ASSERT_GT(lanes.lanes, 0u);
  for (const spec::Mode mode : {spec::Mode::kAdaptive1, spec::Mode::kInOrder}) {
    RunOptions run = run_in(one, mode);
    const RunResult a = simulated(one, run);
    expect_accounted(a);
    expect_equal(a, simulated(lanes, run));
    run.threads = 2;
    expect_equal(a, simulated(one, run));
  }
}

TEST(PacketsInEveryMode, OfATorusAndThoseInOrderInTheirOrder) {
  const app::Simulated network =
      compiled(kTorus, {"packet.max_flits=4", "packet.flit_bits=128", "traffic.packet_flits=2",
                        "routing.algorithm=star_channel", "routing.modes=true"});
  const RunResult free = simulated(network, run_in(network, spec::Mode::kAdaptive0));
  const RunResult in_order = simulated(network, run_in(network, spec::Mode::kInOrder));
  expect_accounted(free);
  expect_accounted(in_order);
  EXPECT_GT(overtaken(free), 0U);
  EXPECT_EQ(overtaken(in_order), 0U);
}

TEST(PacketsInEveryMode, OfAJobAreCountedByTheirMode) {
  const app::Simulated network = compiled(
      kModes, {"job.program=alltoall", "job.ranks=6", "job.bytes=500", "job.iterations=2",
               "job.mode=adaptive_3", "traffic.pattern=uniform", "traffic.mode=nmin_hash"});
  auto job = traffic::make_job(network.proven->spec().job, network.proven->spec().network,
                               network.setup->topology);
  ASSERT_TRUE(job.ok());
  RunOptions run = short_run(network, 0.1);
  run.job = &job.value();
  const RunResult r = simulated(network, run);
  expect_accounted(r);
  ASSERT_TRUE(r.jobs.front().mode_share);
  EXPECT_EQ((*r.jobs.front().mode_share)[3], 1);
  EXPECT_GT(r.nonminimal_share, 0);  // of the others
  EXPECT_EQ(app::jobs_json(r.jobs, 1, r.messages)[0]["mode_share"].dump(), R"({"adaptive_3":1.0})");
}

}  // namespace
}  // namespace hopwise::engine
