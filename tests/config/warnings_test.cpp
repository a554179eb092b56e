// SPDX-License-Identifier: Apache-2.0
#include "config/warnings.hpp"

#include <gtest/gtest.h>

#include "files.hpp"

namespace hopwise::config {
namespace {

const std::string kLong = R"(
topology: {kind: torus, dims: [8, 8]}
link: {latency_ns: 200, core_clock_ghz: 1}
router: {vcs: 2, vc_depth_flits: 16}
)";

Warnings of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const auto loaded = load_builtin(text, "net.yaml", overrides);
  EXPECT_TRUE(loaded.ok()) << (loaded.ok() ? "" : format(loaded.errors()));
  const spec::Spec& spec = loaded.value();
  const Catalogue all = builtin();
  const topology::Topology topology(all.kinds, spec.network.topology, spec.network.link);
  const auto relation = routing::make_relation(all.families, spec.network, topology);
  const unsigned route_cycles =
      routing::family_of(all.families, spec.network.routing).route_cycles(spec.network.routing);
  return warnings("label", spec, topology, *relation, route_cycles, all.patterns,
                  spec.experiment.patterns);
}

std::string text_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return format(of(text, overrides));
}

TEST(Warnings, ABufferBelowTheRoundTripOfItsLinkIsSaidWithWhatItCanFillAndWhatWouldDo) {
  EXPECT_EQ(text_of(kLong),
            "warning[network.credit-loop]: label: a VC of 16 flits can fill 0.040 of a link "
            "(dimension 0, dimension 1): a credit is back after 404 core cycles; 404 flits "
            "(router.vc_depth_flits) would do\n");
  EXPECT_EQ(text_of(kLong, {"router.vc_depth_flits=404"}), "");
}

TEST(Warnings, TheVcsOfAClassFillALinkTogether) {
  EXPECT_EQ(text_of(kLong, {"router.vcs=4", "packet.max_flits=4", "traffic.packet_flits=4"}),
            "warning[network.credit-loop]: label: a VC of 16 flits can fill 0.039 of a link "
            "(dimension 0, dimension 1) with packets of 4 flits, the 2 of class escape0 together "
            "0.079: a credit is back after 404 core cycles; 407 flits (router.vc_depth_flits) "
            "would do\n");
  EXPECT_EQ(text_of(kLong, {"router.vcs=4", "router.vc_depth_flits=202"}), "");
}

TEST(Warnings, NineTenthsOfALinkAreEnough) {
  EXPECT_EQ(text_of(kLong, {"router.vc_depth_flits=364"}), "");
  EXPECT_EQ(of(kLong, {"router.vc_depth_flits=363"}).size(), 1u);
}

TEST(Warnings, EveryLatencyOfALinkHasItsOwn) {
  const auto found = of(kLong, {"link.latency_ns=[200, 2]"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].text.find("a link (dimension 0):"), std::string::npos) << found[0].text;
}

TEST(Warnings, ALinkToATerminalHasOneVc) {
  const auto found = of("topology: {kind: torus, dims: [8, 8]}\nrouter: {vcs: 4}\n",
                        {"link.terminal_latency_cycles=40"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].text,
            "a VC of 16 flits can fill 0.190 of the link to a terminal: a credit is back after 84 "
            "core cycles; 84 flits (router.vc_depth_flits) would do");
}

TEST(Warnings, ATornadoOfNeighboursIsSaid) {
  const std::string torus = "topology: {kind: torus, dims: [4, 4]}\ntraffic: {pattern: tornado}\n";
  const auto found = of(torus);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].code, "traffic.pattern");
  EXPECT_EQ(found[0].pattern, "tornado");
  EXPECT_EQ(found[0].routings, std::vector<std::string>{"label"});
  EXPECT_EQ(found[0].text,
            "with at most 4 routers along a dimension a tornado moves ceil(k/2) - 1 = 1: packets "
            "go to the next router, as with the pattern neighbour; five or more make it another "
            "one");
  EXPECT_EQ(of(torus, {"topology.dims=[3, 2]"}).size(), 1u);
  EXPECT_EQ(of(torus, {"topology.kind=mesh"}).size(), 1u);
  EXPECT_TRUE(of(torus, {"topology.dims=[5, 4]"}).empty());
  EXPECT_TRUE(of(torus, {"traffic.pattern=uniform"}).empty());
  EXPECT_TRUE(of(torus, {"experiment.patterns=[uniform, neighbour]"}).empty());
}

TEST(Warnings, ATornadoOfGroupsLoadsASingleLinkHoweverFewTheyAre) {
  EXPECT_TRUE(of("topology: {kind: dragonfly, terminals_per_router: 2, routers_per_group: 4, "
                 "global_ports: 2, groups: 4}\ntraffic: {pattern: tornado}\n")
                  .empty());
}

TEST(Warnings, OnesThatSayTheSameAreOne) {
  Warnings all;
  add(all, {"a.b", "text", {"dor"}, "uniform", {0.5}});
  add(all, {"a.b", "text", {"dor", "star"}, "uniform", {0.5}});
  add(all, {"a.b", "text", {"dor"}, "uniform", {0.25}});
  EXPECT_EQ(format(all),
            "warning[a.b]: dor, star, uniform, at 0.5: text\n"
            "warning[a.b]: dor, uniform, at 0.25: text\n");
  EXPECT_EQ(format(Warning{"a.b", "text", {}, "", {}}), "warning[a.b]: text\n");
}

}  // namespace
}  // namespace hopwise::config
