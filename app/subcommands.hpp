// SPDX-License-Identifier: Apache-2.0
// The commands of `hopwise`: what each takes, and what it does.
#pragma once

#include <functional>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/arguments.hpp"

namespace hopwise::app {

struct Subcommand {
  const CLI::App* parser;
  std::function<int()> run;  ///< once it is parsed; gives the exit status
};

/// Adds all of them to `app`; `arguments` outlives what is returned.
std::vector<Subcommand> add_subcommands(CLI::App& app, Arguments& arguments);

}  // namespace hopwise::app
