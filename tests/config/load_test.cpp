// SPDX-License-Identifier: Apache-2.0
#include "config/load.hpp"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "config/canonical.hpp"
#include "config/keys.hpp"
#include "files.hpp"

namespace hopwise::config {
namespace {

using Uints = std::vector<unsigned>;

const std::string kMesh = "topology: {kind: mesh, dims: [4, 4]}\n";

Diagnostics bad(const std::string& text, const Overrides& overrides = {}) {
  const auto result = load_builtin(text, "net.yaml", overrides);
  EXPECT_FALSE(result.ok());
  return result.ok() ? Diagnostics{} : result.errors();
}

TEST(Load, TwoKeysMakeANetworkAndTheRestHasItsDocumentedDefault) {
  const spec::Spec s = good(kTorus);
  const spec::NetworkSpec& n = s.network;
  EXPECT_EQ(n.name, "torus_4x4");
  EXPECT_EQ(n.topology.terminals_per_router, 1u);
  EXPECT_EQ(n.link.latency_cycles, (Uints{1, 1}));
  EXPECT_EQ(n.link.cycles_per_flit, spec::Rational{});
  EXPECT_EQ(n.packet.flit_bits, 128u);
  EXPECT_EQ(n.packet.max_flits, 1u);
  EXPECT_EQ(n.router.vcs, 2u);
  EXPECT_EQ(n.router.vc_depth_flits, (Uints{16, 16}));
  EXPECT_EQ(n.router.pipeline_cycles, 2u);
  EXPECT_TRUE(n.router.counters);
  EXPECT_EQ(n.routing.vcs_per_class, (Uints{1, 1}));
  EXPECT_EQ(s.traffic.pattern, "uniform");
  EXPECT_EQ(s.traffic.load, 0.5);
  EXPECT_EQ(s.simulation.max_cycles, 400000u);
  EXPECT_EQ(s.simulation.ci_relative, 0.02);
  ASSERT_EQ(s.experiment.routings.size(), 1u);
  EXPECT_EQ(s.experiment.routings[0].label, "dor");
  EXPECT_TRUE(s.experiment.routings[0].overrides.empty());
  EXPECT_EQ(s.experiment.patterns, (std::vector<std::string>{"uniform"}));
  EXPECT_EQ(s.experiment.loads, (std::vector<double>{0.5}));
}

TEST(Load, EachRoutingGetsOneVcPerClassItNeeds) {
  EXPECT_EQ(good(kMesh).network.router.vcs, 1u);
  EXPECT_EQ(good(kMesh, {"routing.algorithm=star_channel"}).network.router.vcs, 2u);
  EXPECT_EQ(good(kTorus, {"routing.algorithm=star_channel"}).network.router.vcs, 3u);
}

TEST(Load, VcsAreSpreadOverTheClasses) {
  EXPECT_EQ(good(kTorus, {"router.vcs=5"}).network.routing.vcs_per_class, (Uints{3, 2}));
  EXPECT_EQ(good(kTorus, {"router.vcs=5", "routing.algorithm=star_channel"})
                .network.routing.vcs_per_class,
            (Uints{1, 1, 3}));
  EXPECT_EQ(good(kTorus, {"routing.vcs_per_class=[2,3]"}).network.router.vcs, 5u);
}

TEST(Load, ADepthPerClassIsExpandedPerVc) {
  const spec::Spec s = good(
      kTorus, {"routing.algorithm=star_channel", "router.vcs=4", "router.vc_depth_flits=[8,9,10]"});
  EXPECT_EQ(s.network.router.vc_depth_flits, (Uints{8, 9, 10, 10}));
}

TEST(Load, TheDefaultDepthHoldsTwoOfTheLongestPackets) {
  EXPECT_EQ(good(kTorus, {"packet.max_flits=40"}).network.router.vc_depth_flits, (Uints{80, 80}));
  EXPECT_EQ(good(kTorus, {"packet.max_flits=40", "router.switching=wormhole"})
                .network.router.vc_depth_flits,
            (Uints{16, 16}));
}

TEST(Load, ARatioIsReadInAllItsForms) {
  const auto rate = [](const std::string& text) {
    return good(kTorus, {"link.cycles_per_flit=" + text}).network.link.cycles_per_flit;
  };
  EXPECT_EQ(rate("5/2"), (spec::Rational{5, 2}));
  EXPECT_EQ(rate("\"5/2\""), (spec::Rational{5, 2}));
  EXPECT_EQ(rate("2.5"), (spec::Rational{5, 2}));
  EXPECT_EQ(rate("10/4"), (spec::Rational{5, 2}));
  EXPECT_EQ(rate("3"), (spec::Rational{3, 1}));
  EXPECT_EQ(rate("64"), (spec::Rational{64, 1}));
}

TEST(Load, RatiosThatAreNoneAreRefusedAndNeverDivideByZero) {
  for (const char* text : {"5/0", "5/", "/2", "1/2/3", ".5", "2.", "-2", "1e3", "4294967297", "0",
                           "0/0", "1000000000000/1000000000000"}) {
    EXPECT_EQ(bad(kTorus, {std::string("link.cycles_per_flit=") + text}).size(), 1u) << text;
  }
}

TEST(Load, ASweepHasItsLastLoadDespiteRounding) {
  const spec::Spec s = good(kTorus, {"experiment.loads=0.1:0.9:0.1"});
  EXPECT_EQ(s.experiment.loads, (std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}));
  EXPECT_EQ(good(kTorus, {"experiment.loads=0.5"}).experiment.loads, (std::vector<double>{0.5}));
  EXPECT_EQ(good(kTorus, {"experiment.loads=[0.9,0.1,0.9]"}).experiment.loads,
            (std::vector<double>{0.1, 0.9}));
  EXPECT_EQ(bad(kTorus, {"experiment.loads=0.1:0.9:0.00000000001"})[0].code, "config.out-of-range");
  EXPECT_EQ(bad(kTorus, {"experiment.loads=0.1:0.9:0"})[0].code, "config.out-of-range");
  EXPECT_EQ(bad(kTorus, {"experiment.loads=nan:0.9:0.1"})[0].code, "config.wrong-type");
}

TEST(Load, TheAmericanNeighborIsTheSamePattern) {
  EXPECT_EQ(good(kTorus, {"traffic.pattern=neighbor"}).traffic.pattern, "neighbour");
  EXPECT_EQ(good(kTorus, {"experiment.patterns=[neighbor,neighbour]"}).experiment.patterns,
            (std::vector<std::string>{"neighbour"}));
}

TEST(Load, AnOverrideWinsOverTheFileAndALaterOneOverAnEarlier) {
  const spec::Spec s = good(kTorus + "router: {vcs: 4}\n",
                            {"router.vcs=6", "router.vcs=8", "topology.dims=[3,5,2]"});
  EXPECT_EQ(s.network.router.vcs, 8u);
  EXPECT_EQ(s.network.topology.dims, (Uints{3, 5, 2}));
  EXPECT_EQ(s.network.name, "torus_3x5x2");
}

TEST(Load, AnOverrideOfASectionKeepsItsOtherKeys) {
  const spec::Spec s = good(kTorus + "router: {vcs: 4, counters: false}\n", {"router={vcs: 6}"});
  EXPECT_EQ(s.network.router.vcs, 6u);
  EXPECT_FALSE(s.network.router.counters);
}

TEST(Load, AnOverrideWithNullGivesTheDefaultAgain) {
  EXPECT_EQ(good(kTorus + "router: {vcs: 4}\n", {"router.vcs=null"}).network.router.vcs, 2u);
  EXPECT_EQ(bad(kTorus, {"topology.dims=null"})[0].code, "config.missing-key");
}

TEST(Load, AnOverridesPlaceIsItself) {
  const auto errors = bad(kTorus, {"router.vcs=99"});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].where.file, "--set router.vcs=99");
  EXPECT_EQ(errors[0].where.line, 0u);
}

