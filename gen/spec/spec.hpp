// SPDX-License-Identifier: Apache-2.0
// The validated description of a network and of what to run on it. Only `spec::load` makes one,
// so that whoever holds a Spec may rely on every range and combination stated here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hopwise::spec {

/// A positive rational, kept in lowest terms: `cycles_per_flit: 5/2`.
struct Rational {
  unsigned num = 1;
  unsigned den = 1;
  double value() const { return static_cast<double>(num) / den; }
  bool operator==(const Rational&) const = default;
};

enum class TopologyKind { kTorus, kMesh, kDragonfly };

/// Which group a global port leads to (Hastings et al. 2015; Camarero et al. 2014): see
/// topology/dragonfly.hpp.
enum class GlobalArrangement { kAbsolute, kPalmtree, kCirculant };

/// dfly(p, a, h, g) of Kim et al. 2008; p is TopologySpec::terminals_per_router.
struct DragonflySpec {
  unsigned routers_per_group = 0;     ///< a
  unsigned global_ports = 0;          ///< h, per router
  unsigned groups = 0;                ///< g, 2 to a*h + 1
  unsigned links_per_group_pair = 1;  ///< l, l * (g - 1) <= a*h
  /// 1: fully connected group; else rows of a 2-D all-to-all (Cray Cascade)
  unsigned group_rows = 1;
  GlobalArrangement arrangement = GlobalArrangement::kAbsolute;
};

struct TopologySpec {
  TopologyKind kind = TopologyKind::kTorus;
  /// Torus, mesh: 1 to 4 sizes, each 2 to 64; dimension 0 first. Dragonfly: {a, g}: a router's
  /// address is its number in the group, then its group.
  std::vector<unsigned> dims;
  unsigned terminals_per_router = 1;  ///< 1 to 16
  DragonflySpec dragonfly = {};
};

struct LinkSpec {
  /// Core cycles, >= 1. Torus, mesh: one per dimension. Dragonfly: {local, global}.
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
};

enum class Switching { kVirtualCutThrough, kStoreAndForward, kWormhole };
enum class AllocatorKind { kSeparableInputFirst, kSeparableOutputFirst };
enum class ArbiterKind { kRoundRobin, kLeastRecent };
enum class Granularity { kPacket, kFlit };

struct RouterSpec {
  Switching switching = Switching::kVirtualCutThrough;
  unsigned vcs = 2;                      ///< VCs per port, 1 to 16, all classes together
  std::vector<unsigned> vc_depth_flits;  ///< one per VC (expanded from the classes)
  unsigned output_queue_flits = 0;       ///< per output VC; 0 or 1: purely input-queued
  AllocatorKind allocator = AllocatorKind::kSeparableInputFirst;
  unsigned allocator_iterations = 1;               ///< 1 to 4
  ArbiterKind arbiter = ArbiterKind::kRoundRobin;  ///< of an output port
  Granularity granularity = Granularity::kPacket;
  /// 2 to 5, wormhole 2 or 3: head flit at the input pins to head flit at the output pins
  unsigned pipeline_cycles = 2;
  bool counters = true;  ///< performance counters in the CSR block
};

enum class Algorithm {
  kDor,
  kStarChannel,
  kMin,
  kValg,
  kValn,
  kUgalLg,
  kUgalLn,
  kUgalGlobal,
  kPar,
  kUgalLe,
  kValiant,
  kDgb,
  kEdgb,
  kQRouting,
  kQAdaptive,
  kQPar,
  kDqn
};
/// Counts the flows that compete for a global link (UGAL-LE and what builds on it).
constexpr bool counts_contention(Algorithm a) {
  return a == Algorithm::kUgalLe || a == Algorithm::kEdgb;
}
/// Learns a bias from latencies.
constexpr bool learns_bias(Algorithm a) { return a == Algorithm::kDgb || a == Algorithm::kEdgb; }
/// Has a table of delivery times in every router.
constexpr bool learns_q(Algorithm a) {
  return a == Algorithm::kQRouting || a == Algorithm::kQAdaptive || a == Algorithm::kQPar;
}

