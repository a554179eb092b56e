// SPDX-License-Identifier: Apache-2.0
// Jobs on networks: their times in an idle one are those of the formula, threads and engines change
// nothing, and what does not arrive is told.
#include "traffic/jobs/job.hpp"

#include <algorithm>

#include "app/results.hpp"
#include "engine/batch.hpp"
#include "fixture.hpp"
#include "traffic/trace.hpp"

namespace hopwise::engine {
namespace {

const std::vector<std::string> kJobPackets = {"packet.max_flits=5", "router.vc_depth_flits=16"};

/// A network with the job of its section. The run points into it.
struct JobRun {
  app::Simulated network;
  traffic::Job job;
  RunOptions run;
};
std::unique_ptr<JobRun> job_run(const std::vector<std::string>& overrides) {
  app::Simulated network = compiled(kTorus, with(kJobPackets, overrides));
  auto job = traffic::make_job(network.proven->spec().job, network.proven->spec().network,
                               network.setup->topology);
  EXPECT_TRUE(job.ok()) << (job.ok() ? "" : format(job.errors()));
  RunOptions run = short_run(network, 0);
  run.load = network.proven->spec().traffic.load;
  run.record_packets = true;
  auto all =
      std::make_unique<JobRun>(JobRun{std::move(network), std::move(job).value(), std::move(run)});
  all->run.job = &all->job;
  return all;
}

RunResult simulated(const JobRun& r) { return simulated(r.network, r.run); }

std::string text(const JobRun& r, const RunResult& result) {
  return app::point_json("r", "p", result, *r.network.proven).dump() +
         traffic::format_trace(result.packets);
}

const std::vector<std::string> kAllreduce = {"job.program=allreduce", "job.bytes=300",
                                             "job.ranks=13",          "job.placement=random",
                                             "job.iterations=4",      "job.compute_cycles=40"};

TEST(Job, TheTimeOfAPingPongInAnIdleNetworkIsThatOfTheFormulaToTheCycle) {
  for (const std::uint64_t bytes : {0, 8, 24, 32}) {  // of one packet
    for (const unsigned to : {1, 5, 10}) {
      SCOPED_TRACE(testing::Message() << bytes << " bytes to " << to);
      const auto r = job_run({"job.program=ping_pong", "job.bytes=" + std::to_string(bytes),
                              "job.placement=list", "job.terminals=[0," + std::to_string(to) + "]",
                              "job.compute_cycles=30", "link.latency_cycles=3"});
      const RunResult result = simulated(*r);
      expect_accounted(result);
      EXPECT_EQ(result.stopped, "last-step");
      const auto& topology = r->network.setup->topology;
      const unsigned hops = topology.distance(RouterId{0}, RouterId{to});
      const double router =
          zero_load_router_cycles(r->network.setup->network, r->network.setup->route_cycles);
      const double one_way = (hops + 1) * router + 3 * hops +
                             2.0 * topology.terminal_latency_cycles() +
                             r->job.packets().flits(bytes, 0) - 1;
      ASSERT_EQ(result.jobs.size(), 1u);
      const JobResult& job = result.jobs.front();
      EXPECT_EQ(job.latency.mean, one_way);
      EXPECT_EQ(job.network_latency.max, job.latency.max);
      // Both compute at the start of an iteration, the second while the message is on its way.
      const auto round = static_cast<std::uint64_t>(30 + 2 * one_way);
      EXPECT_EQ(job.iteration_cycles, std::vector<std::uint64_t>(10, round));
      EXPECT_EQ(job.communication_cycles.front(), 10 * (round - 30));
      EXPECT_EQ(job.end_cycle, 11 * round);
      EXPECT_EQ(result.injected, 22u);
    }
  }
}

TEST(Job, PacketsOfAMessageLeaveBackToBackAndItEndsWithTheLast) {
  const auto r = job_run(
      {"job.program=ping_pong", "job.bytes=640", "job.iterations=1", "job.warmup_iterations=0"});
  const RunResult result = simulated(*r);
  // 80 flits of data in 20 packets: 100 flits.
  const double router =
      zero_load_router_cycles(r->network.setup->network, r->network.setup->route_cycles);
  const auto one_way = static_cast<std::uint64_t>(2 * router + 1 + 2 + 99);
  EXPECT_EQ(result.jobs.front().iteration_cycles, std::vector<std::uint64_t>{2 * one_way});
  EXPECT_EQ(result.injected, 40u);
}

TEST(Job, ThreadsAndIdleRoutersLeaveEveryByteAsItIs) {
  const auto r = job_run(kAllreduce);
  const RunResult one = simulated(*r);
  expect_accounted(one);
  EXPECT_EQ(one.jobs.front().iteration_cycles.size(), 4u);
  EXPECT_TRUE(one.completed);
  r->run.threads = 2;
  EXPECT_EQ(text(*r, simulated(*r)), text(*r, one));
  r->run.threads = 1;
  r->run.skip_idle = false;
  EXPECT_EQ(text(*r, simulated(*r)), text(*r, one));
}

TEST(Job, WithBackgroundTrafficThreadsChangeNothingEither) {
  const auto r = job_run(with(kAllreduce, {"traffic.pattern=uniform", "traffic.load=0.4"}));
  const RunResult one = simulated(*r);
  expect_accounted(one);
  EXPECT_EQ(one.stopped, "last-step");
  EXPECT_EQ(one.offered_load, 0.4);
  EXPECT_EQ(one.active_terminals, 16);
  // The job's own packets are counted apart.
  EXPECT_GT(one.latency.mean, 0);
  EXPECT_NE(one.latency.mean, one.jobs.front().latency.mean);
  r->run.threads = 3;
  EXPECT_EQ(text(*r, simulated(*r)), text(*r, one));
  // It takes longer than alone.
  const RunResult alone = simulated(*job_run(kAllreduce));
  EXPECT_GT(one.jobs.front().end_cycle, alone.jobs.front().end_cycle);
  EXPECT_EQ(alone.active_terminals, 13);
}

TEST(Job, HowFarItIsGrowsWithItsIterations) {
  const auto r = job_run(with(kAllreduce, {"job.iterations=300"}));
  std::vector<double> parts;
  r->run.progress = [&parts](double part) { parts.push_back(part); };
  expect_accounted(simulated(*r));
  EXPECT_TRUE(std::ranges::is_sorted(parts));
  std::erase_if(parts, [](double part) { return part <= 0 || part >= 1; });
  EXPECT_GT(parts.size(), 3u);
}

TEST(Job, RanksOnlyHaveTheirOwnTerminals) {
  const auto r = job_run(with(kAllreduce, {"traffic.pattern=uniform", "traffic.load=0.4"}));
  for (const auto& packet : simulated(*r).packets)
    EXPECT_EQ(packet.step != 0, r->job.has(packet.src));
}

TEST(JobVariants, BothEnginesAndBatchesGiveTheSameBytes) {
  const auto verilator = job_run(with(kAllreduce, {"simulation.engine=verilator"}));
  const auto lanes = job_run(with(kAllreduce, {"simulation.engine=lanes", "simulation.lanes=64"}));
  const std::string want = text(*verilator, simulated(*verilator));
  EXPECT_EQ(text(*lanes, simulated(*lanes)), want);
  std::size_t left = 3, same = 0;
  Batch batch(*lanes->network.setup, 2);
  batch.run([&]() -> std::unique_ptr<Batch::Job> {
    if (left == 0) return nullptr;
    --left;
    auto job = std::make_unique<Batch::Job>();
    job->options = lanes->run;
    job->done = [&](Result<RunResult> result) { same += text(*lanes, result.value()) == want; };
    return job;
  });
  EXPECT_EQ(same, 3u);
}

TEST(JobVariants, SeveralMessageClassesShareAMessage) {
  const auto r = job_run(with(kAllreduce, {"router.message_classes=[a,b]", "router.vcs=2"}));
  const RunResult result = simulated(*r);
  expect_accounted(result);
  EXPECT_EQ(result.jobs.front().iteration_cycles.size(), 4u);
  EXPECT_GT(result.by_class.at(1).delivered, 0u);
}

TEST(JobVariants, CongestionControlAndBoundedQueuesLetItEnd) {
  for (const char* key : {"congestion.enabled=true", "traffic.source_queue_packets=2"}) {
    const RunResult result = simulated(*job_run(with(kAllreduce, {key})));
    expect_accounted(result);
    EXPECT_EQ(result.jobs.front().iteration_cycles.size(), 4u);
  }
}

TEST(Job, ALostPacketIsToldByTheRankThatWaitsForIt) {
  const auto r = job_run(kAllreduce);
  r->run.fault = SeededFault{.kind = SeededFault::Kind::kDrop, .ejected_flit = 3};
  const RunResult result = simulated(*r);
  EXPECT_FALSE(result.completed);
  ASSERT_FALSE(result.failures.empty());
  const std::string all =
      std::accumulate(result.failures.begin(), result.failures.end(), std::string());
  EXPECT_NE(all.find("ranks are not done; rank"), all.npos) << all;
  EXPECT_NE(all.find(" packets from rank "), all.npos) << all;
}

TEST(Job, OneThatTakesTooLongIsGivenUpAndItsPacketsAreDrained) {
  const auto r = job_run(with(kAllreduce, {"job.max_cycles=500", "job.iterations=1000"}));
  const RunResult result = simulated(*r);
  EXPECT_EQ(result.stopped, "limit");
  EXPECT_FALSE(result.completed);
  EXPECT_EQ(result.lost, 0u);
  ASSERT_EQ(result.failures.size(), 1u);
  EXPECT_NE(result.failures.front().find("13 of 13 ranks are not done"), std::string::npos);
}

}  // namespace
}  // namespace hopwise::engine
