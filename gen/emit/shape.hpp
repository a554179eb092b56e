// SPDX-License-Identifier: Apache-2.0
// The shape of a network's router: every number that its hardware depends on. All routers of a
// network have one shape.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "deadlock/proof.hpp"
#include "routing/family.hpp"
#include "topology/packet_format.hpp"

namespace hopwise::emit {

/// Parameters of hw_router, its route computations and the network interface.
struct RouterShape {
  std::string route_compute;  ///< module of the route computations
  unsigned ports = 0;
  unsigned network_ports = 0;
  unsigned vcs = 0;
  unsigned flit_bits = 0;
  unsigned max_flits = 0;
  unsigned min_flits = 1;           ///< shortest packet of the format
  std::vector<unsigned> vc_depths;  ///< per VC
  unsigned space_width = 0;         ///< bits that hold the largest depth
  unsigned candidates = 1;
  unsigned dor_bias = 0;                       ///< star_channel: flits of space
  bool balanced = false;                       ///< dor: datelines
  bool patient = false;                        ///< dqn
  unsigned coord_width = 0;                    ///< bits of one coordinate in coord_i
  std::vector<std::uint32_t> cfg_reset = {0};  ///< reset values of the 32-bit configuration words
  /// hw_queue_meter's code; 0: routing does not look at queues
  unsigned queue_metric = 0;
  unsigned queue_width = 1;  ///< bits of a queue's length
  unsigned count_width = 1;  ///< bits of a contention factor
  bool adaptive = false;     ///< chooses between minimal and non-minimal paths
  bool contention = false;   ///< has contention counters
  bool learning = false;     ///< learns a bias from feedback
  /// asks for the queues of the whole network: simulation only
  bool oracle = false;
  bool q_table = false;  ///< learns a table of delivery times
  unsigned q_rows = 0;
  bool dqn = false;  ///< a perceptron proposes ports
  /// of what goes back on the reverse wires of a network port, bit 0: valid; 0: nothing does
  unsigned feedback_bits = 0;
  /// of what a checker or trainer hears of the agent; 0: no agent
  unsigned learn_bits = 0;
  VcMask escape0 = 0, escape1 = 0, adaptive_vcs = 0;
  bool fixed_vc_by_destination = false;  ///< injection keeps the order of a source and destination
  topology::PacketFormat format;
  std::vector<bool> turns;  ///< hw_turn_monitor's TurnTable

  unsigned port_width() const;  ///< bits of a port number
  unsigned vc_width() const;
  unsigned coord_bits() const;  ///< all coordinates
  /// Routing state that the router rewrites in head flits; 0: none. The route computations write
  /// the low route_state_width(), the router adds stamp and feedback.
  unsigned state_bits() const;
  unsigned route_state_width() const {
    return state_width() - format.stamp.width - format.feedback.width;
  }
  unsigned state_width() const { return state_bits() == 0 ? 1 : state_bits(); }
  /// as the route computations have it
  unsigned estimate_width() const { return queue_width + 7; }
  unsigned decision_width() const { return 2 + queue_width + estimate_width() + count_width + 16; }
  /// Words of `monitor_o`, 32 bits each; 0: none.
  unsigned monitor_words() const;
  /// an answer may come later
  bool echoes_question() const { return route_compute == "hw_route_compute_dragonfly"; }
  bool agent() const { return learn_bits > 0; }  ///< one agent per router decides for all ports
  unsigned q_row_bits() const;
  unsigned q_col_bits() const;
};

/// `monitor_o` of a node with an adaptive routing, modulo 2^32: decisions, non-minimal ones, and
/// sums over the decisions of the minimal path's queue, its estimate, its contention factor and the
/// learned bias.
inline constexpr unsigned kMonitorWords = 6;
/// Of a node with a Q-table: decisions, those for another than the minimal port, explored ones,
/// sums over the decisions of the best value and of the minimal port's (core cycles), feedback
/// words that saturated, updates, dropped feedback words.
inline constexpr unsigned kQMonitorWords = 8;
/// Of a node with a perceptron: proposals, accepted, explored, accepted and not minimal, cycles
/// that proposals waited for the engine, rewards, packets untracked for want of an entry,
/// acknowledges dropped, entries expired, stale acknowledges, accepted packets that turned to
/// dimension order, forced questions.
inline constexpr unsigned kDqnMonitorWords = 12;

/// Configuration words of the routings of a dragonfly, in their order (docs/reference/csr.md).
enum class ConfigWord { kControl, kSeed, kBias, kContentionWindow, kContention, kLearningRate };
/// Of the routings with a Q-table.
enum class QConfigWord { kControl, kSeed, kRates, kEpsilon, kThresholds };
/// Of DQN-Routing.
enum class DqnConfigWord { kControl, kSeed, kEpsilon, kAckRatio };
/// kControl: generators take the seed while it is set
inline constexpr std::uint32_t kLoadSeed = 0x80000000;

RouterShape router_shape(const deadlock::ProvenNetwork& network);

/// What coord_i of a router is tied to.
std::uint64_t coordinate_value(const RouterShape& shape, const topology::Topology& topology,
                               RouterId router);

/// A terminal's address as tuser and the header's destination field carry it.
std::uint64_t terminal_address(const RouterShape& shape, const topology::Topology& topology,
                               TerminalId terminal);

}  // namespace hopwise::emit
