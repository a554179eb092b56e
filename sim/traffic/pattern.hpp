// SPDX-License-Identifier: Apache-2.0
// Where packets go: the synthetic traffic patterns of Dally & Towles, section 3.2.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "config/spec.hpp"
#include "support/ids.hpp"
#include "support/result.hpp"
#include "topology/topology.hpp"
#include "traffic/random.hpp"

namespace hopwise::traffic {

/// Chooses the destination of each packet. Immutable: one pattern serves all terminals of all threads.
class Pattern {
 public:
  virtual ~Pattern() = default;

  /// Destination of the next packet of `src`, never `src` itself. O(1). Precondition: !silent(src).
  virtual TerminalId destination(TerminalId src, Random& random) const = 0;

  /// True where the pattern maps `src` to itself (the diagonal of transpose): such a terminal injects nothing, and
  /// loads are normalised over the others.
  virtual bool silent(TerminalId /*src*/) const { return false; }
};

/// The names that `make_pattern` knows, in alphabetical order.
std::span<const std::string_view> pattern_names();

/// Terminals that inject under a pattern: what offered and accepted traffic is divided by.
std::size_t active_terminals(const Pattern& pattern, std::size_t num_terminals);

/// Makes a pattern by name. k is the size of a dimension, x a coordinate; deterministic patterns keep the slot.
///
/// | name           | destination                                                                             |
/// |----------------|-----------------------------------------------------------------------------------------|
/// | uniform        | any other terminal, equally likely                                                      |
/// | tornado        | x + ceil(k/2) - 1 modulo k in every dimension; nothing moves along a dimension of k = 2 |
/// | transpose      | coordinates rotated by one, (x,y,z) -> (z,x,y); two or more dimensions of equal size    |
/// | bit_complement | k - 1 - x in every dimension                                                            |
/// | neighbour      | x + 1 modulo k in every dimension                                                       |
/// | permutation    | a random permutation without fixed points, drawn from `seed`                            |
/// | hot_spot       | with probability hot_fraction a hot terminal, else uniform                              |
/// | hot_region     | with probability hot_fraction a terminal of the corner x < ceil(k/2), else uniform      |
///
/// hot_spot without `hot_terminals` has one: slot 0 of the router at k/2 (rounded down) in every dimension.
/// A hot draw is uniform over the hot terminals other than the source; where there is none, the packet is uniform.
///
/// Errors: traffic.unknown-pattern, traffic.unfit-topology (sizes that transpose cannot rotate, or a pattern under
/// which every terminal is silent), traffic.hot-terminal (out of range, or named twice), traffic.hot-fraction. Places
/// are left empty for the caller to fill in; keys are set.
Result<std::unique_ptr<Pattern>> make_pattern(const config::TrafficSpec& spec, const std::string& pattern_name,
                                              const topology::Topology& topology, std::uint64_t seed);

}  // namespace hopwise::traffic
