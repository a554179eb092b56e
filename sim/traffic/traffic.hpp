// SPDX-License-Identifier: Apache-2.0
// What the terminals of a run generate: its patterns, processes and sources, made in one call.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spec/spec.hpp"
#include "support/result.hpp"
#include "topology/topology.hpp"
#include "traffic/source.hpp"

namespace hopwise::traffic {

/// The drawn traffic of a run: one phase, or two where the specification switches. Movable; sources
/// stay valid.
class Traffic {
 public:
  std::span<const Phase> phases() const { return phases_; }

  /// Terminals wait for each other, and no load is offered.
  bool closed_loop() const { return closed_loop_; }
  /// It ends by itself: a closed loop with a last step.
  bool ends() const { return closed_loop_ && phases_.front().pattern->ends(); }

  /// One source per terminal; they borrow from this object. O(terminals).
  std::vector<Source> sources() const;

  /// Mean number of terminals that inject in the core cycles [from, to): that of the phase, or of
  /// both weighted by their cycles. Loads of that time are normalised over it. Precondition: from <
  /// to.
  double active_terminals(std::uint64_t from, std::uint64_t to) const;

  /// Flits offered in [from, to), whole network: what the loads ask for, whatever was drawn or
  /// found room.
  double offered_flits(std::uint64_t from, std::uint64_t to) const;

 private:
  friend Result<Traffic> make_traffic(spec::Patterns, const spec::TrafficSpec&, double,
                                      const topology::Topology&, spec::Rational, std::uint64_t);
  template <class Value>
  double sum(std::uint64_t from, std::uint64_t to, Value value) const;

  std::vector<Phase> phases_;
  bool closed_loop_ = false;
  std::size_t num_terminals_ = 0;
  std::uint64_t seed_ = 0;
};

/// Makes the traffic of `spec`, whose patterns are of the list, at `load` (in place of `spec.load`:
/// an experiment walks over many). From core cycle `spec.switch_cycle` on, where that is not 0,
/// `switch_pattern` and `switch_load` hold. Both patterns draw what they draw from `seed` alike: a
/// permutation before and after the switch is the same one.
///
/// Errors: those of `make_pattern`, of all phases; the key says which.
Result<Traffic> make_traffic(spec::Patterns patterns, const spec::TrafficSpec& spec, double load,
                             const topology::Topology& topology, spec::Rational cycles_per_flit,
                             std::uint64_t seed);

}  // namespace hopwise::traffic
