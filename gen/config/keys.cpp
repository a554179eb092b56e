// SPDX-License-Identifier: Apache-2.0
#include "config/keys.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace hopwise::config {

namespace {

using C = NetworkConfig;

constexpr double kMaxCycles = 1e12;
// Integers beyond 2^53 lose digits in JSON tools, and so would a seed that a report quotes.
constexpr double kMaxSeed = 9007199254740991.0;

constexpr std::array kSections{
    Section{"topology", "How many routers there are and how they are joined."},
    Section{"link", "The wires between routers, and between a router and its terminals."},
    Section{"packet", "What travels: flits and the header that leads them."},
    Section{"router", "The microarchitecture, the same in every router of the network."},
    Section{"router.allocator", "How the crossbar's inputs and outputs are matched in each cycle."},
    Section{"routing", "Where packets go, and which virtual channels they may use."},
    Section{"traffic", "What the terminals send."},
    Section{"training", "How the agents of `dqn` learn, in `hopwise agent train`."},
    Section{"simulation", "How long a run lasts and how exact it is."},
    Section{"experiment",
            "What a comparison runs: every routing with every pattern at every load."},
};

constexpr std::array kKeys{
    Key{.path = "name",
        .field = &C::name,
        .default_words = "kind and sizes, such as `torus_4x4`",
        .doc = "Prefix of the emitted modules and files: letters, digits and underscores, at most "
               "40, no SystemVerilog keyword, not starting with `hw_`."},

    Key{.path = "topology.kind",
        .field = &C::kind,
        .names = kTopologyKinds,
        .required = true,
        .doc = "A torus closes every dimension to a ring; a mesh leaves it open. A dragonfly joins "
               "groups of routers, every pair of groups directly."},
    Key{.path = "topology.dims",
        .field = &C::dims,
        .min = 2,
        .max = 64,
        .max_entries = 4,
        .default_words = "torus and mesh: none, it must be given",
        .doc = "Torus, mesh: routers along each dimension, at most 65536 in all."},
    Key{.path = "topology.terminals_per_router",
        .field = &C::terminals_per_router,
        .min = 1,
        .max = 16,
        .default_yaml = "1",
        .doc = "Sources and sinks of packets at each router; a dragonfly's p."},
    Key{.path = "topology.routers_per_group",
        .field = &C::routers_per_group,
        .min = 2,
        .max = 64,
        .default_words = "dragonfly: none, it must be given",
        .doc = "Dragonfly: a, the routers of a group."},
    Key{.path = "topology.global_ports",
        .field = &C::global_ports,
        .min = 1,
        .max = 16,
        .default_words = "dragonfly: none, it must be given",
        .doc = "Dragonfly: h, the ports of each router that lead to other groups."},
    Key{.path = "topology.groups",
        .field = &C::groups,
        .min = 2,
        .max = 1025,
        .default_words = "a h + 1, the most there can be",
        .doc = "Dragonfly: g."},
    Key{.path = "topology.links_per_group_pair",
        .field = &C::links_per_group_pair,
        .min = 1,
        .max = 1024,
        .default_words = "as many as a h allows",
        .doc = "Dragonfly: links between two groups; global ports beyond them stay unconnected."},
    Key{.path = "topology.group_rows",
        .field = &C::group_rows,
        .min = 1,
        .max = 64,
        .default_yaml = "1",
        .doc = "Dragonfly: 1 connects every two routers of a group; more arrange them in so many "
               "rows, with every two routers of a row and of a column connected (two-dimensional "
               "all-to-all, Cray Cascade)."},
    Key{.path = "topology.arrangement",
        .field = &C::arrangement,
        .names = kArrangements,
        .also = kArrangementAliases,
        .default_yaml = "absolute",
        .doc = "Dragonfly: which group a global port leads to (`consecutive` is `palmtree`)."},

    Key{.path = "link.latency_cycles",
        .field = &C::link_latency,
        .min = 1,
        .max = 10000,
        .max_entries = 4,
        .scalar_or_list = true,
        .default_words = "1",
        .doc = "Core cycles from a router's output pins to its neighbour's input pins; one number, "
               "or one per dimension; `[local, global]` in a dragonfly."},
    Key{.path = "link.latency_link_cycles",
        .field = &C::link_latency_link_cycles,
        .min = 1,
        .max = 10000,
        .max_entries = 4,
        .scalar_or_list = true,
        .default_words = "none",
        .doc = "The same in link cycles, each of `cycles_per_flit` core cycles, rounded up to "
               "whole core cycles."},
    Key{.path = "link.latency_ns",
        .field = &C::link_latency_ns,
        .min = 0,
        .max = 100000,
        .above_min = true,
        .max_entries = 4,
        .scalar_or_list = true,
        .default_words = "none",
        .doc = "The same in nanoseconds of a core that runs at `core_clock_ghz`, rounded up to "
               "whole core cycles."},
    Key{.path = "link.core_clock_ghz",
        .field = &C::core_clock_ghz,
        .min = 0,
        .max = 100,
        .above_min = true,
        .default_yaml = "1",
        .doc = "Clock of the routers, GHz: what `latency_ns` means; where it is written, settling "
               "times are also given in microseconds."},
    Key{.path = "link.terminal_latency_cycles",
        .field = &C::terminal_latency,
        .min = 1,
        .max = 1000,
        .default_yaml = "1",
        .doc = "Core cycles between a terminal and its router, in either direction."},
    Key{.path = "link.cycles_per_flit",
        .field = &C::cycles_per_flit,
        .min = 1,
        .max = 64,
        .default_yaml = "1",
        .doc = "Core cycles that a link takes for a flit: `2`, `2.5` or `5/2` (denominator at most "
               "16). Above 1, the router's core is faster than its links."},
    Key{.path = "link.idle_wait",
        .field = &C::idle_wait,
        .default_yaml = "false",
        .doc = "A flit that finds its link idle waits for one flit time, as if the link took it "
               "only when it is whole (SST's merlin does so); needs output queues."},

    Key{.path = "packet.format",
        .field = &C::format,
        .names = kPacketFormats,
        .default_yaml = "compact",
        .doc = "Header layout: `compact` has fields as wide as the network needs; `apenet` is "
               "APEnet's 128-bit header, with a footer flit."},
    Key{.path = "packet.flit_bits",
        .field = &C::flit_bits,
        .min = 32,
        .max = 1024,
        .default_yaml = "128",
        .doc = "Width of a flit, bits."},
    Key{.path = "packet.max_flits",
        .field = &C::max_flits,
        .min = 1,
        .max = 1024,
        .default_yaml = "1",
        .doc = "Longest packet, header and footer included, flits."},

    Key{.path = "router.switching",
        .field = &C::switching,
        .names = kSwitchings,
        .default_yaml = "vct",
        .doc = "Virtual cut-through, store-and-forward or wormhole."},
    Key{.path = "router.vcs",
        .field = &C::vcs,
        .min = 1,
        .max = kMaxVcs,
        .default_words = "what the routing needs with one per class",
        .doc = "Virtual channels of each port, all classes together."},
    Key{.path = "router.vc_depth_flits",
        .field = &C::vc_depth,
        .min = 1,
        .max = 4096,
        .max_entries = kMaxVcs,
        .scalar_or_list = true,
        .default_words = "16; under `vct` and `saf` at least two of the longest packets",
        .doc = "Buffer of each virtual channel, flits; one number, or one per VC class."},
    Key{.path = "router.output_queue_flits",
        .field = &C::output_queue,
        .min = 0,
        .max = 4096,
        .default_yaml = "0",
        .doc = "Queue behind the crossbar for each output VC, flits; 0 or 1 makes the router "
               "purely input-queued."},
    Key{.path = "router.allocator.kind",
        .field = &C::allocator_kind,
        .names = kAllocators,
        .default_yaml = "separable_input_first",
        .doc = "Whether inputs or outputs choose first."},
    Key{.path = "router.allocator.iterations",
        .field = &C::allocator_iterations,
        .min = 1,
        .max = 4,
        .default_yaml = "1",
        .doc = "Rounds of matching in a cycle: more fill the crossbar better, in a longer path."},
    Key{.path = "router.allocator.arbiter",
        .field = &C::arbiter,
        .names = kArbiters,
        .default_yaml = "round_robin",
        .doc = "How an output port chooses: VC by VC with the inputs of each in turn, or the input "
               "served least recently: a shorter path, but a VC can starve."},
    Key{.path = "router.allocator.granularity",
        .field = &C::granularity,
        .names = kGranularities,
        .default_yaml = "packet",
        .doc = "Whether a grant lasts for a whole packet or for one flit."},
    Key{.path = "router.pipeline_cycles",
        .field = &C::pipeline_cycles,
        .min = 2,
        .max = 5,
        .default_yaml = "2",
        .doc = "Core cycles of a head flit from input pins to output pins, with no other packet in "
               "the way: more make the clock faster. 4 and 5 not for wormhole switching."},
    Key{.path = "router.counters",
        .field = &C::counters,
        .default_yaml = "true",
        .doc = "Performance counters beside the router, readable while traffic runs."},

    Key{.path = "routing.algorithm",
        .field = &C::algorithm,
        .names = kAlgorithms,
        .default_words = "`dor`; on a dragonfly `min`",
        .doc = "Torus, mesh: `dor`, dimension order; `star_channel`, minimal and adaptive, with "
               "dimension order as its escape; `valiant`, dimension order through a random router. "
               "Dragonfly: `min`, minimal; `valg` and `valn`, Valiant through a random group or a "
               "random router; `ugal_lg` and `ugal_ln`, the choice between minimal and those by "
               "local queues; `ugal_global`, by all queues of the network (simulation only); "
               "`par`, which revises a minimal choice in the source group; `ugal_le`, `ugal_ln` "
               "with contention counters; `dgb` and `edgb`, `ugal_ln` and `ugal_le` with a bias "
               "learned from latencies; `q_adaptive` and `q_par`, ports chosen by learned delivery "
               "times. Torus, dragonfly: `q_routing`, the same at every router up to a number of "
               "hops. Torus: `dqn`, ports proposed by a neural network."},
    Key{.path = "routing.dateline",
        .field = &C::dateline,
        .names = kDatelines,
        .default_yaml = "classic",
        .doc = "How packets of a torus are spread over the two escape classes: `classic` changes "
               "at the wraparound link, `balanced` puts packets that do not cross it in either. A "
               "mesh has no dateline."},
    Key{.path = "routing.vcs_per_class",
        .field = &C::vcs_per_class,
        .min = 1,
        .max = kMaxVcs,
        .max_entries = kMaxVcs,
        .default_words = "`star_channel`, `dqn`, `q_routing` on a torus: 1 per escape class, the "
                         "rest adaptive; else evenly spread",
        .doc = "VCs of each class. Torus, mesh: escape classes first (two on a torus, one on a "
               "mesh), then the adaptive one of `star_channel`, `q_routing` and `dqn`, or those of "
               "`valiant`'s second way. Dragonfly: one class per step of a path, 2 (`min`) to 5 "
               "(`par`), or per hop: 5 (`q_adaptive`, `q_par`), `q_max_hops` + 3 (`q_routing`)."},
    Key{.path = "routing.dor_bias_flits",
        .field = &C::dor_bias,
        .min = 0,
        .max = 4096,
        .default_words = "half the deepest VC",
        .doc = "`star_channel`: flits by which another direction must have more space before a "
               "packet leaves the dimension-order direction."},

    Key{.path = "routing.route_cycles",
        .field = &C::route_cycles,
        .min = 0,
        .max = 4,
        .default_yaml = "0",
        .doc = "Dragonfly, all but `q_*`: core cycles of route computation, which come on top of "
               "`router.pipeline_cycles`: more make the clock faster."},
    Key{.path = "routing.minimal_candidates",
        .field = &C::minimal_candidates,
        .min = 1,
        .max = 4,
        .default_yaml = "1",
        .doc = "Adaptive routings: minimal paths drawn at random, the best of which is compared."},
    Key{.path = "routing.nonminimal_candidates",
        .field = &C::nonminimal_candidates,
        .min = 1,
        .max = 4,
        .default_yaml = "1",
        .doc =
            "Adaptive routings: non-minimal paths drawn at random, the best of which is compared."},
    Key{.path = "routing.bias_flits",
        .field = &C::bias_flits,
        .min = -32768,
        .max = 32767,
        .default_yaml = "0",
        .doc = "Adaptive routings: flits x hops added to the non-minimal side; above 0 favours "
               "minimal paths."},
    Key{.path = "routing.queue_metric",
        .field = &C::queue_metric,
        .names = kQueueMetrics,
        .default_yaml = "both",
        .doc = "Adaptive routings: what counts as the queue of an output port: the output queue, "
               "the downstream credits in use, both, or both less what was sent in the last two "
               "link latencies."},
    Key{.path = "routing.hop_metric",
        .field = &C::hop_metric,
        .names = kHopMetrics,
        .default_yaml = "path",
        .doc = "Adaptive routings: queues are weighed by the hops of the path, or 1 : 2."},
    Key{.path = "routing.reconsider",
        .field = &C::reconsider,
        .default_words = "`par`: true; else false",
        .doc = "Adaptive routings: routers of the source group may turn a minimal choice into a "
               "non-minimal one."},
    Key{.path = "routing.contention_window_link_cycles",
        .field = &C::contention_window,
        .min = 16,
        .max = 16384,
        .default_yaml = "500",
        .doc = "`ugal_le`: window in which the packets of a flow are counted, link cycles."},
    Key{.path = "routing.contention_threshold",
        .field = &C::contention_threshold,
        .min = 0,
        .max = 14,
        .default_yaml = "5",
        .doc = "`ugal_le`: a flow is active with more packets than this in the window."},
    Key{.path = "routing.contention_count",
        .field = &C::contention_count,
        .names = kContentionCounts,
        .default_yaml = "latched_or_live",
        .doc = "`ugal_le`: the window whose counts decide: the completed one, the running one, or "
               "either."},
    Key{.path = "routing.learning_rate",
        .field = &C::learning_rate,
        .min = 0,
        .max = 0.999,
        .default_words = "`dgb`: 0.1; `edgb`: 0.001",
        .doc = "`dgb`, `edgb`: flits by which the bias moves per link cycle between the latencies "
               "of non-minimal and minimal paths."},

    Key{.path = "routing.q_alpha",
        .field = &C::q_alpha,
        .min = 0,
        .max = 1,
        .above_min = true,
        .default_yaml = "0.2",
        .doc = "`q_*`: part of the way that a table's value goes to a smaller delivery time."},
    Key{.path = "routing.q_beta",
        .field = &C::q_beta,
        .min = 0,
        .max = 1,
        .above_min = true,
        .default_yaml = "0.04",
        .doc = "`q_*`: part of the way that it goes to a greater one."},
    Key{.path = "routing.q_epsilon",
        .field = &C::q_epsilon,
        .min = 0,
        .max = 1,
        .default_yaml = "0.001",
        .doc = "`q_*`: probability that a decision takes a port at random."},
    Key{.path = "routing.q_threshold_source",
        .field = &C::q_threshold_source,
        .min = 0,
        .max = 1,
        .default_yaml = "0.2",
        .doc = "`q_adaptive`, `q_par`: part by which the best port must beat the minimal one in "
               "the source group."},
    Key{.path = "routing.q_threshold_intermediate",
        .field = &C::q_threshold_intermediate,
        .min = 0,
        .max = 1,
        .default_yaml = "0.35",
        .doc = "`q_adaptive`, `q_par`: part by which another router must beat the minimal port in "
               "an intermediate group."},
    Key{.path = "routing.q_max_hops",
        .field = &C::q_max_hops,
        .min = 1,
        .max = 62,
        .default_words = "dragonfly: 2; torus: twice its diameter, at most 62",
        .doc = "`q_routing`: hops after which a packet goes minimally; at most 12 on a dragonfly."},
    Key{.path = "routing.q_value_bits",
        .field = &C::q_value_bits,
        .min = 12,
        .max = 24,
        .default_yaml = "18",
        .doc = "`q_*`: bits of a table's value, the fraction included; at least 8 before the "
               "binary point."},
    Key{.path = "routing.q_fraction_bits",
        .field = &C::q_fraction_bits,
        .min = 0,
        .max = 10,
        .default_yaml = "5",
        .doc = "`q_*`: bits of it below one core cycle."},
    Key{.path = "routing.q_table_cycles",
        .field = &C::q_table_cycles,
        .min = 2,
        .max = 3,
        .default_yaml = "3",
        .doc = "`q_*`: core cycles of a decision by the table."},
    Key{.path = "routing.q_initial",
        .field = &C::q_initial,
        .names = kQInitials,
        .default_yaml = "zero_load",
        .doc = "`q_*`: values after reset: the time of the shortest way through the port in an "
               "empty network, or less, so that ports are tried."},
    Key{.path = "routing.q_feedback",
        .field = &C::q_feedback,
        .names = kQFeedbacks,
        .default_yaml = "free",
        .doc = "`q_*`: what a router reports back: the best value of its row, or that of what the "
               "packet may still do there."},
    Key{.path = "routing.q_local_detours",
        .field = &C::q_local_detours,
        .default_words = "`q_adaptive`: true; `q_par`: false",
        .doc = "`q_adaptive`, `q_par`: the source router may choose any local port, not only the "
               "minimal one."},
    Key{.path = "routing.q_queues",
        .field = &C::q_queues,
        .default_words = "`q_par`: true; else false",
        .doc = "`q_*`: the router's own queues count in the estimate."},
    Key{.path = "routing.q_progressive",
        .field = &C::q_progressive,
        .default_words = "`q_par`: true; else false",
        .doc = "`q_adaptive`, `q_par`: the second router of the source group may leave it through "
               "its own global ports."},

    Key{.path = "routing.agent",
        .field = &C::agent,
        .default_words = "none",
        .doc = "`dqn`: path of the trained agent (`hopwise agent`) that a simulation loads into "
               "the routers; without one packets go in dimension order."},
    Key{.path = "routing.dqn_hidden",
        .field = &C::dqn_hidden,
        .min = 1,
        .max = 64,
        .min_entries = 1,
        .max_entries = 3,
        .default_yaml = "[32, 16]",
        .doc = "`dqn`: sizes of the hidden layers."},
    Key{.path = "routing.dqn_macs",
        .field = &C::dqn_macs,
        .min = 4,
        .max = 256,
        .default_yaml = "64",
        .doc = "`dqn`: multipliers of the inference engine, a power of two."},
    Key{.path = "routing.dqn_zero_time",
        .field = &C::dqn_zero_time,
        .default_yaml = "false",
        .doc = "`dqn`: the engine answers in the cycle of the question, as in the thesis: for "
               "comparison, not for a board."},
    Key{.path = "routing.dqn_observation",
        .field = &C::dqn_observation,
        .names = kDqnObservations,
        .default_yaml = "offsets",
        .doc = "`dqn`: whether the network sees where the destination lies from here, or its "
               "coordinates."},
    Key{.path = "routing.dqn_mask",
        .field = &C::dqn_mask,
        .names = kDqnMasks,
        .default_yaml = "none",
        .doc = "`dqn`: ports that are not proposed: none (the thesis), the one that the packet "
               "came through, or also those that have no room for it."},
    Key{.path = "routing.dqn_pending",
        .field = &C::dqn_pending,
        .min = 4,
        .max = 256,
        .default_yaml = "64",
        .doc = "`dqn`: packets of a router that wait for their acknowledge, a power of two; more "
               "go on without."},
    Key{.path = "routing.dqn_max_hops",
        .field = &C::dqn_max_hops,
        .min = 1,
        .max = 62,
        .default_words = "twice the diameter, at most 62",
        .doc = "`dqn`: hops after which a packet goes in dimension order."},
    Key{.path = "routing.dqn_ack_ratio",
        .field = &C::dqn_ack_ratio,
        .min = 1,
        .max = 65535,
        .default_yaml = "1",
        .doc = "`dqn`: one packet in so many of a terminal is acknowledged."},
    Key{.path = "routing.dqn_epsilon",
        .field = &C::dqn_epsilon,
        .min = 0,
        .max = 1,
        .default_yaml = "0.02",
        .doc = "`dqn`: probability of a port at random; training has its own."},
    Key{.path = "routing.dqn_patient",
        .field = &C::dqn_patient,
        .default_yaml = "false",
        .doc = "`dqn`: an accepted packet waits while another one passes through the VC that it is "
               "to have, if there is room behind it; else it turns to dimension order at once."},

    Key{.path = "traffic.pattern",
        .field = &C::pattern,
        .names = spec::kPatterns,
        .also = spec::kPatternAliases,
        .forms = spec::kPatternForms,
        .parse = spec::parse_pattern,
        .default_yaml = "uniform",
        .doc = "Who sends to whom (`neighbor` is `neighbour`). `transpose` needs two or more equal "
               "dimensions; `shift`, `adv+I`, `mixed_*_shift:P`, and `stencil_3d` and "
               "`many_to_many` without their grid need the groups of a dragonfly."},
    Key{.path = "traffic.load",
        .field = &C::load,
        .min = 0,
        .max = 1,
        .above_min = true,
        .default_yaml = "0.5",
        .doc = "Offered load, a fraction of a terminal link's capacity."},
    Key{.path = "traffic.injection",
        .field = &C::injection,
        .names = kInjections,
        .default_yaml = "bernoulli",
        .doc = "When a terminal makes a packet: at random in any cycle, in bursts, or at a fixed "
               "interval from cycle 0 on."},
    Key{.path = "traffic.mean_burst_packets",
        .field = &C::mean_burst,
        .min = 1,
        .max = 10000,
        .default_yaml = "8",
        .doc = "Mean packets of a burst of `on_off`, sent back to back at full link rate."},
    Key{.path = "traffic.source_queue_packets",
        .field = &C::source_queue,
        .min = 0,
        .max = 1000000,
        .default_yaml = "0",
        .doc = "Packets that may wait at a terminal; 0: any number. While its queue is full, a "
               "`periodic` terminal sleeps, and the packets of the others are lost before they are "
               "made."},
    Key{.path = "traffic.packet_flits",
        .field = &C::packet_flits,
        .min = 1,
        .max = 1024,
        .default_words = "`packet.max_flits`",
        .doc = "Length of packets, header and footer included: one number, or `{min: 1, max: 8}` "
               "for a uniform choice."},
    Key{.path = "traffic.hot_fraction",
        .field = &C::hot_fraction,
        .min = 0,
        .max = 1,
        .above_min = true,
        .default_yaml = "0.1",
        .doc = "Part of the packets that `hot_spot` and `hot_region` send to the hot terminals."},
    Key{.path = "traffic.hot_terminals",
        .field = &C::hot_terminals,
        .min = 0,
        .max = 524287,
        .min_entries = 0,
        .max_entries = 1024,
        .default_yaml = "[]",
        .doc = "Terminal numbers that `hot_spot` prefers; empty: the one in the middle."},
    Key{.path = "traffic.dpsnn_rate_hz",
        .field = &C::dpsnn_rate,
        .min = 0,
        .max = 1000,
        .above_min = true,
        .default_yaml = "21",
        .doc = "`dpsnn`: mean firing rate of a neuron; `dpsnn:R` names its own."},
    Key{.path = "traffic.dpsnn_neurons",
        .field = &C::dpsnn_neurons,
        .min = 1,
        .max = 1000000,
        .default_yaml = "2500",
        .doc = "`dpsnn`: neurons of a process, of which there is one per terminal."},
    Key{.path = "traffic.dpsnn_steps",
        .field = &C::dpsnn_steps,
        .min = 0,
        .max = 1000000,
        .default_yaml = "400",
        .doc = "`dpsnn`: steps of a millisecond of neural time, after which the run ends; 0: "
               "without end."},
    Key{.path = "traffic.dpsnn_spike_cycles",
        .field = &C::dpsnn_spike_cycles,
        .min = 0,
        .max = 1000000,
        .default_yaml = "10",
        .doc = "`dpsnn`: core cycles that a process computes for each spike that it received in "
               "the last step."},
    Key{.path = "traffic.trace",
        .field = &C::trace,
        .default_words = "none",
        .doc = "Path of the trace that the pattern `trace` replays."},
    Key{.path = "traffic.switch_at_link_cycles",
        .field = &C::switch_at,
        .min = 0,
        .max = kMaxCycles,
        .default_yaml = "0",
        .doc = "Link cycle from which on `switch_pattern` and `switch_load` hold, rounded up to a "
               "core cycle; 0: never."},
    Key{.path = "traffic.switch_pattern",
        .field = &C::switch_pattern,
        .names = spec::kPatterns,
        .also = spec::kPatternAliases,
        .forms = spec::kPatternForms,
        .parse = spec::parse_pattern,
        .default_words = "the pattern before the switch",
        .doc = "Who sends to whom after the switch; any pattern but `trace`."},
    Key{.path = "traffic.switch_load",
        .field = &C::switch_load,
        .min = 0,
        .max = 1,
        .above_min = true,
        .default_words = "the load before the switch",
        .doc = "Offered load after the switch."},

    Key{.path = "simulation.seed",
        .field = &C::seed,
        .min = 0,
        .max = kMaxSeed,
        .default_yaml = "1",
        .doc = "Seed of all random streams: the same seed gives the same bytes."},
    Key{.path = "simulation.cycles",
        .field = &C::cycles,
        .min = 0,
        .max = kMaxCycles,
        .default_yaml = "0",
        .doc = "Core cycles measured; 0: until the confidence interval is reached."},
    Key{.path = "simulation.warmup_cycles",
        .field = &C::warmup_cycles,
        .min = 0,
        .max = kMaxCycles,
        .default_yaml = "0",
        .doc = "Core cycles before the measurement; 0: detected."},
    Key{.path = "simulation.max_cycles",
        .field = &C::max_cycles,
        .min = 1,
        .max = kMaxCycles,
        .default_yaml = "400000",
        .doc = "Core cycles of warm-up and measurement where `cycles` is 0."},
    Key{.path = "simulation.confidence",
        .field = &C::confidence,
        .min = 0,
        .max = 0.5,
        .above_min = true,
        .default_yaml = "0.02",
        .doc =
            "The run ends when the 95 % interval of the mean latency is within this part of it."},
    Key{.path = "simulation.path_queues",
        .field = &C::path_queues,
        .default_yaml = "false",
        .doc = "Adaptive routings of a dragonfly: follow the queues along whole minimal paths over "
               "time, which no router sees."},
    Key{.path = "simulation.settling_cycles",
        .field = &C::settling_cycles,
        .min = 0,
        .max = kMaxCycles,
        .default_yaml = "0",
        .doc = "Core cycles of the window whose means tell when the network has settled; 0: a "
               "twentieth of the run."},

    Key{.path = "training.share",
        .field = &C::training_share,
        .names = kAgentSharings,
        .default_yaml = "row",
        .doc = "Routers that share an agent: each has its own, those of a row of dimension 0 (a "
               "mezzanine), or all."},
    Key{.path = "training.decisions",
        .field = &C::training_decisions,
        .min = 1,
        .max = 100000000,
        .default_yaml = "150000",
        .doc = "Proposals of each agent until the training ends."},
    Key{.path = "training.load",
        .field = &C::training_load,
        .min = 0,
        .max = 1,
        .above_min = true,
        .default_yaml = "0.8",
        .doc = "Offered load of the training."},
    Key{.path = "training.batch",
        .field = &C::training_batch,
        .min = 1,
        .max = 1024,
        .default_yaml = "32",
        .doc = "Samples of a step."},
    Key{.path = "training.start_samples",
        .field = &C::training_start,
        .min = 1,
        .max = 1000000,
        .default_yaml = "1000",
        .doc = "Samples of an agent before its first step."},
    Key{.path = "training.samples_per_step",
        .field = &C::training_interval,
        .min = 1,
        .max = 1000000,
        .default_yaml = "4",
        .doc = "New samples of an agent from step to step."},
    Key{.path = "training.replay",
        .field = &C::training_replay,
        .min = 1,
        .max = 10000000,
        .default_yaml = "50000",
        .doc = "Samples that an agent remembers."},
    Key{.path = "training.learning_rate",
        .field = &C::training_rate,
        .min = 0,
        .max = 1,
        .above_min = true,
        .default_yaml = "0.0005",
        .doc = "Step size of Adam."},
    Key{.path = "training.huber_delta",
        .field = &C::training_huber,
        .min = 0,
        .max = 1000,
        .above_min = true,
        .default_yaml = "1",
        .doc = "Error from which on the loss grows linearly."},
    Key{.path = "training.epsilon_steps",
        .field = &C::training_epsilon_steps,
        .min = 0,
        .max = 100000000,
        .max_entries = 16,
        .default_yaml = "[0, 10000, 100000, 100000]",
        .doc = "Proposals of an agent at which `epsilon` is given, ascending."},
    Key{.path = "training.epsilon",
        .field = &C::training_epsilon,
        .min = 0,
        .max = 1,
        .max_entries = 16,
        .scalar_or_list = true,
        .default_yaml = "[1, 0.1, 0.1, 0.02]",
        .doc = "Exploration at `epsilon_steps`, linear between them."},
    Key{.path = "training.swap_delay_cycles",
        .field = &C::training_delay,
        .min = 0,
        .max = kMaxCycles,
        .default_yaml = "0",
        .doc = "Core cycles from a step to the moment at which its weights begin to load; loading "
               "takes its time as well."},
    Key{.path = "training.quantisation_aware",
        .field = &C::training_quantised,
        .default_yaml = "true",
        .doc = "Training rounds weights and activations as the engine does."},

    Key{.path = "experiment.routings",
        .field = &C::routings,
        .max_entries = 64,
        .scalar_or_list = true,
        .default_words = "the routing of the network",
        .doc = "What is compared: names of algorithms, or maps with `label`, `algorithm` and any "
               "other key of the network or traffic, dotted (`router.vcs: 3`)."},
    Key{.path = "experiment.patterns",
        .field = &C::patterns,
        .names = spec::kPatterns,
        .also = spec::kPatternAliases,
        .forms = spec::kPatternForms,
        .parse = spec::parse_pattern,
        .max_entries = 16,
        .scalar_or_list = true,
        .default_words = "`traffic.pattern`",
        .doc = "Traffic patterns to run."},
    Key{.path = "experiment.loads",
        .field = &C::loads,
        .min = 0,
        .max = 1,
        .above_min = true,
        .max_entries = 1000,
        .scalar_or_list = true,
        .default_words = "`traffic.load`",
        .doc = "Offered loads to run, lowest first: numbers, or `FIRST:LAST:STEP` such as "
               "`0.1:0.9:0.1`."},
    Key{.path = "experiment.find_saturation",
        .field = &C::find_saturation,
        .default_yaml = "true",
        .doc = "Search the highest load that each routing sustains."},
};

}  // namespace