enum class Dateline { kClassic, kBalanced };

/// What an adaptive routing takes for the length of the queue behind an output port, flits.
enum class QueueMetric {
  kLocalQueue,   ///< the router's own output queue
  kUsedCredits,  ///< downstream places taken, flits and credits on the wire included
  kBoth,         ///< the sum of the two
  /// the sum, less what was sent in the last two link latencies (Won et al. 2015)
  kInFlightCorrected,
};
/// Hops that weigh the queues: those of the path, or 1 for a minimal and 2 for a non-minimal one.
enum class HopMetric { kPath, kOneTwo };
/// The window whose counts say which flows are active (UGAL-LE).
enum class ContentionCount { kLatched, kLive, kLatchedOrLive };

/// Choice between a minimal and a non-minimal path at the source router; dragonflies.
struct AdaptiveSpec {
  unsigned minimal_candidates = 1;     ///< 1 to 4
  unsigned nonminimal_candidates = 1;  ///< 1 to 4
  /// added to the non-minimal side: above 0 favours minimal paths
  int bias_flits = 0;
  QueueMetric queue_metric = QueueMetric::kBoth;
  HopMetric hop_metric = HopMetric::kPath;
  /// a minimal choice may be revised in the source group (PAR)
  bool reconsider = false;
  unsigned contention_window_link_cycles = 500;
  /// active: more packets than this in the window; 0 to 14
  unsigned contention_threshold = 5;
  ContentionCount contention_count = ContentionCount::kLatchedOrLive;
  /// DGB, EDGB: flits of bias per link cycle of latency; below 1
  double learning_rate = 0;
};

/// What a table of delivery times holds before anything is learned.
enum class QInitial {
  kZeroLoad,  ///< the time of the minimal path behind the port in an empty network
  /// less for all but the direct link, so that every port is tried; see routing-q.md
  kOptimistic,
};
/// The value of the next router's row that is reported back.
enum class QFeedback {
  kFree,        ///< the best of the whole row
  kAdmissible,  ///< the best of what the packet may still do there
};

/// Tables of delivery times: q_routing, q_adaptive, q_par. Times are core cycles.
struct QSpec {
  double alpha = 0.2;      ///< learning rate of a smaller time, above 0, up to 1
  double beta = 0.04;      ///< of a greater one
  double epsilon = 0.001;  ///< probability of a port at random
  /// part by which the best must beat the minimal port, at the source
  double threshold_source = 0.2;
  double threshold_intermediate = 0.35;  ///< the same in an intermediate group
  /// q_routing: hops after which a packet goes minimally
  unsigned max_hops = 2;
  unsigned value_bits = 18;    ///< of a table's value: unsigned, core cycles
  unsigned fraction_bits = 5;  ///< of these, below the binary point
  unsigned table_cycles = 3;   ///< of a decision, core cycles: 2 or 3
  QInitial initial = QInitial::kZeroLoad;
  QFeedback feedback = QFeedback::kFree;
  /// q_adaptive, q_par: the source router may turn aside in its group
  bool local_detours = true;
  bool queues = false;  ///< the router's own queues count beside the table
  /// q_adaptive, q_par: the source group's second router decides anew
  bool progressive = false;
};

/// How the network sees where a packet goes.
enum class DqnObservation { kOffsets, kCoordinates };
/// Ports that are not proposed: none, the one that the packet came through, and those without room
/// for it.
enum class DqnMask { kNone, kReceive, kRoom };

