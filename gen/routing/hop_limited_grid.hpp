// SPDX-License-Identifier: Apache-2.0
// The moves of learning routers on a torus, however they learn: adaptive VCs for any move up to a
// number of hops, and the dimension-order channel as escape.
#pragma once

#include <memory>

#include "routing/relation.hpp"

namespace hopwise::routing {

/// What a packet may do once it has made so many hops on adaptive VCs to any port, or has taken an
/// escape channel.
enum class LastHops {
  kDimensionOrder,  ///< go in dimension order: adaptive VCs before its first escape channel, too
  kEscape,          ///< the same over the escape channels alone
  kMinimal,         ///< make minimal moves on adaptive VCs, or take the escape
};

struct HopLimit {
  unsigned max_hops = 1;
  LastHops last = LastHops::kDimensionOrder;
};

/// The packet class counts hops. A packet in an escape channel makes no non-minimal move any more:
/// its next escape request could lie anywhere in the order of the channels. But with kMinimal it
/// stays on them, so that no class is needed for it. VC classes are those of `grid_vc_classes` with
/// an adaptive one; datelines are classic.
std::unique_ptr<RoutingRelation> make_hop_limited_grid(const spec::NetworkSpec& spec,
                                                       const topology::Topology& topology,
                                                       HopLimit rule);

}  // namespace hopwise::routing
