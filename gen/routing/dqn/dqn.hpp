// SPDX-License-Identifier: Apache-2.0
// DQN-Routing: a perceptron in every router of a torus proposes the port
// (docs/reference/routing-dqn.md). Lonardo, "DQN-Routing", 2019.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "routing/family.hpp"

namespace hopwise::routing::dqn {

extern const Family kFamily;

/// Entries that wait for an acknowledge age by ticks of 2^this core cycles, and expire at the
/// third, well within the 16 bits of an age.
inline constexpr unsigned kTickBits = 13;

/// hw_routing_dqn
Unit unit(const UnitContext& context);

/// How the network sees where a packet goes.
enum class Observation { kOffsets, kCoordinates };
/// Ports that are not proposed: none, the one that the packet came through, and those without room
/// for it.
enum class ActionMask { kNone, kReceive, kRoom };

struct Settings {
  std::vector<unsigned> hidden = {32, 16};  ///< sizes of the hidden layers, 1 to 3 of them
  unsigned macs = 64;                       ///< multipliers of the engine, a power of two
  bool zero_time = false;                   ///< the proposal takes no time
  Observation observation = Observation::kOffsets;
  ActionMask mask = ActionMask::kNone;
  unsigned preferences = 0;        ///< ports kept for a destination; 0: packets wait for proposals
  unsigned preference_margin = 3;  ///< kept: values of at least 1 - 2^-this of the best; 0: any
  unsigned pending = 64;   ///< packets of a router that wait for their acknowledge, a power of two
  unsigned max_hops = 1;   ///< on adaptive VCs; dimension order from there on
  unsigned ack_ratio = 1;  ///< one packet in so many is acknowledged
  double epsilon = 0.02;   ///< probability of a port at random
  bool counters = false;   ///< in hardware; simulations have them in any case
  bool patient = false;    ///< an accepted packet waits while another one passes through its VC
  /// path of the trained agent; empty: none, packets go in dimension order
  std::string agent;

  /// Layers of the perceptron, inputs first, for a torus of `dims` dimensions.
  std::vector<unsigned> layers(std::size_t dims) const;
  /// Ports that are kept for a destination: one more than are offered, as a packet may have come by
  /// one of them.
  unsigned kept(std::size_t dims) const {
    return std::min<unsigned>(preferences + 1, 2 * static_cast<unsigned>(dims));
  }
};

/// Of a destination in the head flit: its coordinates, side by side.
unsigned destination_bits(std::span<const unsigned> dims);

/// Of the trace of a router that prefers ports: see hw_dqn_preference_agent.
unsigned valuation_bits(const std::vector<unsigned>& dims, const Settings& settings);

/// Those of a network that was loaded.
Settings settings(const spec::RoutingSpec& routing);

/// Routers that share a perceptron: none, those of a row of dimension 0 (a mezzanine of ExaNeSt),
/// all.
enum class AgentSharing { kRouter, kRow, kAll };

/// How agents learn (`hopwise agent train`).
struct Training {
  AgentSharing share = AgentSharing::kRow;
  std::uint64_t decisions = 150000;  ///< of every agent
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

/// That of a network that was loaded with this family's routing.
Training training(const spec::RoutingSpec& routing);

}  // namespace hopwise::routing::dqn
