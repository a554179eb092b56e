// SPDX-License-Identifier: Apache-2.0
// Saturation of the router on the tori that other simulators publish figures for. Cycles are
// counted, not seconds.
#include "fixture.hpp"

namespace hopwise::engine {
namespace {

const char* const kTorus8x8 = R"(
topology: {kind: torus, dims: [8, 8]}
packet: {flit_bits: 64, max_flits: 1}
router: {vcs: 4, vc_depth_flits: 32}
)";

constexpr std::uint64_t kCycles = 6000;

TEST(Throughput, An8x8TorusWithDimensionOrderSustains068AndKeepsIt) {
  const app::Simulated network = compiled(kTorus8x8);
  EXPECT_FALSE(at_load(network, "uniform", 0.68, kCycles).saturated);
  EXPECT_GE(at_load(network, "uniform", 1.0, kCycles).accepted_load, 0.69);
}

/// Flows from afar meet others at every hop. With turns of one packet they get next to nothing.
TEST(Throughput, AnOverloaded8x8TorusIsFairToEveryTerminalBecauseOfTheWeights) {
  const app::Simulated weighted = compiled(kTorus8x8),
                       equal = compiled(kTorus8x8, {"router.allocator.arbiter=round_robin"});
  for (const double load : {0.3, 0.5, 1.0}) {
    const RunResult r = at_load(weighted, "tornado", load, kCycles);
    EXPECT_GE(r.accepted_load, 0.22) << load;
    EXPECT_GE(r.fairness.jain, 0.95) << load;
    EXPECT_GE(r.fairness.min, r.fairness.mean / 2) << load;
  }
  const RunResult r = at_load(equal, "tornado", 1.0, kCycles);
  EXPECT_LT(r.accepted_load, 0.1);
  EXPECT_LT(r.fairness.jain, 0.5);
}

TEST(Throughput, A4x4TorusWithDimensionOrderSustains088) {
  EXPECT_FALSE(
      at_load(compiled(kTorus8x8, {"topology.dims=[4,4]"}), "uniform", 0.88, kCycles).saturated);
}

TEST(Throughput, StarChannelSustainsWhatDimensionOrderDoesAndMoreUnderTranspose) {
  const app::Simulated star = compiled(kTorus8x8, {"routing.algorithm=star_channel"}),
                       dor = compiled(kTorus8x8);
  EXPECT_FALSE(at_load(star, "uniform", 0.64, kCycles).saturated);
  EXPECT_FALSE(at_load(star, "transpose", 0.31, kCycles).saturated);
  EXPECT_TRUE(at_load(dor, "transpose", 0.31, kCycles).saturated);
}

}  // namespace
}  // namespace hopwise::engine
