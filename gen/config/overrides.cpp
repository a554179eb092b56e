// SPDX-License-Identifier: Apache-2.0
#include "config/overrides.hpp"

#include <algorithm>
#include <utility>

namespace hopwise::config {

void set_path(Node& root, std::string_view path, Node value) {
  Node* node = &root;
  for (;;) {
    if (!node->is_map()) {
      // Whatever stood here, a scalar or a list, gives way: the override wins.
      Node map;
      map.kind = Node::Kind::kMap;
      map.where = value.where;
      *node = std::move(map);
    }
    const auto dot = path.find('.');
    const std::string key(path.substr(0, dot));
    Node* child = node->find(key);
    if (dot == std::string_view::npos) {
      if (value.is_null()) {
        std::erase_if(node->entries, [&key](const Entry& e) { return e.key == key; });
      } else if (child != nullptr && child->is_map() && value.is_map()) {
        for (Entry& entry : value.entries) set_path(*child, entry.key, std::move(entry.value));
      } else if (child != nullptr) {
        *child = std::move(value);
      } else {
        const SourceLocation where = value.where;
        node->entries.push_back({key, where, std::move(value)});
      }
      return;
    }
    if (child == nullptr) {
      if (value.is_null()) return;  // nothing there to remove
      node->entries.push_back({key, value.where, {}});
      child = &node->entries.back().value;
      child->where = value.where;
    }
    node = child;
    path.remove_prefix(dot + 1);
  }
}

std::string override_place(const std::string& text) { return "--set " + text; }

void apply_override(Node& root, const std::string& text, Diagnostics& errors) {
  const std::string place = override_place(text);
  const auto equals = text.find('=');
  const std::string key = text.substr(0, equals);
  const bool bad_key = key.empty() || key.front() == '.' || key.back() == '.' ||
                       key.find("..") != std::string::npos ||
                       key.find_first_of(" \t") != std::string::npos;
  if (equals == std::string::npos || bad_key) {
    errors.push_back({"config.override",
                      {place, 0, 0},
                      "",
                      "'" + text + "'",
                      "KEY=VALUE with a dotted key",
                      "for example --set topology.dims=[4,4]"});
    return;
  }
  const std::string value = text.substr(equals + 1);
  if (value.find_first_not_of(" \t") == std::string::npos) {
    errors.push_back({"config.override",
                      {place, 0, 0},
                      key,
                      "nothing behind '='",
                      "one YAML value",
                      "null gives the key its default again"});
    return;
  }
  auto node = parse_tree(value, place, "config.override", true, errors);
  if (!node) {
    errors.back().key = key;
    return;
  }
  drop_duplicate_keys(*node, key, errors);
  set_path(root, key, std::move(*node));
}

}  // namespace hopwise::config
