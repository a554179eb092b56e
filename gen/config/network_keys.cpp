// SPDX-License-Identifier: Apache-2.0
// The keys of the network that belong to no routing family.
#include "config/keys.hpp"

namespace hopwise::config {

namespace {

using C = NetworkConfig;

constexpr std::array kNetworkRows{
    Row{&C::name,
        {.path = "name",
         .default_words = "the kind and its sizes",
         .doc = "Prefix of the emitted modules and files: letters, digits and underscores, at most "
                "40, no SystemVerilog keyword, not starting with `hw_`."}},
    Row{&C::kind,
        {.path = "topology.kind", .required = true, .doc = ""}},  // names and doc: of the kinds
    Row{&C::terminals_per_router,
        {.path = "topology.terminals_per_router",
         .range = {1, 16},
         .default_yaml = "1",
         .doc = "Sources and sinks of packets at each router; p, where routers form groups."}},
    Row{&C::link_latency,
        {.path = "link.latency_cycles",
         .range = {1, 10000},
         .max_entries = 4,
         .scalar_or_list = true,
         .default_words = "1",
         .doc =
             "Core cycles from a router's output pins to its neighbour's input pins; one number, "
             "or one per dimension; `[local, global]` where routers form groups."}},
    Row{&C::link_latency_link_cycles,
        {.path = "link.latency_link_cycles",
         .range = {1, 10000},
         .max_entries = 4,
         .scalar_or_list = true,
         .default_words = "none",
         .doc = "The same in link cycles, each of `cycles_per_flit` core cycles, rounded up to "
                "whole core cycles."}},
    Row{&C::link_latency_ns,
        {.path = "link.latency_ns",
         .range = {.min = 0, .max = 100000, .above_min = true},
         .max_entries = 4,
         .scalar_or_list = true,
         .default_words = "none",
         .doc = "The same in nanoseconds of a core that runs at `core_clock_ghz`, rounded up to "
                "whole core cycles."}},
    Row{&C::core_clock_ghz,
        {.path = "link.core_clock_ghz",
         .range = {.min = 0, .max = 100, .above_min = true},
         .default_yaml = "1",
         .doc = "Clock of the routers, GHz: what `latency_ns` means; where it is written, settling "
                "times are also given in microseconds."}},
    Row{&C::terminal_latency,
        {.path = "link.terminal_latency_cycles",
         .range = {1, 1000},
         .default_yaml = "1",
         .doc = "Core cycles between a terminal and its router, in either direction."}},
    Row{&C::cycles_per_flit,
        {.path = "link.cycles_per_flit",
         .range = {1, 64},
         .default_yaml = "1",
         .doc =
             "Core cycles that a link takes for a flit: `2`, `2.5` or `5/2` (denominator at most "
             "16). Above 1, the router's core is faster than its links."}},
    Row{&C::idle_wait,
        {.path = "link.idle_wait",
         .default_yaml = "false",
         .doc = "A flit that finds its link idle waits for one flit time, as if the link took it "
                "only when it is whole (SST's merlin does so); needs output queues."}},
    Row{&C::format,
        {.path = "packet.format",
         .names = kPacketFormats,
         .default_yaml = "compact",
         .doc = "Header layout: `compact` has fields as wide as the network needs; `apenet` is "
                "APEnet's 128-bit header, with a footer flit."}},
    Row{&C::flit_bits,
        {.path = "packet.flit_bits",
         .range = {32, 1024},
         .default_yaml = "128",
         .doc = "Width of a flit, bits: whole bytes."}},
    Row{&C::max_flits,
        {.path = "packet.max_flits",
         .range = {1, 1024},
         .default_yaml = "1",
         .doc = "Longest packet, header and footer included, flits."}},
    Row{&C::switching,
        {.path = "router.switching",
         .names = kSwitchings,
         .default_yaml = "vct",
         .doc = "Virtual cut-through, store-and-forward or wormhole."}},
    Row{&C::vcs,
        {.path = "router.vcs",
         .range = {1, kMaxVcs},
         .default_words = "what the routing needs with one per class",
         .doc = "Virtual channels of each port, all classes of the routing together; as many again "
                "for each further message class, up to 16 in all."}},
    Row{&C::vc_depth,
        {.path = "router.vc_depth_flits",
         .range = {1, 4096},
         .max_entries = kMaxVcs,
         .scalar_or_list = true,
         .default_words = "16; under `vct` and `saf` at least two of the longest packets",
         .doc = "Buffer of each virtual channel, flits; one number, or one per VC class."}},
    Row{&C::output_queue,
        {.path = "router.output_queue_flits",
         .range = {0, 4096},
         .default_yaml = "0",
         .doc = "Queue behind the crossbar for each output VC, flits; 0 or 1 makes the router "
                "purely input-queued."}},
    Row{&C::allocator_kind,
        {.path = "router.allocator.kind",
         .names = kAllocators,
         .default_yaml = "separable_input_first",
         .doc = "Whether inputs or outputs choose first."}},
    Row{&C::allocator_iterations,
        {.path = "router.allocator.iterations",
         .range = {1, 4},
         .default_yaml = "1",
         .doc = "Rounds of matching in a cycle: more fill the crossbar better, in a longer path."}},
    Row{&C::arbiter,
        {.path = "router.allocator.arbiter",
         .names = kArbiters,
         .default_yaml = "weighted",
         .doc = "Turns of the input ports at an output: a packet each, or, of those that press, as "
                "many as fit the terminals behind them, so that overload is shared."}},
    Row{&C::granularity,
        {.path = "router.allocator.granularity",
         .names = kGranularities,
         .default_yaml = "packet",
         .doc = "Whether a grant lasts for a whole packet or for one flit."}},
    Row{&C::reservations,
        {.path = "router.allocator.reservations",
         .default_words = "`true` with `terminal.interface: messages` and several flits a packet, "
                          "but for `granularity: flit`; else `false`",
         .doc = "One waiting head of a router after the other has the output VC reserved that it "
                "waits for, so that none is passed for ever by packets that come while its input "
                "port sends another one. Not under wormhole switching."}},
    Row{&C::room,
        {.path = "router.room",
         .names = kRooms,
         .default_words =
             "`longest` where each VC holds four of the longest packets, and covers the "
             "round trip of its credits besides one, or each output queue holds four; "
             "else `packet`. With `terminal.interface: messages` two are enough, and else it is "
             "`collect`",
         .doc = "What a head waits for at an output VC: room for its packet; for the longest "
                "packet, so that no packet is passed for ever by shorter ones; or for its packet, "
                "with VCs that collect room for the longest one from time to time. Wormhole "
                "switching has `packet`; no effect with packets of one flit."}},
    Row{&C::pipeline_cycles,
        {.path = "router.pipeline_cycles",
         .range = {2, 5},
         .default_yaml = "2",
         .doc =
             "Core cycles of a head flit from input pins to output pins, with no other packet in "
             "the way: more make the clock faster. 4 and 5 not for wormhole switching."}},
    Row{&C::counters,
        {.path = "router.counters",
         .default_yaml = "true",
         .doc = "Performance counters beside the router, readable while traffic runs."}},
    Row{&C::checks,
        {.path = "router.checks",
         .default_yaml = "false",
         .doc = "Routers drop packets that go nowhere, and count them: a destination, length or "
                "class that the network does not have, a turn that is not wired."}},
    Row{&C::header_parity,
        {.path = "router.header_parity",
         .default_yaml = "false",
         .doc = "A parity bit in the header, which terminals and routers write: a head with a "
                "flipped bit is dropped where it arrives next. Needs `router.checks`."}},
    Row{&C::memory_parity,
        {.path = "router.memory_parity",
         .default_yaml = "false",
         .doc =
             "Parity in the memories that routes come from: a value of a learned table or a word "
             "of an agent's weights with a flipped bit is not believed, a packet whose route has "
             "one is dropped, and both are counted. Needs `router.checks`; not with output "
             "queues."}},
    Row{&C::hop_limit,
        {.path = "router.hop_limit",
         .range = {0, 1023},
         .default_yaml = "0",
         .doc = "Links between routers that a packet may cross; a head that has crossed so many is "
                "dropped behind the next one. At least `hop_bound` of the certificate; 0: hops are "
                "not counted. Needs `router.checks`."}},
    Row{&C::watchdog_cycles,
        {.path = "router.watchdog_cycles",
         .range = {0, 1u << 30},
         .default_yaml = "0",
         .doc = "Routers report VCs in which no flit has moved for so many core cycles, and what "
                "they wait for: a power of two from 2048 on; 0: none is watched."}},
    Row{&C::partial_reset,
        {.path = "router.partial_reset",
         .default_yaml = "false",
         .doc = "A router can be reset alone by a bit of its CSR block, while the others go on: "
                "guards at its links bring it and its neighbours together again. Needs "
                "`router.checks`."}},
    Row{&C::clock_gating,
        {.path = "router.clock_gating",
         .default_yaml = "false",
         .doc =
             "A router in which nothing moves gets no clock, until something comes to it. Its CSR "
             "block keeps its clock."}},
    Row{&C::message_classes,
        {.path = "router.message_classes",
         .max_entries = kMaxMessageClasses,
         .default_yaml = "[message]",
         .doc = "Names of the message classes: each has VCs, an injection queue and an ejection "
                "queue of its own, so that none ever waits for another."}},
    Row{&C::class_priority,
        {.path = "router.class_priority",
         .max_entries = kMaxMessageClasses,
         .default_words = "no class goes before another",
         .doc = "All message classes, in the order in which they go first wherever several ask: at "
                "the switch, at a link behind output queues, and at a terminal's channel to its "
                "router. None starves: see `class_priority_packets`."}},
    Row{&C::class_priority_packets,
        {.path = "router.class_priority_packets",
         .range = {1, 255},
         .default_yaml = "7",
         .doc =
             "Packets in a row that an arbiter lets a class send while one that `class_priority` "
             "has behind it waits; then that one goes."}},
    Row{&C::terminal_injection,
        {.path = "terminal.injection",
         .names = kTerminalInjections,
         .default_yaml = "store",
         .doc =
             "When a packet enters the network: once its stream has brought all of it, or at its "
             "head, whose length field the sender then fills in. A stream that breaks off under "
             "`cut_through` gives a broken packet, which its destination is told. "
             "`cut_through` needs `router.checks`."}},
    Row{&C::pause_cycles,
        {.path = "terminal.pause_cycles",
         .range = {1, 65535},
         .default_yaml = "32",
         .doc =
             "Under `cut_through`, core cycles without a beat within a packet after which its "
             "stream has broken off: so long a sender holds channels of the network, at most, for "
             "a flit that does not come."}},
    Row{&C::tkeep,
        {.path = "terminal.tkeep",
         .default_yaml = "false",
         .doc = "Streams have TKEEP: the header carries how many bytes of the last beat are the "
                "packet's, and a packet with null bytes elsewhere is dropped as one of wrong "
                "length. Needs `packet.format` `compact`."}},
    Row{&C::replies,
        {.path = "terminal.replies",
         .default_words = "terminals always take every packet",
         .doc = "Message classes to which terminals reply, each with the class of its replies, as "
                "in `{request: reply}`: a request may wait until replies have left. The proof then "
                "covers this dependency too."}},
    Row{&C::terminal_interface,
        {.path = "terminal.interface",
         .names = kTerminalInterfaces,
         .default_yaml = "streams",
         .doc = "What a terminal is to its host: streams of packets, or a message interface, which "
                "cuts PUT and GET of any length into request packets, answers those that arrive, "
                "and reads and writes memory. `messages` has the message classes `request` and "
                "`response`."}},
    Row{&C::outstanding,
        {.path = "terminal.outstanding",
         .range = {16, 4096},
         .default_yaml = "1024",
         .doc = "Requests of a message interface that may be without response at a time: a power "
                "of two."}},
    Row{&C::windows,
        {.path = "terminal.windows",
         .range = {16, 4096},
         .default_yaml = "1024",
         .doc = "Windows of a message interface, through which peers write and read its memory: a "
                "power of two."}},
    Row{&C::timeout_cycles,
        {.path = "terminal.timeout_cycles",
         .range = {0, 1u << 31},
         .default_yaml = "0",
         .doc = "Core cycles after which a message interface no longer waits for the response to a "
                "request, and ends its message with an error; 0: it waits."}},
    Row{&C::mode_selector,
        {.path = "terminal.mode_selector",
         .default_yaml = "false",
         .doc = "Message interfaces choose a routing mode for each message whose descriptor asks "
                "for it."}},
    Row{&C::selector_threshold_bytes,
        {.path = "terminal.selector_threshold_bytes",
         .range = {0, 4294967295.0},
         .default_yaml = "4096",
         .doc = "Application-aware routing, by the interface or by a host's software: bytes that "
                "must come together before a message decides."}},
    Row{&C::selector_lambda,
        {.path = "terminal.selector_lambda",
         .range = {0.0625, 15.9375},
         .default_yaml = "1.1875",
         .doc = "Latency of the adaptive mode over that of the high bias, where one is unknown; "
                "the nearest sixteenth."}},
    Row{&C::selector_sigma,
        {.path = "terminal.selector_sigma",
         .range = {0.0625, 15.9375},
         .default_yaml = "5",
         .doc = "Stalls of the high bias over those of the adaptive mode, where one is unknown; "
                "the nearest sixteenth."}},
    Row{&C::selector_max_age,
        {.path = "terminal.selector_max_age",
         .range = {1, 255},
         .default_yaml = "5",
         .doc = "Samples after which what a mode was last seen to do is forgotten."}},
    Row{&C::message_registers,
        {.path = "terminal.message_registers",
         .default_yaml = "false",
         .doc = "Message interfaces have registers for a host that sends few messages: descriptors "
                "and windows are written word by word, completions and events are read, counters "
                "from a snapshot. The streams of descriptors stay beside them."}},
    Row{&C::counter_read_cycles,
        {.path = "terminal.counter_read_cycles",
         .range = {0, 1000000},
         .default_yaml = "200",
         .doc = "Simulations: core cycles that a host's software takes to read the counters of its "
                "message interface (`job.mode: software`)."}},
    Row{&C::congestion_enabled,
        {.path = "congestion.enabled",
         .default_yaml = "false",
         .doc = "Routers mark packets to terminals that too many send to, the terminals notify the "
                "sources, and these send less to them, and only to them. Needs `packet.format` "
                "`compact`."}},
    Row{&C::throttle,
        {.path = "congestion.throttle",
         .default_yaml = "true",
         .doc = "Sources heed notifications; reset value of a bit of the registers."}},
    Row{&C::flows,
        {.path = "congestion.flows",
         .range = {1, 32},
         .default_yaml = "8",
         .doc =
             "Destinations that a terminal throttles at a time; those of further ones are not."}},
    Row{&C::mark_inputs,
        {.path = "congestion.mark_inputs",
         .range = {1, 255},
         .default_yaml = "2",
         .doc = "Packets to a terminal are marked where so many input ports of its router want it "
                "at a time. Reset value, as the following."}},
    Row{&C::mark_cycles,
        {.path = "congestion.mark_cycles",
         .range = {1, 255},
         .default_yaml = "255",
         .doc = "And have done so for as many core cycles more than they have not."}},
    Row{&C::note_cycles,
        {.path = "congestion.note_cycles",
         .range = {1, 4095},
         .default_yaml = "8",
         .doc = "Least core cycles from a notification of a terminal to its next."}},
    Row{&C::period_cycles,
        {.path = "congestion.period_cycles",
         .range = {1, 65535},
         .default_yaml = "512",
         .doc = "Core cycles after which a throttled rate changes: down where a notification has "
                "come, else up. More than `congestion.flows`, which take turns."}},
    Row{&C::increase,
        {.path = "congestion.increase",
         .range = {1, 65535},
         .default_yaml = "32",
         .doc = "What is added to a rate, 2^-16 flits per core cycle."}},
    Row{&C::decrease_shift,
        {.path = "congestion.decrease_shift",
         .range = {1, 8},
         .default_yaml = "2",
         .doc = "A rate falls to 1 - 2^-n of itself."}},
    Row{&C::algorithm, {.path = "routing.algorithm", .doc = ""}},
    Row{&C::vcs_per_class,
        {.path = "routing.vcs_per_class",
         .range = {1, kMaxVcs},
         .max_entries = kMaxVcs,
         .default_words =
             "1 per escape class, the rest adaptive, where the routing has adaptive VCs; "
             "else evenly spread",
         .doc =
             "VCs of each class, which the page of each routing lists. In a grid: escape classes "
             "first (two with wraparound, else one), then adaptive ones or those of a second way. "
             "Between groups: one class per step or per hop of a path."}},
};

}  // namespace

std::span<const Row> network_keys() { return kNetworkRows; }

}  // namespace hopwise::config
