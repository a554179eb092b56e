// SPDX-License-Identifier: Apache-2.0
// What a user may do and may not have meant, as data. Unlike a Diagnostic it refuses nothing and
// leaves the exit status alone.
#pragma once

#include <string>
#include <vector>

namespace hopwise {

/// One doubt. `code` is stable ("network.credit-loop"); a list of what it concerns is empty where
/// it concerns all.
struct Warning {
  std::string code;
  std::string text;                   ///< what is so, and what would do
  std::vector<std::string> routings;  ///< labels
  std::string pattern;
  std::vector<double> loads;  ///< offered
};

using Warnings = std::vector<Warning>;

/// Adds it, or its routings to a warning that says the same.
void add(Warnings& warnings, const Warning& warning);

/// `warning[code]: routings, pattern, at loads: text`; ends with a newline.
std::string format(const Warning& warning);
std::string format(const Warnings& warnings);

}  // namespace hopwise
