// SPDX-License-Identifier: Apache-2.0
// An application on a network: a program of which every rank runs its part at a terminal of its own
// (docs/reference/jobs.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/mode.hpp"
#include "support/diagnostics.hpp"

namespace hopwise::spec {

struct JobSpec {
  enum class Program {
    kPingPong,
    kBarrier,
    kBroadcast,
    kAllreduce,
    kAllgather,
    kAlltoall,
    kHalo3d,
    kSweep3d,
    kFft,
    kCustom,
  };
  enum class Algorithm { kRecursiveDoubling, kRing };
  enum class Transfer { kSend, kGet };
  enum class Placement { kContinuous, kRandom, kList };
  /// Who chooses the routing mode of a message: the user, once for all; the interface; or the
  /// host's software, which reads the interface's counters for it.
  enum class Chooser { kUser, kInterface, kHost };
  /// A line of a custom program, and where the user wrote it.
  struct Line {
    std::string text;
    SourceLocation where;
  };

  std::string name;  ///< empty: there is no job
  Program program = Program::kPingPong;
  SourceLocation where;              ///< of the program's name
  std::uint64_t ranks = 0;           ///< at most the terminals of the network
  std::uint64_t bytes = 0;           ///< of a message, or what the program makes of it
  std::uint64_t iterations = 1;      ///< that are measured
  std::uint64_t warmup = 0;          ///< iterations before these
  std::uint64_t compute_cycles = 0;  ///< core cycles, where the program computes
  std::vector<unsigned> grid;        ///< of a program that has one: sizes, the first runs fastest
  unsigned blocks = 1;               ///< of a sweep, one behind the other
  Algorithm algorithm = Algorithm::kRecursiveDoubling;  ///< of an allreduce
  Transfer transfer = Transfer::kSend;  ///< of a program in which each rank may get what it needs
  std::vector<Line> operations;         ///< of a custom program
  Placement placement = Placement::kContinuous;
  std::uint64_t placement_seed = 1;
  std::vector<unsigned> terminals;  ///< of the ranks, where they are listed
  Chooser chooser = Chooser::kUser;
  Mode mode = Mode::kAdaptive0;  ///< kUser: of all its packets
  double clock_ghz = 1;          ///< what nanoseconds mean
  std::uint64_t max_cycles = 0;  ///< core cycles after which the run gives up

  bool any() const { return !name.empty(); }
};

}  // namespace hopwise::spec
