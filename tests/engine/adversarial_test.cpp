// SPDX-License-Identifier: Apache-2.0
// What dfly(2, 4, 2, 9) sustains under the patterns that its routings are made for. Cycles are
// counted, not seconds.
#include <map>

#include "fixture.hpp"
#include "topology/dragonfly.hpp"
#include "traffic/trace.hpp"

namespace hopwise::engine {
namespace {

const char* const kDragonfly72 = R"(
topology: {kind: dragonfly, terminals_per_router: 2, routers_per_group: 4, global_ports: 2, groups: 9}
link: {latency_cycles: [2, 4]}
packet: {flit_bits: 64, max_flits: 1}
router: {vc_depth_flits: 32, output_queue_flits: 16, allocator: {iterations: 2}}
routing: {algorithm: min}
)";

app::Simulated dragonfly72_with(const char* algorithm) {
  return compiled(kDragonfly72, {std::string("routing.algorithm=") + algorithm});
}

TEST(Adversarial, UniformTrafficAtHalfLoadIsAcceptedMinimallyAndAdaptively) {
  for (const char* algorithm : {"min", "ugal_le"}) {
    EXPECT_NEAR(at_load(dragonfly72_with(algorithm), "uniform", 0.5, 4000).accepted_load, 0.5, 0.01)
        << algorithm;
  }
}

TEST(Adversarial, MinimalRoutingSharesOneLinkBetweenTheTerminalsOfAGroupAndUgalLeDoesNot) {
  const double minimal = at_load(dragonfly72_with("min"), "adv+1", 0.5, 4000).accepted_load;
  EXPECT_NEAR(minimal, 1.0 / 8, 0.005);  // one link for eight terminals
  const RunResult adaptive = at_load(dragonfly72_with("ugal_le"), "adv+1", 0.5, 4000);
  EXPECT_GE(adaptive.accepted_load, 2.5 * minimal);
  EXPECT_GT(adaptive.nonminimal_share, 0.5);
}

TEST(Adversarial, AChangeOfThePatternShowsInTheSeriesFromItsCycleOn) {
  const app::Simulated network = dragonfly72_with("ugal_le");
  RunOptions run = short_run(network, 0.3, 8000);
  run.simulation.warmup_cycles = 500;
  run.traffic.pattern = "uniform";
  run.traffic.switch_pattern = "adv+1";
  run.traffic.switch_cycle = 4000;
  const RunResult r = simulated(network, run);
  expect_accounted(r);
  double before = 0, after = 0, rows_before = 0, rows_after = 0;
  for (const auto& row : r.series) {
    const double nonminimal = row.counts.mean("nonminimal", "decisions");
    // `cycle` is the first after the point: the point that ends at 4000 is the last before the
    // switch.
    if (row.cycle > 1000 && row.cycle <= 4000) {
      before += nonminimal;
      ++rows_before;
      EXPECT_LT(nonminimal, 0.5) << row.cycle;
    }
    if (row.cycle > 4600) {  // the counts of a window of 500 cycles have taken notice
      after += nonminimal;
      ++rows_after;
      EXPECT_GT(nonminimal, 0.5) << row.cycle;
    }
  }
  ASSERT_GT(rows_before, 5);
  ASSERT_GT(rows_after, 5);
  std::cout << "non-minimal share before " << before / rows_before << ", after "
            << after / rows_after << "\n";
}

TEST(Adversarial, EveryChannelCarriesTheMinimalPathsThatLeadThroughIt) {
  const app::Simulated network = dragonfly72_with("min");
  const auto& topology = network.setup->topology;
  const auto& d = topology::Dragonfly(topology.spec());
  const auto terminals = static_cast<std::uint32_t>(topology.num_terminals());
  std::vector<traffic::GeneratedPacket> packets;
  std::map<std::size_t, unsigned> expected;  // channel -> packets
  for (std::uint32_t s = 0; s < terminals; ++s) {
    for (std::uint32_t t = 0; t < terminals; ++t) {
      if (s == t) continue;
      packets.push_back({packets.size() * 8, TerminalId{s}, TerminalId{t}, 1});
      auto at = static_cast<std::uint32_t>(index(topology.router_of(TerminalId{s})));
      const auto to = static_cast<std::uint32_t>(index(topology.router_of(TerminalId{t})));
      while (at != to) {
        unsigned port = d.local_port(at % 4, to % 4);
        if (at / 4 != to / 4) {
          const auto end = d.global_end(at / 4, to / 4, 0);
          port = end.router == at % 4 ? end.port : d.local_port(at % 4, end.router);
        }
        const auto id =
            topology.out_channel(RouterId{at}, PortId(static_cast<std::uint16_t>(port))).value();
        ++expected[index(id)];
        at = static_cast<std::uint32_t>(index(topology.channel(id).dst));
      }
    }
  }
  const auto trace =
      traffic::parse_trace(traffic::format_trace(packets), "test", {terminals, 1, 1});
  ASSERT_TRUE(trace.ok());
  RunOptions run = short_run(network, 0.1);
  run.trace = &trace.value();
  const RunResult r = simulated(network, run);
  expect_accounted(r);
  ASSERT_EQ(r.link_utilisation.size(), topology.channels().size());
  for (std::uint32_t c = 0; c < topology.channels().size(); ++c) {
    EXPECT_GT(expected[c], 0u);
    EXPECT_NEAR(r.link_utilisation[c] * static_cast<double>(r.measured_cycles), expected[c], 1e-6)
        << topology.name(ChannelId{c});
  }
}

TEST(Adversarial, TheTableWindowCountsTheDecisionsThatTheSeriesShows) {
  const RunResult r = at_load(dragonfly72_with("ugal_le"), "adv+1", 0.3, 4000);
  double decisions = 0, nonminimal = 0, seen = 0, seen_nonminimal = 0;
  for (const auto& router : r.routers) {
    decisions += router.decisions;
    nonminimal += router.nonminimal;
  }
  for (const auto& row : r.series) {
    seen += static_cast<double>(row.counts["decisions"]);
    seen_nonminimal += static_cast<double>(row.counts["nonminimal"]);
  }
  // What was still in the source queues' heads when the series ended has been decided since.
  EXPECT_GT(seen, 1000);
  EXPECT_GE(decisions, seen);
  EXPECT_LE(decisions, 1.02 * seen + 100);
  EXPECT_GE(nonminimal, seen_nonminimal);
  EXPECT_LE(nonminimal, 1.02 * seen_nonminimal + 100);
}

}  // namespace
}  // namespace hopwise::engine
