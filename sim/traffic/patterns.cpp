// SPDX-License-Identifier: Apache-2.0
// The one list of built-in patterns.
#include <array>

#include "traffic/pattern.hpp"

namespace hopwise::traffic {

// in patterns/
extern const PatternKind kUniform, kTornado, kTranspose, kBitComplement, kBitReverse, kShuffle,
    kNeighbour, kPermutation, kHotSpot, kHotRegion, kAdversarial, kShift, kMixedRouterShift,
    kMixedRouterPermutation, kMixedNodeShift, kMixedNodePermutation, kStencil, kManyToMany,
    kRandomNeighbours, kFixedNeighbours, kDpsnn, kIdle, kTrace;

spec::Patterns builtin_patterns() {
  static constexpr std::array<const spec::PatternDeclaration*, 23> kPatterns{
      &kUniform,
      &kTornado,
      &kTranspose,
      &kBitComplement,
      &kBitReverse,
      &kShuffle,
      &kNeighbour,
      &kPermutation,
      &kHotSpot,
      &kHotRegion,
      &kAdversarial,
      &kShift,
      &kMixedRouterShift,
      &kMixedRouterPermutation,
      &kMixedNodeShift,
      &kMixedNodePermutation,
      &kStencil,
      &kManyToMany,
      &kRandomNeighbours,
      &kFixedNeighbours,
      &kDpsnn,
      &kIdle,
      &kTrace};
  return kPatterns;
}

}  // namespace hopwise::traffic
