// SPDX-License-Identifier: Apache-2.0
// What the library of MPI exports: the command finds it by name when it is asked for, and needs no
// MPI itself.
#pragma once

#include "engine/ranks.hpp"

namespace hopwise::mpi {

inline constexpr const char* kLibrary = "libhopwise_mpi.so";
inline constexpr const char* kJoin = "hopwise_join_ranks";

/// All processes that mpirun has started, this one among them; without mpirun there is one. Once in
/// a process. Ranks that are destroyed while an exception is under way end all processes.
using Join = engine::Ranks* (*)();

}  // namespace hopwise::mpi
