// SPDX-License-Identifier: Apache-2.0
// Dimension-order routing on tori and meshes (docs/reference/routing-dor.md).
#pragma once

#include "routing/family.hpp"

namespace hopwise::routing::dor {

extern const Family kFamily;

/// hw_route_compute_dor at every input port
Unit unit(const UnitContext& context);

/// Packets that do not cross the wraparound channel choose between the dateline classes.
bool balanced(const spec::RoutingSpec& routing);

}  // namespace hopwise::routing::dor
