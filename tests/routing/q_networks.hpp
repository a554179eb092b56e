// SPDX-License-Identifier: Apache-2.0
// Small networks with routings that learn a table of delivery times, for the tests of routing and
// of the proof.
#pragma once

#include "routing/q/q.hpp"
#include "small_networks.hpp"

namespace hopwise::test {

/// A routing with the keys that change what it may do.
struct QRouting {
  std::string_view algorithm;
  bool local_detours = true;
  bool progressive = false;
  unsigned max_hops = 2;  ///< q_routing
};

inline std::string name(const QRouting& r) {
  if (r.algorithm == "q_routing") return "q_routing max_hops " + std::to_string(r.max_hops);
  return std::string(r.algorithm == "q_par" ? "q_par" : "q_adaptive") +
         (r.local_detours ? " detours" : "") + (r.progressive ? " progressive" : "");
}

inline constexpr QRouting kQDragonflyRoutings[] = {{"q_adaptive"},
                                                   {"q_adaptive", false},
                                                   {"q_adaptive", true, true},
                                                   {"q_par", false, true},
                                                   {"q_par", true, true},
                                                   {"q_par", false, false},
                                                   {"q_routing", true, false, 1},
                                                   {"q_routing", true, false, 2},
                                                   {"q_routing", true, false, 4}};

/// Full and partial networks, global ports without a link, all arrangements.
inline std::vector<DragonflyCase> q_dragonflies() {
  using enum topology::GlobalArrangement;
  return {{1, 2, 1, 3},
          {2, 3, 1, 4, 1, 1, kPalmtree},
          {1, 4, 1, 3, 1, 1, kCirculant},
          {1, 3, 2, 7, 1, 1, kCirculant},
          {2, 4, 2, 5, 1, 1, kPalmtree},
          {3, 2, 2, 4},
          {1, 4, 2, 9}};
}

inline unsigned most_hops(const QRouting& r) {
  return r.algorithm == "q_routing" ? r.max_hops + 3 : 5;
}

/// What follows from other keys.
inline void set_q(spec::RoutingSpec& routing, const QRouting& r) {
  set_routing(routing, r.algorithm);
  routing.settings.set("q_max_hops", std::uint64_t{r.max_hops});
  routing.settings.set("q_local_detours", r.local_detours);
  routing.settings.set("q_progressive", r.progressive);
  routing.settings.set("q_queues", false);
  routing.settings.set("q_banks", std::uint64_t{1});
}

inline spec::Spec q_dragonfly_spec(const DragonflyCase& d, const QRouting& r,
                                   unsigned vcs_per_class = 1) {
  spec::Spec spec = dragonfly_spec(d, "min");
  spec::NetworkSpec& n = spec.network;
  set_q(n.routing, r);
  n.routing.vcs_per_class.assign(most_hops(r), vcs_per_class);
  n.router.vcs = most_hops(r) * vcs_per_class;
  n.router.vc_depth_flits.assign(n.router.vcs, 8);
  return spec;
}

inline spec::Spec q_torus_spec(std::vector<unsigned> dims, unsigned max_hops,
                               unsigned vcs_per_class = 1, unsigned terminals = 1) {
  spec::Spec spec =
      small_spec(Grid::kTorus, std::move(dims), Routing::kStarChannel, vcs_per_class, terminals);
  set_q(spec.network.routing, {"q_routing", true, false, max_hops});
  return spec;
}

inline unsigned diameter(const std::vector<unsigned>& dims) {
  unsigned sum = 0;
  for (const unsigned size : dims) sum += size / 2;
  return sum;
}

}  // namespace hopwise::test
