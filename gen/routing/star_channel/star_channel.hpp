// SPDX-License-Identifier: Apache-2.0
// Fully adaptive minimal routing over a dimension-order escape network, on tori and meshes
// (docs/reference/routing-star_channel.md).
#pragma once

#include "routing/family.hpp"

namespace hopwise::routing::star_channel {

extern const Family kFamily;

/// hw_route_compute_star_channel at every input port
Unit unit(const UnitContext& context);

}  // namespace hopwise::routing::star_channel
