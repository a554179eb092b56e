// SPDX-License-Identifier: Apache-2.0
// What the families of routings for dragonflies share.
#pragma once

#include "routing/unit_parameters.hpp"

namespace hopwise::routing {

/// NumRouters, NumGroups, GlobalPorts, Arrangement, and where the destination stands: DstRouterLsb,
/// DstGroupLsb, SlotLsb, SlotBits; VcSteps, NumSteps, StepVcs of a dragonfly.
std::vector<Parameter> dragonfly_parameters(const UnitContext& c);

}  // namespace hopwise::routing
