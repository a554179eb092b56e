// SPDX-License-Identifier: Apache-2.0
#include "topology/dragonfly.hpp"

namespace hopwise::topology {

namespace {

/// Number `i` of those other than `self`, ascending; and the number that one of them has.
unsigned other(unsigned self, unsigned i) { return i < self ? i : i + 1; }
unsigned rank(unsigned self, unsigned other) { return other < self ? other : other - 1; }

}  // namespace

unsigned Dragonfly::neighbour(unsigned router, unsigned port) const {
  const unsigned row = router / columns_, column = router % columns_;
  if (port < row_ports()) return row * columns_ + other(column, port);
  return other(row, (port - row_ports()) / spec_.column_links) * columns_ + column;
}

unsigned Dragonfly::local_port(unsigned router, unsigned to, unsigned copy) const {
  const unsigned row = router / columns_, column = router % columns_;
  if (to % columns_ != column) return rank(column, to % columns_);
  return row_ports() + rank(row, to / columns_) * spec_.column_links + copy;
}

unsigned Dragonfly::local_distance(unsigned from, unsigned to) const {
  return (from % columns_ != to % columns_ ? 1u : 0u) +
         (from / columns_ != to / columns_ ? 1u : 0u);
}

unsigned Dragonfly::position(unsigned from, unsigned to) const {
  const unsigned g = spec_.groups;
  switch (spec_.arrangement) {
    case GlobalArrangement::kAbsolute: return rank(from, to);
    case GlobalArrangement::kPalmtree: return (from + g - to) % g - 1;
    case GlobalArrangement::kCirculant: {
      const unsigned ahead = (to + g - from) % g;
      return 2 * ahead <= g ? 2 * (ahead - 1) : 2 * (g - ahead) - 1;
    }
  }
  return 0;
}

Dragonfly::End Dragonfly::global_end(unsigned from, unsigned to, unsigned copy) const {
  const unsigned k = copy * (spec_.groups - 1) + position(from, to);
  return {k / spec_.global_ports, local_ports() + k % spec_.global_ports};
}

std::optional<Dragonfly::Peer> Dragonfly::peer(unsigned group, unsigned router,
                                               unsigned port) const {
  const unsigned others = spec_.groups - 1;
  const unsigned k = router * spec_.global_ports + port - local_ports();
  const unsigned copy = k / others, at = k % others;
  if (copy >= spec_.links_per_group_pair) return std::nullopt;
  // The arrangements are permutations of the other groups; the inverse is short enough to search.
  for (unsigned to = 0; to < spec_.groups; ++to) {
    if (to != group && position(group, to) == at) return Peer{to, copy};
  }
  return std::nullopt;
}

unsigned Dragonfly::distance(unsigned from, unsigned to) const {
  const unsigned a = routers_per_group();
  if (from / a == to / a) return local_distance(from % a, to % a);
  unsigned fewest = 0;
  for (unsigned copy = 0; copy < links_per_group_pair(); ++copy) {
    const unsigned hops = local_distance(from % a, global_end(from / a, to / a, copy).router) + 1 +
                          local_distance(global_end(to / a, from / a, copy).router, to % a);
    if (copy == 0 || hops < fewest) fewest = hops;
  }
  return fewest;
}

}  // namespace hopwise::topology
