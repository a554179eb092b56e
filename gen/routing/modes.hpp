// SPDX-License-Identifier: Apache-2.0
// What the families whose packets have routing modes share.
#pragma once

#include <string_view>

#include "routing/relation.hpp"
#include "spec/key.hpp"
#include "spec/settings.hpp"

namespace hopwise::routing {

/// `routing.modes`.
inline constexpr spec::Key kModesKey{
    .path = "modes",
    .type = spec::KeyType::kFlag,
    .demand = "true",
    .owners = "one whose packets have modes",
    .default_yaml = "false",
    .doc =
        "Of some routings: a field of the head flit says how a packet is routed, see "
        "`traffic.mode`."};

inline bool has_modes(const spec::Settings& settings) {
  return settings.has("modes") && settings.flag("modes");
}

/// The lowest of them: what packets take that keep their order.
constexpr VcMask lowest(VcMask vcs) { return vcs & -vcs; }

/// Leaves the moves of which this holds.
template <class Holds>
void keep(Moves& moves, Holds holds) {
  const Moves all = moves;
  moves.clear();
  for (const Move& move : all) {
    if (holds(move)) moves.push(move);
  }
}

}  // namespace hopwise::routing
