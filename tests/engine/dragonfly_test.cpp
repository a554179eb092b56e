// SPDX-License-Identifier: Apache-2.0
// What the engine promises, on small dragonflies with routings that draw random bits, ask an oracle
// and count flows.
#include <map>
#include <set>

#include <fmt/format.h>

#include "app/results.hpp"
#include "fixture.hpp"
#include "traffic/trace.hpp"

namespace hopwise::engine {
namespace {

app::Simulated dragonfly_with(const std::string& algorithm,
                              std::vector<std::string> overrides = {}) {
  overrides.push_back("routing.algorithm=" + algorithm);
  if (algorithm.ends_with("dgb")) overrides.push_back("packet.flit_bits=128");  // room for stamps
  return compiled(kDragonfly, overrides);
}

TEST(Dragonfly, TheAccountingFindsEveryKindOfFaultUnderValiantRouting) {
  const app::Simulated network = dragonfly_with("valn");
  const auto failures = [&](SeededFault::Kind kind, std::uint64_t flit) {
    RunOptions run = short_run(network, 0.3);
    run.fault = SeededFault{kind, flit};
    return simulated(network, run).failures.size();
  };
  EXPECT_GT(failures(SeededFault::Kind::kDrop, 100), 0u);
  EXPECT_GT(failures(SeededFault::Kind::kCorrupt, 100), 0u);
  EXPECT_GT(failures(SeededFault::Kind::kDuplicate, 100), 0u);
  std::size_t found = 0;  // the fault bites where it hits a head flit
  for (std::uint64_t flit = 100; flit < 106; ++flit)
    found += failures(SeededFault::Kind::kMisdeliver, flit);
  EXPECT_GT(found, 0u);
}

class EveryRouting : public testing::TestWithParam<const char*> {};

TEST_P(EveryRouting, OfADragonflyDeliversEveryPacketAtLowAndBeyondFullLoad) {
  const app::Simulated network = dragonfly_with(GetParam());
  for (const char* pattern : {"uniform", "adv+1"}) {
    for (const double load : {0.1, 1.0}) {
      SCOPED_TRACE(fmt::format("{} {}", pattern, load));
      RunOptions run = short_run(network, load, 3000);
      run.traffic.pattern = pattern;
      const RunResult r = simulated(network, run);
      expect_accounted(r);
      std::uint64_t in = 0, out = 0;
      for (const auto& c : r.routers) {
        in += c.flits_in;
        out += c.flits_out;
      }
      EXPECT_EQ(in, out);
      const std::string name = GetParam();
      if (name == "min") {
        EXPECT_EQ(r.nonminimal_share, 0);
      } else if (name[0] == 'v' && std::string(pattern) == "adv+1") {
        EXPECT_EQ(r.nonminimal_share, 1);  // all traffic is between groups
      }
    }
  }
}

TEST_P(EveryRouting, GivesTheSameBytesForAnyThreadsAndWithAndWithoutSkippingOfIdleRouters) {
  const app::Simulated network = dragonfly_with(GetParam());
  const auto bytes = [&](RunOptions run) {
    run.record_deliveries = true;
    const RunResult r = simulated(network, run);
    expect_accounted(r);
    // The series and the contention map are in there.
    std::string text = app::point_json("r", "p", r, *network.proven).dump();
    for (const Delivery& d : r.deliveries) {
      text +=
          fmt::format("{} {} {} {} {}\n", d.cycle, index(d.src), index(d.dst), d.packet_id, d.flit);
    }
    return text;
  };
  for (const double load : {0.04, 0.7}) {
    RunOptions run = short_run(network, load, 1500);
    run.traffic.pattern = "mixed_router_shift:50";
    const std::string one = bytes(run);
    for (const unsigned threads : {2u, 3u}) {
      run.threads = threads;
      EXPECT_TRUE(bytes(run) == one) << threads << " threads, load " << load;
    }
    run.threads = 1;
    run.skip_idle = false;
    EXPECT_TRUE(bytes(run) == one) << "idle routers stepped, load " << load;
    run.simulation.seed = 2;
    EXPECT_FALSE(bytes(run) == one);
  }
}

INSTANTIATE_TEST_SUITE_P(, EveryRouting,
                         testing::Values("min", "valg", "valn", "ugal_lg", "ugal_ln", "ugal_global",
                                         "par", "ugal_le", "dgb", "edgb"),
                         [](const auto& instance) { return std::string(instance.param); });

struct DragonflyMode {
  const char* name;
  const char* algorithm;
  std::vector<std::string> overrides;
};

class EveryDragonfly : public testing::TestWithParam<DragonflyMode> {};

TEST_P(EveryDragonfly, DeliversEveryPacketAtLowAndBeyondFullLoad) {
  const app::Simulated network = dragonfly_with(GetParam().algorithm, GetParam().overrides);
  for (const double load : {0.1, 1.0})
    expect_accounted(simulated(network, short_run(network, load, 2000)));
}

INSTANTIATE_TEST_SUITE_P(
    , EveryDragonfly,
    testing::Values(
        DragonflyMode{"many_links", "ugal_ln", {"topology.groups=3", "topology.global_ports=2"}},
        DragonflyMode{
            "min_over_many_links", "min", {"topology.groups=2", "topology.terminals_per_router=2"}},
        DragonflyMode{"rows",
                      "par",
                      {"topology.routers_per_group=4", "topology.group_rows=2",
                       "topology.arrangement=circulant"}},
        DragonflyMode{"wormhole",
                      "valn",
                      {"router.switching=wormhole", "packet.max_flits=20",
                       "traffic.packet_flits={min: 1, max: 20}"}},
        DragonflyMode{"route_1", "par", {"routing.route_cycles=1"}},
        DragonflyMode{"route_3",
                      "min",
                      {"routing.route_cycles=3", "traffic.packet_flits={min: 1, max: 2}",
                       "link.latency_cycles=1"}},
        DragonflyMode{"own_vcs", "ugal_lg", {"routing.minimal_vcs=own"}},
        DragonflyMode{
            "own_vcs_revised",
            "par",
            {"routing.minimal_vcs=own", "router.output_queue_flits=8", "link.cycles_per_flit=5/2"}},
        DragonflyMode{"route_2", "ugal_global", {"routing.route_cycles=2"}},
        DragonflyMode{"route_4", "dgb", {"routing.route_cycles=4", "router.pipeline_cycles=4"}},
        DragonflyMode{"output_queues",
                      "ugal_le",
                      {"router.output_queue_flits=8", "link.cycles_per_flit=5/2",
                       "router.pipeline_cycles=3", "routing.queue_metric=in_flight_corrected"}}),
    [](const auto& instance) { return std::string(instance.param.name); });

/// The same packets, whatever the seed.
std::vector<Delivery> deliveries(const app::Simulated& network, std::uint64_t seed) {
  const auto terminals = static_cast<std::uint32_t>(network.setup->topology.num_terminals());
  std::vector<traffic::GeneratedPacket> packets;
  for (std::uint32_t i = 0; i < 400; ++i) {
    const std::uint32_t src = i * 5 % terminals;
    packets.push_back(
        {i * 3, TerminalId{src}, TerminalId{(src + 1 + i % (terminals - 1)) % terminals}, 1});
  }
  const auto trace =
      traffic::parse_trace(traffic::format_trace(packets), "test", {terminals, 1, 4});
  EXPECT_TRUE(trace.ok());
  RunOptions run = short_run(network, 0.1);
  run.trace = &trace.value();
  run.record_deliveries = true;
  run.simulation.seed = seed;
  const RunResult r = simulated(network, run);
  expect_accounted(r);
  return r.deliveries;
}

TEST(Dragonfly, TheSeedDecidesWhichRandomPathsAreTaken) {
  const app::Simulated valiant = dragonfly_with("valn"), minimal = dragonfly_with("min");
  EXPECT_EQ(deliveries(valiant, 1), deliveries(valiant, 1));
  EXPECT_NE(deliveries(valiant, 1), deliveries(valiant, 2));
  // one link between two groups: nothing to draw
  EXPECT_EQ(deliveries(minimal, 1), deliveries(minimal, 2));
}

TEST(Dragonfly, RoutersDrawFromStreamsOfTheirOwn) {
  // Every router sends one packet, alone, to the group after the next: with one stream for all,
  // every group would take the same detour.
  const app::Simulated network = dragonfly_with("valn", {"topology.groups=4"});
  const auto& topology = network.setup->topology;
  std::vector<traffic::GeneratedPacket> packets;
  constexpr std::uint64_t kGap = 400;
  for (std::uint32_t round = 0; round < 6; ++round) {
    for (std::uint32_t t = 0; t < topology.num_terminals(); ++t) {
      packets.push_back({packets.size() * kGap, TerminalId{t}, TerminalId{(t + 6) % 12}, 1});
    }
  }
  const auto trace = traffic::parse_trace(traffic::format_trace(packets), "test",
                                          {topology.num_terminals(), 1, 4});
  ASSERT_TRUE(trace.ok());
  RunOptions run = short_run(network, 0.1);
  run.trace = &trace.value();
  run.record_deliveries = true;
  const RunResult r = simulated(network, run);
  expect_accounted(r);
  std::map<std::size_t, std::string> latencies;  // of each source
  for (const Delivery& d : r.deliveries)
    latencies[index(d.src)] += fmt::format("{} ", d.cycle % kGap);
  std::set<std::string> different;
  for (const auto& [src, text] : latencies) different.insert(text);
  EXPECT_GE(different.size(), 10u);
}

}  // namespace
}  // namespace hopwise::engine
