// SPDX-License-Identifier: Apache-2.0
// Input of the checks of a declaration of keys, and the place for their findings.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "spec/key.hpp"
#include "spec/settings.hpp"

namespace hopwise::spec {

/// The whole path of a key of a section: `routing.q_alpha` of `q_alpha`. A key with a dot is whole.
std::string path_of(std::string_view section, std::string_view key);

class Request {
 public:
  /// `settings`: those of the owner, what was written and the defaults.
  Request(std::string_view section, const KeyPlaces& keys, Settings& settings, Diagnostics& errors)
      : section_(section), keys_(keys), settings_(settings), errors_(errors) {}

  /// Of a key: `q_alpha` of the owner's section, or any other with its whole path.
  const KeyPlace& place(std::string_view key) const;
  bool written(std::string_view key) const { return place(key).written; }
  bool bad(std::string_view key) const { return place(key).bad; }

  /// An error at the key.
  void refuse(std::string code, std::string_view key, std::string found, std::string allowed,
              std::string hint = "") {
    refuse_at(key, std::move(code), key, std::move(found), std::move(allowed), std::move(hint));
  }
  /// The same, shown where another key stands.
  void refuse_at(std::string_view at, std::string code, std::string_view key, std::string found,
                 std::string allowed, std::string hint = "");

  Settings& settings() { return settings_; }
  const Settings& settings() const { return settings_; }
  /// The default of a key whose default depends on others.
  void set_default(std::string_view key, const Setting& value) {
    if (!written(key)) settings().set(key, value);
  }

 private:
  std::string_view section_;
  const KeyPlaces& keys_;
  Settings& settings_;
  Diagnostics& errors_;
};

}  // namespace hopwise::spec
