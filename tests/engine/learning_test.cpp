// SPDX-License-Identifier: Apache-2.0
// What routers learn, decision by decision against the model of the learner, and what they do with
// it.
#include <fmt/format.h>

#include "fixture.hpp"

namespace hopwise::engine {
namespace {

const char* const kDragonfly72Q = R"(
topology: {kind: dragonfly, terminals_per_router: 2, routers_per_group: 4, global_ports: 2, groups: 9}
link: {latency_cycles: [2, 4]}
packet: {flit_bits: 64, max_flits: 1}
router: {vc_depth_flits: 16}
routing: {algorithm: q_adaptive, q_epsilon: 0.02}
)";

const char* const kTorusQ = R"(
topology: {kind: torus, dims: [4, 4]}
packet: {flit_bits: 64, max_flits: 1}
router: {vcs: 4, vc_depth_flits: 8}
routing: {algorithm: q_routing, q_epsilon: 0.02}
)";

/// A flit every fourth cycle: the agent has time for every packet, so that what routers learn
/// decides about throughput.
const char* const kPaced = R"(
topology: {kind: dragonfly, terminals_per_router: 2, routers_per_group: 4, global_ports: 2, groups: 9}
link: {latency_cycles: [6, 20], cycles_per_flit: 4}
packet: {flit_bits: 64, max_flits: 1}
router: {vc_depth_flits: 32, output_queue_flits: 16}
routing: {algorithm: q_par}
)";

/// Not connected everywhere, deep queues, packets of several flits.
const char* const kSmall = R"(
topology: {kind: dragonfly, terminals_per_router: 2, routers_per_group: 3, global_ports: 2, groups: 5}
link: {latency_cycles: [1, 3]}
packet: {flit_bits: 64, max_flits: 4}
router: {vc_depth_flits: 8, output_queue_flits: 8}
routing: {algorithm: q_adaptive, q_epsilon: 0.02}
traffic: {packet_flits: {min: 1, max: 4}}
)";

struct LearnerCase {
  const char* name;
  const char* network;
  std::vector<std::string> overrides;
};

ProbedRun checked_run(const app::Simulated& network, const char* pattern, double load,
                      std::uint64_t cycles) {
  ProbedRun run{short_run(network, load, cycles), {}};
  run.traffic.pattern = pattern;
  run.probing.check = true;
  return run;
}

class EveryLearner : public testing::TestWithParam<LearnerCase> {};

TEST_P(EveryLearner, DecidesUpdatesAndRewardsAsTheModelDoes) {
  const app::Simulated network = compiled(GetParam().network, GetParam().overrides);
  const bool torus = network.setup->topology.has_wraparound();
  std::uint64_t decisions = 0, updates = 0, rewards = 0;
  for (const char* pattern : {"uniform", torus ? "permutation" : "adv+1"}) {
    for (const double load : {0.1, 0.9}) {
      SCOPED_TRACE(fmt::format("{} {}", pattern, load));
      const RunResult r = simulated(network, checked_run(network, pattern, load, 1200));
      expect_accounted(r);
      EXPECT_GT(checked_of(r, "decisions"), 900u);
      EXPECT_GT(checked_of(r, "updates"), 900u);
      EXPECT_GE(checked_of(r, "feedbacks"), checked_of(r, "updates"));
      if (network.setup->network.routing.algorithm == "q_routing")
        EXPECT_EQ(checked_of(r, "feedbacks"), checked_of(r, "rewards"));
      else
        EXPECT_LT(checked_of(r, "feedbacks"), checked_of(r, "rewards"));
      decisions += checked_of(r, "decisions");
      updates += checked_of(r, "updates");
      rewards += checked_of(r, "rewards");
    }
  }
  std::cout << decisions << " decisions, " << updates << " updates, " << rewards << " rewards\n";
}

