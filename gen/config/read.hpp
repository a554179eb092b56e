// SPDX-License-Identifier: Apache-2.0
// From the tree to typed values, by the key table: unknown keys, missing keys, wrong types, values
// out of range.
#pragma once

#include <string>

#include "config/key_table.hpp"
#include "config/network_config.hpp"
#include "config/tree.hpp"

namespace hopwise::config {

/// Reads every key of the table from `root`; errors are appended, and their fields marked bad.
NetworkConfig read(const KeyTable& table, const Node& root, const std::string& file,
                   Diagnostics& errors);

/// Reads one value of `config` by its key; false, and errors appended, where it is not what the key
/// allows.
bool read_value(const KeyTable& table, const Row& row, const Node& node, NetworkConfig& config,
                Diagnostics& errors);

/// A list of routings (read_routings.cpp); the other types are local to read_values.cpp.
bool read_routings(const KeyTable& table, const spec::Key& key, const Node& node,
                   Field<Routings>& out, Diagnostics& errors);

/// config.unknown-key, with the keys that `prefix` has and a guess at the one that was meant.
Diagnostic unknown_key(const KeyTable& table, const SourceLocation& where, std::string_view prefix,
                       std::string_view name);

}  // namespace hopwise::config
