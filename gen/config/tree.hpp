// SPDX-License-Identifier: Apache-2.0
// YAML as the user wrote it: every key and value keeps its place. Duplicate keys survive parsing,
// to be reported.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics.hpp"

namespace hopwise::config {

struct Entry;

/// A YAML value. `text` holds a scalar, `items` a list, `entries` a map, in the order of the file.
struct Node {
  enum class Kind { kNull, kScalar, kList, kMap };
  Kind kind = Kind::kNull;
  std::string text;
  bool quoted = false;  ///< a quoted scalar is text, even where it reads like a number
  std::vector<Node> items;
  std::vector<Entry> entries;
  SourceLocation where;

  bool is_null() const { return kind == Kind::kNull; }
  bool is_scalar() const { return kind == Kind::kScalar; }
  bool is_list() const { return kind == Kind::kList; }
  bool is_map() const { return kind == Kind::kMap; }
  /// The value of a key of a map; null where there is none.
  Node* find(std::string_view key);
};

struct Entry {
  std::string key;
  SourceLocation where;  ///< of the key
  Node value;
};

/// Parses one YAML document; an empty text is an empty map. A syntax error is appended to `errors`
/// under `code`. Line and column count from 1. `value_only` is for command line values, which have
/// no lines: places are `file` alone.
std::optional<Node> parse_tree(std::string_view text, const std::string& file, const char* code,
                               bool value_only, Diagnostics& errors);

/// Reports every key that its map holds already, and drops it: the first one stands.
void drop_duplicate_keys(Node& node, const std::string& path, Diagnostics& errors);

/// What a diagnostic prints behind "found": `'abc'`, `a list`, `nothing`.
std::string describe(const Node& node);

/// One line of YAML that parses back to the same tree.
std::string to_flow(const Node& node);

/// `prefix.key`, or `key` where the prefix is empty.
std::string join_path(std::string_view prefix, std::string_view key);

}  // namespace hopwise::config