TEST(Load, PlacesCountLinesAndColumnsFromOne) {
  const auto errors = bad("topology:\n  kind: torus\n  dims: [4, 99]\nrooter: 1\n");
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].key, "topology.dims[1]");
  EXPECT_EQ(errors[0].where.line, 3u);
  EXPECT_EQ(errors[0].where.column, 13u);
  EXPECT_EQ(errors[1].where.line, 4u);
  EXPECT_EQ(errors[1].where.column, 1u);
  EXPECT_EQ(errors[1].hint, "did you mean 'router'?");
}

TEST(Load, AFaultyValueDoesNotDragFurtherErrorsBehindIt) {
  EXPECT_EQ(bad("topology: {kind: ring, dims: [4]}\nrouter: {vcs: 1}\n").size(), 1u);
  EXPECT_EQ(bad("topology: {kind: torus, dims: [0, 4]}\nlink: {latency_cycles: [1]}\n").size(), 1u);
  EXPECT_EQ(bad(kTorus + "packet: {max_flits: 5000}\ntraffic: {packet_flits: 7}\n").size(), 1u);
  EXPECT_EQ(bad("topology: torus\n").size(), 1u);
}

TEST(Load, RoutingsBecomeOverridesThatLoadAgain) {
  const std::string text =
      kTorus +
      "experiment:\n  routings:\n    - dor\n"
      "    - {algorithm: star_channel, router: {vcs: 4, vc_depth_flits: [16, 16, 32]}}\n"
      "    - {label: fast, set: {link.cycles_per_flit: 5/2, traffic.trace: 'a, b'}}\n";
  const spec::Spec s = good(text);
  ASSERT_EQ(s.experiment.routings.size(), 3u);
  EXPECT_EQ(s.experiment.routings[0].overrides,
            (Overrides{"routing.algorithm=dor", "experiment.routings=null"}));
  EXPECT_EQ(s.experiment.routings[1].label, "star_channel");
  EXPECT_EQ(good(text, s.experiment.routings[1].overrides).network.router.vc_depth_flits,
            (Uints{16, 16, 32, 32}));
  const spec::Spec fast = good(text, s.experiment.routings[2].overrides);
  EXPECT_EQ(fast.network.link.cycles_per_flit, (spec::Rational{5, 2}));
  EXPECT_EQ(fast.traffic.settings.word("traffic.trace"), "a, b");
}

