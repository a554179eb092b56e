// SPDX-License-Identifier: Apache-2.0
// What a simulation counts in one window of a fixed number of cycles: integers only, so that
// partitions add up to the same bytes in any order.
#pragma once

#include <cstdint>

namespace hopwise::measure {

/// A sum that no run overflows.
__extension__ using Sum = unsigned __int128;

/// What routers with a table of delivery times count beside their decisions (hw_q_counters,
/// hw_q_table).
struct Learning {
  std::uint64_t explored = 0;       ///< decisions that took a port at random
  std::uint64_t best_value = 0;     ///< sum over the decisions: value of the best port, core cycles
  std::uint64_t minimal_value = 0;  ///< likewise, of the minimal path's port
  std::uint64_t saturated = 0;      ///< feedback words too large for a value
  std::uint64_t updates = 0;        ///< of the tables
  std::uint64_t dropped = 0;        ///< feedback words that found no room

  Learning& operator+=(const Learning& other) {
    explored += other.explored;
    best_value += other.best_value;
    minimal_value += other.minimal_value;
    saturated += other.saturated;
    updates += other.updates;
    dropped += other.dropped;
    return *this;
  }
  bool operator==(const Learning&) const = default;
};

/// What routers with a perceptron count (hw_dqn_agent).
struct Proposals {
  std::uint64_t accepted = 0;     ///< decisions that had room for the whole packet
  std::uint64_t explored = 0;     ///< decisions for a port at random
  std::uint64_t wait_cycles = 0;  ///< sum over the questions: until the engine took them
  std::uint64_t rewards = 0;      ///< acknowledges that told an agent what its proposal led to
  std::uint64_t untracked = 0;    ///< packets that found no free entry for their acknowledge
  std::uint64_t dropped = 0;      ///< acknowledges that found their queue full
  std::uint64_t expired = 0;      ///< entries whose acknowledge did not come
  std::uint64_t stale = 0;        ///< acknowledges that found their entry gone
  std::uint64_t turned = 0;       ///< accepted packets that went in dimension order after all
  std::uint64_t forced = 0;       ///< questions answered without a proposal

  Proposals& operator+=(const Proposals& other) {
    accepted += other.accepted;
    explored += other.explored;
    wait_cycles += other.wait_cycles;
    rewards += other.rewards;
    untracked += other.untracked;
    dropped += other.dropped;
    expired += other.expired;
    stale += other.stale;
    turned += other.turned;
    forced += other.forced;
    return *this;
  }
  bool operator==(const Proposals&) const = default;
};

struct Window {
  std::uint64_t packets = 0;  ///< packets whose tail was ejected in the window
  /// of these packets, core cycles from generation to ejection of the tail
  std::uint64_t latency_sum = 0;
  std::uint64_t offered_flits = 0;    ///< flits of the packets generated in the window
  std::uint64_t accepted_flits = 0;   ///< flits ejected in the window
  std::uint64_t in_flight_flits = 0;  ///< at the window's end: injected and not yet ejected
  std::uint64_t queued_flits = 0;     ///< at the window's end: generated and not yet injected
  // Choices between a minimal and a non-minimal path, in the window; of tables, between the minimal
  // port and the others.
  std::uint64_t decisions = 0;
  std::uint64_t nonminimal = 0;  ///< of these, not for the minimal path
  /// sum over the decisions: queue of the minimal path's first port, flits
  std::uint64_t minimal_queue = 0;
  std::uint64_t minimal_estimate = 0;  ///< likewise, estimate of the minimal path, flits x hops
  std::uint64_t contention = 0;        ///< likewise, contention factor
  std::int64_t bias = 0;               ///< likewise, learned bias, flits
  // Packets injected in the window, where queues are watched, and the sum of the flits queued along
  // their minimal paths.
  std::uint64_t watched_packets = 0;
  std::uint64_t path_queue = 0;
  Learning learning = {};    ///< all 0 where there is no table
  Proposals proposals = {};  ///< all 0 where there is no perceptron

  /// Adds another partition's count of the same window.
  Window& operator+=(const Window& other) {
    packets += other.packets;
    latency_sum += other.latency_sum;
    offered_flits += other.offered_flits;
    accepted_flits += other.accepted_flits;
    in_flight_flits += other.in_flight_flits;
    queued_flits += other.queued_flits;
    decisions += other.decisions;
    nonminimal += other.nonminimal;
    minimal_queue += other.minimal_queue;
    minimal_estimate += other.minimal_estimate;
    contention += other.contention;
    bias += other.bias;
    watched_packets += other.watched_packets;
    path_queue += other.path_queue;
    learning += other.learning;
    proposals += other.proposals;
    return *this;
  }
  bool operator==(const Window&) const = default;
};

}  // namespace hopwise::measure
