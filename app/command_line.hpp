// SPDX-License-Identifier: Apache-2.0
// What a user can get wrong on the command line: words that are like a command or an option, lists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "support/diagnostics.hpp"

namespace hopwise::app {

/// A command or an option that does not exist, with the one it is like; a list, or a second value,
/// where there is one: app.unknown-command, app.unknown-option, app.one-value. `arguments` are
/// those behind the program's name. What it lets pass may still be refused by CLI::App::parse.
Diagnostics check_arguments(const CLI::App& app, const std::vector<std::string>& arguments);

/// Options that take A,B as well as the option again.
class Lists {
 public:
  /// `values` is one list for all commands that have the option. `names`: all that it may hold.
  CLI::Option* add(CLI::App* command, const std::string& name, std::vector<std::string>& values,
                   const std::string& help, std::vector<std::string> names = {});

  /// After parsing: splits the values at their commas. app.bad-list for an empty one and one that
  /// comes twice, app.unknown-value.
  Diagnostics split() const;

 private:
  struct Entry {
    const CLI::Option* option;
    std::vector<std::string>* values;
    std::vector<std::string> names;
  };
  std::vector<Entry> entries_;
};

}  // namespace hopwise::app