TEST(Load, ARoutingThatCannotWorkIsReportedWithItsLabel) {
  const auto errors =
      bad(kTorus + "router: {vcs: 2}\nexperiment: {routings: [dor, star_channel]}\n");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].code, "config.too-few-vcs");
  EXPECT_EQ(errors[0].where.line, 2u);
  EXPECT_NE(errors[0].hint.find("'star_channel'"), std::string::npos);
}

TEST(Load, TheCanonicalTextLoadsToItself) {
  for (const auto& file : files_in(source_dir() / "examples", ".yaml")) {
    SCOPED_TRACE(file);
    const spec::Spec s = good(read_file(file));
    const spec::Spec again = good(s.canonical_network_yaml);
    EXPECT_EQ(again.canonical_network_yaml, s.canonical_network_yaml);
    EXPECT_EQ(again.network_hash, s.network_hash);
  }
}

TEST(Load, TheHashSeesTheNetworkAndNothingElse) {
  const std::string hash = good(kTorus).network_hash;
  EXPECT_EQ(hash.size(), 16u);
  EXPECT_EQ(good("# comment\n" + kTorus + "router: {vcs: 2}\ntraffic: {load: 0.1}\n").network_hash,
            hash);
  EXPECT_NE(good(kTorus + "router: {vcs: 4}\n").network_hash, hash);
  EXPECT_EQ(hash_text(""), "cbf29ce484222325");
  EXPECT_EQ(hash_text("a"), "af63dc4c8601ec8c");  // published FNV-1a vector
}

