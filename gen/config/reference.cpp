// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "config/keys.hpp"
#include "config/load.hpp"

namespace hopwise::config {

namespace {

std::string default_of(const Key& key) {
  if (key.required) return "required";
  if (!key.default_yaml.empty()) return fmt::format("`{}`", key.default_yaml);
  return std::string(key.default_words);
}

std::string values_of(const Key& key) {
  if (!key.names.empty() && !key.scalar_or_list) {
    std::string out;
    for (const std::string& name : words_of(key))
      out += fmt::format("{}`{}`", out.empty() ? "" : ", ", name);
    return out;
  }
  return describe_allowed(key);
}

std::string row(const Key& key) {
  return fmt::format("| `{}` | {} | {} | {} |\n", key.path, values_of(key), default_of(key),
                     key.doc);
}

}  // namespace

std::string key_reference() {
  const std::string head = "| Key | Values | Default | Meaning |\n|---|---|---|---|\n";
  std::string out = head;
  for (const Key& key : keys()) {
    if (key.path.find('.') == std::string_view::npos) out += row(key);
  }
  for (const Section& section : sections()) {
    out += fmt::format("\n### {}\n\n{}\n\n{}", section.path, section.doc, head);
    for (const Key& key : keys()) {
      if (key.path.substr(0, key.path.rfind('.')) == section.path) out += row(key);
    }
  }
  return out;
}

}  // namespace hopwise::config
