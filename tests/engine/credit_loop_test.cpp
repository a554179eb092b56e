// SPDX-License-Identifier: Apache-2.0
// What config::vc_share says of a VC is what the RTL does with it.
#include "config/warnings.hpp"

#include "fixture.hpp"

namespace hopwise::engine {
namespace {

using config::LinkEnds;

const char* const kOneLink = R"(
topology: {kind: mesh, dims: [2]}
link: {latency_cycles: 8}
packet: {flit_bits: 64, max_flits: 1}
router: {vcs: 1, vc_depth_flits: 20}
traffic: {pattern: neighbour, injection: periodic}
)";
const std::vector<std::string> kFourFlits = {"packet.max_flits=4", "traffic.packet_flits=4"};

struct Loop {
  const spec::Spec& spec;
  double cycles;
  unsigned flits() const { return spec.traffic.length.max_flits; }
  double share() const {
    return config::vc_share(spec.network, flits(), spec.network.router.vc_depth_flits[0], cycles);
  }
  unsigned enough() const { return config::sufficient_depth(spec.network, flits(), cycles); }
};

Loop loop_of(const app::Simulated& network, LinkEnds ends = LinkEnds::kRouters) {
  const spec::Spec& spec = network.proven->spec();
  const unsigned latency = ends == LinkEnds::kRouters ? spec.network.link.latency_cycles[0]
                                                      : spec.network.link.terminal_latency_cycles;
  return {spec, config::credit_loop_cycles(spec.network, network.setup->route_cycles,
                                           spec.traffic.length.max_flits, latency, ends)};
}

app::Simulated one_link(std::vector<std::string> overrides, bool four_flits = false) {
  if (four_flits) overrides.insert(overrides.end(), kFourFlits.begin(), kFourFlits.end());
  return compiled(kOneLink, overrides);
}

/// Accepted load of one flow in each direction that asks for all of the link.
double filled(const app::Simulated& network) {
  const RunResult r = simulated(network, short_run(network, 1, 8000));
  expect_accounted(r);
  return r.accepted_load;
}

TEST(CreditLoop, TheStatedDepthFillsALinkAndOneFlitLessLosesItsPart) {
  const app::Simulated enough = one_link({}), less = one_link({"router.vc_depth_flits=19"});
  EXPECT_EQ(loop_of(enough).enough(), 20u);
  EXPECT_EQ(loop_of(enough).share(), 1);
  EXPECT_NEAR(filled(enough), 1, 0.001);
  EXPECT_NEAR(loop_of(less).share(), 0.95, 1e-9);
  EXPECT_NEAR(filled(less), 0.95, 0.005);
}

TEST(CreditLoop, ALongerLinkIsFilledInProportion) {
  const app::Simulated network = one_link({"link.latency_cycles=48"});
  EXPECT_NEAR(loop_of(network).share(), 20. / 100, 1e-9);
  EXPECT_NEAR(filled(network), 0.2, 0.002);
}

TEST(CreditLoop, PacketsNeedRoomForAllTheirFlitsAtOnce) {
  const std::vector<std::string> slow = {"router.pipeline_cycles=4", "router.output_queue_flits=8",
                                         "link.cycles_per_flit=5/2", "link.latency_cycles=20"};
  const auto with_depth = [&](const char* depth) {
    std::vector<std::string> overrides = slow;
    overrides.push_back(depth);
    return one_link(overrides, true);
  };
  const app::Simulated enough = with_depth("router.vc_depth_flits=21"),
                       less = with_depth("router.vc_depth_flits=18");
  EXPECT_EQ(loop_of(enough).enough(), 21u);
  EXPECT_NEAR(filled(enough), 1, 0.005);
  EXPECT_NEAR(loop_of(less).share(), 40 / 47.5, 1e-9);
  EXPECT_NEAR(filled(less), loop_of(less).share(), 0.01);
}

TEST(CreditLoop, WhereHeadsWaitForRoomForTheLongestPacketThePlacesThatItLacksStayFree) {
  const std::vector<std::string> seven = {"packet.max_flits=7", "traffic.packet_flits=4",
                                          "router.room=longest"};
  for (const char* depth : {"router.vc_depth_flits=26", "router.vc_depth_flits=25"}) {
    std::vector<std::string> overrides = seven;
    overrides.push_back(depth);
    const app::Simulated network = one_link(overrides);
    EXPECT_EQ(loop_of(network).enough(), 26u);
    EXPECT_NEAR(filled(network), loop_of(network).share(), 0.005) << depth;
  }
}

TEST(CreditLoop, EverySwitchingAndPipelineHasItsOwn) {
  const char* const modes[] = {"router.switching=saf", "router.switching=wormhole",
                               "router.pipeline_cycles=5"};
  const double shares[] = {16. / 90, 16. / 84, 16. / 91};
  for (int i = 0; i < 3; ++i) {
    const app::Simulated network =
        one_link({"link.latency_cycles=40", "router.vc_depth_flits=16", modes[i]}, true);
    EXPECT_NEAR(loop_of(network).share(), shares[i], 1e-9) << modes[i];
    EXPECT_NEAR(filled(network), shares[i], 0.05 * shares[i]) << modes[i];
  }
}

TEST(CreditLoop, ATerminalReturnsACreditInTwoCycles) {
  const app::Simulated network =
      one_link({"link.terminal_latency_cycles=48", "link.latency_cycles=1"});
  EXPECT_NEAR(loop_of(network, LinkEnds::kRouterToTerminal).share(), 0.2, 1e-9);
  EXPECT_NEAR(filled(network), 0.2, 0.002);
}

}  // namespace
}  // namespace hopwise::engine
