// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>

#include "fixture.hpp"
#include "routing/ugal/ugal.hpp"
#include "topology/dragonfly.hpp"
#include "traffic/trace.hpp"

namespace hopwise::engine {
namespace {

unsigned route_cycles(const spec::NetworkSpec& spec) {
  return routing::family_of(routing::builtin_families(), spec.routing).route_cycles(spec.routing);
}

unsigned hops_between(const topology::Topology& topology, RouterId from, RouterId to) {
  return topology.has_groups()
             ? topology::Dragonfly(topology.spec())
                   .distance(static_cast<unsigned>(index(from)), static_cast<unsigned>(index(to)))
             : topology.distance(from, to);
}

/// Core cycles on the wires of a minimal path.
unsigned wire_cycles(const topology::Topology& topology, const spec::LinkSpec& link, RouterId from,
                     RouterId to) {
  if (topology.has_groups()) {
    const unsigned hops = hops_between(topology, from, to),
                   global = topology.coordinate(from, 1) != topology.coordinate(to, 1);
    return (hops - global) * link.latency_cycles[0] + global * link.latency_cycles[1];
  }
  unsigned cycles = 0;
  for (unsigned d = 0; d < topology.num_dims(); ++d) {
    std::vector<unsigned> c;
    for (unsigned e = 0; e < topology.num_dims(); ++e)
      c.push_back(topology.coordinate(e == d ? to : from, e));
    cycles += topology.distance(from, topology.router_at(c)) * link.latency_cycles[d];
  }
  return cycles;
}

/// Sends one packet at a time between all pairs of terminals and compares every latency with the
/// formula.
void expect_formula(const std::string& yaml, const std::vector<std::string>& overrides) {
  const app::Simulated network = compiled(yaml, overrides);
  const auto& topology = network.setup->topology;
  const auto& spec = network.proven->spec().network;
  const std::uint64_t gap = 600;  // longer than any packet's way
  std::vector<traffic::GeneratedPacket> packets;
  const unsigned shortest = spec.packet.format == spec::PacketFormatKind::kApenet ? 2 : 1;
  const auto terminals = static_cast<std::uint32_t>(topology.num_terminals());
  for (std::uint32_t s = 0; s < terminals; ++s) {
    for (std::uint32_t d = 0; d < terminals; ++d) {
      if (s == d) continue;
      const unsigned span = spec.packet.max_flits - shortest + 1;
      packets.push_back(
          {packets.size() * gap, TerminalId{s}, TerminalId{d}, shortest + (s * 7 + d) % span});
    }
  }
  const auto trace = traffic::parse_trace(traffic::format_trace(packets), "test",
                                          {terminals, shortest, spec.packet.max_flits});
  ASSERT_TRUE(trace.ok());
  RunOptions run;
  run.traffic = network.proven->spec().traffic;
  run.simulation = network.proven->spec().simulation;
  run.trace = &trace.value();
  run.record_deliveries = true;
  const RunResult r = simulated(network, run);
  expect_accounted(r);
  std::map<std::uint64_t, std::uint64_t> tail;  // packet number -> cycle of its last flit
  for (const Delivery& d : r.deliveries) tail[d.cycle / gap] = d.cycle;
  ASSERT_EQ(tail.size(), packets.size());
  const double flit_time = spec.link.cycles_per_flit.value();
  const bool whole = spec.router.switching == spec::Switching::kStoreAndForward,
             idle_wait = spec.link.idle_wait;
  const auto cycles_of = [flit_time](unsigned flits) {
    return static_cast<unsigned>(std::ceil(flits * flit_time));
  };
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const auto& p = packets[i];
    const RouterId from = topology.router_of(p.src), to = topology.router_of(p.dst);
    const unsigned wires =
        2 * topology.terminal_latency_cycles() + wire_cycles(topology, spec.link, from, to);
    const unsigned hops = hops_between(topology, from, to),
                   router = spec.router.pipeline_cycles + route_cycles(spec) +
                            (idle_wait ? cycles_of(1) + 1 : 0),
                   rest = idle_wait ? cycles_of(p.flits) - cycles_of(1) : cycles_of(p.flits - 1);
    const auto expected = (hops + 1) * router + wires + rest * (whole ? hops + 2 : 1);
    EXPECT_EQ(tail[i] - p.cycle, expected)
        << "terminal " << index(p.src) << " to " << index(p.dst) << ", " << p.flits << " flits";
  }
}

TEST(ZeroLoadLatency, IsTheFormulaForEveryPairOfATorus) { expect_formula(kTorus, {}); }

TEST(ZeroLoadLatency, IsTheFormulaWithThreePipelineCycles) {
  expect_formula(kTorus, {"router.pipeline_cycles=3"});
}

TEST(ZeroLoadLatency, IsTheFormulaWithFourAndFivePipelineCycles) {
  expect_formula(kTorus,
                 {"router.pipeline_cycles=4", "packet.max_flits=6", "router.vc_depth_flits=12"});
  expect_formula(
      kTorus, {"router.pipeline_cycles=5", "routing.algorithm=star_channel", "packet.max_flits=4"});
}

TEST(ZeroLoadLatency, IsTheFormulaWithOddSizesAndALatencyPerDimension) {
  expect_formula(kTorus, {"topology.dims=[3,5,2]", "link.latency_cycles=[2,5,1]",
                          "link.terminal_latency_cycles=3"});
}

TEST(ZeroLoadLatency, IsTheFormulaForLongPacketsOnSlowLinksWithOutputQueues) {
  expect_formula(kTorus,
                 {"packet.max_flits=6", "router.vc_depth_flits=12", "router.output_queue_flits=12",
                  "link.cycles_per_flit=5/2", "topology.terminals_per_router=2"});
}

TEST(ZeroLoadLatency, IsTheFormulaForLongPacketsOnSlowLinksWithoutOutputQueues) {
  expect_formula(kTorus,
                 {"packet.max_flits=6", "router.vc_depth_flits=12", "link.cycles_per_flit=5/2"});
}

TEST(ZeroLoadLatency, IsTheFormulaForStarChannelOnAMesh) {
  expect_formula(kTorus,
                 {"topology.kind=mesh", "routing.algorithm=star_channel", "packet.max_flits=4"});
}

TEST(ZeroLoadLatency, IsTheFormulaForWormhole) {
  expect_formula(kTorus, {"router.switching=wormhole", "packet.max_flits=20",
                          "routing.algorithm=star_channel", "router.vc_depth_flits=16"});
}

TEST(ZeroLoadLatency, IsTheFormulaForStoreAndForwardOnSlowLinks) {
  expect_formula(kTorus, {"router.switching=saf", "packet.max_flits=6", "router.vc_depth_flits=12",
                          "link.cycles_per_flit=5/2"});
}

TEST(ZeroLoadLatency, IsTheFormulaWhereIdleLinksWait) {
  expect_formula(kTorus, {"link.idle_wait=true", "packet.max_flits=6", "router.vc_depth_flits=12",
                          "router.output_queue_flits=12", "link.cycles_per_flit=5/2"});
}

// Links long enough that a local hop cannot stand for a global one.
const char* const kLongDragonfly72 = R"(
topology: {kind: dragonfly, terminals_per_router: 2, routers_per_group: 4, global_ports: 2, groups: 9}
link: {latency_cycles: [3, 17], terminal_latency_cycles: 2}
packet: {flit_bits: 64, max_flits: 1}
router: {vc_depth_flits: 8}
routing: {algorithm: min}
)";

