// SPDX-License-Identifier: Apache-2.0
// Shortest cycle of a dependency graph, for the user to read.
#pragma once

#include <vector>

#include "deadlock/dependency_graph.hpp"

namespace hopwise::deadlock {

/// A cycle of `graph`, each vertex leading to the next and the last to the first; empty if there is
/// none. The shortest one, unless the search would look at more than `edge_budget` edges; then the
/// shortest found until there.
std::vector<Vertex> shortest_cycle(const Graph& graph, std::uint64_t edge_budget = 200'000'000);

}  // namespace hopwise::deadlock
