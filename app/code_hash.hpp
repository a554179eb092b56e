// SPDX-License-Identifier: Apache-2.0
// The C++ that results depend on: the command's own sources and those of the extensions it has
// loaded. Results of other code are not resumed, since nobody knows whether a point of theirs would
// be the same.
#pragma once

#include <cstdint>
#include <string>

namespace hopwise::app {

/// 16 hexadecimal digits: names and texts of gen/, sim/ and app/, and of loaded extensions.
std::string code_hash();

/// Extensions count from now on, in the order in which they are loaded.
void add_to_code_hash(std::uint64_t extension);

}  // namespace hopwise::app
