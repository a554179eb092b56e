// SPDX-License-Identifier: Apache-2.0
// DQN-Routing in networks of the emitted RTL: every decision against the integers that the engines
// are loaded with, agents that learn, and what is lost on the way.
#include <fmt/format.h>

#include "fixture.hpp"
#include "routing/dqn/dqn.hpp"
#include "routing/dqn/schedule.hpp"
#include "traffic/random.hpp"

namespace hopwise::engine {
namespace {

const char* const kTorusDqn = R"(
topology: {kind: torus, dims: [4, 4]}
link: {latency_cycles: 5}
packet: {flit_bits: 128, max_flits: 20}
router: {vc_depth_flits: 40}
routing: {algorithm: dqn, dqn_hidden: [8], dqn_macs: 16, dqn_epsilon: 0.1}
traffic: {packet_flits: {min: 3, max: 20}}
training: {start_samples: 50, epsilon_steps: [0, 500], epsilon: [1, 0.1]}
)";

/// Agents that nobody trained: any network is as good as another for what is tested here.
probes::dqn::Agents untrained(const app::Simulated& network, std::uint64_t seed) {
  const spec::NetworkSpec& n = network.setup->network;
  probes::dqn::Agents agents{
      .dims = n.topology.dims,
      .layers = routing::dqn::settings(n.routing).layers(n.topology.dims.size()),
      .agents = {}};
  traffic::Random random(seed, 0);
  const auto weight = [&] { return static_cast<float>(random.below(2001)) / 1000 - 0.9F; };
  learn::FloatNetwork real{agents.layers, {}};
  for (std::size_t l = 0; l + 1 < agents.layers.size(); ++l) {
    learn::FloatLayer layer;
    for (unsigned i = 0; i < agents.layers[l] * agents.layers[l + 1]; ++i)
      layer.w.push_back(weight());
    for (unsigned i = 0; i < agents.layers[l + 1]; ++i) layer.bias.push_back(weight());
    real.layer.push_back(std::move(layer));
  }
  std::vector<std::uint8_t> seen;
  for (unsigned i = 0; i < 64 * agents.layers.front(); ++i)
    seen.push_back(static_cast<std::uint8_t>(random.below(256)));
  agents.agents.push_back({real, learn::quantise(real, seen)});
  return agents;
}

ProbedRun checked(const app::Simulated& network, const probes::dqn::Agents* agents, double load,
                  std::uint64_t cycles) {
  ProbedRun run{short_run(network, load, cycles), {}};
  const spec::NetworkSpec& n = network.setup->network;
  const routing::dqn::Settings d = routing::dqn::settings(n.routing);
  const auto schedule =
      routing::dqn::schedule(d.layers(n.topology.dims.size()), d.macs, d.zero_time);
  run.probing.dqn = {.lanes = schedule.lanes, .depth = schedule.depth, .agents = agents};
  run.probing.check = true;
  return run;
}

struct DqnCase {
  const char* name;
  std::vector<std::string> overrides;
};
class EveryEngine : public testing::TestWithParam<DqnCase> {};

TEST_P(EveryEngine, DecidesAsItsWeightsSayAndDeliversEverything) {
  const app::Simulated network = compiled(kTorusDqn, GetParam().overrides);
  const probes::dqn::Agents agents = untrained(network, 7);
  for (const double load : {0.2, 0.9}) {
    const RunResult r = simulated(network, checked(network, &agents, load, 4000));
    expect_accounted(r);
    EXPECT_GT(checked_of(r, "decisions"), 500u);
    EXPECT_GT(r.whole.counts["accepted"], 100);
    EXPECT_GT(r.whole.counts["rewards"], 50);
  }
}

INSTANTIATE_TEST_SUITE_P(
    , EveryEngine,
    testing::Values(DqnCase{"plane", {}},
                    DqnCase{"zero_time",
                            {"routing.dqn_zero_time=true", "routing.dqn_mask=receive"}},
                    DqnCase{"wide_patient",
                            {"routing.dqn_hidden=[32,16]", "routing.dqn_macs=64",
                             "routing.dqn_patient=true", "routing.dqn_mask=room"}},
                    DqnCase{"space",
                            {"topology.dims=[3,2,4]", "routing.dqn_observation=coordinates",
                             "router.vcs=4", "routing.dqn_pending=16"}}),
    [](const auto& instance) { return std::string(instance.param.name); });

class EveryPreference : public testing::TestWithParam<DqnCase> {};

TEST_P(EveryPreference, IsWhatTheWeightsSayAndEverythingIsDelivered) {
  std::vector<std::string> overrides = GetParam().overrides;
  overrides.emplace_back("routing.dqn_mask=receive");
  const app::Simulated network = compiled(kTorusDqn, overrides);
  const probes::dqn::Agents agents = untrained(network, 7);
  for (const double load : {0.2, 0.9}) {
    const RunResult r = simulated(network, checked(network, &agents, load, 4000));
    expect_accounted(r);
    EXPECT_GT(checked_of(r, "decisions"), 500u);
    EXPECT_GT(r.whole.counts["valuations"], 500);
    EXPECT_GT(r.whole.counts["decisions"], 500);
  }
}

INSTANTIATE_TEST_SUITE_P(
    , EveryPreference,
    testing::Values(
        DqnCase{"one", {"routing.dqn_preferences=1"}},
        DqnCase{"all", {"routing.dqn_preferences=4", "routing.dqn_preference_margin=0"}},
        DqnCase{"zero_time", {"routing.dqn_preferences=2", "routing.dqn_zero_time=true"}},
        DqnCase{"space",
                {"routing.dqn_preferences=3", "topology.dims=[3,2,4]", "router.vcs=4",
                 "routing.dqn_observation=coordinates"}}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST(DqnNetwork, WithoutWeightsPacketsGoInDimensionOrder) {
  const app::Simulated network = compiled(kTorusDqn);
  const RunResult r = simulated(network, checked(network, nullptr, 0.3, 3000));
  expect_accounted(r);
  EXPECT_EQ(r.whole.counts["decisions"], 0);
  EXPECT_EQ(checked_of(r, "decisions"), 0u);
}

TEST(DqnNetwork, TheCheckNoticesOneWeightThatIsNotWhatIsLoaded) {
  const app::Simulated network = compiled(kTorusDqn);
  const probes::dqn::Agents agents = untrained(network, 7);
  probes::dqn::Agents believed = agents;
  believed.agents[0].quantised.weights.parameters.back().bias[2] += 1;
  ProbedRun run = checked(network, &agents, 0.3, 2000);
  run.probing.dqn.believed = &believed;
  const RunResult r = simulated(network, run);
  EXPECT_FALSE(r.failures.empty());
  EXPECT_EQ(r.lost, 0u);
}

TEST(DqnNetwork, LostAcknowledgesCostRewardsAndNothingElse) {
  const app::Simulated network = compiled(kTorusDqn);
  const probes::dqn::Agents agents = untrained(network, 9);
  ProbedRun run = checked(network, &agents, 0.3, 60000);
  const RunResult all = simulated(network, run);
  run.lose_one_in = 3;
  const RunResult some = simulated(network, run);
  for (const RunResult* r : {&all, &some}) expect_accounted(*r);
  // Without losses on the way only an acknowledge that finds its queue full costs a reward, in each
  // router behind it.
  EXPECT_LE(all.whole.counts["expired"], 16 * all.whole.counts["dropped"]);
  EXPECT_LT(all.whole.counts["dropped"], all.whole.counts["rewards"] / 1000);
  EXPECT_GT(some.whole.counts["expired"], 100);
  EXPECT_LT(some.whole.counts["rewards"], all.whole.counts["rewards"]);
  EXPECT_GT(some.whole.counts["rewards"], 100);
}

TEST(DqnNetwork, WhatIsLearnedDependsOnTheSeedAlone) {
  const app::Simulated network = compiled(kTorusDqn, {"topology.dims=[3,3]"});
  const spec::NetworkSpec& n = network.setup->network;
  const auto train = [&](unsigned threads, bool skip_idle) {
    probes::dqn::Learner learner(probes::dqn::shape_of(n, network.setup->topology),
                                 routing::dqn::training(n.routing), 7, 3);
    ProbedRun run = checked(network, nullptr, 0.4, 12000);
    run.probing.dqn.learner = &learner;
    run.threads = threads;
    run.skip_idle = skip_idle;
    const RunResult r = simulated(network, run);
    expect_accounted(r);
    EXPECT_GT(checked_of(r, "decisions"), 3000u);
    EXPECT_GT(learner.trainer(0).steps(), 50u);
    std::vector<learn::FloatNetwork> networks;
    for (std::uint32_t a = 0; a < learner.agents(); ++a)
      networks.push_back(learner.trainer(a).network());
    return std::pair(networks, r.latency.mean);
  };
  const auto once = train(1, true);
  EXPECT_EQ(once, train(2, true));
  EXPECT_EQ(once, train(3, false));
}

}  // namespace
}  // namespace hopwise::engine
