// SPDX-License-Identifier: Apache-2.0
// The validated description of a network and of what to run on it. Only config::load makes one,
// so that whoever holds a Spec may rely on every range and combination stated here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "spec/job.hpp"
#include "spec/mode.hpp"
#include "spec/settings.hpp"

namespace hopwise::spec {

/// A positive rational, kept in lowest terms: `cycles_per_flit: 5/2`.
struct Rational {
  unsigned num = 1;
  unsigned den = 1;
  double value() const { return static_cast<double>(num) / den; }
  bool operator==(const Rational&) const = default;
};

/// What routings and patterns may rely on in a network's coordinates.
enum class Structure {
  /// a router is a place in a grid: `dims` are its sizes, neighbours are one step away
  kGrid,
  /// `dims` are {routers of a group, groups}: a router is its number in the group, then its group
  kGroups,
  /// `dims` is {routers}: a router is a number, and no more is known
  kGraph,
};

struct TopologySpec {
  std::string kind;                   ///< of the list: see topology/kind.hpp
  Settings settings;                  ///< of the kind's keys; nobody else reads them
  unsigned terminals_per_router = 1;  ///< 1 to 16; what routers without terminals have not

  // What the kind makes of them.
  Structure structure = Structure::kGrid;
  bool wraparound = false;     ///< a grid whose dimensions are rings
  std::vector<unsigned> dims;  ///< sizes of a router's coordinates, dimension 0 first
  std::size_t routers = 0;
  std::size_t terminals = 0;

  bool is_grid() const { return structure == Structure::kGrid; }
  bool has_wraparound() const { return is_grid() && wraparound; }
  bool has_groups() const { return structure == Structure::kGroups; }
};

struct LinkSpec {
  /// core cycles, >= 1, of each class of links that the kind of topology has
  std::vector<unsigned> latency_cycles;
  unsigned terminal_latency_cycles = 1;  ///< terminal to router and back, core cycles, >= 1
  /// core cycles per flit on every link, >= 1 (the speed-up of the core)
  Rational cycles_per_flit;
  /// a flit that finds its link idle waits for one flit time; output queues only
  bool idle_wait = false;
};

enum class PacketFormatKind { kCompact, kApenet };

struct PacketSpec {
  PacketFormatKind format = PacketFormatKind::kCompact;
  unsigned flit_bits = 128;  ///< 32 to 1024
  unsigned max_flits = 1;    ///< longest packet, header (and footer) included
  // What router.header_parity, router.hop_limit and others put into the header.
  bool header_parity = false;
  unsigned hop_limit = 0;     ///< links between routers; 0: not counted
  unsigned message_bits = 0;  ///< of the fields of message interfaces: see TerminalSpec::messages
  bool tkeep = false;         ///< heads say how many bytes of the tail are the packet's
  bool congestion = false;    ///< heads can be marked, and be notifications: see CongestionSpec
  /// Flits have a bit above all others on wires and in routers, which says that a flit is made up,
  /// or a tail that of a broken packet. Where packets can break off under way.
  bool poison = false;
  unsigned wire_bits() const { return flit_bits + (poison ? 1 : 0); }
};

enum class Switching { kVirtualCutThrough, kStoreAndForward, kWormhole };
enum class AllocatorKind { kSeparableInputFirst, kSeparableOutputFirst };
enum class ArbiterKind { kWeighted, kRoundRobin };
enum class Granularity { kPacket, kFlit };
/// What a head finds in an output VC that it takes: places for its packet, for the longest one, or
/// for its packet where VCs collect places for the longest one from time to time.
enum class Room { kPacket, kLongest, kCollect };

struct RouterSpec {
  Switching switching = Switching::kVirtualCutThrough;
  /// Names of the message classes, at least one. Each has VCs of its own from injection to
  /// ejection: VC v of message class c is VC c * message_class_vcs() + v of a port.
  std::vector<std::string> message_classes{"message"};
  /// All message classes, the one that goes first first; empty: none goes before another. Of
  /// packets of a class that go while others behind it in the order wait, there are at most
  /// `class_priority_packets` in a row at an arbiter.
  std::vector<unsigned> class_priority;
  unsigned class_priority_packets = 7;   ///< 1 to 255
  unsigned vcs = 2;                      ///< VCs per port, 1 to 16, all classes together
  std::vector<unsigned> vc_depth_flits;  ///< one per VC (expanded from the classes)
  unsigned output_queue_flits = 0;       ///< per output VC; 0 or 1: purely input-queued
  AllocatorKind allocator = AllocatorKind::kSeparableInputFirst;
  unsigned allocator_iterations = 1;             ///< 1 to 4
  ArbiterKind arbiter = ArbiterKind::kWeighted;  ///< of an output port
  Granularity granularity = Granularity::kPacket;
  /// One waiting head of a router after the other has an output VC reserved. Not under wormhole.
  bool reservations = false;
  /// 2 to 5, wormhole 2 or 3: head flit at the input pins to head flit at the output pins
  unsigned pipeline_cycles = 2;
  Room room = Room::kPacket;  ///< kPacket under wormhole, and where packets have one flit
  bool counters = true;       ///< performance counters in the CSR block
  bool checks = false;        ///< packets that go nowhere are dropped, whatever their heads say
  /// Tables of the routing, and what waits in memories of a packet's route, have parity.
  bool memory_parity = false;
  /// core cycles in which each VC is visited once, to find those that do not move; 0: none is
  unsigned watchdog_cycles = 0;
  bool clock_gating = false;   ///< routers that rest have no clock
  bool partial_reset = false;  ///< a router can be reset alone