TEST(Load, RoomIsForTheLongestPacketWhereVcsAndQueuesAreDeepAndThatIsNotSaidOtherwise) {
  using spec::Room;
  const auto of = [](std::string_view router, unsigned max_flits = 8) {
    return good(kTorus +
                fmt::format("packet: {{max_flits: {}}}\nrouter: {{{}}}\n", max_flits, router));
  };
  const auto room = [&of](std::string_view router, unsigned max_flits = 8) {
    const spec::Spec s = of(router, max_flits);
    const spec::Spec again = good(s.canonical_network_yaml);
    EXPECT_EQ(again.network.router.room, s.network.router.room) << router;
    EXPECT_EQ(again.network_hash, s.network_hash) << router;
    return s.network.router.room;
  };
  EXPECT_EQ(room("vc_depth_flits: 32"), Room::kLongest);
  EXPECT_EQ(room("vc_depth_flits: 31"), Room::kPacket);
  EXPECT_EQ(room("vc_depth_flits: [32, 31]"), Room::kPacket);
  EXPECT_EQ(room("vc_depth_flits: 8, output_queue_flits: 32"), Room::kLongest);
  // 2 x 10 + 2 + 2 cycles from a flit to the one that uses its credit, and 7 places that stay free.
  EXPECT_EQ(room("vc_depth_flits: 32}\nlink: {latency_cycles: 11"), Room::kPacket);
  EXPECT_EQ(room("vc_depth_flits: 32}\nlink: {latency_cycles: 10"), Room::kLongest);
  EXPECT_EQ(room("vc_depth_flits: 32}\nlink: {terminal_latency_cycles: 11"), Room::kPacket);
  EXPECT_EQ(room("vc_depth_flits: 32, output_queue_flits: 31"), Room::kPacket);
  EXPECT_EQ(room("switching: wormhole, vc_depth_flits: 32"), Room::kPacket);
  EXPECT_EQ(room("vc_depth_flits: 32, room: packet"), Room::kPacket);
  EXPECT_EQ(room("vc_depth_flits: 8, room: longest"), Room::kLongest);
  EXPECT_EQ(room("vc_depth_flits: 32, room: collect"), Room::kCollect);

  // A GET's requests of one flit do not pass a PUT for ever.
  const std::string messages = "}\nterminal: {interface: messages";
  EXPECT_EQ(room("vc_depth_flits: 12" + messages, 5), Room::kLongest);
  EXPECT_EQ(room("vc_depth_flits: 11" + messages, 5), Room::kCollect);
  EXPECT_EQ(room("vc_depth_flits: 5, output_queue_flits: 10" + messages, 5), Room::kLongest);
  EXPECT_EQ(room("vc_depth_flits: 11, output_queue_flits: 9" + messages, 5), Room::kCollect);
  EXPECT_EQ(room("vc_depth_flits: 12}\nlink: {latency_cycles: 4" + messages, 5), Room::kCollect);
  EXPECT_EQ(room("vc_depth_flits: 5, room: packet" + messages, 5), Room::kPacket);
  EXPECT_EQ(room("switching: wormhole" + messages, 5), Room::kPacket);

  // Packets of one flit need the same room under each name.
  EXPECT_EQ(room("vc_depth_flits: 32, room: longest", 1), Room::kPacket);
  EXPECT_EQ(of("vc_depth_flits: 32, room: collect", 1).network_hash,
            of("vc_depth_flits: 32", 1).network_hash);
  // The hash sees what differs from heads that need room for their own packet.
  EXPECT_NE(of("vc_depth_flits: 32").network_hash,
            of("vc_depth_flits: 32, room: packet").network_hash);
  EXPECT_EQ(of("vc_depth_flits: 8").network_hash,
            of("vc_depth_flits: 8, room: packet").network_hash);
  EXPECT_EQ(of("vc_depth_flits: 8").canonical_network_yaml.find("room"), std::string::npos);
}

/// A value of a key, and what the key needs to mean something.
struct Change {
  const char* change;
  Overrides with = {};
};

const Overrides kLong{"packet.max_flits=4", "router.checks=true"},
    kClasses{"router.message_classes=[a,b]"},
    kPriority{"router.message_classes=[a,b]", "router.class_priority=[a,b]"},
    kCutThrough{"packet.max_flits=4", "router.checks=true", "terminal.injection=cut_through"},
    kMessages{"packet.max_flits=5", "terminal.interface=messages"},
    kSelector{"packet.max_flits=5", "terminal.interface=messages",
              "terminal.message_registers=true"},
    kModes{"topology.kind=dragonfly", "topology.dims=null",         "topology.routers_per_group=4",
           "topology.global_ports=2", "routing.algorithm=ugal_ln",  "routing.modes=true",
           "packet.max_flits=5",      "terminal.interface=messages"},
    kCongestion{"congestion.enabled=true"};

