// SPDX-License-Identifier: Apache-2.0
// Dimension order to a random router, then to the destination, on tori and meshes
// (docs/reference/routing-valiant.md).
#pragma once

#include "routing/family.hpp"

namespace hopwise::routing::valiant {

extern const Family kFamily;

/// hw_route_compute_valiant at every input port
Unit unit(const UnitContext& context);

}  // namespace hopwise::routing::valiant
