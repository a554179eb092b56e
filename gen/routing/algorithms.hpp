// SPDX-License-Identifier: Apache-2.0
// One factory per routing algorithm; `make_relation` chooses among them.
#pragma once

#include <memory>

#include "routing/relation.hpp"

namespace hopwise::routing {

/// Dimension-order routing with dateline classes on tori (docs/reference/routing-dor.md).
std::unique_ptr<RoutingRelation> make_dor(const spec::NetworkSpec& spec,
                                          const topology::Topology& topology);

/// Fully adaptive minimal routing over a dimension-order escape network
/// (docs/reference/routing-star_channel.md).
std::unique_ptr<RoutingRelation> make_star_channel(const spec::NetworkSpec& spec,
                                                   const topology::Topology& topology);

/// Dimension order to a random router, then to the destination (docs/reference/routing-valiant.md).
std::unique_ptr<RoutingRelation> make_valiant(const spec::NetworkSpec& spec,
                                              const topology::Topology& topology);

/// The routings of a dragonfly: minimal, Valiant, and the choice between them
/// (docs/reference/routing-dragonfly.md).
std::unique_ptr<RoutingRelation> make_dragonfly(const spec::NetworkSpec& spec,
                                                const topology::Topology& topology);

/// Routings that learn a table of delivery times, on dragonflies and tori
/// (docs/reference/routing-q.md).
std::unique_ptr<RoutingRelation> make_q_routing(const spec::NetworkSpec& spec,
                                                const topology::Topology& topology);

}  // namespace hopwise::routing
