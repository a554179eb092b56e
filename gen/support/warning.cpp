// SPDX-License-Identifier: Apache-2.0
#include "support/warning.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hopwise {

void add(Warnings& warnings, const Warning& warning) {
  const auto same = std::find_if(warnings.begin(), warnings.end(), [&](const Warning& w) {
    return w.code == warning.code && w.text == warning.text && w.pattern == warning.pattern &&
           w.loads == warning.loads;
  });
  if (same == warnings.end()) {
    warnings.push_back(warning);
    return;
  }
  for (const auto& routing : warning.routings) {
    if (std::find(same->routings.begin(), same->routings.end(), routing) == same->routings.end())
      same->routings.push_back(routing);
  }
}

std::string format(const Warning& w) {
  std::vector<std::string> scope;
  if (!w.routings.empty()) scope.push_back(fmt::format("{}", fmt::join(w.routings, ", ")));
  if (!w.pattern.empty()) scope.push_back(w.pattern);
  if (!w.loads.empty()) scope.push_back(fmt::format("at {:.4g}", fmt::join(w.loads, ", ")));
  return fmt::format("warning[{}]: {}{}{}\n", w.code, fmt::join(scope, ", "),
                     scope.empty() ? "" : ": ", w.text);
}

std::string format(const Warnings& warnings) {
  std::string text;
  for (const auto& w : warnings) text += format(w);
  return text;
}

}  // namespace hopwise
