// SPDX-License-Identifier: Apache-2.0
// Tori and meshes: routers at the places of a grid, joined to their neighbours.
#pragma once

#include <vector>

#include "topology/kind.hpp"

namespace hopwise::topology {

/// Port 2d leads in direction + of dimension d, port 2d+1 in direction -. What leaves through port
/// 2d arrives at the neighbour's port 2d+1. Ports at a mesh's border have no channel. A ring of two
/// routers has both its + and its - channel. Channels of a dimension have one latency.
extern const Kind kTorus, kMesh;

/// 1 to 4 sizes, each 2 to 64; dimension 0 first.
spec::TopologySpec torus(std::vector<unsigned> dims, unsigned terminals_per_router = 1);
spec::TopologySpec mesh(std::vector<unsigned> dims, unsigned terminals_per_router = 1);

/// Hops from a place to another along a dimension of this size.
unsigned steps_along(unsigned size, bool ring, unsigned from, unsigned to);

}  // namespace hopwise::topology
