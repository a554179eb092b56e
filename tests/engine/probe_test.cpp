// SPDX-License-Identifier: Apache-2.0
// What the engine promises to probes.
#include <atomic>

#include "engine/probe.hpp"
#include "fixture.hpp"

namespace hopwise::engine {
namespace {

/// What a probe has seen, kept beyond its life.
struct Seen {
  std::atomic<std::uint64_t> prepared{0}, wires{0}, routers{0}, injections{0}, left{0};
  std::uint64_t meetings = 0, meetings_after_stop = 0, reads = 0, reports = 0;
  bool stopped = false, at_rest = false, early = false;
};

class Witness final : public Probe {
 public:
  Witness(const Scene& scene, Needs needs, Seen& seen)
      : needs_(needs), seen_(seen), partitions_(scene.partitions) {}

  Needs needs() const override { return needs_; }
  measure::Counters counters() const override { return {{"routers_seen", "routers", "", false}}; }
  void prepare(const Section& section) override { seen_.prepared += section.end - section.first; }
  void observe_wires(const Section& section, std::uint64_t) override {
    seen_.wires += section.end - section.first;
  }
  void observe_routers(const Section& section, std::uint64_t) override {
    const std::uint64_t routers = section.end - section.first;
    seen_.routers += routers;
    since_ += routers;
  }
  void observe_injection(std::size_t, RouterId from, RouterId to) override {
    if (from != to) ++seen_.injections;
  }
  void leave_epoch(const Section&) override { ++seen_.left; }
  void end_epoch(std::uint64_t) override {
    ++seen_.meetings;
    // all partitions have left this epoch, and none has begun the next
    seen_.early |= seen_.left != seen_.meetings * partitions_;
    if (seen_.stopped) ++seen_.meetings_after_stop;
  }
  void stop() override { seen_.stopped = true; }
  bool busy() const override { return needs_.meetings && seen_.meetings_after_stop < 100; }
  void take_counts(std::span<std::int64_t> counts) override {
    counts[0] += static_cast<std::int64_t>(since_.exchange(0));
  }
  void read(std::uint64_t, bool quiescent, RunResult&) override {
    ++seen_.reads;
    seen_.at_rest = quiescent;
  }
  void report(RunResult& result) const override {
    ++seen_.reports;
    result.checked.emplace_back("meetings", seen_.meetings);
  }

 private:
  const Needs needs_;
  Seen& seen_;
  const std::size_t partitions_;
  std::atomic<std::uint64_t> since_{0};
};

RunOptions watched(const app::Simulated& network, Needs needs, Seen& seen, unsigned threads) {
  RunOptions run = short_run(network, 0.3);
  run.threads = threads;
  run.probes = {
      [&seen, needs](const Scene& scene) { return std::make_unique<Witness>(scene, needs, seen); },
      [](const Scene&) { return nullptr; }};
  return run;
}

TEST(Probe, SeesEveryRouterInEveryCycleAndEveryPacketWhateverTheThreads) {
  const app::Simulated network = compiled(kTorus);
  const std::size_t routers = network.setup->topology.num_routers();
  for (const unsigned threads : {1u, 3u}) {
    Seen seen;
    const Needs all{.wires = true, .routers = true, .injections = true, .meetings = true};
    const RunResult r = simulated(network, watched(network, all, seen, threads));
    expect_accounted(r);
    EXPECT_EQ(seen.prepared, routers);
    EXPECT_EQ(seen.wires, r.total_cycles * routers);
    EXPECT_EQ(seen.routers, r.total_cycles * routers);
    EXPECT_EQ(seen.injections, r.injected);  // one terminal per router: none to itself
    EXPECT_FALSE(seen.early);
    EXPECT_EQ(r.whole.counts["routers_seen"], static_cast<std::int64_t>(r.cycles * routers));
    EXPECT_EQ(checked_of(r, "meetings"), seen.meetings);
    EXPECT_EQ(seen.reads, 1u);
    EXPECT_EQ(seen.reports, 1u);
    EXPECT_TRUE(seen.at_rest);
  }
}

TEST(Probe, IsNotAskedForWhatItDoesNotNeed) {
  const app::Simulated network = compiled(kTorus);
  Seen seen;
  const RunResult r = simulated(network, watched(network, {}, seen, 2));
  expect_accounted(r);
  EXPECT_EQ(seen.wires + seen.routers + seen.injections + seen.left + seen.meetings, 0u);
  EXPECT_EQ(r.whole.counts["routers_seen"], 0);
}

TEST(Probe, ThatIsBusyKeepsTheNetworkFromRest) {
  const app::Simulated network = compiled(kTorus);
  Seen seen;
  expect_accounted(simulated(network, watched(network, {.meetings = true}, seen, 1)));
  EXPECT_GE(seen.meetings_after_stop, 100u);
}

TEST(Probe, ThatThrowsEndsTheRunInAnyThread) {
  class Thrower final : public Probe {
   public:
    Needs needs() const override { return {.meetings = true}; }
    void leave_epoch(const Section& section) override {
      if (section.partition == 1 && ++epochs_ == 50) throw std::runtime_error("enough");
    }

   private:
    unsigned epochs_ = 0;
  };
  const app::Simulated network = compiled(kTorus);
  RunOptions run = short_run(network, 0.3);
  run.threads = 3;
  run.probes = {[](const Scene&) { return std::make_unique<Thrower>(); }};
  const RunResult r = simulated(network, run);
  EXPECT_EQ(r.stopped, "failed");
  ASSERT_EQ(r.failures.size(), 1u);
  EXPECT_EQ(r.failures.front(), "enough");
}

TEST(Probe, CountersOfTheRoutingMustBeThoseOfTheRouters) {
  const app::Simulated network = compiled(kTorus);
  network.setup->counters = {{"decisions", "decisions", ""}};
  const RunResult r = simulated(network, short_run(network, 0.3));
  ASSERT_EQ(r.failures.size(), 1u);
  EXPECT_NE(r.failures.front().find("counters_o has 0 words"), std::string::npos)
      << r.failures.front();
}

}  // namespace
}  // namespace hopwise::engine
