// SPDX-License-Identifier: Apache-2.0
// Small networks with routings that learn a table of delivery times, for the tests of routing and
// of the proof.
#pragma once

#include "small_networks.hpp"

namespace hopwise::test {

/// A routing with the keys that change what it may do.
struct QRouting {
  spec::Algorithm algorithm;
  bool local_detours = true;
  bool progressive = false;
  unsigned max_hops = 2;  ///< q_routing
};

inline std::string name(const QRouting& r) {
  if (r.algorithm == spec::Algorithm::kQRouting)
    return "q_routing max_hops " + std::to_string(r.max_hops);
  return std::string(r.algorithm == spec::Algorithm::kQPar ? "q_par" : "q_adaptive") +
         (r.local_detours ? " detours" : "") + (r.progressive ? " progressive" : "");
}

inline constexpr QRouting kQDragonflyRoutings[] = {{spec::Algorithm::kQAdaptive},
                                                   {spec::Algorithm::kQAdaptive, false},
                                                   {spec::Algorithm::kQAdaptive, true, true},
                                                   {spec::Algorithm::kQPar, false, true},
                                                   {spec::Algorithm::kQPar, true, true},
                                                   {spec::Algorithm::kQPar, false, false},
                                                   {spec::Algorithm::kQRouting, true, false, 1},
                                                   {spec::Algorithm::kQRouting, true, false, 2},
                                                   {spec::Algorithm::kQRouting, true, false, 4}};

/// Full and partial networks, global ports without a link, all arrangements.
inline std::vector<DragonflyCase> q_dragonflies() {
  using enum spec::GlobalArrangement;
  return {{1, 2, 1, 3},
          {2, 3, 1, 4, 1, 1, kPalmtree},
          {1, 4, 1, 3, 1, 1, kCirculant},
          {1, 3, 2, 7, 1, 1, kCirculant},
          {2, 4, 2, 5, 1, 1, kPalmtree},
          {3, 2, 2, 4},
          {1, 4, 2, 9}};
}

inline unsigned most_hops(const QRouting& r) {
  return r.algorithm == spec::Algorithm::kQRouting ? r.max_hops + 3 : 5;
}

inline spec::QSpec q_spec(const QRouting& r) {
  spec::QSpec q;
  q.max_hops = r.max_hops;
  q.local_detours = r.local_detours;
  q.progressive = r.progressive;
  return q;
}

inline spec::Spec q_dragonfly_spec(const DragonflyCase& d, const QRouting& r,
                                   unsigned vcs_per_class = 1) {
  spec::Spec spec = dragonfly_spec(d, r.algorithm);
  spec::NetworkSpec& n = spec.network;
  n.routing.q = q_spec(r);
  n.routing.vcs_per_class.assign(most_hops(r), vcs_per_class);
  n.router.vcs = most_hops(r) * vcs_per_class;
  n.router.vc_depth_flits.assign(n.router.vcs, 8);
  return spec;
}

inline spec::Spec q_torus_spec(std::vector<unsigned> dims, unsigned max_hops,
                               unsigned vcs_per_class = 1, unsigned terminals = 1,
                               spec::Dateline dateline = spec::Dateline::kClassic) {
  spec::Spec spec = small_spec(spec::TopologyKind::kTorus, std::move(dims), Routing::kStarChannel,
                               vcs_per_class, terminals);
  spec.network.routing.algorithm = spec::Algorithm::kQRouting;
  spec.network.routing.dateline = dateline;
  spec.network.routing.q.max_hops = max_hops;
  return spec;
}

inline unsigned diameter(const std::vector<unsigned>& dims) {
  unsigned sum = 0;
  for (const unsigned size : dims) sum += size / 2;
  return sum;
}

}  // namespace hopwise::test
