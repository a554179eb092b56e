// SPDX-License-Identifier: Apache-2.0
// One text per network, whatever the user's file looked like: the key of caches and the manifest's
// hash.
#pragma once

#include <string>
#include <string_view>

#include "config/key_table.hpp"
#include "spec/spec.hpp"

namespace hopwise::config {

/// The network sections with every default filled in, in the order of the key table. `load` reads
/// it back to the same NetworkSpec.
std::string canonical_yaml(const KeyTable& table, const spec::NetworkSpec& spec);

/// 64-bit FNV-1a as 16 hex digits: the same on every machine.
std::string hash_text(std::string_view text);

}  // namespace hopwise::config
