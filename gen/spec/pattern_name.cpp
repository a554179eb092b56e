// SPDX-License-Identifier: Apache-2.0
#include "spec/pattern_name.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/words.hpp"

namespace hopwise::spec {

namespace {

constexpr auto kFirstForm = static_cast<std::size_t>(PatternKind::kAdversarial);
static_assert(kFirstForm == kPatterns.size());
static_assert(static_cast<std::size_t>(PatternKind::kDpsnnRate) + 1 ==
              kPatterns.size() + kPatternForms.size());

PatternKind kind_of(const WordForm& form) {
  return static_cast<PatternKind>(kFirstForm +
                                  static_cast<std::size_t>(&form - kPatternForms.data()));
}

std::string range_of(const WordForm& form) {
  if (form.numbers == 3)
    return fmt::format("{}, each from {} to {}", display(form), form.min, form.max);
  return fmt::format("{}, {} from {} to {}", display(form), form.letter, form.min, form.max);
}

std::string_view head_of(std::string_view word) { return word.substr(0, word.find_first_of("+:")); }

/// Every name and form, with the nearest to a misspelt one as the hint.
Diagnostic unknown(std::string_view word) {
  std::vector<std::string> heads, shown;
  for (const std::string_view name : kPatterns) {
    heads.emplace_back(name);
    shown.emplace_back(name);
  }
  for (const WordForm& form : kPatternForms) {
    heads.emplace_back(form.head);
    shown.push_back(display(form));
  }
  std::string hint;
  if (const auto near = nearest(head_of(word), heads)) {
    const auto at = std::find(heads.begin(), heads.end(), *near) - heads.begin();
    hint = fmt::format("did you mean '{}'?", shown[static_cast<std::size_t>(at)]);
  }
  const std::vector<std::string_view> all(shown.begin(), shown.end());
  return {"config.unknown-name", {}, "", fmt::format("'{}'", word), join_names(all),
          std::move(hint)};
}

/// A decimal number without sign and leading zeros.
std::optional<unsigned> number(std::string_view text) {
  if (text.empty() || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  unsigned value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The numbers of a form's parameter; nothing where it is malformed or one is out of range.
std::optional<Grid> numbers_of(const WordForm& form, std::string_view text) {
  Grid values{};
  for (unsigned i = 0; i < form.numbers; ++i) {
    const auto end = i + 1 < form.numbers ? text.find('x') : text.size();
    if (end == std::string_view::npos) return std::nullopt;
    const auto value = number(text.substr(0, end));
    if (!value || *value < form.min || *value > form.max) return std::nullopt;
    values[i] = *value;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return values;
}

std::string spelt(const PatternName& name, const TopologySpec& topology) {
  const auto& dims = topology.dims;
  if (topology.has_groups()) {
    return fmt::format("{} on {} groups of {} routers", to_string(name), dims[1], dims[0]);
  }
  return fmt::format("{} on {}", to_string(name), fmt::join(dims, " x "));
}

bool needs_groups(PatternKind base) {
  return base == PatternKind::kAdversarial || base == PatternKind::kShift ||
         base == PatternKind::kMixedRouterShift || base == PatternKind::kMixedNodeShift;
}

bool takes_grid(PatternKind base) {
  return base == PatternKind::kStencil3dGrid || base == PatternKind::kManyToManyGrid;
}

}  // namespace

std::string display(const WordForm& form) {
  return fmt::format("{}{}{}", form.head, form.mark, form.letter);
}

Result<PatternName> parse_pattern(std::string_view word) {
  if (std::find(kPatternAliases.begin(), kPatternAliases.end(), word) != kPatternAliases.end()) {
    return PatternName{PatternKind::kNeighbour};
  }
  const auto plain = std::find(kPatterns.begin(), kPatterns.end(), word);
  if (plain != kPatterns.end())
    return PatternName{static_cast<PatternKind>(plain - kPatterns.begin())};
  const auto form = std::find_if(kPatternForms.begin(), kPatternForms.end(),
                                 [word](const WordForm& f) { return f.head == head_of(word); });
  if (form == kPatternForms.end()) return unknown(word);
  const std::string_view rest = word.substr(form->head.size());
  const auto values =
      rest.starts_with(form->mark) ? numbers_of(*form, rest.substr(1)) : std::nullopt;
  if (!values) {
    return Diagnostic{
        "config.pattern-parameter", {}, "", fmt::format("'{}'", word), range_of(*form), ""};
  }
  PatternName name{kind_of(*form)};
  if (takes_grid(name.base))
    name.grid = *values;
  else if (name.base == PatternKind::kDpsnnRate)
    name.rate_hz = values->front();
  else
    (name.base == PatternKind::kAdversarial ? name.offset : name.percent) = values->front();
  return name;
}

std::string to_string(const PatternName& name) {
  const auto at = static_cast<std::size_t>(name.base);
  if (at < kFirstForm) return std::string(kPatterns[at]);
  const WordForm& form = kPatternForms[at - kFirstForm];
  if (takes_grid(name.base))
    return fmt::format("{}{}{}", form.head, form.mark, fmt::join(name.grid, "x"));
  if (name.base == PatternKind::kDpsnnRate)
    return fmt::format("{}{}{}", form.head, form.mark, name.rate_hz);
  const unsigned value = name.base == PatternKind::kAdversarial ? name.offset : name.percent;
  return fmt::format("{}{}{}", form.head, form.mark, value);
}

bool sets_load(std::string_view word) {
  const PatternKind base = parse_pattern(word).value().base;
  return base == PatternKind::kTrace || is_dpsnn(base);
}

Grid grid_of(const PatternName& name, const std::vector<unsigned>& dims,
             unsigned terminals_per_router) {
  return takes_grid(name.base) ? name.grid : Grid{terminals_per_router, dims[0], dims[1]};
}

std::optional<Diagnostic> misfit(const PatternName& name, const TopologySpec& topology) {
  const std::vector<unsigned>& dims = topology.dims;
  const bool dragonfly = topology.has_groups();
  const auto refused = [&](std::string allowed, std::string hint) {
    return Diagnostic{"", {}, "", spelt(name, topology), std::move(allowed), std::move(hint)};
  };
  if (!dragonfly && needs_groups(name.base)) {
    return refused("a topology with groups: dragonfly",
                   fmt::format("{} needs groups", to_string(name)));
  }
  switch (name.base) {
    case PatternKind::kStencil3d:
    case PatternKind::kManyToMany:
      if (dragonfly) break;
      return refused("a topology with groups: dragonfly",
                     fmt::format("elsewhere the grid is given: {}:XxYxZ", to_string(name)));
    case PatternKind::kStencil3dGrid:
    case PatternKind::kManyToManyGrid: {
      const std::uint64_t terminals = topology.terminals;
      std::uint64_t places = 1;
      for (const unsigned k : name.grid) places *= k;
      if (places != terminals) {
        return refused(fmt::format("a grid of {} places, one per terminal", terminals),
                       fmt::format("this one has {}", places));
      }
      if (name.base == PatternKind::kStencil3dGrid || name.grid[2] > 1) break;
      return refused("Z of two or more", "packets go along Z");
    }
    case PatternKind::kAdversarial:
      if (name.offset < dims[1]) return std::nullopt;
      return refused(dims[1] == 2 ? "adv+1" : fmt::format("adv+1 to adv+{}", dims[1] - 1),
                     "the offset counts groups, modulo their number");
    case PatternKind::kTranspose:
      if (dims.size() > 1 &&
          std::all_of(dims.begin(), dims.end(), [&](unsigned k) { return k == dims[0]; }))
        break;
      return refused(dragonfly ? "as many groups as a group has routers"
                               : "two or more dimensions of equal size",
                     "transpose exchanges the coordinates of a router; permutation is a fixed "
                     "pattern for any sizes");
    case PatternKind::kTornado:
      if (dragonfly ? dims[1] > 2
                    : std::any_of(dims.begin(), dims.end(), [](unsigned k) { return k > 2; }))
        break;
      return refused(dragonfly ? "three groups or more" : "a dimension of three or more",
                     "tornado moves ceil(k/2) - 1, which is 0 for k = 2");
    default: break;
  }
  return std::nullopt;
}

}  // namespace hopwise::spec
