// SPDX-License-Identifier: Apache-2.0
// Settings of networks that tests describe by hand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "routing/family.hpp"

namespace hopwise::test {

/// The default of a key, as its family declares it.
inline spec::Setting default_of(const spec::Key& key) {
  const std::string text(key.default_yaml);
  std::vector<double> numbers;
  std::string digits;
  const bool is_word = key.type == spec::KeyType::kText || key.type == spec::KeyType::kFlag;
  for (const char c : is_word ? "" : text + ",") {
    if ((c >= '0' && c <= '9') || c == '.' || c == '-' || c == 'e') {
      digits += c;
    } else if (c == ',' && !digits.empty()) {
      numbers.push_back(std::stod(digits));
      digits.clear();
    }
  }
  switch (key.type) {
    case spec::KeyType::kFlag: return text == "true";
    case spec::KeyType::kInteger: return static_cast<std::uint64_t>(numbers.at(0));
    case spec::KeyType::kReal: return numbers.at(0);
    case spec::KeyType::kIntegers:
      return std::vector<std::uint64_t>(numbers.begin(), numbers.end());
    case spec::KeyType::kReals: return numbers;
    default: return text;
  }
}

/// The variant, with all defaults that the family declares; those that follow from other keys are
/// the caller's.
inline void set_routing(spec::RoutingSpec& routing, std::string_view variant) {
  routing.algorithm = variant;
  routing.settings = {};
  for (const spec::Key& key : routing::family_of(routing::builtin_families(), routing).keys) {
    if (!key.default_yaml.empty()) routing.settings.set(key.path, default_of(key));
  }
}

/// Adds to a number: for seeded faults.
template <class Spec>
void bump(Spec& spec, std::string_view key, int by) {
  auto& settings = spec.routing.settings;
  settings.set(key, settings.whole(key) + static_cast<std::uint64_t>(by));
}

}  // namespace hopwise::test
