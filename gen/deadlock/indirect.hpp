// SPDX-License-Identifier: Apache-2.0
// Duato's indirect dependencies (wormhole): a packet that spans several channels holds an escape
// channel, has gone on through channels that the escape subfunction did not supply, and requests
// the next escape channel from there.
//
// Their number grows with the square of the network, so they are never listed. Against a given
// numbering it is enough to know, for each state, the lowest-numbered escape request that such a
// walk can come to.
#pragma once

#include <vector>

#include "deadlock/dependency_graph.hpp"

namespace hopwise::deadlock {

/// Appends to `edges` those dependencies of a finished walk's packets, indirect and indirect cross,
/// that do not lead to a higher level: for each held escape buffer the one with the lowest target.
/// None are appended iff all are in order.
void append_out_of_order(const Resources& resources, const DestinationWalk& walk,
                         const std::vector<bool>& supplied, const std::vector<std::uint32_t>& level,
                         std::vector<Edge>& edges);

}  // namespace hopwise::deadlock
