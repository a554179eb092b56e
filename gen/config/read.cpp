// SPDX-License-Identifier: Apache-2.0
#include "config/read.hpp"

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hopwise::config {

namespace {

constexpr std::string_view kSmallest =
    "the smallest network is 'topology: {kind: torus, dims: [4, 4]}'";

std::string_view parent_of(std::string_view path) {
  const auto dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : path.substr(0, dot);
}

std::string_view leaf_of(std::string_view path) {
  const auto dot = path.rfind('.');
  return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

bool is_below(std::string_view path, std::string_view section) {
  return path.size() > section.size() && path.starts_with(section) && path[section.size()] == '.';
}

/// Names that may stand directly under a section; the top level where `prefix` is empty.
std::vector<std::string> names_in(std::string_view prefix) {
  std::vector<std::string> names;
  for (const Key& key : keys()) {
    if (parent_of(key.path) == prefix) names.emplace_back(leaf_of(key.path));
  }
  for (const Section& section : sections()) {
    if (parent_of(section.path) == prefix) names.emplace_back(leaf_of(section.path));
  }
  return names;
}

class Reader {
 public:
  Reader(const std::string& file, Diagnostics& errors) : errors_(errors) {
    places_[""] = {file, 0, 0};
  }

  NetworkConfig run(const Node& root) {
    if (root.is_map()) {
      read_section(root, "");
    } else {
      errors_.push_back({"config.wrong-type", root.where, "", describe(root), "a map of sections",
                         std::string(kSmallest)});
      spoil("");
    }
    for (const Key& key : keys()) complete(key);
    return std::move(config_);
  }

 private:
  void read_section(const Node& map, const std::string& prefix) {
    for (const Entry& entry : map.entries) {
      const std::string path = join_path(prefix, entry.key);
      if (const Key* key = find_key(path)) {
        read_key(*key, entry.value);
      } else if (!is_section(path)) {
        errors_.push_back(unknown_key(entry.where, prefix, entry.key));
      } else if (entry.value.is_map()) {
        places_[path] = entry.where;
        read_section(entry.value, path);
      } else if (entry.value.is_null()) {
        places_[path] = entry.where;  // a section whose keys are all left out
      } else {
        errors_.push_back({"config.wrong-type", entry.value.where, path, describe(entry.value),
                           fmt::format("a map with the keys {}", fmt::join(names_in(path), ", ")),
                           ""});
        spoil(path);
      }
    }
  }

  void read_key(const Key& key, const Node& node) {
    const bool good = read_value(key, node, config_, errors_);
    std::visit(
        [&](auto member) {
          auto& field = config_.*member;
          using F = std::remove_reference_t<decltype(field)>;
          field.state = good ? F::State::kWritten : F::State::kBad;
          field.where = node.where;
        },
        key.field);
  }

  /// Marks what a faulty section would have held, so that it is not reported as missing.
  void spoil(std::string_view section) {
    for (const Key& key : keys()) {
      if (!section.empty() && !is_below(key.path, section)) continue;
      std::visit(
          [&](auto member) {
            using F = std::remove_reference_t<decltype(config_.*member)>;
            (config_.*member).state = F::State::kBad;
          },
          key.field);
    }
  }

  /// Gives a key that was not written its place and its default, or reports it.
  void complete(const Key& key) {
    std::visit(
        [&](auto member) {
          auto& field = config_.*member;
          using F = std::remove_reference_t<decltype(field)>;
          if (field.state != F::State::kAbsent) return;
          std::string_view section = parent_of(key.path);
          while (!places_.contains(section)) section = parent_of(section);
          field.where = places_.find(section)->second;
          if (key.required) {
            errors_.push_back({"config.missing-key", field.where, std::string(key.path), "nothing",
                               describe_allowed(key), fmt::format("no default; {}", kSmallest)});
            field.state = F::State::kBad;
          } else if (!key.default_yaml.empty()) {
            const auto node = parse_tree(key.default_yaml, "", "config.syntax", true, errors_);
            if (node && read_value(key, *node, config_, errors_)) field.state = F::State::kDefault;
          }
        },
        key.field);
  }

  Diagnostics& errors_;
  NetworkConfig config_;
  std::map<std::string, SourceLocation, std::less<>> places_;  // of the sections that were written
};

}  // namespace

Diagnostic unknown_key(const SourceLocation& where, std::string_view prefix,
                       std::string_view name) {
  const std::vector<std::string> names = names_in(prefix);
  std::string hint;
  if (const auto near = nearest(name, names)) {
    hint = fmt::format("did you mean '{}'?", *near);
  } else {
    // Often the key is right and only its section is not.
    for (const Key& key : keys()) {
      if (leaf_of(key.path) == name) hint = fmt::format("did you mean '{}'?", key.path);
    }
  }
  return {"config.unknown-key",
          where,
          join_path(prefix, name),
          "a key that does not exist",
          fmt::format("{}", fmt::join(names, ", ")),
          hint};
}

NetworkConfig read(const Node& root, const std::string& file, Diagnostics& errors) {
  return Reader(file, errors).run(root);
}

}  // namespace hopwise::config
