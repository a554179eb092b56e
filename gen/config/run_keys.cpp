// SPDX-License-Identifier: Apache-2.0
// The keys of what runs on a network, those of the traffic patterns left out.
#include "config/keys.hpp"
#include "spec/mode.hpp"

namespace hopwise::config {

namespace {

using C = NetworkConfig;

constexpr double kMaxCycles = 1e12;
// Integers beyond 2^53 lose digits in JSON tools, and so would a seed that a report quotes.
constexpr double kMaxSeed = 9007199254740991.0;

constexpr std::array kRunRows{
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
    Row{&C::traffic_mode,
        {.path = "traffic.mode",
         .names = spec::kModeNames,
         .default_yaml = "adaptive_0",
         .doc = "Routing mode of the packets, where the network has `routing.modes`: adaptive "
                "without a bias towards minimal paths, with a growing, a low or a high one; a "
                "minimal or non-minimal path by a hash; minimal and in order."}},
    Row{&C::job_program,
        {.path = "job.program",
         .names = kPrograms,
         .default_words = "no job",
         .doc = "What the ranks do in each iteration; `custom`: `job.operations`."}},
    Row{&C::job_name,
        {.path = "job.name", .default_words = "`job.program`", .doc = "What results call it."}},
    Row{&C::job_ranks,
        {.path = "job.ranks",
         .range = {1, 65536},
         .default_words = "the terminals listed, or all; 2 of `ping_pong`",
         .doc = "Ranks, each at a terminal of its own."}},
    Row{&C::job_bytes,
        {.path = "job.bytes",
         .range = {0, 1e12},
         .default_yaml = "1024",
         .doc = "Bytes of the message that `ping_pong` sends, of the data that `broadcast` and "
                "`allreduce` give to all ranks, of the block that each rank gives to all "
                "(`allgather`) or to each other one (`alltoall`, `fft`), of a face (`halo3d`) or "
                "an edge (`sweep3d`)."}},
    Row{&C::job_iterations,
        {.path = "job.iterations",
         .range = {1, 1e6},
         .default_yaml = "10",
         .doc = "How often the ranks run the program; the run ends with the last."}},
    Row{&C::job_warmup,
        {.path = "job.warmup_iterations",
         .range = {0, 1e6},
         .default_yaml = "1",
         .doc = "Iterations before these, which no result counts."}},
    Row{&C::job_compute_cycles,
        {.path = "job.compute_cycles",
         .range = {0, kMaxCycles},
         .default_yaml = "0",
         .doc = "Core cycles that a rank computes before it communicates in an iteration; not of "
                "`custom`."}},
    Row{&C::job_compute_ns,
        {.path = "job.compute_ns",
         .range = {0, 1e12},
         .default_words = "`job.compute_cycles`",
         .doc = "The same in nanoseconds at `link.core_clock_ghz`, rounded up to core cycles."}},
    Row{&C::job_grid,
        {.path = "job.grid",
         .range = {1, 65536},
         .min_entries = 2,
         .max_entries = 3,
         .default_words = "as equal sizes as the ranks allow, the largest first",
         .doc = "How the ranks lie, the first size running fastest: three sizes of `halo3d`, two "
                "of `sweep3d` and `fft`."}},
    Row{&C::job_blocks,
        {.path = "job.blocks",
         .range = {1, 10000},
         .default_yaml = "1",
         .doc = "Parts of a sweep of `sweep3d`: a rank passes each on before it takes the next."}},
    Row{&C::job_algorithm,
        {.path = "job.algorithm",
         .names = kJobAlgorithms,
         .default_yaml = "recursive_doubling",
         .doc = "How `allreduce` gets there."}},
    Row{&C::job_transfer,
        {.path = "job.transfer",
         .names = kTransfers,
         .default_yaml = "send",
         .doc =
             "Whether the ranks of `ping_pong`, `alltoall`, `halo3d` and `fft` send, or get what "
             "they need from the memory of the others, through message interfaces."}},
    Row{&C::job_operations,
        {.path = "job.operations",
         .max_entries = 100000,
         .default_words = "none",
         .doc = "Of `custom`: lines such as `all compute 500`, `0 send 1 4096`, `1 recv 0`, `1 "
                "wait`, `0-7 allreduce 8` (docs/reference/jobs.md)."}},
    Row{&C::job_placement,
        {.path = "job.placement",
         .names = kPlacements,
         .default_yaml = "continuous",
         .doc = "Where the ranks are: rank r at terminal r, at terminals drawn at random, or at "
                "those of `job.terminals`."}},
    Row{&C::job_placement_seed,
        {.path = "job.placement_seed",
         .range = {0, kMaxSeed},
         .default_words = "`simulation.seed`",
         .doc = "What a `random` placement is drawn from."}},
    Row{&C::job_terminals,
        {.path = "job.terminals",
         .range = {0, 1048576},
         .max_entries = 65536,
         .default_words = "none",
         .doc = "Of the placement `list`: the terminal of each rank."}},
    Row{&C::job_mode,
        {.path = "job.mode",
         .names = kJobModes,
         .default_yaml = "adaptive_0",
         .doc = "The same as `traffic.mode`, for the packets of the ranks. With message interfaces "
                "also who chooses it for each message: the interface (`auto`, with "
                "`terminal.mode_selector`) or the host's `software`, which reads counters of the "
                "interface for it."}},
    Row{&C::job_max_cycles,
        {.path = "job.max_cycles",
         .range = {1, kMaxCycles},
         .default_yaml = "1000000000",
         .doc = "Core cycles after which a job that is not done has failed."}},
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
    Row{&C::memory_latency,
        {.path = "simulation.memory_latency_cycles",
         .range = {0, 100000},
         .default_yaml = "20",
         .doc = "Message interfaces: core cycles that the memory of a terminal's host takes to "
                "answer a read or a write."}},
    Row{&C::memory_stalls,
        {.path = "simulation.memory_stalls",
         .range = {0, 0.9},
         .default_yaml = "0",
         .doc = "Message interfaces: the share of core cycles in which a channel of that memory "
                "stands still, at random."}},
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
    Row{&C::resets,
        {.path = "fault.resets",
         .max_entries = 4096,
         .scalar_or_list = true,
         .default_words = "none",
         .doc = "Routers that are reset alone, and when, as ROUTER@CYCLE: a router's number and a "
                "core "
                "cycle. Needs `router.partial_reset`."}},
    Row{&C::reset_rate,
        {.path = "fault.reset_rate",
         .range = {0, 1},
         .default_yaml = "0",
         .doc =
             "Of the routers, the share that is reset alone in a core cycle: 1e-5 resets each once "
             "in 100,000 cycles. A router that is being reset is not asked again. Needs "
             "`router.partial_reset`."}},
    Row{&C::routings,
        {.path = "experiment.routings",
         .max_entries = 64,
         .scalar_or_list = true,
         .default_words = "the routing of the network",
         .doc = "What is compared: names of algorithms, or maps with `label`, `algorithm` and any "
                "other key of the network, traffic or job, dotted (`router.vcs: 3`)."}},
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

std::span<const Row> run_keys() { return kRunRows; }

}  // namespace hopwise::config
