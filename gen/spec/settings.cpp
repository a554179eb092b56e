// SPDX-License-Identifier: Apache-2.0
#include "spec/settings.hpp"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hopwise::spec {

void Settings::set(std::string_view key, Setting value) {
  values_.insert_or_assign(std::string(key), std::move(value));
}

void Settings::erase(std::string_view key) {
  if (const auto at = values_.find(key); at != values_.end()) values_.erase(at);
}

const Setting& Settings::at(std::string_view key) const {
  const auto found = values_.find(key);
  if (found != values_.end()) return found->second;
  std::fprintf(stderr, "hopwise::spec::Settings: no setting '%s'\n", std::string(key).c_str());
  std::abort();
}

std::string to_yaml(const Setting& value) {
  struct Visitor {
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(std::uint64_t v) const { return fmt::format("{}", v); }
    std::string operator()(double v) const { return fmt::format("{}", v); }
    std::string operator()(const std::string& v) const { return v; }
    std::string operator()(const std::vector<std::uint64_t>& v) const {
      return fmt::format("[{}]", fmt::join(v, ", "));
    }
    std::string operator()(const std::vector<double>& v) const {
      return fmt::format("[{}]", fmt::join(v, ", "));
    }
  };
  return std::visit(Visitor{}, value);
}

}  // namespace hopwise::spec
