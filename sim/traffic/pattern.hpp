// SPDX-License-Identifier: Apache-2.0
// Where packets go: what a traffic pattern is. A pattern is a value, declared in a file of its own
// in patterns/: names, keys, checks and generator. docs/reference/traffic.md has the table of those
// that are built in, made from their declarations.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "spec/pattern.hpp"
#include "spec/spec.hpp"
#include "support/ids.hpp"
#include "support/result.hpp"
#include "topology/topology.hpp"
#include "traffic/process.hpp"
#include "traffic/random.hpp"

namespace hopwise::traffic {

/// Chooses the destination of each packet. Immutable: one pattern serves all terminals of all
/// threads. A terminal sends round after round, of one packet in most patterns; the caller keeps
/// its place in the round.
class Pattern {
 public:
  virtual ~Pattern() = default;

  /// Packets of the round that `src` begins, 1 or more. O(1). Precondition: !silent(src).
  virtual std::uint32_t round_packets(TerminalId /*src*/, Random& /*random*/) const { return 1; }

  /// Destination of the packet at `place` (from 0 on) of the round of `src` under way, never `src`
  /// itself. O(1). Preconditions: !silent(src), and `place` is below what round_packets said.
  virtual TerminalId destination(TerminalId src, std::uint32_t place, Random& random) const = 0;

  /// That of a round's first packet: all there is to know of a pattern without longer rounds.
  TerminalId destination(TerminalId src, Random& random) const {
    return destination(src, 0, random);
  }

  /// True where the pattern maps `src` to itself (the diagonal of transpose): such a terminal
  /// injects nothing, and loads are normalised over the others.
  virtual bool silent(TerminalId /*src*/) const { return false; }

  /// Too many packets go there on purpose: results tell its traffic from that of the others.
  virtual bool hot(TerminalId /*terminal*/) const { return false; }

  /// Of a closed loop: what `terminal` does, which borrows from the pattern. All others draw.
  virtual std::unique_ptr<Process> process(TerminalId /*terminal*/) const { return nullptr; }
  /// Of a closed loop: it comes to a last step.
  virtual bool ends() const { return false; }
};

/// Terminals that inject under a pattern: what offered and accepted traffic is divided by.
std::size_t active_terminals(const Pattern& pattern, std::size_t num_terminals);

/// What a pattern is made for. It fits the topology.
struct Ground {
  const spec::PatternName& name;
  const spec::TrafficSpec& traffic;
  const topology::Topology& topology;
  std::uint64_t seed;  ///< of what is drawn once for all packets
};

/// All that Hopwise knows of a pattern. Every declaration in a list of patterns is one of these.
struct PatternKind : spec::PatternDeclaration {
  /// Errors: traffic.*, with the key; places are left empty. Not asked of what is replayed.
  Result<std::unique_ptr<Pattern>> (*make)(const Ground&) = nullptr;
};

/// What is built in, in the order of the manual.
spec::Patterns builtin_patterns();

/// Makes a pattern of the list by its name.
///
/// Errors: traffic.unknown-pattern (the parameter of a known one included), traffic.unfit-topology
/// (what `spec::misfit` says), and the pattern's own. Places are left empty for the caller to fill
/// in; keys are set.
Result<std::unique_ptr<Pattern>> make_pattern(spec::Patterns patterns,
                                              const spec::TrafficSpec& spec,
                                              std::string_view pattern_name,
                                              const topology::Topology& topology,
                                              std::uint64_t seed);

}  // namespace hopwise::traffic
