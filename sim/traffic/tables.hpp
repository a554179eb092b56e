// SPDX-License-Identifier: Apache-2.0
// What several patterns are made of: destinations drawn or looked up.
#pragma once

#include <utility>
#include <vector>

#include "traffic/pattern.hpp"

namespace hopwise::traffic {

// Streams of what patterns draw once.
inline constexpr std::uint64_t kPermutationStream = kNetworkStreams,
                               kMixtureStream = kNetworkStreams + 1,
                               kNeighbourStream = kNetworkStreams + 2,
                               kPlacementStream = kNetworkStreams + 3;

inline TerminalId terminal_id(std::uint64_t number) {
  return TerminalId{static_cast<std::uint32_t>(number)};
}

/// One of n terminals other than src, equally likely.
TerminalId any_other(std::size_t n, TerminalId src, Random& random);

class Uniform : public Pattern {
 public:
  explicit Uniform(std::size_t num_terminals) : num_terminals_(num_terminals) {}
  TerminalId destination(TerminalId src, std::uint32_t, Random& random) const override {
    return any_other(num_terminals_, src, random);
  }

 private:
  std::size_t num_terminals_;
};

using Made = Result<std::unique_ptr<Pattern>>;
template <class Kind, class... Arguments>
Made made(Arguments&&... arguments) {
  return std::unique_ptr<Pattern>(std::make_unique<Kind>(std::forward<Arguments>(arguments)...));
}

/// [terminal]
using Destinations = std::vector<TerminalId>;

/// Every terminal has one destination; where that is itself, it is silent.
std::unique_ptr<Pattern> fixed(Destinations table);

using Coordinates = std::vector<unsigned>;
Coordinates coordinates_of(const topology::Topology& topology, RouterId router);

/// The table of a pattern that moves coordinates and keeps the slot.
template <class Move>
Destinations table_of(const topology::Topology& topology, Move move) {
  Destinations table(topology.num_terminals());
  for (std::size_t t = 0; t < table.size(); ++t) {
    const TerminalId src = terminal_id(t);
    const RouterId to = topology.router_at(move(coordinates_of(topology, topology.router_of(src))));
    table[t] = topology.terminal_at(to, topology.slot_of(src));
  }
  return table;
}

/// The table of x + offset(k) modulo k; where there are groups, only the group moves.
template <class Offset>
Destinations shifted(const topology::Topology& topology, Offset offset) {
  const unsigned first = topology.has_groups() ? 1 : 0;
  return table_of(topology, [&](Coordinates c) {
    for (unsigned d = first; d < c.size(); ++d)
      c[d] = (c[d] + offset(topology.dims()[d])) % topology.dims()[d];
    return c;
  });
}
Destinations next_group(const topology::Topology& topology);

/// Uniform over the permutations without fixed points: shuffles until there is none (e = 2.7 times
/// on average).
Destinations derangement(std::size_t n, std::uint64_t seed);

/// For patterns that reckon with coordinates.
std::optional<spec::Misfit> fits_coordinates(const spec::PatternName& name,
                                             const spec::TopologySpec& topology);

/// What the manual and the messages say of patterns that ask for groups.
inline constexpr std::string_view kNeedsGroups =
    "`shift`, `adv+I`, `mixed_*_shift:P`, and `stencil_3d` and `many_to_many` without their grid "
    "need a topology with groups";
inline constexpr std::string_view kWithGroups = "a topology with groups";
std::optional<spec::Misfit> fits_groups(const spec::PatternName&, const spec::TopologySpec&);

}  // namespace hopwise::traffic
