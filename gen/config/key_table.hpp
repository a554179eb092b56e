// SPDX-License-Identifier: Apache-2.0
// The one table of keys: the front end's own and those that kinds of topology, routing families and
// patterns declare. It drives parsing, range checks, the JSON schema and the reference page.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "config/keys.hpp"
#include "routing/family.hpp"
#include "spec/pattern.hpp"
#include "topology/kind.hpp"

namespace hopwise::config {

/// The lists of what a network and its runs may have. Their entries outlive all catalogues.
struct Catalogue {
  topology::Kinds kinds;
  routing::Families families;
  spec::Patterns patterns;  ///< the first is the default
};
/// What is built in, with these patterns, which sim/traffic declares.
Catalogue builtin_catalogue(spec::Patterns patterns);

class KeyTable {
 public:
  explicit KeyTable(const Catalogue& catalogue);
  KeyTable(const KeyTable&) = delete;
  KeyTable& operator=(const KeyTable&) = delete;

  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<spec::Section>& sections() const { return sections_; }
  topology::Kinds kinds() const { return catalogue_.kinds; }
  routing::Families families() const { return catalogue_.families; }
  spec::Patterns patterns() const { return catalogue_.patterns; }

  /// The key with this dotted path, or none.
  const Row* find(std::string_view path) const;
  bool is_section(std::string_view path) const;

 private:
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }
  void add_own(std::span<const Row> rows);
  void add_kinds();
  void add_families();
  void add_patterns();
  std::string describe_patterns() const;

  Catalogue catalogue_;
  std::deque<std::string> texts_;  // what the rows' string_views look at
  std::vector<std::string_view> algorithms_, kind_names_, patterns_, pattern_aliases_;
  std::vector<spec::WordForm> pattern_forms_;
  std::vector<Row> rows_;
  std::vector<spec::Section> sections_;
};

/// Where every key stands. The configuration was read by this table.
spec::KeyPlaces places_of(const KeyTable& table, const NetworkConfig& config);

/// Calls `f` with the field of a key, a Field<T>&; const where the configuration is, of which then
/// every key was read.
template <class Config, class F>
decltype(auto) with_field(Config& config, const Row& row, F&& f) {
  return std::visit(
      [&](auto ref) -> decltype(auto) {
        if constexpr (!std::is_same_v<decltype(ref), SettingRef>)
          return f(config.*ref);
        else if constexpr (std::is_const_v<Config>)
          return f(config.settings.at(std::string(row.key.path)));
        else
          return f(config.settings[std::string(row.key.path)]);
      },
      row.field);
}

}  // namespace hopwise::config