std::span<const Key> keys() { return kKeys; }
std::span<const Section> sections() { return kSections; }

const Key* find_key(std::string_view path) {
  const auto key =
      std::find_if(kKeys.begin(), kKeys.end(), [path](const Key& k) { return k.path == path; });
  return key == kKeys.end() ? nullptr : &*key;
}

bool is_section(std::string_view path) {
  return std::any_of(kSections.begin(), kSections.end(),
                     [path](const Section& s) { return s.path == path; });
}

std::vector<std::string> words_of(const Key& key) {
  std::vector<std::string> words(key.names.begin(), key.names.end());
  for (const spec::WordForm& form : key.forms) words.push_back(spec::display(form));
  return words;
}

std::string describe_range(const Key& key) {
  const std::string max = fmt::format("{}", key.max);
  return key.above_min ? fmt::format("above {}, up to {}", key.min, max)
                       : fmt::format("{} to {}", key.min, max);
}

std::string describe_allowed(const Key& key) {
  const std::string range = describe_range(key);
  const std::vector<std::string> all = words_of(key);
  const std::string words = join_names(std::vector<std::string_view>(all.begin(), all.end()));
  struct Visitor {
    const Key& key;
    const std::string& range;
    const std::string& words;
    std::string operator()(FieldOf<std::string>) const { return words.empty() ? "text" : words; }
    std::string operator()(FieldOf<std::uint64_t>) const { return "an integer from " + range; }
    std::string operator()(FieldOf<double>) const { return "a number " + range; }
    std::string operator()(FieldOf<bool>) const { return "true or false"; }
    std::string operator()(FieldOf<spec::Rational>) const {
      return "an integer, a decimal or a fraction such as 5/2, from " + range +
             ", denominator at most 16";
    }
    std::string operator()(FieldOf<UIntList>) const {
      const std::string list = fmt::format("a list of {} to {} integers from {}", key.min_entries,
                                           key.max_entries, range);
      return key.scalar_or_list ? "an integer or " + list : list;
    }
    std::string operator()(FieldOf<spec::PacketLength>) const {
      return "an integer from " + range + ", or {min: ..., max: ...}";
    }
    std::string operator()(FieldOf<Names>) const { return "a list of " + words; }
    std::string operator()(FieldOf<Reals>) const {
      return "numbers " + range + ": one, a list, or FIRST:LAST:STEP";
    }
    std::string operator()(FieldOf<Routings>) const {
      return "a list of " + join_names(kAlgorithms) +
             ", or of maps with label, algorithm and other keys";
    }
  };
  return std::visit(Visitor{key, range, words}, key.field);
}

}  // namespace hopwise::config