  unsigned num_message_classes() const { return static_cast<unsigned>(message_classes.size()); }
  /// Core cycles that flits to the router take more in a terminal whose classes share the pins, and
  /// half of what credits to it do (rtl/terminal/hw_class_interface).
  unsigned class_cycles() const { return num_message_classes() > 1 ? 1 : 0; }
  unsigned message_class_vcs() const { return vcs / num_message_classes(); }
};

/// How a routing mode is chosen for each message (docs/reference/mode-selector.md).
struct SelectorSpec {
  static constexpr unsigned kUnit = 16;  ///< parts of one, of the factors
  std::uint32_t threshold_bytes = 4096;  ///< that must come together before a message decides
  unsigned lambda = 19;                  ///< latency of the adaptive mode over the high bias's
  unsigned sigma = 80;                   ///< stalls of the high bias over the adaptive mode's
  unsigned max_age = 5;                  ///< samples after which one is forgotten
};

/// What the terminals do with the packets that they get.
struct TerminalSpec {
  /// A head leaves as soon as it is there; a stream that pauses for `pause_cycles` core cycles
  /// within a packet has broken off.
  bool cut_through = false;
  unsigned pause_cycles = 32;  ///< 1 to 65535
  /// Message class -> that of the replies to it: a terminal may leave packets of the first where
  /// they are until it has injected replies. Packets of all other classes it always takes.
  std::map<unsigned, unsigned> replies;
  /// Packets of the class are answers, and so not throttled: others wait until they have left.
  bool answers(unsigned message_class) const {
    return std::ranges::any_of(
        replies, [message_class](const auto& r) { return r.second == message_class; });
  }
  /// Of so many classes the last that no terminal answers: that of notifications of congestion.
  /// There is one: classes that answer each other in a ring are not proved.
  unsigned note_class(unsigned classes) const {
    while (classes > 1 && replies.contains(classes - 1)) --classes;
    return classes - 1;
  }
  /// Terminals are message interfaces, of two message classes, requests and the responses to them
  /// (docs/reference/messages.md). What follows is of these.
  bool messages = false;
  unsigned outstanding = 1024;         ///< requests without response, a power of two, 16 to 4096
  unsigned windows = 1024;             ///< a power of two, 16 to 4096
  std::uint32_t timeout_cycles = 0;    ///< core cycles; 0: responses are waited for
  bool mode_selector = false;          ///< there is one, for descriptors that ask it
  SelectorSpec selector;               ///< of it, and of a host's software that does the same
  bool message_registers = false;      ///< hosts have registers beside the interfaces' streams
  unsigned counter_read_cycles = 200;  ///< core cycles that a host takes to read its counters
};

/// Widths of the descriptors of message interfaces: of a memory's addresses, of a window's key, of
/// an offset into a window in bytes, of the tag of a completion.
inline constexpr unsigned kAddressBits = 40, kKeyBits = 8, kOffsetBits = 20, kTagBits = 16;

/// Routers mark packets at terminals that too many others send to, those terminals notify the
/// sources, and sources send less to them (docs/reference/congestion.md). All but `enabled` and
/// `flows` are reset values of configuration words.
struct CongestionSpec {
  bool enabled = false;
  bool throttle = true;        ///< sources heed notifications
  unsigned flows = 8;          ///< destinations that a terminal throttles at a time, 1 to 32
  unsigned mark_inputs = 2;    ///< input ports that want the same terminal, 1 to 255
  unsigned mark_cycles = 255;  ///< core cycles that they do so on balance, 1 to 255
  unsigned note_cycles = 8;  ///< core cycles from a terminal's notification to its next, 1 to 4095
  unsigned period_cycles = 512;  ///< core cycles between two changes of a rate, flows + 1 to 65535
  unsigned increase = 32;        ///< 2^-16 of a flit per core cycle and period, 1 to 65535
  unsigned decrease_shift = 2;   ///< a rate falls by itself shifted right by so much, 1 to 8
};

struct RoutingSpec {
  std::string algorithm = "dor";  ///< a variant of a family: see routing/family.hpp
  /// VCs of each class of the family's, in their order: those of one message class.
  std::vector<unsigned> vcs_per_class;
  Settings settings;  ///< of the family's keys; nobody else reads them
};

/// Everything the emitted hardware depends on. Two equal NetworkSpecs give the same bundle, byte
/// for byte.
struct NetworkSpec {
  /// a legal SystemVerilog identifier, at most 40 characters
  std::string name;
  TopologySpec topology;
  LinkSpec link;
  PacketSpec packet;
  RouterSpec router;
  TerminalSpec terminal;
  CongestionSpec congestion;
  RoutingSpec routing;
};

enum class Injection { kBernoulli, kOnOff, kPeriodic };

/// Number of flits of a packet, header (and footer) included: uniform on [min, max]; fixed where
/// both are equal.
struct PacketLength {
  unsigned min_flits = 1;
  unsigned max_flits = 1;
};

struct TrafficSpec {
  /// a name that `parse_pattern` takes, in its one spelling
  std::string pattern = "uniform";
  /// offered, fraction of a terminal link's capacity, (0, 1]
  double load = 0.5;
  Injection injection = Injection::kBernoulli;
  /// on/off: mean packets of a burst, sent back to back at full link rate
  double on_off_mean_burst_packets = 8;
  /// Most replies that wait at a terminal, which takes a request while there is a place for its
  /// reply; 0: terminals do not reply.
  std::uint64_t reply_queue_packets = 0;
  std::map<unsigned, unsigned> replies;    ///< those of the network's terminals
  Mode mode = Mode::kAdaptive0;            ///< of the packets, where the network has modes
  std::uint64_t source_queue_packets = 0;  ///< most packets that wait at a terminal; 0: any number
  PacketLength length;
  Settings settings;  ///< of the keys of all patterns, whole paths; only the patterns read them
  unsigned flit_bits = 128;  ///< those of the network, for patterns that count bytes
  /// closed loops have no last step of their own: somebody else ends the run
  bool endless = false;
  std::uint64_t switch_cycle = 0;  ///< core cycle from which on the next two hold; 0: never
  std::string switch_pattern;      ///< empty: that before the switch
  double switch_load = 0;          ///< 0: that before the switch
};

/// What evaluates the routers; results do not depend on it.
enum class Engine { kAuto, kVerilator, kLanes };

/// Faults that a simulation plants.
struct FaultSpec {
  enum class Kind { kDestination, kLength, kClass, kStream };
  double bad_packets = 0;   ///< of the packets that terminals send, the share that is wrong
  std::vector<Kind> kinds;  ///< of these
  /// They come through network interfaces, not straight to the router.
  bool at_interface = false;
  double header_flips = 0;  ///< of the heads on links between routers, the share with a flipped bit
  struct Reset {
    std::uint32_t router = 0;
    std::uint64_t cycle = 0;
    auto operator<=>(const Reset&) const = default;
  };
  std::vector<Reset> resets;  ///< of single routers
  double reset_rate = 0;      ///< of the routers, the share that is reset in a core cycle
  bool resets_any() const { return reset_rate > 0 || !resets.empty(); }
  bool any() const { return bad_packets > 0 || header_flips > 0 || resets_any(); }
};

struct SimulationSpec {
  std::uint64_t seed = 1;
  /// measured core cycles; 0: until the confidence interval is reached
  std::uint64_t cycles = 0;
  std::uint64_t warmup_cycles = 0;    ///< 0: detected
  std::uint64_t max_cycles = 400000;  ///< end of warm-up plus measurement where `cycles` is 0
  /// window of the settling time, core cycles; 0: a twentieth of the run
  std::uint64_t settling_cycles = 0;
  double core_clock_ghz = 0;  ///< for results in microseconds; 0: not said
  Engine engine = Engine::kAuto;
  unsigned lanes = 0;                   ///< per word of the engine kLanes; 0: chosen
  bool path_queues = false;             ///< time series of the queues along minimal paths
  unsigned memory_latency_cycles = 20;  ///< of hosts behind message interfaces
  double memory_stalls = 0;  ///< of their memories' channels: the share of cycles that each pauses
  /// stop when the 95 % interval of mean latency is within this part of it
  double ci_relative = 0.02;
};

/// One routing of a comparison: its name and the overrides (`key.path=value`) that come with it.
struct RoutingVariant {
  std::string label;
  std::vector<std::string> overrides;
};

struct ExperimentSpec {
  std::vector<RoutingVariant> routings;  ///< at least one
  /// routing.algorithm was written, so that it says which routing the network has
  bool algorithm_written = false;
  std::vector<std::string> patterns;  ///< at least one
  std::vector<double> loads;          ///< ascending, at least one
  bool find_saturation = true;
};

struct Spec {
  NetworkSpec network;
  TrafficSpec traffic;
  JobSpec job;
  SimulationSpec simulation;
  FaultSpec fault;
  ExperimentSpec experiment;
  /// the network sections, defaults filled in, keys in a fixed order
  std::string canonical_network_yaml;
  std::string network_hash;  ///< 16 hex digits of `canonical_network_yaml`
};

}  // namespace hopwise::spec
