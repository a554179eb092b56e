// SPDX-License-Identifier: Apache-2.0
// What a router with a perceptron says on trace_o: its decisions, and the rewards of earlier ones
// (hw_dqn_agent.sv).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "routing/dqn/dqn.hpp"
#include "spec/spec.hpp"
#include "topology/topology.hpp"

namespace hopwise::probes::dqn {

/// The agent of one router; all routers of a network have one shape.
struct Shape {
  std::vector<unsigned> dims;    ///< sizes of the torus
  std::vector<unsigned> layers;  ///< of the perceptron: 6n + 1 inputs, hidden layers, 2n actions
  bool coordinates = false;      ///< destinations are seen as coordinates, not as offsets
  routing::dqn::ActionMask mask = routing::dqn::ActionMask::kNone;
  unsigned entry_bits = 1, action_bits = 1, port_bits = 1;
  unsigned kept = 0;            ///< ports that are kept for a destination; 0: packets wait
  unsigned margin = 0;          ///< see routing::dqn::Settings
  unsigned valuation_bits = 0;  ///< of the trace, where ports are kept

  unsigned inputs() const { return layers.front(); }
  unsigned actions() const { return layers.back(); }
  unsigned decision_lsb() const { return 27 + entry_bits; }
  unsigned event_bits() const {
    return decision_lsb() + 10 + entry_bits + 3 * action_bits + actions() + port_bits + 24 +
           8 * inputs();
  }
  std::size_t routers() const;
  /// Hops up dimension `dim` from the router to the destination that it observes.
  unsigned observed_offset(std::span<const std::uint8_t> observation, std::size_t dim) const;
  /// Ports on minimal paths of an observed packet, as a mask of actions.
  std::uint32_t minimal_actions(std::span<const std::uint8_t> observation) const;
};

/// The shape of a network whose routing is `dqn`.
Shape shape_of(const spec::NetworkSpec& network, const topology::Topology& topology);

inline constexpr std::size_t kMostInputs = 25;  ///< four dimensions

/// What has become of a packet that a router tracked.
struct Reward {
  std::uint32_t index = 0, generation = 0;  ///< of its entry in the pending table
  std::uint32_t distance = 0;               ///< hops that it was away from its destination
  /// core cycles from there to the destination, modulo 2^16
  std::uint32_t latency = 0;
  friend bool operator==(const Reward&, const Reward&) = default;
};

/// A proposal of the agent.
struct Decision {
  /// its reward will be told, unless the acknowledge is lost
  bool sampled = false;
  bool accepted = false, explored = false;
  std::uint32_t index = 0, generation = 0;           ///< of the entry, where sampled
  std::uint32_t action = 0, greedy = 0, random = 0;  ///< proposed; by the values; by chance
  std::uint32_t allowed = 0;                         ///< mask of actions
  std::uint32_t in_port = 0;
  std::uint32_t version = 0;  ///< swaps of weights before it, modulo 16
  std::int32_t value = 0;     ///< of the greedy action
  std::array<std::uint8_t, kMostInputs> observation{};
  friend bool operator==(const Decision&, const Decision&) = default;
};

struct Event {
  bool rewards = false, decides = false;
  Reward reward;
  Decision decision;
  friend bool operator==(const Event&, const Event&) = default;
};

/// The ports of a destination are valued anew (hw_dqn_preference_agent.sv).
struct Valuation {
  std::uint32_t version = 0;      ///< swaps of weights before it, modulo 16
  std::uint32_t destination = 0;  ///< its coordinates side by side, dimension 0 in the low bits
  /// what is kept: {port, preferred} of each rank, the best in the low bits
  std::uint64_t kept = 0;
  std::array<std::uint8_t, kMostInputs> observation{};
};
Valuation valuation_of(const Shape& shape, std::span<const std::uint32_t> words);

/// Whether anything happened: two bits of the words are looked at.
inline bool any_event(const Shape& shape, std::span<const std::uint32_t> words) {
  const unsigned at = shape.decision_lsb();
  return ((words[0] | words[at / 32] >> (at % 32)) & 1) != 0;
}
Event take_apart(const Shape& shape, std::span<const std::uint32_t> words);

/// A beat of the stream for hosts that train (hw_dqn_experience.sv).
struct Record {
  std::uint32_t lost = 0;  ///< records before it, since reset, modulo 2^16
  Event event;
};
/// Behind the event, trace_o of a router model has a bit that says whether there is a record, and
/// the record.
unsigned model_trace_bits(const Shape& shape);
inline bool any_record(const Shape& shape, std::span<const std::uint32_t> words) {
  return (words[shape.event_bits() / 32] >> (shape.event_bits() % 32) & 1) != 0;
}
Record record_of(const Shape& shape, std::span<const std::uint32_t> words);

/// Agent of a router: its own, that of its row of dimension 0, or the only one.
std::uint32_t agent_of(routing::dqn::AgentSharing sharing, std::span<const unsigned> dims,
                       std::uint32_t router);

}  // namespace hopwise::probes::dqn
