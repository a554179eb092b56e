// SPDX-License-Identifier: Apache-2.0
// The keys of DQN-Routing and of its training.
#include <gtest/gtest.h>

#include "config/load.hpp"
#include "config/validate.hpp"
#include "files.hpp"
#include "routing/dqn/dqn.hpp"

namespace hopwise::config {
namespace {

const std::string kDqnTorus = "topology: {kind: torus, dims: [4, 4]}\nrouting: {algorithm: dqn}\n";

TEST(Dqn, HasItsDocumentedDefaults) {
  const spec::Spec s = good(kDqnTorus);
  const routing::dqn::Settings d = routing::dqn::settings(s.network.routing);
  EXPECT_EQ(d.hidden, (std::vector<unsigned>{32, 16}));
  EXPECT_EQ(d.layers(2), (std::vector<unsigned>{13, 32, 16, 4}));
  EXPECT_EQ(d.layers(3), (std::vector<unsigned>{19, 32, 16, 6}));
  EXPECT_EQ(d.macs, 64U);
  EXPECT_EQ(d.max_hops, 8U);
  EXPECT_EQ(d.pending, 64U);
  EXPECT_EQ(d.ack_ratio, 1U);
  EXPECT_EQ(d.epsilon, 0.02);
  EXPECT_FALSE(d.patient || d.zero_time);
  EXPECT_EQ(d.preferences, 0U);
  EXPECT_EQ(s.network.router.vcs, 3U);
  const routing::dqn::Training t = routing::dqn::training(s.network.routing);
  EXPECT_EQ(t.share, routing::dqn::AgentSharing::kRow);
  EXPECT_EQ(t.epsilon_values, (std::vector<double>{1, 0.1, 0.1, 0.02}));
}

TEST(Dqn, EveryKeyOfTheHardwareReachesTheHash) {
  const std::string hash = good(kDqnTorus).network_hash;
  for (const char* change :
       {"dqn_hidden=[16]", "dqn_macs=16", "dqn_zero_time=true", "dqn_observation=coordinates",
        "dqn_mask=room", "dqn_pending=32", "dqn_max_hops=6", "dqn_ack_ratio=2", "dqn_epsilon=0.1",
        "dqn_counters=true", "dqn_patient=true", "dqn_preferences=2", "dqn_preference_margin=2"}) {
    const spec::Spec s = good(kDqnTorus, {std::string("routing.") + change});
    EXPECT_NE(s.network_hash, hash) << change;
    EXPECT_EQ(good(s.canonical_network_yaml).canonical_network_yaml, s.canonical_network_yaml)
        << change;
  }
  EXPECT_EQ(good(kDqnTorus, {"routing.agent=some/file.json"}).network_hash, hash)
      << "weights are loaded into the hardware";
}

TEST(Dqn, TheKeysOfTrainingReachTheSpec) {
  const spec::Spec s =
      good(kDqnTorus, {"training.share=all", "training.decisions=5", "training.load=0.3",
                       "training.epsilon=[0.5]", "training.epsilon_steps=[0]",
                       "training.swap_delay_cycles=7", "training.quantisation_aware=false"});
  const routing::dqn::Training t = routing::dqn::training(s.network.routing);
  EXPECT_EQ(t.share, routing::dqn::AgentSharing::kAll);
  EXPECT_EQ(t.decisions, 5U);
  EXPECT_EQ(t.load, 0.3);
  EXPECT_EQ(t.epsilon_values, std::vector<double>{0.5});
  EXPECT_EQ(t.swap_delay_cycles, 7U);
  EXPECT_FALSE(t.quantisation_aware);
}

TEST(Dqn, OtherRoutingsDoNotMindItsNumbers) {
  const spec::Spec s = good("topology: {kind: mesh, dims: [4, 4]}\nrouter: {switching: wormhole}\n",
                            {"routing.dqn_macs=48"});
  EXPECT_EQ(s.network.routing.algorithm, "dor");
}

}  // namespace
}  // namespace hopwise::config
