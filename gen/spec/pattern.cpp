// SPDX-License-Identifier: Apache-2.0
#include "spec/pattern.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/words.hpp"

namespace hopwise::spec {

namespace {

std::string range_of(const WordForm& form) {
  if (form.numbers > 1)
    return fmt::format("{}, each from {} to {}", display(form), form.min, form.max);
  return fmt::format("{}, {} from {} to {}", display(form), form.letter, form.min, form.max);
}

std::string_view head_of(std::string_view word) { return word.substr(0, word.find_first_of("+:")); }

/// Every name and form, with the nearest to a misspelt one as the hint.
Diagnostic unknown(Patterns patterns, std::string_view word) {
  std::vector<std::string> heads, shown;
  for (const std::string_view name : names_of(patterns)) {
    heads.emplace_back(name);
    shown.emplace_back(name);
  }
  for (const WordForm& form : forms_of(patterns)) {
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

/// The numbers of a form's parameter; none where it is malformed or one is out of range.
std::vector<unsigned> numbers_of(const WordForm& form, std::string_view text) {
  std::vector<unsigned> values;
  while (values.size() < form.numbers) {
    const auto end = values.size() + 1 < form.numbers ? text.find('x') : text.size();
    if (end == std::string_view::npos) return {};
    const auto value = number(text.substr(0, end));
    if (!value || *value < form.min || *value > form.max) return {};
    values.push_back(*value);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return values;
}

}  // namespace

std::string display(const WordForm& form) {
  return fmt::format("{}{}{}", form.head, form.mark, form.letter);
}

std::vector<std::string_view> names_of(Patterns patterns) {
  std::vector<std::string_view> names;
  for (const PatternDeclaration* pattern : patterns) {
    if (pattern->alone) names.push_back(pattern->name);
  }
  return names;
}

std::vector<std::string_view> aliases_of(Patterns patterns) {
  std::vector<std::string_view> names;
  for (const PatternDeclaration* pattern : patterns)
    names.insert(names.end(), pattern->aliases.begin(), pattern->aliases.end());
  return names;
}

std::vector<WordForm> forms_of(Patterns patterns) {
  std::vector<WordForm> forms;
  for (const PatternDeclaration* pattern : patterns) {
    if (pattern->form) forms.push_back(*pattern->form);
  }
  return forms;
}

Result<PatternName> parse_pattern(Patterns patterns, std::string_view word) {
  for (const PatternDeclaration* pattern : patterns) {
    const auto& aliases = pattern->aliases;
    if ((pattern->alone && word == pattern->name) ||
        std::find(aliases.begin(), aliases.end(), word) != aliases.end()) {
      return PatternName{pattern};
    }
  }
  for (const PatternDeclaration* pattern : patterns) {
    const auto& form = pattern->form;
    if (!form || form->head != head_of(word)) continue;
    const std::string_view rest = word.substr(form->head.size());
    PatternName name{pattern};
    if (rest.starts_with(form->mark)) name.numbers = numbers_of(*form, rest.substr(1));
    if (!name.numbers.empty()) return name;
    return Diagnostic{
        "config.pattern-parameter", {}, "", fmt::format("'{}'", word), range_of(*form), ""};
  }
  return unknown(patterns, word);
}

const PatternDeclaration& pattern_of(Patterns patterns, std::string_view word) {
  return *parse_pattern(patterns, word).value().pattern;
}

std::string to_string(const PatternName& name) {
  const PatternDeclaration& pattern = *name.pattern;
  if (name.numbers.empty()) return std::string(pattern.name);
  return fmt::format("{}{}{}", pattern.form->head, pattern.form->mark,
                     fmt::join(name.numbers, "x"));
}

std::optional<Diagnostic> misfit(const PatternName& name, const TopologySpec& topology) {
  auto found = name.pattern->fits ? name.pattern->fits(name, topology) : std::nullopt;
  if (!found) return std::nullopt;
  const auto& dims = topology.dims;
  const std::string on = topology.has_groups()
                             ? fmt::format("{} groups of {} routers", dims[1], dims[0])
                             : fmt::format("{}", fmt::join(dims, " x "));
  return Diagnostic{"",
                    {},
                    "",
                    fmt::format("{} on {}", to_string(name), on),
                    std::move(found->allowed),
                    std::move(found->hint)};
}

}  // namespace hopwise::spec
