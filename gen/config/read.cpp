// SPDX-License-Identifier: Apache-2.0
#include "config/read.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/syntax.hpp"

namespace hopwise::config {

namespace {

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
std::vector<std::string> names_in(const KeyTable& table, std::string_view prefix) {
  std::vector<std::string> names;
  for (const Row& row : table.rows()) {
    if (parent_of(row.key.path) == prefix) names.emplace_back(leaf_of(row.key.path));
  }
  for (const spec::Section& section : table.sections()) {
    if (parent_of(section.path) == prefix) names.emplace_back(leaf_of(section.path));
  }
  return names;
}

class Reader {
 public:
  Reader(const KeyTable& table, const std::string& file, Diagnostics& errors)
      : table_(table), errors_(errors) {
    places_[""] = {file, 0, 0};
  }

  NetworkConfig run(const Node& root) {
    if (root.is_map()) {
      read_section(root, "");
    } else if (refuse_missing_space(root.text, root.where, "")) {
      spoil("");
    } else {
      errors_.push_back(
          {"config.wrong-type", root.where, "", describe(root), "a map of sections", smallest()});
      spoil("");
    }
    for (const Row& row : table_.rows()) complete(row);
    return std::move(config_);
  }

 private:
  std::string smallest() const {
    return fmt::format("the smallest network is 'topology: {}'", table_.kinds().front()->example);
  }

  void read_section(const Node& map, const std::string& prefix) {
    for (const Entry& entry : map.entries) {
      const std::string path = join_path(prefix, entry.key);
      if (const auto dot = entry.key.find('.');
          dot != std::string::npos && table_.find(path) != nullptr) {
        errors_.push_back(
            {"config.unknown-key", entry.where, path, "a key with a dot",
             fmt::format("{}: {{{}: ...}}", entry.key.substr(0, dot), entry.key.substr(dot + 1)),
             "dots join keys in --set and in entries of experiment.routings"});
        spoil(path);
      } else if (const Row* row = table_.find(path)) {
        read_key(*row, entry.value);
      } else if (refuse_missing_space(entry.key, entry.where, prefix)) {
        spoil(join_path(prefix, entry.key.substr(0, entry.key.find(':'))));
      } else if (!table_.is_section(path)) {
        errors_.push_back(unknown_key(table_, entry.where, prefix, entry.key));
        // What was meant is not missing.
        const auto near = nearest(entry.key, names_in(table_, prefix));
        const auto is_near = [&near](const Entry& e) { return e.key == *near; };
        if (near && std::none_of(map.entries.begin(), map.entries.end(), is_near))
          spoil(join_path(prefix, *near));
      } else if (entry.value.is_map()) {
        places_[path] = entry.where;
        read_section(entry.value, path);
      } else if (entry.value.is_null()) {
        places_[path] = entry.where;  // a section whose keys are all left out
      } else if (refuse_missing_space(entry.value.text, entry.value.where, path)) {
        spoil(path);
      } else {
        errors_.push_back(
            {"config.wrong-type", entry.value.where, path, describe(entry.value),
             fmt::format("a map with the keys {}", fmt::join(names_in(table_, path), ", ")), ""});
        spoil(path);
      }
    }
  }

  void read_key(const Row& row, const Node& node) {
    const bool good = read_value(table_, row, node, config_, errors_);
    with_field(config_, row, [&](auto& field) {
      using F = std::remove_reference_t<decltype(field)>;
      field.state = good ? F::State::kWritten : F::State::kBad;
      field.where = node.where;
    });
  }

  /// `vcs:2` is a word to the parser; to the user, who has the key `vcs`, it is a key and its
  /// value.
  bool refuse_missing_space(const std::string& word, const SourceLocation& where,
                            const std::string& section) {
    const auto colon = word.find(':');
    const std::vector<std::string> names = names_in(table_, section);
    if (colon == std::string::npos || colon + 1 == word.size() ||
        std::find(names.begin(), names.end(), word.substr(0, colon)) == names.end())
      return false;
    const SyntaxFault fault = missing_space(word);
    errors_.push_back({"config.syntax", where, section, fault.found, fault.allowed, fault.hint});
    return true;
  }

  /// Marks what a faulty key or section would have held, so that it is not reported as missing.
  void spoil(std::string_view section) {
    for (const Row& row : table_.rows()) {
      if (!section.empty() && row.key.path != section && !is_below(row.key.path, section)) continue;
      with_field(config_, row, [](auto& field) {
        field.state = std::remove_reference_t<decltype(field)>::State::kBad;
      });
    }
  }

  /// Gives a key that was not written its place and its default, or reports it. A bad one has its
  /// default as a value, too.
  void complete(const Row& row) {
    const spec::Key& key = row.key;
    with_field(config_, row, [&](auto& field) {
      using F = std::remove_reference_t<decltype(field)>;
      if (field.state == F::State::kWritten) return;
      const bool bad = field.state == F::State::kBad;
      if (bad && !std::holds_alternative<SettingRef>(row.field)) return;
      if (!bad) {
        std::string_view section = parent_of(key.path);
        while (!places_.contains(section)) section = parent_of(section);
        field.where = places_.find(section)->second;
      }
      if (key.required) {
        errors_.push_back({"config.missing-key", field.where, std::string(key.path), "nothing",
                           describe_allowed(key), "no default; " + smallest()});
        field.state = F::State::kBad;
      } else if (!key.default_yaml.empty()) {
        const auto node = parse_tree(key.default_yaml, "", "config.syntax", true, errors_);
        if (node && read_value(table_, row, *node, config_, errors_) && !bad)
          field.state = F::State::kDefault;
      }
    });
  }

  const KeyTable& table_;
  Diagnostics& errors_;
  NetworkConfig config_;
  std::map<std::string, SourceLocation, std::less<>> places_;  // of the sections that were written
};

}  // namespace

Diagnostic unknown_key(const KeyTable& table, const SourceLocation& where, std::string_view prefix,
                       std::string_view name) {
  const std::vector<std::string> names = names_in(table, prefix);
  std::string hint;
  if (const auto near = nearest(name, names)) {
    hint = fmt::format("did you mean '{}'?", *near);
  } else {
    // Often the key is right and only its section is not.
    for (const Row& row : table.rows()) {
      if (leaf_of(row.key.path) == name) hint = fmt::format("did you mean '{}'?", row.key.path);
    }
  }
  return {"config.unknown-key",
          where,
          join_path(prefix, name),
          "a key that does not exist",
          fmt::format("{}", fmt::join(names, ", ")),
          hint};
}

NetworkConfig read(const KeyTable& table, const Node& root, const std::string& file,
                   Diagnostics& errors) {
  return Reader(table, file, errors).run(root);
}

}  // namespace hopwise::config
