// SPDX-License-Identifier: Apache-2.0
// The whole network in SystemVerilog, with SystemC terminals, and the engine's network of single
// routers deliver the same flits in the same cycles.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "../engine/fixture.hpp"
#include "app/bundles.hpp"
#include "emit/bundle.hpp"
#include "traffic/pattern.hpp"

namespace hopwise::engine {
namespace {

namespace fs = std::filesystem;

const char* const kNetwork = R"(
topology: {kind: torus, dims: [4, 4]}
packet: {flit_bits: 64, max_flits: 4}
router: {vc_depth_flits: 8}
traffic: {packet_flits: {min: 1, max: 4}}
)";

const char* const kDragonfly = R"(
topology: {kind: dragonfly, routers_per_group: 2, global_ports: 1, groups: 3}
packet: {flit_bits: 64, max_flits: 4}
router: {vc_depth_flits: 8}
traffic: {packet_flits: {min: 1, max: 4}}
)";

/// More cycles than the tables below have rows.
constexpr std::uint64_t kTablesStarted = 40;

struct Case {
  const char* name;
  std::vector<std::string> overrides;
  double load;
  std::uint64_t cycles;  ///< during which packets are generated
  const char* network = kNetwork;
  /// Before it no packet is generated. A table starts with a row per cycle, and questions wait for
  /// it; the SystemC terminals send a few cycles later after the reset than those of the engine.
  std::uint64_t first = 0;
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

/// Packets of the network's traffic. A stream delivers a flit per cycle, so a packet counts as
/// generated when its last flit can have been delivered behind the packets before it; the engine's
/// source would have all of it at once.
std::vector<traffic::GeneratedPacket> stimulus(const app::Simulated& network, const Case& c) {
  const auto& spec = network.proven->spec();
  const auto& topology = network.proven->topology();
  const auto pattern = traffic::make_pattern(traffic::builtin_patterns(), spec.traffic,
                                             spec.traffic.pattern, topology, 7);
  EXPECT_TRUE(pattern.ok());
  const traffic::InjectionModel injection(spec.traffic, c.load, spec.network.link.cycles_per_flit);
  std::vector<traffic::GeneratedPacket> packets;
  for (std::uint32_t t = 0; t < topology.num_terminals(); ++t) {
    traffic::Source source(TerminalId{t}, *pattern.value(), injection, traffic::Random(7, t));
    std::uint64_t free = c.first;
    while (source.next_cycle() < c.cycles) {
      traffic::GeneratedPacket p = source.pop();
      p.cycle = std::max(p.cycle, free + p.flits);
      free = p.cycle;
      packets.push_back(p);
    }
  }
  std::stable_sort(packets.begin(), packets.end(),
                   [](const auto& a, const auto& b) { return a.cycle < b.cycle; });
  return packets;
}

std::vector<Delivery> read_deliveries(const fs::path& path) {
  std::ifstream in(path);
  std::vector<Delivery> deliveries;
  std::uint64_t cycle = 0;
  std::uint32_t src = 0, dst = 0, id = 0, flit = 0;
  while (in >> cycle >> src >> dst >> id >> flit)
    deliveries.push_back({cycle, TerminalId{src}, TerminalId{dst}, id, flit});
  return deliveries;
}

std::string text(const Delivery& d) {
  std::ostringstream out;
  out << "cycle " << d.cycle << ": flit " << d.flit << " of packet " << d.packet_id << " from "
      << index(d.src) << " to " << index(d.dst);
  return out.str();
}

class NetworkTop : public testing::TestWithParam<Case> {};

TEST_P(NetworkTop, DeliversEveryFlitInTheCycleOfTheEngine) {
  const Case& c = GetParam();
  const app::Simulated network = compiled(c.network, c.overrides);
  // the terminals write no seed, so both start from the seeds of reset
  network.setup->draws = false;
  const auto& spec = network.proven->spec().network;
  const auto packets = stimulus(network, c);
  const std::string trace_text = traffic::format_trace(packets);
  const auto trace = traffic::parse_trace(
      trace_text, "trace", {network.proven->topology().num_terminals(), 1, spec.packet.max_flits});
  ASSERT_TRUE(trace.ok());
  RunOptions run = short_run(network, c.load);
  run.trace = &trace.value();
  run.record_deliveries = true;
  RunResult engine = simulated(network, run);
  expect_accounted(engine);
  std::size_t flits = 0;
  for (const auto& p : packets) flits += p.flits;
  ASSERT_EQ(engine.deliveries.size(), flits);

  const fs::path home = fs::path(HOPWISE_SCRATCH) / c.name;
  fs::create_directories(home);
  ASSERT_TRUE(app::write_bundle(home / "bundle", emit::emit_bundle(*network.proven)).empty());
  std::ofstream(home / "trace.txt") << trace_text;
  fs::remove(home / "deliveries.txt");
  const std::string here = "cd '" + home.string() + "' && ";
  ASSERT_EQ(std::system((here + HOPWISE_SOURCE_DIR "/tb/systemc/build.sh bundle obj").c_str()), 0);
  ASSERT_EQ(std::system((here +
                         "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 ./obj/network_bench trace.txt "
                         "bundle/terminals.csv deliveries.txt " +
                         std::to_string(static_cast<unsigned>(run.traffic.mode)))
                            .c_str()),
            0);

  auto top = read_deliveries(home / "deliveries.txt");
  // The interface numbers the packets of each class, the engine those of a terminal.
  if (spec.router.num_message_classes() > 1) {
    for (Delivery& d : top) d.packet_id = 0;
    for (Delivery& d : engine.deliveries) d.packet_id = 0;
  }
  for (std::size_t i = 0; i < std::min(top.size(), engine.deliveries.size()); ++i) {
    ASSERT_EQ(top[i], engine.deliveries[i]) << "delivery " << i << "\n  top:    " << text(top[i])
                                            << "\n  engine: " << text(engine.deliveries[i]);
  }
  EXPECT_EQ(top.size(), engine.deliveries.size());
  std::cout << c.name << ": " << packets.size() << " packets, " << top.size() << " flits equal\n";
}

INSTANTIATE_TEST_SUITE_P(
    Torus, NetworkTop,
    testing::Values(
        Case{"dor_4x4", {}, 0.35, 2000},
        Case{"star_channel_4x4", {"routing.algorithm=star_channel"}, 0.5, 2000},
        Case{"clock_gating_4x4", {"router.clock_gating=true"}, 0.05, 2000},
        Case{"clock_gating_busy",
             {"router.clock_gating=true", "routing.algorithm=star_channel",
              "router.pipeline_cycles=5", "router.checks=true", "router.partial_reset=true"},
             0.4,
             1000},
        Case{"partial_reset_4x4", {"router.checks=true", "router.partial_reset=true"}, 0.4, 1000},
        Case{"dor_3x3x3", {"topology.dims=[3,3,3]"}, 0.4, 1000},
        Case{"star_channel_3x3x3",
             {"topology.dims=[3,3,3]", "routing.algorithm=star_channel"},
             0.5,
             1000},
        Case{"slow_links_4x4",
             {"link.cycles_per_flit=3/2", "router.output_queue_flits=8", "router.vcs=4",
              "link.latency_cycles=3"},
             0.5,
             3000},
        // More than the network takes: the streams are held back by tready most of the time.
        Case{"single_flits_4x4",
             {"packet.max_flits=1", "traffic.packet_flits=1", "router.vcs=4",
              "router.vc_depth_flits=4"},
             0.95,
             600},
        Case{"q_routing_4x4", {"routing.algorithm=q_routing"}, 0.4, 1500, kNetwork, kTablesStarted},
        Case{"saturated_4x4", {}, 0.9, 300},
        // A register behind each class; credits of two classes wait for each other.
        Case{"classes_4x4", {"router.message_classes=[a,b]", "router.vcs=2"}, 0.4, 1500}),
    [](const auto& c) { return std::string(c.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Dragonfly, NetworkTop,
    testing::Values(Case{"valn", {"routing.algorithm=valn"}, 0.4, 1500, kDragonfly},
                    Case{"ugal_le",
                         {"routing.algorithm=ugal_le", "routing.contention_window_link_cycles=100",
                          "link.latency_cycles=[1,3]"},
                         0.6,
                         1500,
                         kDragonfly},
                    Case{"q_adaptive",
                         {"routing.algorithm=q_adaptive", "link.latency_cycles=[1,3]"},
                         0.6,
                         1500,
                         kDragonfly,
                         kTablesStarted},
                    Case{"in_order",
                         {"routing.algorithm=ugal_ln", "routing.modes=true",
                          "traffic.mode=in_order", "packet.flit_bits=128"},
                         0.4,
                         1500,
                         kDragonfly}),
    [](const auto& c) { return std::string(c.param.name); });

}  // namespace
}  // namespace hopwise::engine
