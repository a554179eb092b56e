// SPDX-License-Identifier: Apache-2.0
// Asks the emitted RTL of a network's routing units about everything that packets can reach, and
// holds each answer to the routing relation.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "deadlock/proof.hpp"
#include "emit/bundle.hpp"
#include "model/shared_library.hpp"
#include "support/result.hpp"

namespace hopwise::verify {

struct Options {
  /// of all questions; beyond it some destinations, drawn at random, stand for all
  std::uint64_t most_questions = 1'000'000;
  /// hears what is going on, and the part of the work that is done, 0 to 1
  std::function<void(const std::string&, double)> progress = [](const std::string&, double) {};
  /// what a test does to the emitted files, to see a fault caught
  std::function<void(emit::Files&)> alter = [](emit::Files&) {};
};

struct Outcome {
  std::uint64_t questions = 0;
  /// of packets to a destination, as the relation tells them apart: router, input port, VC, class
  std::uint64_t states = 0;
  /// the relation's moves in these states, each VC counted; those of them that no answer offered
  std::uint64_t moves = 0, never_offered = 0;
  std::uint64_t destinations = 0;  ///< terminals whose packets were followed to the end
  bool exhaustive = true;          ///< all of them
  std::string fault;               ///< the first, in full; empty: there is none
};

/// Follows packets from every source to every destination breadth first, through all moves that
/// the units answer. A question is asked twice, of a unit that draws or looks at queues eight
/// times, with other free places and queues each time; where answers differ and a move is missing,
/// again. An answer is wrong that offers nothing, a move that the relation does not have (output
/// port, VCs, next class), or, where all moves together are not acyclic, no move of the escape
/// subfunction; where packets have modes, one that its mode does not promise (moves_in), or another
/// one for the same head where that is to say all. Errors: of model::load_unit. Precondition: the
/// routing is not simulation_only.
Result<Outcome> verify_units(const deadlock::ProvenNetwork& network,
                             const model::BuildOptions& build, const Options& options);

}  // namespace hopwise::verify
