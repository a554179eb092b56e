// SPDX-License-Identifier: Apache-2.0
// The keys of what runs on a network, those of the traffic patterns left out.
#include "config/keys.hpp"

namespace hopwise::config {

namespace {

using C = NetworkConfig;

constexpr double kMaxCycles = 1e12;
// Integers beyond 2^53 lose digits in JSON tools, and so would a seed that a report quotes.
constexpr double kMaxSeed = 9007199254740991.0;

constexpr std::array kRows{
    Row{&C::pattern, {.path = "traffic.pattern", .pattern = true, .doc = ""}},
    Row{&C::load,
        {.path = "traffic.load",
         .range = {.min = 0, .max = 1, .above_min = true},
         .default_yaml = "0.5",
         .doc = "Offered load, a fraction of a terminal link's capacity."}},
    Row{&C::injection,
        {.path = "traffic.injection",
         .names = kInjections,
         .default_yaml = "bernoulli",
         .doc = "When a terminal makes a packet: at random in any cycle, in bursts, or at a fixed "
                "interval from cycle 0 on."}},
    Row{&C::mean_burst,
        {.path = "traffic.mean_burst_packets",
         .range = {1, 10000},
         .default_yaml = "8",
         .doc = "Mean packets of a burst of `on_off`, sent back to back at full link rate."}},
    Row{&C::source_queue,
        {.path = "traffic.source_queue_packets",
         .range = {0, 1000000},
         .default_yaml = "0",
         .doc =
             "Packets that may wait at a terminal; 0: any number. While its queue is full, a "
             "`periodic` terminal sleeps, and the packets of the others are lost before they are "
             "made."}},
    Row{&C::reply_queue,
        {.path = "traffic.reply_queue_packets",
         .range = {0, 1000000},
         .default_yaml = "0",
         .doc = "Replies that may wait at a terminal: it takes a packet of a class of "
                "`terminal.replies` while there is a place, and answers it with one as long. The "
                "sources then send packets of these classes. 0: no replies."}},
    Row{&C::packet_flits,
        {.path = "traffic.packet_flits",
         .range = {1, 1024},
         .default_words = "`packet.max_flits`",
         .doc = "Length of packets, header and footer included: one number, or `{min: 1, max: 8}` "
                "for a uniform choice."}},
    Row{&C::switch_at,
        {.path = "traffic.switch_at_link_cycles",
         .range = {0, kMaxCycles},
         .default_yaml = "0",
         .doc = "Link cycle from which on `switch_pattern` and `switch_load` hold, rounded up to a "
                "core cycle; 0: never."}},
    Row{&C::switch_pattern,
        {.path = "traffic.switch_pattern",
         .pattern = true,
         .default_words = "the pattern before the switch",
         .doc = "Who sends to whom after the switch; any pattern but `trace`."}},
    Row{&C::switch_load,
        {.path = "traffic.switch_load",
         .range = {.min = 0, .max = 1, .above_min = true},
         .default_words = "the load before the switch",
         .doc = "Offered load after the switch."}},
    Row{&C::seed,
        {.path = "simulation.seed",
         .range = {0, kMaxSeed},
         .default_yaml = "1",
         .doc = "Seed of all random streams: the same seed gives the same bytes."}},
    Row{&C::cycles,
        {.path = "simulation.cycles",
         .range = {0, kMaxCycles},
         .default_yaml = "0",
         .doc = "Core cycles measured; 0: until the confidence interval is reached."}},
    Row{&C::warmup_cycles,
        {.path = "simulation.warmup_cycles",
         .range = {0, kMaxCycles},
         .default_yaml = "0",
         .doc = "Core cycles before the measurement; 0: detected."}},
    Row{&C::max_cycles,
        {.path = "simulation.max_cycles",
         .range = {1, kMaxCycles},
         .default_yaml = "400000",
         .doc = "Core cycles of warm-up and measurement where `cycles` is 0."}},
    Row{&C::confidence,
        {.path = "simulation.confidence",
         .range = {.min = 0, .max = 0.5, .above_min = true},
         .default_yaml = "0.02",
         .doc =
             "The run ends when the 95 % interval of the mean latency is within this part of it."}},
    Row{&C::path_queues,
        {.path = "simulation.path_queues",
         .default_yaml = "false",
         .doc =
             "Adaptive routings between groups: follow the queues along whole minimal paths over "
             "time, which no router sees."}},
    Row{&C::settling_cycles,
        {.path = "simulation.settling_cycles",
         .range = {0, kMaxCycles},
         .default_yaml = "0",
         .doc = "Core cycles of the window whose means tell when the network has settled; 0: a "
                "twentieth of the run."}},
    Row{&C::engine,
        {.path = "simulation.engine",
         .names = kEngines,
         .default_yaml = "auto",
         .doc = "What evaluates the routers: `verilator` one after the other, `lanes` many in one "
                "SIMD instruction. The results are the same."}},
    Row{&C::lanes,
        {.path = "simulation.lanes",
         .range = {0, 512},
         .default_yaml = "0",
         .doc = "Engine `lanes`: routers per word, a power of two from 64 to 512; 0: as many as "
                "suit the network and the machine."}},
    Row{&C::bad_packets,
        {.path = "fault.bad_packets",
         .range = {0, 1},
         .default_yaml = "0",
         .doc = "Of the packets that terminals send, the share that is wrong; needs "
                "`router.checks`."}},
    Row{&C::bad_kinds,
        {.path = "fault.kinds",
         .names = kFaultKinds,
         .max_entries = 4,
         .scalar_or_list = true,
         .default_words = "all that the terminals allow",
         .doc =
             "What is wrong with them: a value that the header's field can have and the network "
             "has not, or a stream that breaks off within the packet. A kind of which there is no "
             "such value leaves its share to the others; a packet of one flit does not break off, "
             "and stays good. `stream` needs `terminal.injection: cut_through` or `fault.enter: "
             "interface`."}},
    Row{&C::bad_enter,
        {.path = "fault.enter",
         .names = kFaultEnters,
         .default_yaml = "router",
         .doc = "Where they come in: at the router, as if there were no network interface, or "
                "through the network interface, which refuses what it sees to be wrong."}},
    Row{&C::header_flips,
        {.path = "fault.header_flips",
         .range = {0, 1},
         .default_yaml = "0",
         .doc = "Of the heads that arrive from another router, the share in whose header a bit is "
                "flipped; needs `router.checks`."}},
    Row{&C::routings,
        {.path = "experiment.routings",
         .max_entries = 64,
         .scalar_or_list = true,
         .default_words = "the routing of the network",
         .doc = "What is compared: names of algorithms, or maps with `label`, `algorithm` and any "
                "other key of the network or traffic, dotted (`router.vcs: 3`)."}},
    Row{&C::patterns,
        {.path = "experiment.patterns",
         .pattern = true,
         .max_entries = 16,
         .scalar_or_list = true,
         .default_words = "`traffic.pattern`",
         .doc = "Traffic patterns to run."}},
    Row{&C::loads,
        {.path = "experiment.loads",
         .range = {.min = 0, .max = 1, .above_min = true},
         .max_entries = 1000,
         .scalar_or_list = true,
         .default_words = "`traffic.load`",
         .doc = "Offered loads to run, lowest first: numbers, or `FIRST:LAST:STEP` such as "
                "`0.1:0.9:0.1`."}},
    Row{&C::find_saturation,
        {.path = "experiment.find_saturation",
         .default_yaml = "true",
         .doc = "Search the highest load that each routing sustains."}},
};

}  // namespace

std::span<const Row> run_keys() { return kRows; }

}  // namespace hopwise::config