const Change kChanges[] = {
    {"name=other"},
    {"topology.kind=mesh"},
    {"topology.dims=[4,5]"},
    {"topology.terminals_per_router=2"},
    {"link.latency_cycles=2"},
    {"link.latency_link_cycles=2"},
    {"link.latency_ns=4", {"link.core_clock_ghz=1"}},
    {"link.core_clock_ghz=2", {"link.latency_ns=4"}},
    {"link.terminal_latency_cycles=2"},
    {"link.cycles_per_flit=2"},
    {"link.idle_wait=true", {"router.output_queue_flits=2"}},
    {"packet.format=apenet", kLong},
    {"packet.flit_bits=64"},
    {"packet.max_flits=2"},
    {"router.switching=saf"},
    {"router.vcs=3"},
    {"router.vc_depth_flits=17"},
    {"router.output_queue_flits=2"},
    {"router.allocator.kind=separable_output_first"},
    {"router.allocator.iterations=2"},
    {"router.allocator.arbiter=round_robin"},
    {"router.allocator.granularity=flit"},
    {"router.allocator.reservations=true"},
    {"router.room=packet", {"packet.max_flits=4", "router.vc_depth_flits=32"}},
    {"router.pipeline_cycles=3"},
    {"router.counters=false"},
    {"router.checks=true"},
    {"router.header_parity=true", {"router.checks=true"}},
    {"router.memory_parity=true", {"router.checks=true"}},
    {"router.hop_limit=9", {"router.checks=true"}},
    {"router.watchdog_cycles=2048"},
    {"router.partial_reset=true", {"router.checks=true"}},
    {"router.clock_gating=true"},
    {"router.message_classes=[a,b]"},
    {"router.class_priority=[a,b]", kClasses},
    {"router.class_priority_packets=3", kPriority},
    {"terminal.injection=cut_through", kLong},
    {"terminal.pause_cycles=40", kCutThrough},
    {"terminal.tkeep=true", kLong},
    {"terminal.replies={a: b}", kClasses},
    {"terminal.interface=messages", {"packet.max_flits=5"}},
    {"terminal.outstanding=64", kMessages},
    {"terminal.windows=64", kMessages},
    {"terminal.timeout_cycles=9", kMessages},
    {"terminal.mode_selector=true", kModes},
    {"terminal.message_registers=true", kMessages},
    {"terminal.selector_threshold_bytes=4095", kSelector},
    {"terminal.selector_lambda=1.25", kSelector},
    {"terminal.selector_sigma=4.5", kSelector},
    {"terminal.selector_max_age=6", kSelector},
    {"congestion.enabled=true"},
    {"congestion.throttle=false", kCongestion},
    {"congestion.flows=3", kCongestion},
    {"congestion.mark_inputs=4", kCongestion},
    {"congestion.mark_cycles=9", kCongestion},
    {"congestion.note_cycles=99", kCongestion},
    {"congestion.period_cycles=77", kCongestion},
    {"congestion.increase=55", kCongestion},
    {"congestion.decrease_shift=3", kCongestion},
    {"routing.algorithm=star_channel"},
    {"routing.dateline=balanced"},
    {"routing.vcs_per_class=[1,2]"}};

TEST(Load, EveryNetworkKeyReachesTheHashAndTheCanonicalTextKeepsIt) {
  std::set<std::string, std::less<>> tried;
  for (const auto& [change, with] : kChanges) {
    SCOPED_TRACE(change);
    Overrides all = with;
    const std::string hash = good(kTorus, all).network_hash;
    all.push_back(change);
    const spec::Spec changed = good(kTorus, all), again = good(changed.canonical_network_yaml);
    EXPECT_NE(changed.network_hash, hash);
    EXPECT_EQ(again.network_hash, changed.network_hash);
    tried.emplace(change, std::string_view(change).find('='));
  }
  // What the RTL does not see: it stands in no bundle.
  tried.emplace("terminal.counter_read_cycles");
  for (const Row& row : network_keys()) EXPECT_TRUE(tried.contains(row.key.path)) << row.key.path;
}

}  // namespace
}  // namespace hopwise::config
