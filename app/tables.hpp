// SPDX-License-Identifier: Apache-2.0
// Files of learned Q-tables; their layout is in docs/reference/command.md.
#pragma once

#include <filesystem>
#include <string>

#include "deadlock/proof.hpp"
#include "probes/q/probe.hpp"
#include "support/result.hpp"

namespace hopwise::app {

/// The tables of all routers as a file's text; `network` has a routing that learns a table.
std::string format_tables(const deadlock::ProvenNetwork& network, const std::string& routing,
                          const probes::q::Tables& tables);

/// Tables for `network` from a file. Errors: app.cannot-read; app.bad-tables where it is no such
/// file or holds what no value can be; app.other-tables where routers, rows, columns or bits are
/// another network's.
Result<probes::q::Tables> read_tables(const deadlock::ProvenNetwork& network,
                                      const std::filesystem::path& file);

}  // namespace hopwise::app
