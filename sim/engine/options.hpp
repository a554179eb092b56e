// SPDX-License-Identifier: Apache-2.0
// What one simulation runs, and what it found.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measure/counts.hpp"
#include "measure/fairness.hpp"
#include "measure/histogram.hpp"
#include "measure/settling.hpp"
#include "measure/time_series.hpp"
#include "model/router_bank.hpp"
#include "spec/spec.hpp"
#include "topology/packet_format.hpp"
#include "topology/topology.hpp"
#include "traffic/jobs/job.hpp"
#include "traffic/jobs/rank.hpp"
#include "traffic/source.hpp"
#include "traffic/trace.hpp"

namespace hopwise::engine {

class Probe;
class Ranks;
struct Scene;

/// Makes a probe for one run; nullptr where the run needs none. See engine/probe.hpp.
using MakeProbe = std::function<std::unique_ptr<Probe>(const Scene&)>;

/// The network as the engine needs it: borrowed, all of it outlives the run.
struct Setup {
  const spec::NetworkSpec& network;
  const topology::Topology& topology;
  topology::PacketFormat format;
  std::vector<const model::RouterModel*> models;  ///< of each shape of routers
  std::vector<std::uint64_t> coordinates;         ///< per router, what coord_i is tied to
  /// the routing keeps the order of a source and destination
  bool in_order = false;
  /// 0: any VC with room; else VC of the message class = destination field modulo this
  unsigned injection_vc_modulus = 0;
  bool draws = false;         ///< routers draw random bits and take a seed
  unsigned route_cycles = 0;  ///< of route computation at every hop, core cycles
  /// what routers count, in the order of the words of counters_o and of the table window
  measure::Counters counters = {};
  /// of these, a sum over the decisions whose mean is mapped (see RunResult); empty: none
  std::string_view mapped = {};
  /// core cycles that routers may still wait for what was lost, with nothing else under way
  std::uint64_t longest_wait_cycles = 0;
  /// that the routers do not work without, or that any run may want
  std::vector<MakeProbe> probes = {};
  /// Verilator's models of the same shapes, where `models` are in lanes: see shadow_bank.hpp
  std::vector<const model::RouterModel*> shadows = {};
  /// address of the configuration word that resets a router alone; 0: there is none
  std::uint32_t reset_register = 0;
  /// of terminals with message interfaces; nullptr: terminals have streams
  const model::RouterModel* terminal_model = nullptr;
  std::vector<std::uint64_t> addresses = {};  ///< of terminals, as descriptors name them
};

/// What goes wrong on purpose: the accounting must notice. For tests.
struct SeededFault {
  enum class Kind {
    kDrop,
    kCorrupt,
    kDuplicate,
    kMisdeliver,
    kUnsentFlit,  ///< the n-th that leaves rank 0 does not come to the next
    // With message interfaces, at terminal 0:
    kFlippedByte,  ///< in the n-th beat that its memory is read
    kSmallWindow,  ///< for its n-th receive
  };
  Kind kind = Kind::kDrop;
  std::uint64_t ejected_flit = 0;  ///< the n-th flit ejected anywhere in partition 0
};

/// A flit at the moment it reaches a terminal's pins.
struct Delivery {
  std::uint64_t cycle = 0;
  TerminalId src{};
  TerminalId dst{};
  std::uint32_t packet_id = 0;
  std::uint32_t flit = 0;  ///< position in its packet
  bool operator==(const Delivery&) const = default;
};

struct RunOptions {
  spec::TrafficSpec traffic;
  spec::Patterns patterns;  ///< of which the traffic has its own
  spec::SimulationSpec simulation;
  spec::FaultSpec faults;
  double load = 0.5;
  unsigned threads = 1;
  bool skip_idle = true;
  /// Processes that simulate the network together, each in one thread; nullptr: this one does it
  /// alone. For several there are no jobs, message interfaces, faults, waveforms and shadows;
  /// probes see the routers of their process (Scene::ranks).
  Ranks* ranks = nullptr;
  /// End as soon as it is clear whether the load is sustained (measure::SteadyState::verdict), with
  /// `stopped` "verdict": means need not be precise. Nothing to runs of `simulation.cycles` and to
  /// those that end by themselves.
  bool until_verdict = false;
  const traffic::Trace* trace = nullptr;  ///< of a pattern that replays one
  /// whose ranks send in the place of their terminals' sources; it ends the run
  const traffic::Job* job = nullptr;
  /// keep every generated packet, for a trace file
  bool record_packets = false;
  bool record_deliveries = false;                       ///< keep every delivered flit
  std::vector<std::pair<RouterId, std::string>> waves;  ///< routers to trace and the files to write
  /// Routers that Verilator evaluates too, where the setup has shadows; those to trace besides.
  std::vector<RouterId> shadowed;
  bool shadow_all = false;
  bool is_shadowed(RouterId router) const;
  std::optional<SeededFault> fault;
  std::vector<MakeProbe> probes;  ///< of this run, after those of the setup
  // For tests
  bool skew_clocks = false;  ///< every router's clock shows another time
  /// beside interfaces that choose modes, hosts do so too, and compare
  bool check_selectors = false;
  unsigned lose_one_in = 0;  ///< feedback words that are lost on the wires; 0: none
  /// asked after each window: end here, keep what there is
  std::function<bool()> stop;
  /// hears after each window which part of the run is over; 0 where nobody knows
  std::function<void(double part)> progress;
};

inline bool RunOptions::is_shadowed(RouterId router) const {
  const auto traced = [&](const auto& wave) { return wave.first == router; };
  return shadow_all || std::find(shadowed.begin(), shadowed.end(), router) != shadowed.end() ||
         std::any_of(waves.begin(), waves.end(), traced);
}

struct LatencySummary {
  double mean = 0, ci95 = 0;  ///< core cycles; ci95 is infinite where it is not known
  double stdev = 0;           ///< of the packets, core cycles
  std::uint64_t p50 = 0, p95 = 0, p99 = 0, p999 = 0, max = 0;
  std::uint64_t packets = 0;  ///< 0: nothing was measured, and nothing above says anything
};

struct RouterCounters {
  std::uint64_t flits_in = 0, flits_out = 0, packets_out = 0, stalled_cycles = 0, occupancy_sum = 0,
                elapsed = 0;
  /// the counters of these names, modulo 2^32; 0 where the routing has none
  std::uint32_t decisions = 0, nonminimal = 0;
};

/// Why packets are dropped, as results name it: the causes of hw_drop_pkg in their order, and
/// resets of single routers. The last is for terminals, and there is none where flits have no
/// poison bit.
inline constexpr std::array<std::string_view, 8> kDropNames{
    "bad_destination", "bad_length", "bad_class", "no_route",
    "parity",          "hop_limit",  "reset",     "broken"};
inline constexpr std::size_t kDropCauses = kDropNames.size(), kDropDestination = 0, kDropLength = 1,
                             kDropParity = 4, kDropHopLimit = 5, kDropReset = 6, kDropBroken = 7,
                             kRouterDropCauses = 7;

/// What a job took, core cycles. Of a job that was not done: of the iterations that all ranks
/// ended.
struct JobResult {
  std::string name;
  std::size_t ranks = 0;
  /// of each iteration behind the warm-up, from the end of the last rank's iteration before (of the
  /// first: from cycle 0) to that of the last rank's: they add up
  std::vector<std::uint64_t> iteration_cycles;
  /// of each rank, the time in these iterations, by its own ends, that it did not compute
  std::vector<std::uint64_t> communication_cycles;
  std::vector<std::vector<traffic::Rank::Span>> course;  ///< of each rank, its beginning
  std::uint64_t end_cycle = 0;                           ///< when the last rank was done
  /// of its flits that arrived, or the bytes of its messages, warm-up included, the share of each
  /// mode; where packets have modes
  std::optional<std::array<double, spec::kModes>> mode_share;
  LatencySummary latency, network_latency;  ///< of its packets, warm-up included
};

/// Packets of a message class, whole run and drain.
struct ClassPackets {
  std::uint64_t injected = 0, delivered = 0;
  std::uint64_t latency_sum = 0;  ///< network latency of the delivered ones, core cycles
};

/// Heads that reached a terminal marked, notifications that terminals sent, and got, whole run and
/// drain.
struct CongestionCounts {
  std::uint64_t marked = 0, sent = 0, heard = 0;
};

/// What the counters of message interfaces say, whole run and drain.
struct InterfaceCounts {
  std::uint64_t request_flits = 0;    ///< injected
  std::uint64_t request_stalled = 0;  ///< cycles in which one was ready and had no credit
  std::uint64_t request_packets = 0;
  std::uint64_t response_packets = 0;  ///< received
  std::uint64_t response_latency = 0;  ///< cycles from requests' heads to the ends of these, summed
  InterfaceCounts& operator+=(const InterfaceCounts& more);
  double round_trip() const;       ///< mean, cycles; 0 where there was none
  double stalls_per_flit() const;  ///< likewise
};

/// The same for each routing mode, of the packets that had it.
using ModeCounts = std::array<InterfaceCounts, spec::kModes>;

/// What messages of a job are made of, added up.
struct JobMessages {
  std::uint64_t messages = 0, packets = 0, flits = 0;  ///< request packets, and their flits
  JobMessages& operator+=(const JobMessages& more);
};

/// Messages that hosts handed over to their interfaces, those that were completed, and their bytes,
/// as they were sent and as memories got them, whole run and drain.
struct MessageCounts {
  std::uint64_t sent = 0, completed = 0, bytes_sent = 0, bytes_written = 0;
  InterfaceCounts interfaces, of_ranks;  ///< of all terminals, and of those with a rank
  ModeCounts of_ranks_by_mode;           ///< as seen on their wires; where packets have modes
  JobMessages of_job;                    ///< those that were completed
  /// What the model of De Sensi et al. (SC 2019, equation 2) says of a mean message of the job,
  /// from hand-over to the last flit: (1/2 + (p - 1)/outstanding) L + f (s + 1) cycles, with L and
  /// s of all its interfaces; 0 without messages.
  double model_cycles() const;
  unsigned outstanding = 0;  ///< requests of an interface without response, at most
  /// Of each terminal whose host chooses modes, whether it decided for the high bias, time after
  /// time.
  std::vector<std::pair<std::uint32_t, std::vector<bool>>> decisions;
};

/// What a rank took for its part of a run.
struct RankCosts {
  double cpu = 0;                         ///< s, of the network's cycles, without waiting
  double eval = 0;                        ///< s of this, in routers proper
  double exchange = 0;                    ///< s of this, for messages: to write and to read them
  double wait = 0;                        ///< s, for the messages of others
  double wait_cpu = 0;                    ///< s of processor time of the waiting
  std::uint64_t messages = 0, bytes = 0;  ///< sent
};

struct RunResult {
  /// fraction of terminal-link capacity of the terminals that inject: as asked for; of a trace what
  /// its packets ask for, of a closed loop what it generated
  double offered_load = 0;
  double accepted_load = 0;
  double accepted_flits_per_cycle = 0;  ///< per terminal that injects, core cycles
  bool saturated = false;
  std::string stopped;             ///< "converged", "verdict", "cycles", "limit", "interrupted",
                                   ///< "trace-end", "last-step", "failed"
  LatencySummary latency;          ///< from generation
  LatencySummary network_latency;  ///< from injection: the head flit on the terminal's pins
  double hops_mean = 0;            ///< router-to-router hops per packet, as taken
  double nonminimal_share = 0;     ///< of the packets, those that took a non-minimal path
  std::uint64_t cycles = 0, warmup_cycles = 0, measured_cycles = 0;
  double active_terminals = 1;            ///< that loads are averages over
  std::uint64_t last_delivery_cycle = 0;  ///< of a packet's tail; 0: none was delivered
  /// All that there was to send was delivered, and is measured as a whole: in `cycles`, which end
  /// with the last delivery.
  bool completed = false;
  std::vector<JobResult> jobs;
  /// packets, whole run; in flight at its end
  std::uint64_t injected = 0, delivered = 0, in_flight = 0, lost = 0;
  std::vector<ClassPackets> by_class;  ///< [message class]
  CongestionCounts congestion;
  std::optional<MessageCounts> messages;  ///< where terminals have message interfaces
  /// Where the pattern has hot terminals: flits to them, and to the others, while measuring, as
  /// loads of the terminals that inject.
  std::optional<std::pair<double, double>> hot_and_others;
  /// of these, what routers, or terminals for its parity or its tail, dropped, by cause, in the
  /// order of hw_drop_pkg; what arrived with a head that had been flipped
  std::array<std::uint64_t, kDropCauses> dropped{};
  std::uint64_t damaged = 0;
  std::uint64_t stuck_vcs = 0;  ///< reports of the routers' watchdogs, whole run and drain
  std::uint64_t drain_cycles = 0;
  std::uint64_t seed = 0;
  /// over the measuring interval; of a trace that is measured as a whole, until its last generation
  measure::Fairness fairness;
  measure::Histogram histogram;  ///< latency from generation
  std::vector<measure::TimeSeries::Row> series;
  /// every field summed over the windows: measuring interval, run
  measure::Window measured, whole;
  /// from the start on; with a switch of traffic, until it and from it on
  std::vector<measure::SettlingTimes> settling;
  std::uint64_t map_window = 0;  ///< core cycles of a row of the map
  /// [time][router]: mean of the mapped counter over the router's decisions; empty where it is
  /// always 0
  std::vector<std::vector<double>> map;
  std::vector<double> link_utilisation;  ///< per channel, fraction of its capacity while measuring
  std::vector<RouterCounters> routers;   ///< read through the CSR blocks
  /// what the accounting or an assertion found; empty is good
  std::vector<std::string> failures;
  /// of an assertion that failed in an engine that cannot say which
  std::optional<RouterId> failed_router;
  std::vector<traffic::GeneratedPacket> packets;  ///< record_packets
  /// what a trace of these packets should say; nothing where the run is measured as a whole
  std::optional<traffic::Recording> recording;
  /// record_deliveries, in order of (cycle, destination)
  std::vector<Delivery> deliveries;
  /// how much probes have checked, and found good: name and number
  std::vector<std::pair<std::string_view, std::uint64_t>> checked;
  /// of the network's cycles; not part of results.json
  double cpu_seconds = 0, wall_seconds = 0;
  std::vector<RankCosts> ranks;  ///< of each, this one among them
  double eval_seconds = 0;       ///< of cpu_seconds, in routers proper; 0 where it is not measured
  unsigned lanes = 1;            ///< most routers of a block that are stepped in lockstep
  std::uint64_t total_cycles = 0;  ///< run and drain, what the times are for
};

/// Of a head through a router that is idle, from its arrival to its departure.
double zero_load_router_cycles(const spec::NetworkSpec& network, unsigned route_cycles);

/// Mean latency at zero load, core cycles: (H + 1) x router + H x link + both terminal links + (L -
/// 1) x cycles_per_flit (under store-and-forward H + 2 times), averaged over all pairs of terminals
/// and the packet lengths.
double zero_load_latency(const Setup& setup, const spec::TrafficSpec& traffic);

/// Above this mean latency (core cycles, from generation) a network counts as saturated: 500 link
/// cycles, or ten times the zero-load latency where that is more (docs/adr/0002).
double latency_limit(const Setup& setup, const spec::TrafficSpec& traffic,
                     const spec::SimulationSpec& simulation);

/// Cycles after which a network with flits in it that ejects none counts as stuck, and a packet
/// that a reset may have lost as lost: far beyond any round trip.
std::uint64_t patience(const Setup& setup, const spec::SimulationSpec& simulation);

/// Runs one load point. The result, but for its times, is a function of (setup, options) without
/// threads and skip_idle. Traffic must fit: `make_pattern` is asked inside, its errors come back.
Result<RunResult> simulate(const Setup& setup, const RunOptions& options);

}  // namespace hopwise::engine
