// SPDX-License-Identifier: Apache-2.0
// Values of keys that only their owner knows: a routing family declares keys, and reads them here.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "support/words.hpp"

namespace hopwise::spec {

/// A word stays as the user writes it.
using Setting = std::variant<bool, std::uint64_t, double, std::string, std::vector<std::uint64_t>,
                             std::vector<double>>;

/// The settings that count for a network, by the path of their keys. To ask for one that is not
/// there, or that is of another type, aborts: the owner sets all that it reads.
class Settings {
 public:
  void set(std::string_view key, Setting value);
  void erase(std::string_view key);
  bool has(std::string_view key) const { return values_.find(key) != values_.end(); }
  const Setting& at(std::string_view key) const;

  bool flag(std::string_view key) const { return std::get<bool>(at(key)); }
  unsigned number(std::string_view key) const { return static_cast<unsigned>(whole(key)); }
  std::uint64_t whole(std::string_view key) const { return std::get<std::uint64_t>(at(key)); }
  double real(std::string_view key) const { return std::get<double>(at(key)); }
  const std::string& word(std::string_view key) const { return std::get<std::string>(at(key)); }
  std::vector<unsigned> numbers(std::string_view key) const {
    const auto& values = std::get<std::vector<std::uint64_t>>(at(key));
    return {values.begin(), values.end()};
  }
  /// The enumerator whose name in `names`, which are in its order, is the word.
  template <class Enum>
  Enum choice(std::string_view key, std::span<const std::string_view> names) const {
    return static_cast<Enum>(name_index(names, word(key)));
  }

  bool operator==(const Settings&) const = default;

 private:
  std::map<std::string, Setting, std::less<>> values_;
};

/// As one would write it in YAML: `true`, `0.2`, `[32, 16]`.
std::string to_yaml(const Setting& value);

}  // namespace hopwise::spec
