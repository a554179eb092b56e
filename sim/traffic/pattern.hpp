// SPDX-License-Identifier: Apache-2.0
// Where packets go: the synthetic traffic patterns of Dally & Towles, section 3.2, those of
// dragonflies, and rounds.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "spec/spec.hpp"
#include "support/ids.hpp"
#include "support/result.hpp"
#include "topology/topology.hpp"
#include "traffic/random.hpp"

namespace hopwise::traffic {

/// Chooses the destination of each packet. Immutable: one pattern serves all terminals of all
/// threads. A terminal sends round after round, of one packet in most patterns; the caller keeps
/// its place in the round.
class Pattern {
 public:
  virtual ~Pattern() = default;

  /// Packets of the round that `src` begins, 1 or more. O(1). Precondition: !silent(src).
  virtual std::uint32_t round_packets(TerminalId /*src*/, Random& /*random*/) const { return 1; }

  /// Destination of the packet at `place` (from 0 on) of the round of `src` under way, never `src`
  /// itself. O(1). Preconditions: !silent(src), and `place` is below what round_packets said.
  virtual TerminalId destination(TerminalId src, std::uint32_t place, Random& random) const = 0;

  /// That of a round's first packet: all there is to know of a pattern without longer rounds.
  TerminalId destination(TerminalId src, Random& random) const {
    return destination(src, 0, random);
  }

  /// True where the pattern maps `src` to itself (the diagonal of transpose): such a terminal
  /// injects nothing, and loads are normalised over the others.
  virtual bool silent(TerminalId /*src*/) const { return false; }
};

/// Terminals that inject under a pattern: what offered and accepted traffic is divided by.
std::size_t active_terminals(const Pattern& pattern, std::size_t num_terminals);

/// Makes a pattern by its name, which `spec::parse_pattern` reads. k is the size of a dimension,
/// x a coordinate; deterministic patterns keep the slot. A dragonfly's coordinates are {router in
/// the group, group}; there, tornado and neighbour move the group alone.
///
/// | name                       | destination |
/// |----------------------------|-----------------------------------------------------------------------------------|
/// | uniform                    | any other terminal, equally likely | | tornado | x + ceil(k/2) -
/// 1 modulo k; nothing moves along a dimension of k = 2              | | transpose | coordinates
/// rotated by one, (x,y,z) -> (z,x,y); two or more equal sizes           | | bit_complement | k - 1
/// - x in every dimension                                                      | | neighbour | x +
/// 1 modulo k                                                                    | | permutation |
/// a random permutation without fixed points, drawn from `seed`                      | | hot_spot
/// | with probability hot_fraction a hot terminal, else uniform                        | |
/// hot_region                 | with probability hot_fraction a terminal of the corner x <
/// ceil(k/2), else uniform | | adv+I                      | any terminal of group x + I modulo g,
/// equally likely                              | | shift                      | the same router and
/// slot of group x + 1 modulo g                                  | | mixed_router_shift:P       | P
/// % of the routers, drawn from `seed`: shift; the others: uniform                 | |
/// mixed_router_permutation:P | the same with permutation in place of shift | | mixed_node_shift:P
/// | P % of the terminals, drawn from `seed`: shift; the others: uniform               | |
/// mixed_node_permutation:P   | the same with permutation in place of shift | | stencil_3d |
/// rounds: x-, x+, y-, y+, z-, z+ in the grid slot x router x group, round its ends  | |
/// many_to_many               | rounds: every other terminal with the same x and y, in the order of
/// z             | | random_neighbors           | rounds of 6 to 20 packets: any other terminal,
/// equally likely                     | | random_neighbors:fixed     | rounds: 6 to 20 different
/// terminals, drawn for each source once, from `seed`      | | dpsnn, dpsnn:R             | any
/// other terminal; when and how much is up to `Dpsnn`, a closed loop             |
///
/// stencil_3d:XxYxZ and many_to_many:XxYxZ name another grid of all terminals, numbered along X
/// first.
///
/// A mixture's share is rounded to whole routers or terminals, half up. The chosen ones of a
/// smaller P are among those of a larger one, and they follow the permutation that `permutation`
/// has with this seed.
///
/// hot_spot without `hot_terminals` has one: slot 0 of the router at k/2 (rounded down) in every
/// dimension. A hot draw is uniform over the hot terminals other than the source; where there is
/// none, the packet is uniform.
///
/// Errors: traffic.unknown-pattern (the parameter of a known one included), traffic.unfit-topology
/// (what `spec::misfit` says), traffic.hot-terminal (out of range, or named twice),
/// traffic.hot-fraction. Places are left empty for the caller to fill in; keys are set.
Result<std::unique_ptr<Pattern>> make_pattern(const spec::TrafficSpec& spec,
                                              const std::string& pattern_name,
                                              const topology::Topology& topology,
                                              std::uint64_t seed);

}  // namespace hopwise::traffic
