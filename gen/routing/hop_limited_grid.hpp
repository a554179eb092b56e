// SPDX-License-Identifier: Apache-2.0
// The moves of learning routers on a torus, however they learn: adaptive VCs for any move up to a
// number of hops, and the dimension-order channel as escape.
#pragma once

#include <memory>

#include "routing/relation.hpp"

namespace hopwise::routing {

struct HopLimit {
  unsigned max_hops = 1;     ///< on adaptive VCs to any port; from there on in dimension order
  bool escape_last = false;  ///< which then leads over the escape channels alone
};

/// The packet class counts hops. A packet in an escape channel stays on them: after a non-minimal
/// move its next escape request could lie anywhere in the order of the channels. VC classes are
/// those of `grid_vc_classes` with an adaptive one; datelines are classic.
std::unique_ptr<RoutingRelation> make_hop_limited_grid(const spec::NetworkSpec& spec,
                                                       const topology::Topology& topology,
                                                       HopLimit rule);

}  // namespace hopwise::routing
