// SPDX-License-Identifier: Apache-2.0
// Options that several commands have.
#pragma once

#include <CLI/CLI.hpp>

#include "app/arguments.hpp"

namespace hopwise::app {

void add_set(CLI::App* command, Arguments& a);
void add_variant(CLI::App* command, Arguments& a);  ///< of a network file: --set, --routing
void add_input(CLI::App* command, Arguments& a, const char* what);
void add_output(CLI::App* command, Arguments& a, const char* what, const char* type);
void add_threads(CLI::App* command, Arguments& a);
void add_cycles(CLI::App* command, Arguments& a);
void add_vectors(CLI::App* command, Arguments& a);
void add_assertions(CLI::App* command, Arguments& a);
void add_engine(CLI::App* command, Arguments& a);
void add_run(CLI::App* command, Arguments& a);         ///< of whatever simulates
void add_sweep(CLI::App* command, Arguments& a);       ///< loads, patterns, where results go
void add_simulation(CLI::App* command, Arguments& a);  ///< all of `simulate` and `run`
/// `several` targets, or one.
void add_target(CLI::App* command, Arguments& a, const char* what, bool several);
void add_synthesis(CLI::App* command, Arguments& a);

}  // namespace hopwise::app
