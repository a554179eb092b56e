// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "config/key_table.hpp"
#include "config/load.hpp"

namespace hopwise::config {

namespace {

std::string default_of(const spec::Key& key) {
  if (key.required) return "required";
  if (!key.default_yaml.empty()) return fmt::format("`{}`", key.default_yaml);
  return std::string(key.default_words);
}

std::string values_of(const spec::Key& key) {
  if (!key.names.empty() && !key.scalar_or_list) {
    std::string out;
    for (const std::string& name : words_of(key))
      out += fmt::format("{}`{}`", out.empty() ? "" : ", ", name);
    return out;
  }
  return describe_allowed(key);
}

std::string row(const spec::Key& key) {
  return fmt::format("| `{}` | {} | {} | {} |\n", key.path, values_of(key), default_of(key),
                     key.doc);
}

}  // namespace

std::string key_reference(const Catalogue& catalogue) {
  const KeyTable table(catalogue);
  const std::string head = "| Key | Values | Default | Meaning |\n|---|---|---|---|\n";
  std::string out = head;
  for (const Row& r : table.rows()) {
    if (r.key.path.find('.') == std::string_view::npos) out += row(r.key);
  }
  for (const spec::Section& section : table.sections()) {
    out += fmt::format("\n### {}\n\n{}\n\n{}", section.path, section.doc, head);
    for (const Row& r : table.rows()) {
      if (r.key.path.substr(0, r.key.path.rfind('.')) == section.path) out += row(r.key);
    }
  }
  return out;
}

std::string pattern_reference(spec::Patterns patterns) {
  std::string out = "| `traffic.pattern` | Destination |\n|---|---|\n";
  for (const spec::PatternDeclaration* pattern : patterns) {
    std::string names = pattern->alone ? fmt::format("`{}`", pattern->name) : "";
    if (pattern->form)
      names += fmt::format("{}`{}`", names.empty() ? "" : ", ", display(*pattern->form));
    out += fmt::format("| {} | {} |\n", names, pattern->doc);
  }
  return out;
}

}  // namespace hopwise::config
