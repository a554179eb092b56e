// SPDX-License-Identifier: Apache-2.0
// What a user reads when there is no proof.
#pragma once

#include <string>

#include "deadlock/destination_walk.hpp"

namespace hopwise::deadlock {

/// One line for each step of a cycle of dependencies or a loop of moves.
std::string cycle_text(const topology::Topology& topology, const routing::RoutingRelation& relation,
                       const Resources& resources, const std::vector<std::string>& message_classes,
                       const std::vector<CycleStep>& cycle);
std::string loop_text(const topology::Topology& topology, const routing::RoutingRelation& relation,
                      const std::vector<CycleStep>& loop);
std::string disconnected_text(const topology::Topology& topology,
                              const routing::RoutingRelation& relation, const Resources& resources,
                              TerminalId dst, const WalkFault& fault);

}  // namespace hopwise::deadlock
