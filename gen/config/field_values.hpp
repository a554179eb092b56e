// SPDX-License-Identifier: Apache-2.0
// From what a field holds to what the Spec holds.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "config/keys.hpp"
#include "config/network_config.hpp"

namespace hopwise::config {

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
