// SPDX-License-Identifier: Apache-2.0
// A traffic pattern as configurations know it: its names, keys and checks, as one value. Code that
// reads names gets the list of patterns as an argument; only a pattern's own file names it.
// traffic/pattern.hpp adds what the pattern sends.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/key.hpp"
#include "spec/spec.hpp"
#include "support/diagnostics.hpp"
#include "support/result.hpp"

namespace hopwise::spec {

struct PatternDeclaration;

/// A pattern's name, read: `uniform`, `adv+4`, `mixed_node_shift:50`, `stencil_3d:4x4x8`.
struct PatternName {
  const PatternDeclaration* pattern = nullptr;
  std::vector<unsigned> numbers = {};  ///< its parameter, where it has one
  bool operator==(const PatternName&) const = default;
};

/// Why a pattern does not go with a topology.
struct Misfit {
  std::string allowed, hint;
};

/// Input of a pattern's checks, and the place for their findings.
struct PatternCheck {
  bool named = false;           ///< the run or its experiment has the pattern
  std::uint64_t terminals = 0;  ///< of the network; 0: its sizes are reported already
  const TrafficSpec& traffic;   ///< complete; settings of bad keys are their defaults
  const KeyPlaces& keys;
  Diagnostics& errors;
};

struct PatternDeclaration {
  std::string_view name;
  std::string_view doc;  ///< where its packets go, for the manual
  std::span<const std::string_view> aliases = {};
  std::optional<WordForm> form = {};  ///< its name with a parameter
  bool alone = true;                  ///< its name is a pattern without a parameter, too
  /// Keys with their whole paths. Their values are in TrafficSpec::settings, for all patterns of a
  /// run. Two patterns may share a key: the same declaration.
  std::span<const Key> keys = {};
  /// What it needs of a topology, for the manual; the same text of several patterns appears once.
  std::string_view needs = "";
  /// Terminals wait for each other; no load is offered.
  bool closed_loop = false;
  /// No terminal sends: what there is beside a job that runs alone.
  bool idle = false;
  /// The key of the file whose packets it replays; empty: it draws them.
  std::string_view replays = "";

  /// Whether it goes with a topology: sizes, groups, a terminal that sends to another. Nothing: any
  /// does.
  std::optional<Misfit> (*fits)(const PatternName&, const TopologySpec&) = nullptr;
  /// Why it may not send on this topology what its name leads one to expect. Nothing: it does.
  std::optional<std::string> (*doubt)(const PatternName&, const TopologySpec&) = nullptr;
  /// Of its keys and of others, asked once for a run, whether the run has the pattern or not.
  void (*check)(const PatternCheck&) = nullptr;

  /// The load of a configuration does not count.
  bool sets_load() const { return closed_loop || idle || !replays.empty(); }
};

/// No two have a name in common.
using Patterns = std::span<const PatternDeclaration* const>;

/// What a user may write, in the order of the manual: names alone, other spellings of them, names
/// with a parameter.
std::vector<std::string_view> names_of(Patterns patterns);
std::vector<std::string_view> aliases_of(Patterns patterns);
std::vector<WordForm> forms_of(Patterns patterns);

/// Reads a name. O(names). Errors, without place and key: config.unknown-name, and
/// config.pattern-parameter where the head is known but its parameter is missing, malformed or out
/// of range.
Result<PatternName> parse_pattern(Patterns patterns, std::string_view word);

/// The pattern of a name. Precondition: `parse_pattern` takes it.
const PatternDeclaration& pattern_of(Patterns patterns, std::string_view word);

/// The one spelling of a name; `parse_pattern` takes it back.
std::string to_string(const PatternName& name);

/// What keeps a pattern from a topology with these sizes, if anything. Code, place and key are left
/// to the caller.
std::optional<Diagnostic> misfit(const PatternName& name, const TopologySpec& topology);

}  // namespace hopwise::spec
