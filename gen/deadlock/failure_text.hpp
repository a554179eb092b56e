// SPDX-License-Identifier: Apache-2.0
// What a user reads when there is no proof.
#pragma once

#include <string>

#include "deadlock/destination_walk.hpp"

namespace hopwise::deadlock {

/// One line for each step of a cycle of dependencies or a loop of moves.
std::string cycle_text(const topology::Topology& topology, const routing::RoutingRelation& relation,
                       const std::vector<CycleStep>& cycle, bool output_queues);
std::string loop_text(const topology::Topology& topology, const routing::RoutingRelation& relation,
                      const std::vector<CycleStep>& loop);
std::string disconnected_text(const topology::Topology& topology,
                              const routing::RoutingRelation& relation, const Resources& resources,
                              TerminalId dst, const WalkFault& fault);

}  // namespace hopwise::deadlock
