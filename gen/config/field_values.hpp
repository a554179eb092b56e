// SPDX-License-Identifier: Apache-2.0
// What the validators share, and the way from what a field holds to what the Spec holds.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "config/key_table.hpp"
#include "config/keys.hpp"
#include "config/network_config.hpp"
#include "spec/mode.hpp"

namespace hopwise::config {

/// Input of the checks of some sections, and the place for their findings.
class SectionValidator {
 protected:
  SectionValidator(const KeyTable& table, const NetworkConfig& config, Diagnostics& errors)
      : table_(table), c_(config), errors_(errors) {}

  void refuse(const char* code, const SourceLocation& where, std::string key, std::string found,
              std::string allowed, std::string hint) {
    errors_.push_back(
        {code, where, std::move(key), std::move(found), std::move(allowed), std::move(hint)});
  }

  /// The mode `needed` by what a key says, which the network's routing must have.
  spec::Mode mode(const Field<std::string>& field, const char* key,
                  const spec::NetworkSpec& network, std::string_view needed);

  const KeyTable& table_;
  const NetworkConfig& c_;
  Diagnostics& errors_;
};

template <class Enum>
Enum to_enum(std::span<const std::string_view> names, const Field<std::string>& field) {
  return static_cast<Enum>(name_index(names, field.value));
}

inline unsigned to_unsigned(const Field<std::uint64_t>& field) {
  return static_cast<unsigned>(field.value);
}

inline std::vector<unsigned> to_unsigned(const std::vector<std::uint64_t>& values) {
  return {values.begin(), values.end()};
}

}  // namespace hopwise::config
