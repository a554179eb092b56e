// SPDX-License-Identifier: Apache-2.0
// The names of traffic patterns and their parameters: `uniform`, `adv+4`, `mixed_node_shift:50`,
// `stencil_3d:4x4x8`. The only place that reads them; the key table, the schema, the reference page
// and `traffic::make_pattern` follow from it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/spec.hpp"
#include "support/diagnostics.hpp"
#include "support/result.hpp"

namespace hopwise::spec {

/// Names without a parameter in the order of kPatterns, then those with one in the order of
/// kPatternForms.
enum class PatternKind : std::uint8_t {
  kUniform,
  kTornado,
  kTranspose,
  kBitComplement,
  kNeighbour,
  kPermutation,
  kHotSpot,
  kHotRegion,
  kShift,
  kStencil3d,
  kManyToMany,
  kRandomNeighbors,
  kFixedNeighbors,
  kDpsnn,
  kTrace,
  kAdversarial,
  kMixedRouterShift,
  kMixedRouterPermutation,
  kMixedNodeShift,
  kMixedNodePermutation,
  kStencil3dGrid,
  kManyToManyGrid,
  kDpsnnRate,
};
constexpr bool is_dpsnn(PatternKind kind) {
  return kind == PatternKind::kDpsnn || kind == PatternKind::kDpsnnRate;
}

inline constexpr std::array<std::string_view, 15> kPatterns{"uniform",
                                                            "tornado",
                                                            "transpose",
                                                            "bit_complement",
                                                            "neighbour",
                                                            "permutation",
                                                            "hot_spot",
                                                            "hot_region",
                                                            "shift",
                                                            "stencil_3d",
                                                            "many_to_many",
                                                            "random_neighbors",
                                                            "random_neighbors:fixed",
                                                            "dpsnn",
                                                            "trace"};
inline constexpr std::array<std::string_view, 1> kPatternAliases{"neighbor"};

/// A family of names with a decimal parameter, written without leading zeros: `adv+I`, I from 1 to
/// 1024; or with three of them joined by x: `stencil_3d:XxYxZ`.
struct WordForm {
  std::string_view head;    ///< `adv`
  char mark;                ///< between head and parameter
  std::string_view letter;  ///< what the manual calls the parameter
  unsigned min;
  unsigned max;
  std::string_view regex;  ///< of the whole word, for the JSON schema
  unsigned numbers = 1;    ///< 1 or 3
};
inline constexpr std::array<WordForm, 8> kPatternForms{
    WordForm{"adv", '+', "I", 1, 1024, "^adv\\+[1-9][0-9]{0,3}$"},
    WordForm{"mixed_router_shift", ':', "P", 0, 100, "^mixed_router_shift:(0|[1-9][0-9]?|100)$"},
    WordForm{"mixed_router_permutation", ':', "P", 0, 100,
             "^mixed_router_permutation:(0|[1-9][0-9]?|100)$"},
    WordForm{"mixed_node_shift", ':', "P", 0, 100, "^mixed_node_shift:(0|[1-9][0-9]?|100)$"},
    WordForm{"mixed_node_permutation", ':', "P", 0, 100,
             "^mixed_node_permutation:(0|[1-9][0-9]?|100)$"},
    WordForm{"stencil_3d", ':', "XxYxZ", 1, 999999,
             "^stencil_3d:[1-9][0-9]{0,5}x[1-9][0-9]{0,5}x[1-9][0-9]{0,5}$", 3},
    WordForm{"many_to_many", ':', "XxYxZ", 1, 999999,
             "^many_to_many:[1-9][0-9]{0,5}x[1-9][0-9]{0,5}x[1-9][0-9]{0,5}$", 3},
    WordForm{"dpsnn", ':', "R", 1, 1000, "^dpsnn:([1-9][0-9]{0,2}|1000)$"},
};

/// "adv+I".
std::string display(const WordForm& form);

/// Sizes of a grid of terminals, which are numbered along X first: number = x + X * (y + Y * z).
using Grid = std::array<unsigned, 3>;

/// A pattern's name, read.
struct PatternName {
  PatternKind base = PatternKind::kUniform;
  unsigned offset = 0;  ///< adv+I: groups to go
  /// mixed_*:P: share of the routers or terminals that do not send uniformly
  unsigned percent = 0;
  Grid grid{};           ///< *:XxYxZ
  unsigned rate_hz = 0;  ///< dpsnn:R: mean firing rate
  bool operator==(const PatternName&) const = default;
};

/// Reads a name. O(names). Errors, without place and key: config.unknown-name, and
/// config.pattern-parameter where the head is known but its parameter is missing, malformed or out
/// of range.
Result<PatternName> parse_pattern(std::string_view word);

/// The one spelling of a name; `parse_pattern` takes it back.
std::string to_string(const PatternName& name);

/// The pattern sets the load by itself: a trace, or a closed loop. Precondition: `parse_pattern`
/// takes the name.
bool sets_load(std::string_view word);

/// The grid of `stencil_3d` and `many_to_many`: as named, else that of a dragonfly, p x a x g.
Grid grid_of(const PatternName& name, const std::vector<unsigned>& dims,
             unsigned terminals_per_router);

/// What keeps a pattern from a topology of these sizes ({a, g} in a dragonfly), if anything: no
/// groups, fewer groups than the offset needs, coordinates that cannot be exchanged, a grid that
/// does not hold all terminals, or no terminal that sends to another. Code, place and key are left
/// to the caller.
std::optional<Diagnostic> misfit(const PatternName& name, const TopologySpec& topology);

}  // namespace hopwise::spec