TEST(ZeroLoadLatency, IsTheFormulaForEveryPairOfADragonfly) {
  expect_formula(kLongDragonfly72, {});
}

TEST(ZeroLoadLatency, IsTheFormulaForLongPacketsOfADragonflyWithThreePipelineCycles) {
  expect_formula(kLongDragonfly72,
                 {"packet.max_flits=5", "router.vc_depth_flits=10", "router.pipeline_cycles=3"});
}

TEST(ZeroLoadLatency, IsTheFormulaForLongPacketsOfADragonflyOnSlowLinksWithOutputQueues) {
  expect_formula(kLongDragonfly72, {"packet.max_flits=6", "router.vc_depth_flits=12",
                                    "router.output_queue_flits=12", "link.cycles_per_flit=5/2"});
}

TEST(ZeroLoadLatency, IsTheFormulaForADragonflyWhoseGroupsHaveRows) {
  expect_formula(kLongDragonfly72, {"topology.group_rows=2", "topology.arrangement=palmtree",
                                    "router.pipeline_cycles=3"});
}

TEST(ZeroLoadLatency, HasTheCyclesOfRouteComputation) {
  expect_formula(kLongDragonfly72, {"routing.route_cycles=1"});
  expect_formula(kLongDragonfly72,
                 {"routing.route_cycles=4", "router.pipeline_cycles=5", "packet.max_flits=3"});
}

TEST(ZeroLoadLatency, IsTheFormulaForApenetPackets) {
  expect_formula(kTorus, {"packet.format=apenet", "packet.flit_bits=128", "packet.max_flits=40",
                          "router.vc_depth_flits=64", "router.vcs=2"});
}

}  // namespace
}  // namespace hopwise::engine
