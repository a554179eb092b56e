// SPDX-License-Identifier: Apache-2.0
// Command-line tools that make models.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/diagnostics.hpp"

namespace hopwise::model {

struct Output {
  int status = 0;
  std::string text;  ///< standard output and error
};

/// Runs a shell command.
Output run(const std::string& command);

/// Runs commands side by side, at most `jobs` at a time; the first failure's output.
Output run_all(const std::vector<std::string>& commands, unsigned jobs);

/// A path as a word of the shell.
std::string quoted(const std::filesystem::path& path);

/// An error of a router model.
Diagnostic failure(std::string code, std::string found, std::string allowed, std::string hint);

}  // namespace hopwise::model
