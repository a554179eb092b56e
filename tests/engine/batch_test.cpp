// SPDX-License-Identifier: Apache-2.0
// Networks side by side in lanes: each finds what it finds alone.
#include "engine/batch.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "fixture.hpp"
#include "forwarding_bank.hpp"

namespace hopwise::engine {
namespace {

const char* const kLargeTorus = R"(
topology: {kind: torus, dims: [9, 8]}
packet: {flit_bits: 64, max_flits: 1}
router: {vcs: 4, vc_depth_flits: 8}
)";

/// Results of the runs in a batch of so many places, in their order.
std::vector<RunResult> batched(const app::Simulated& network, const std::vector<ProbedRun>& runs,
                               std::size_t places) {
  std::vector<RunResult> results(runs.size());
  std::size_t at = 0;
  Batch batch(*network.setup, places);
  batch.run([&]() -> std::unique_ptr<Batch::Job> {
    if (at == runs.size()) return nullptr;
    auto job = std::make_unique<Batch::Job>();
    job->options = runs[at];
    job->options.probes = probes::make_probes(network.proven->family(), runs[at].probing);
    job->done = [&results, i = at](Result<RunResult> result) {
      ASSERT_TRUE(result.ok()) << format(result.errors());
      results[i] = std::move(result).value();
    };
    ++at;
    return job;
  });
  return results;
}

/// More runs than places, of several loads, lengths and seeds: lanes are used again and again.
std::vector<ProbedRun> mixed_runs(const app::Simulated& network) {
  std::vector<ProbedRun> runs;
  for (const double load : {0.7, 0.05, 0.4, 0.9, 0.2, 0.5, 0.3}) {
    ProbedRun run = busy_run(network, load);
    run.simulation.cycles = 300 + 400 * (runs.size() % 3);
    run.simulation.seed = 1 + runs.size();
    runs.push_back(run);
  }
  return runs;
}

void expect_as_alone(const app::Simulated& network, const std::vector<ProbedRun>& runs,
                     std::size_t places) {
  const std::vector<RunResult> together = batched(network, runs, places);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_GT(together[i].cpu_seconds, 0);
    expect_accounted(together[i]);
    expect_equal(together[i], simulated(network, runs[i]));
  }
}

TEST(Batch, NetworksFindWhatTheyFindAlone) {
  const app::Simulated network = in_lanes(kTorus, 64);
  expect_as_alone(network, mixed_runs(network), 3);
  expect_as_alone(network, mixed_runs(network), 7);
}

TEST(Batch, NetworksLieAcrossBlocks) {
  const app::Simulated network = in_lanes(kLargeTorus, 64);  // of 72 routers
  expect_as_alone(network, mixed_runs(network), 4);
  EXPECT_EQ(Batch::useful_places(*network.setup), 4u);  // 288 routers in 320 lanes
}

TEST(Batch, RoutersThatLearnBeginAnewWithTheirNetwork) {
  const app::Simulated network = in_lanes(kLearningDragonfly, 64);
  std::vector<ProbedRun> runs = mixed_runs(network);
  for (ProbedRun& run : runs) run.probing.check = true;
  expect_as_alone(network, runs, 2);
  EXPECT_GT(checked_of(batched(network, {runs.front()}, 1).front(), "decisions"), 0u);
}

TEST(Batch, RoutersAskForTheQueuesOfTheirOwnNetwork) {
  const app::Simulated network = in_lanes(kIdealDragonfly, 64);
  expect_as_alone(network, mixed_runs(network), 3);
}

TEST(Batch, ANetworkThatLosesAPacketHarmsNoOther) {
  const app::Simulated network = in_lanes(kTorus, 64);
  std::vector<ProbedRun> runs = mixed_runs(network);
  runs[1].fault = SeededFault{SeededFault::Kind::kDrop, 20};
  const std::vector<RunResult> together = batched(network, runs, 3);
  EXPECT_FALSE(together[1].failures.empty());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    SCOPED_TRACE(i);
    expect_equal(together[i], simulated(network, runs[i]));
  }
}

TEST(Batch, ARunMayBeEndedFromOutside) {
  const app::Simulated network = in_lanes(kTorus, 64);
  std::vector<ProbedRun> runs = mixed_runs(network);
  runs[2].stop = [] { return true; };
  const std::vector<RunResult> together = batched(network, runs, 3);
  EXPECT_EQ(together[2].stopped, "interrupted");
  EXPECT_EQ(together[3].stopped, "cycles");
}

/// Routers of which one fails an assertion in cycle 500.
class Failing final : public ForwardingBank {
 public:
  using ForwardingBank::ForwardingBank;
  void step(std::uint64_t cycle, bool skip_idle) override {
    if (cycle == 500) throw model::AssertionFailed(3, cycle);
    bank_->step(cycle, skip_idle);
  }
};

TEST(Batch, AnAssertionEndsAllThatRun) {
  app::Simulated network = in_lanes(kTorus, 64);
  const model::RouterModel failing = around<Failing>(*network.setup->models.front());
  network.setup->models.front() = &failing;
  const std::vector<RunResult> together = batched(network, mixed_runs(network), 2);
  unsigned failed = 0;
  for (const RunResult& r : together) {
    if (r.failures.empty()) continue;
    ++failed;
    EXPECT_EQ(r.failed_router, RouterId{3});
    EXPECT_EQ(r.stopped, "failed");
  }
  EXPECT_EQ(failed, 2u);
  expect_accounted(together.back());
}

TEST(Batch, PlacesFillWords) {
  const app::Simulated network = in_lanes(kTorus, 64);  // of 16 routers
  EXPECT_EQ(Batch::useful_places(*network.setup), 4u);
}

}  // namespace
}  // namespace hopwise::engine
