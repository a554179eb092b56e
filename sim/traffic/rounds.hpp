// SPDX-License-Identifier: Apache-2.0
// Patterns whose terminals send round after round: the communication patterns of Kang et al., HPDC
// 2021, section 6.
#pragma once

#include <cstdint>
#include <memory>

#include "spec/pattern_name.hpp"
#include "traffic/pattern.hpp"

namespace hopwise::traffic {

/// Targets of a round of random_neighbors.
inline constexpr std::uint32_t kFewestNeighbours = 6, kMostNeighbours = 20;

/// One packet to each neighbour in the order x-, x+, y-, y+, z-, z+, round the ends of the grid. A
/// dimension of size 1 has no neighbours, one of size 2 the same one twice. Precondition: the grid
/// has two places or more.
std::unique_ptr<Pattern> make_stencil(spec::Grid grid);

/// One packet to every other terminal with the same x and y, in ascending order of z. Precondition:
/// Z is 2 or more.
std::unique_ptr<Pattern> make_many_to_many(spec::Grid grid);

/// Each round draws its length, kFewestNeighbours to kMostNeighbours, and each packet any other
/// terminal, independently.
std::unique_ptr<Pattern> make_random_neighbours(std::size_t num_terminals);

/// Each terminal has kFewestNeighbours to kMostNeighbours different neighbours (all others where
/// there are fewer), drawn once from `random`; a round is one packet to each, in the order drawn.
/// O(terminals).
std::unique_ptr<Pattern> make_fixed_neighbours(std::size_t num_terminals, Random random);

}  // namespace hopwise::traffic
