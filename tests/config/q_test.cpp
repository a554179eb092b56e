// SPDX-License-Identifier: Apache-2.0
// The keys of routings that learn delivery times.
#include <gtest/gtest.h>

#include "config/load.hpp"
#include "config/validate.hpp"
#include "files.hpp"
#include "routing/q/q.hpp"

namespace hopwise::config {
namespace {

const std::string kDragonfly =
    "topology: {kind: dragonfly, terminals_per_router: 2, routers_per_group: 4, global_ports: 2}\n";

routing::q::Settings q(const std::string& text, const Overrides& overrides) {
  return routing::q::settings(good(text, overrides).network.routing);
}

TEST(Q, HasItsDocumentedDefaults) {
  const routing::q::Settings adaptive = q(kDragonfly, {"routing.algorithm=q_adaptive"});
  EXPECT_EQ(adaptive.alpha, 0.2);
  EXPECT_EQ(adaptive.beta, 0.04);
  EXPECT_EQ(adaptive.epsilon, 0.001);
  EXPECT_EQ(adaptive.threshold_source, 0.2);
  EXPECT_EQ(adaptive.threshold_intermediate, 0.35);
  EXPECT_EQ(adaptive.value_bits, 18U);
  EXPECT_EQ(adaptive.fraction_bits, 5U);
  EXPECT_EQ(adaptive.table_cycles, 3U);
  EXPECT_EQ(adaptive.initial, routing::q::Initial::kZeroLoad);
  EXPECT_EQ(adaptive.feedback, routing::q::Feedback::kFree);
  EXPECT_TRUE(adaptive.local_detours && !adaptive.queues && !adaptive.progressive);
  EXPECT_EQ(adaptive.banks, 1U);  // 7 ports
  const Overrides wide = {"routing.algorithm=q_adaptive", "topology.routers_per_group=8",
                          "topology.global_ports=4", "topology.terminals_per_router=4"};
  EXPECT_EQ(q(kDragonfly, wide).banks, 2U);  // 15 ports
  Overrides slow = wide;
  slow.emplace_back("link.cycles_per_flit=2");
  EXPECT_EQ(q(kDragonfly, slow).banks, 1U);
  const routing::q::Settings par = q(kDragonfly, {"routing.algorithm=q_par"});
  EXPECT_TRUE(!par.local_detours && par.queues && par.progressive);
}

TEST(Q, ABankNeedsANetworkPort) {
  EXPECT_EQ(q(kTorus, {"routing.algorithm=q_routing", "routing.q_banks=4"}).banks, 4U);
  const Overrides five = {"routing.algorithm=q_routing", "routing.q_banks=5"};
  const auto bad = load_builtin(kTorus, "net.yaml", five);
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.errors().front().code, "config.out-of-range");
  EXPECT_EQ(bad.errors().front().allowed, "1 to 4, the router's network ports");
}

TEST(Q, EveryKeyReachesTheSpecAndTheHash) {
  for (const char* algorithm : {"q_routing", "q_adaptive", "q_par"}) {
    const std::string text = kDragonfly + "routing: {algorithm: " + algorithm + "}\n";
    const bool everywhere = std::string_view(algorithm) == "q_routing",
               par = std::string_view(algorithm) == "q_par";
    const std::string hash = good(text, {}).network_hash;
    const auto heard = [&](std::string change) {
      const spec::Spec s = good(text, {change});
      EXPECT_EQ(good(s.canonical_network_yaml, {}).canonical_network_yaml, s.canonical_network_yaml)
          << change;
      return s.network_hash != hash;
    };
    for (const char* change :
         {"q_alpha=0.3", "q_beta=0.3", "q_epsilon=0.3", "q_value_bits=17", "q_fraction_bits=6",
          "q_table_cycles=2", "q_banks=2", "q_initial=optimistic", "q_feedback=admissible"}) {
      EXPECT_TRUE(heard(std::string("routing.") + change)) << algorithm << " " << change;
    }
    EXPECT_TRUE(heard(par ? "routing.q_queues=false" : "routing.q_queues=true"));
    EXPECT_EQ(heard("routing.q_max_hops=3"), everywhere);
    EXPECT_EQ(heard("routing.q_threshold_source=0.3"), !everywhere);
    EXPECT_EQ(heard("routing.q_threshold_intermediate=0.3"), !everywhere);
    EXPECT_TRUE(everywhere ||
                heard(par ? "routing.q_local_detours=true" : "routing.q_local_detours=false"));
    EXPECT_TRUE(everywhere ||
                heard(par ? "routing.q_progressive=false" : "routing.q_progressive=true"));
  }
}

TEST(Q, TheKeysOfOtherRoutingsLeaveTheNetworkAsItIs) {
  const std::string hash = good(kDragonfly, {"routing.algorithm=ugal_ln"}).network_hash;
  EXPECT_EQ(
      good(kDragonfly, {"routing.algorithm=ugal_ln", "routing.q_alpha=0.3", "routing.q_max_hops=5"})
          .network_hash,
      hash);
}

TEST(Q, OneComparisonHasLearnedAndOtherRoutings) {
  const spec::Spec s = good(kDragonfly +
                                "routing: {algorithm: min, q_alpha: 0.3, q_max_hops: 3}\n"
                                "experiment: {routings: [min, ugal_ln, q_routing, q_adaptive, "
                                "{algorithm: q_par, routing.q_progressive: false}]}\n",
                            {});
  EXPECT_EQ(s.experiment.routings.size(), 5U);
}

TEST(Q, MaxHopsFollowTheTopology) {
  const auto hops = [](const std::string& text) {
    return q(text, {"routing.algorithm=q_routing"}).max_hops;
  };
  EXPECT_EQ(hops(kDragonfly), 2U);
  EXPECT_EQ(hops(kTorus), 8U);
  EXPECT_EQ(hops("topology: {kind: torus, dims: [5, 2, 3]}"), 8U);
  EXPECT_EQ(hops("topology: {kind: torus, dims: [2]}"), 2U);
  EXPECT_EQ(hops("topology: {kind: torus, dims: [64, 64]}"), 62U);
}

TEST(Q, ThereIsAClassForEveryHopOrForTheEscapes) {
  using Names = std::vector<std::string>;
  const auto classes = [](const std::string& text, const Overrides& overrides) {
    const spec::NetworkSpec n = good(text, overrides).network;
    Names names;
    const auto& family = routing::family_of(routing::builtin_families(), n.routing);
    for (const auto& c : family.vc_classes(n.topology, n.routing)) names.push_back(c.name);
    return names;
  };
  EXPECT_EQ(classes(kDragonfly, {"routing.algorithm=q_adaptive"}),
            (Names{"hop0", "hop1", "hop2", "hop3", "hop4"}));
  EXPECT_EQ(classes(kDragonfly, {"routing.algorithm=q_par"}).size(), 5U);
  EXPECT_EQ(classes(kDragonfly, {"routing.algorithm=q_routing"}).size(), 5U);
  EXPECT_EQ(classes(kDragonfly, {"routing.algorithm=q_routing", "routing.q_max_hops=12"}).size(),
            15U);
  EXPECT_EQ(classes(kTorus, {"routing.algorithm=q_routing"}),
            (Names{"escape0", "escape1", "adaptive"}));
}

TEST(Q, VcsBeyondOneForEachClassAreAdaptiveOrSpreadOverTheHops) {
  const auto counts = [](const std::string& text, const char* algorithm, const char* vcs) {
    return good(text, {std::string("routing.algorithm=") + algorithm, vcs})
        .network.routing.vcs_per_class;
  };
  EXPECT_EQ(counts(kTorus, "q_routing", "router.vcs=6"), (std::vector<unsigned>{1, 1, 4}));
  EXPECT_EQ(counts(kDragonfly, "q_par", "router.vcs=7"), (std::vector<unsigned>{2, 2, 1, 1, 1}));
  EXPECT_EQ(counts(kDragonfly, "q_par", "routing.vcs_per_class=[2,3,2,1,1]"),
            (std::vector<unsigned>{2, 3, 2, 1, 1}));
}

}  // namespace
}  // namespace hopwise::config