INSTANTIATE_TEST_SUITE_P(
    , EveryLearner,
    testing::Values(
        LearnerCase{"q_adaptive", kDragonfly72Q, {}},
        LearnerCase{"q_adaptive_two_banks", kDragonfly72Q, {"routing.q_banks=2"}},
        LearnerCase{"q_par_three_banks", kSmall, {"routing.algorithm=q_par", "routing.q_banks=3"}},
        LearnerCase{"q_routing_torus_two_banks", kTorusQ, {"routing.q_banks=2"}},
        LearnerCase{
            "q_adaptive_admissible",
            kSmall,
            {"routing.q_feedback=admissible", "routing.q_table_cycles=2", "routing.q_epsilon=0.2"}},
        LearnerCase{"q_adaptive_optimistic",
                    kSmall,
                    {"routing.q_initial=optimistic", "routing.q_local_detours=false",
                     "topology.arrangement=circulant"}},
        LearnerCase{"q_par", kSmall, {"routing.algorithm=q_par", "link.cycles_per_flit=5/2"}},
        LearnerCase{"q_par_admissible",
                    kSmall,
                    {"routing.algorithm=q_par", "routing.q_feedback=admissible",
                     "router.output_queue_flits=0"}},
        LearnerCase{"q_routing_dragonfly",
                    kSmall,
                    {"routing.algorithm=q_routing", "routing.q_fraction_bits=2",
                     "routing.q_value_bits=12"}},
        LearnerCase{"q_routing_dragonfly_optimistic",
                    kSmall,
                    {"routing.algorithm=q_routing", "routing.q_initial=optimistic",
                     "routing.q_queues=true"}},
        LearnerCase{"q_routing_torus", kTorusQ, {}},
        LearnerCase{
            "q_routing_torus_admissible",
            kTorusQ,
            {"topology.dims=[5,3]", "link.latency_cycles=[3,1]", "routing.q_feedback=admissible",
             "routing.q_table_cycles=2", "routing.q_fraction_bits=2", "routing.q_max_hops=3",
             "routing.q_queues=true", "router.output_queue_flits=8"}},
        LearnerCase{"saturated",
                    kSmall,
                    {"routing.q_value_bits=12", "routing.q_fraction_bits=4",
                     "link.latency_cycles=[20,2043]"}}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST(Learning, TheCheckCatchesAModelThatIsWrong) {
  const app::Simulated dragonfly = compiled(kDragonfly72Q), torus = compiled(kTorusQ),
                       banks = compiled(kDragonfly72Q, {"routing.q_banks=2"});
  const auto failures = [](const app::Simulated& network, probes::q::Fault fault) {
    const bool is_torus = network.setup->topology.has_wraparound();
    ProbedRun run = checked_run(network, is_torus ? "transpose" : "adv+1", 0.4, 1200);
    run.probing.q.fault = fault;
    const RunResult r = simulated(network, run);
    EXPECT_EQ(r.lost, 0u);
    return r.failures;
  };
  EXPECT_TRUE(failures(dragonfly, probes::q::Fault::kNone).empty());
  EXPECT_TRUE(failures(torus, probes::q::Fault::kNone).empty());
  const auto miscounted = failures(dragonfly, probes::q::Fault::kGroup);
  ASSERT_EQ(miscounted.size(), 1u);
  EXPECT_NE(miscounted.front().find("feedback words came"), std::string::npos)
      << miscounted.front();
  for (const auto& [network, fault] : {std::pair{&dragonfly, probes::q::Fault::kThreshold},
                                       {&dragonfly, probes::q::Fault::kRounding},
                                       {&banks, probes::q::Fault::kRounding},
                                       {&banks, probes::q::Fault::kBank},
                                       {&torus, probes::q::Fault::kTieBreak},
                                       {&torus, probes::q::Fault::kReward},
                                       {&dragonfly, probes::q::Fault::kPort},
                                       {&torus, probes::q::Fault::kPort}}) {
    const auto found = failures(*network, fault);
    ASSERT_FALSE(found.empty()) << static_cast<int>(fault);
    EXPECT_LE(found.size(), 6u);
    EXPECT_NE(found.front().find("router"), std::string::npos) << found.front();
    std::cout << found.front() << "\n";
  }
}

TEST(Learning, APacketThatIsSeenAfterItsLastHopTripsTheAssertion) {
  const app::Simulated network = compiled(kDragonfly72Q);
  ProbedRun run = checked_run(network, "uniform", 0.4, 1200);
  run.probing.q.fault = probes::q::Fault::kLateHop;
  const RunResult r = simulated(network, run);
  ASSERT_FALSE(r.failures.empty());
  EXPECT_NE(r.failures.front().find("assertion of the RTL failed"), std::string::npos)
      << r.failures.front();
  EXPECT_NE(r.failures.front().find("hw_route_compute_q_dragonfly.sv"), std::string::npos)
      << r.failures.front();
}

TEST(Learning, RoutersClocksNeedNotAgree) {
  for (const char* algorithm : {"q_adaptive", "q_par"}) {
    const app::Simulated network =
        compiled(kSmall, {std::string("routing.algorithm=") + algorithm});
    ProbedRun run = checked_run(network, "adv+1", 0.5, 1500);
    run.record_deliveries = true;
    probes::q::Tables together_tables, apart_tables;
    run.probing.q.learned = &together_tables;
    const RunResult together = simulated(network, run);
    run.skew_clocks = true;
    run.probing.q.learned = &apart_tables;
    const RunResult apart = simulated(network, run);
    expect_accounted(together);
    expect_accounted(apart);
    EXPECT_GT(checked_of(apart, "rewards"), 5000u);
    EXPECT_TRUE(apart.deliveries == together.deliveries);
    EXPECT_TRUE(apart_tables == together_tables);
  }
}

TEST(Learning, LostFeedbackCostsLittleThroughput) {
  for (const char* algorithm : {"q_adaptive", "q_par"}) {
    const app::Simulated network =
        compiled(kPaced, {std::string("routing.algorithm=") + algorithm});
    ProbedRun run{short_run(network, 0.6, 10000), {}};
    run.simulation.warmup_cycles = 30000;  // half the feedback teaches half as fast
    run.traffic.pattern = "adv+1";
    const RunResult all = simulated(network, run);
    run.lose_one_in = 2;
    run.probing.check = true;
    const RunResult half = simulated(network, run);
    expect_accounted(all);
    expect_accounted(half);
    EXPECT_GT(all.accepted_load, 0.2);  // minimal paths alone: an eighth
    EXPECT_GT(half.accepted_load, 0.85 * all.accepted_load);
    std::cout << algorithm << ": accepted " << all.accepted_load
              << ", with every second feedback lost " << half.accepted_load << "\n";
  }
}

TEST(Learning, TablesReadAreTablesWritten) {
  const app::Simulated network = compiled(kSmall, {"routing.q_banks=2"});
  ProbedRun run = checked_run(network, "adv+1", 0.5, 1500);
  probes::q::Tables first_tables, frozen_tables, thawed_tables;
  run.probing.q.learned = &first_tables;
  expect_accounted(simulated(network, run));
  ASSERT_EQ(first_tables.size(), 15u);
  ProbedRun again = run;
  again.probing.q = {.start = &first_tables, .learned = &frozen_tables, .freeze = true};
  const RunResult frozen = simulated(network, again);
  expect_accounted(frozen);
  EXPECT_EQ(checked_of(frozen, "updates"), 0u);
  EXPECT_GT(checked_of(frozen, "decisions"), 1000u);
  EXPECT_TRUE(frozen_tables == first_tables);
  again.probing.q.freeze = false;
  again.probing.q.learned = &thawed_tables;
  const RunResult thawed = simulated(network, again);
  expect_accounted(thawed);
  EXPECT_GT(checked_of(thawed, "updates"), 1000u);
  EXPECT_FALSE(thawed_tables == first_tables);
}

TEST(Learning, AValueWithTooManyBitsIsWrittenAsInfinity) {
  const app::Simulated network = compiled(kSmall);
  constexpr std::uint32_t kInfinity = (1U << 18) - 1;
  ProbedRun run{short_run(network, 0.1, 200), {}};
  probes::q::Tables written, read;
  run.probing.q = {.learned = &written, .freeze = true};
  expect_accounted(simulated(network, run));
  written[0][0] = kInfinity + 6;
  written[0][1] = 0xffffffff;
  written[0][2] = kInfinity - 1;
  run.probing.q = {.start = &written, .learned = &read, .freeze = true};
  expect_accounted(simulated(network, run));
  written[0][0] = written[0][1] = kInfinity;
  EXPECT_TRUE(read == written);
}

TEST(Learning, WhatWasLearnedShortensTheStart) {
  const app::Simulated network = compiled(kPaced);
  ProbedRun run{short_run(network, 0.4, 10000), {}};
  run.traffic.pattern = "adv+1";
  probes::q::Tables learned;
  run.probing.q.learned = &learned;
  expect_accounted(simulated(network, run));
  run = {short_run(network, 0.4, 1000), {}};
  run.simulation.warmup_cycles = 0;
  run.traffic.pattern = "adv+1";
  const RunResult empty = simulated(network, run);
  run.probing.q.start = &learned;
  const RunResult prepared = simulated(network, run);
  run.probing.q.freeze = true;
  const RunResult frozen = simulated(network, run);
  for (const RunResult* r : {&empty, &prepared, &frozen}) expect_accounted(*r);
  EXPECT_LT(prepared.latency.mean, 0.9 * empty.latency.mean);
  std::cout << "mean latency of the first " << empty.measured_cycles
            << " cycles: " << empty.latency.mean << ", with a learned table "
            << prepared.latency.mean << ", frozen " << frozen.latency.mean << "\n";
}

TEST(Learning, ThreadsAndSkippingOfIdleRoutersChangeNothing) {
  for (const char* algorithm : {"q_adaptive", "q_par"}) {
    const app::Simulated network =
        compiled(kSmall, {std::string("routing.algorithm=") + algorithm});
    for (const double load : {0.04, 0.7}) {
      SCOPED_TRACE(fmt::format("{} {}", algorithm, load));
      ProbedRun run{short_run(network, load, 1200), {}};
      probes::q::Tables one_tables;
      run.traffic.pattern = "adv+1";
      run.record_deliveries = true;
      run.probing.q.learned = &one_tables;
      run.lose_one_in = 5;
      const RunResult one = simulated(network, run);
      expect_accounted(one);
      const auto same = [&](ProbedRun other) {
        probes::q::Tables tables;
        other.probing.q.learned = &tables;
        const RunResult r = simulated(network, other);
        expect_accounted(r);
        return r.deliveries == one.deliveries && tables == one_tables &&
               r.latency.mean == one.latency.mean && r.cycles == one.cycles;
      };
      run.threads = 3;
      EXPECT_TRUE(same(run));
      run.probing.check = true;
      EXPECT_TRUE(same(run)) << "checking changes the run";
      run.threads = 1;
      run.skip_idle = false;
      EXPECT_TRUE(same(run));
      run.simulation.seed = 2;
      EXPECT_FALSE(same(run));
    }
  }
}

}  // namespace
}  // namespace hopwise::engine
