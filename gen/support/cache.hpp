// SPDX-License-Identifier: Apache-2.0
// Shared by code that runs tools on generated files and keeps the results under a hash: router
// models, syntheses.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "support/hash.hpp"

namespace hopwise {

/// The text of a file; empty where it cannot be read.
std::string read_text(const std::filesystem::path& path);

/// Writes a file, and makes the directories above it.
void write_text(const std::filesystem::path& path, const std::string& text);

/// Hash of the text and its length, on from `h`; begin with `kFnv1aStart`.
std::uint64_t fingerprint(std::uint64_t h, const std::string& text);

/// The end of a tool's output.
std::string last_lines(const std::string& text, std::size_t most);

}  // namespace hopwise
