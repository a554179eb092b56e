// SPDX-License-Identifier: Apache-2.0
// Several message classes: each has the VCs that the routing needs, and no packet ever leaves
// those of its class. Families know nothing of it: their relations are for the VCs of one class,
// and their units answer with VCs of the first, which rtl/router/hw_message_classes.sv moves.
#pragma once

#include <memory>

#include "routing/relation.hpp"
#include "spec/spec.hpp"

namespace hopwise::routing {

/// The relation of a router with all its message classes from that for the VCs of one: VC v of
/// class c is VC c * V + v, on ejection channels too. VC classes are named `request.escape0`.
std::unique_ptr<RoutingRelation> by_message_class(std::unique_ptr<RoutingRelation> of_one,
                                                  const spec::RouterSpec& router);

/// The same VCs in every message class.
VcMask in_every_message_class(VcMask of_one, const spec::RouterSpec& router);

}  // namespace hopwise::routing
