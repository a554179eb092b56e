// SPDX-License-Identifier: Apache-2.0
// Collective operations as the sends and receives of one member of a group (Thakur, Rabenseifner &
// Gropp, "Optimization of collective communication operations in MPICH", 2005). All members call
// the same ones in the same order; each ends with all its receives complete. A group of one does
// nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traffic/jobs/program.hpp"

namespace hopwise::traffic {

/// Ranks that act together, and the place of the one at hand among them.
struct Group {
  std::vector<std::uint32_t> ranks;
  std::size_t me = 0;
  std::size_t size() const { return ranks.size(); }
  /// The rank at a place, counted around.
  std::uint32_t operator[](std::size_t place) const { return ranks[place % ranks.size()]; }
};

/// Dissemination: in round i everybody tells the member 2^i places on.
void barrier(Program& program, const Group& group);
/// From the first member, along a binomial tree.
void broadcast(Program& program, const Group& group, std::uint64_t bytes);
/// All members combine `bytes` by recursive doubling. Where their number is no power of two, the
/// first ones fold in by pairs before, and get the result afterwards.
void allreduce_doubling(Program& program, const Group& group, std::uint64_t bytes);
/// The same around a ring: every part is combined on its way, then given to all.
void allreduce_ring(Program& program, const Group& group, std::uint64_t bytes);
/// Each member gives a block of `bytes` to all, around a ring.
void allgather(Program& program, const Group& group, std::uint64_t bytes);
/// Each member gives a block of `bytes` to each other one, pair by pair: in step s with the member
/// whose place differs in the bits of s or, where their number is no power of two, to the one s
/// places on, from the one s places before.
void alltoall(Program& program, const Group& group, std::uint64_t bytes);
/// The same, each member getting its blocks itself, from the same members one after the other.
void alltoall_get(Program& program, const Group& group, std::uint64_t bytes);

}  // namespace hopwise::traffic
