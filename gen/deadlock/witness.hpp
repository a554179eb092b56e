// SPDX-License-Identifier: Apache-2.0
// Why one resource waits for another: a destination whose packets hold the one and request the
// other.
#pragma once

#include <vector>

#include "deadlock/destination_walk.hpp"

namespace hopwise::deadlock {

/// The steps of a cycle of buffers and of terminals' queues, each with the lowest destination that
/// makes the dependency, and its kind.
std::vector<CycleStep> find_witnesses(const topology::Topology& topology,
                                      const Resources& resources, DestinationWalk& walk,
                                      const std::vector<Vertex>& cycle);

}  // namespace hopwise::deadlock