/// DQN-Routing: a perceptron in every router proposes the port (docs/reference/routing-dqn.md).
struct DqnSpec {
  std::vector<unsigned> hidden = {32, 16};  ///< sizes of the hidden layers, 1 to 3 of them
  unsigned macs = 64;                       ///< multipliers of the engine, a power of two
  bool zero_time = false;                   ///< the proposal takes no time
  DqnObservation observation = DqnObservation::kOffsets;
  DqnMask mask = DqnMask::kNone;
  /// packets of a router that wait for their acknowledge, a power of two
  unsigned pending = 64;
  unsigned max_hops = 1;   ///< on adaptive VCs; dimension order from there on
  unsigned ack_ratio = 1;  ///< one packet in so many is acknowledged
  double epsilon = 0.02;   ///< probability of a port at random
  /// an accepted packet waits while another one passes through its VC
  bool patient = false;
  /// Layers of the perceptron, inputs first, for a torus of `dims` dimensions.
  std::vector<unsigned> layers(std::size_t dims) const;
};

struct RoutingSpec {
  Algorithm algorithm = Algorithm::kDor;
  Dateline dateline = Dateline::kClassic;  ///< tori only
  /// Torus, mesh: escape (dateline) classes first, then adaptive. Dragonfly: one per step of the VC
  /// scheme. Sums to router.vcs.
  std::vector<unsigned> vcs_per_class;
  /// star_channel: advantage of the dimension-order direction, flits of space
  unsigned dor_bias_flits = 0;
  unsigned route_cycles = 0;  ///< of route computation; dragonflies without tables
  AdaptiveSpec adaptive;
  QSpec q;
  DqnSpec dqn;
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
  std::uint64_t source_queue_packets = 0;  ///< most packets that wait at a terminal; 0: any number
  PacketLength length;
  /// hot_spot, hot_region: part of the packets that goes to the hot terminals
  double hot_fraction = 0.1;
  /// hot_spot: terminal numbers; default the one in the middle
  std::vector<unsigned> hot_terminals;
  double dpsnn_rate_hz = 21;              ///< dpsnn: mean firing rate of a neuron
  unsigned dpsnn_neurons = 2500;          ///< of a process
  std::uint64_t dpsnn_steps = 400;        ///< of a millisecond of neural time; 0: without end
  std::uint64_t dpsnn_spike_cycles = 10;  ///< computation per spike received, core cycles
  unsigned flit_bits = 128;               ///< those of the network: dpsnn counts bytes
  std::string trace_file;                 ///< pattern `trace`: path of the trace to replay
  std::uint64_t switch_cycle = 0;         ///< core cycle from which on the next two hold; 0: never
  std::string switch_pattern;             ///< empty: that before the switch
  double switch_load = 0;                 ///< 0: that before the switch
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
  /// dqn: path of the trained agent; empty: none, packets go in dimension order
  std::string agent;
  bool path_queues = false;  ///< time series of the queues along minimal paths
  /// stop when the 95 % interval of mean latency is within this part of it
  double ci_relative = 0.02;
};

/// Routers that share a perceptron: none, those of a row of dimension 0 (a mezzanine of ExaNeSt),
/// all.
enum class AgentSharing { kRouter, kRow, kAll };

/// How agents of DQN-Routing learn (`hopwise agent train`).
struct TrainingSpec {
  AgentSharing share = AgentSharing::kRow;
  std::uint64_t decisions = 100000;  ///< of every agent
  double load = 0.8;                 ///< offered while learning
  unsigned batch = 32;
  unsigned start_samples = 1000;  ///< before the first step
  unsigned samples_per_step = 4;
  unsigned replay = 50000;      ///< samples kept
  double learning_rate = 5e-4;  ///< Adam's
  double huber_delta = 1;
  /// decisions of the agent; ascending
  std::vector<std::uint64_t> epsilon_steps = {0, 10000, 100000, 100000};
  /// exploration at these, linear between them
  std::vector<double> epsilon_values = {1, 0.1, 0.1, 0.02};
  /// core cycles from a step to the start of loading its weights
  std::uint64_t swap_delay_cycles = 0;
  bool quantisation_aware = true;
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
  SimulationSpec simulation;
  TrainingSpec training;
  ExperimentSpec experiment;
  /// the network sections, defaults filled in, keys in a fixed order
  std::string canonical_network_yaml;
  std::string network_hash;  ///< 16 hex digits of `canonical_network_yaml`
};

}  // namespace hopwise::spec
