// SPDX-License-Identifier: Apache-2.0
// Shared by code that runs tools on generated files and keeps the results under a hash: router
// models, extensions, syntheses. What is kept may have been cut short or replaced since, and some
// of it is loaded as code: each entry has its size and hash beside it, and is made again where they
// do not fit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "support/diagnostics.hpp"
#include "support/hash.hpp"

namespace hopwise {

/// The text of a file; empty where it cannot be read.
std::string read_text(const std::filesystem::path& path);

/// Writes a file, and makes the directories above it. Throws std::filesystem::filesystem_error.
void write_text(const std::filesystem::path& path, const std::string& text);

/// Hash of the text and its length, on from `h`; begin with `kFnv1aStart`.
std::uint64_t fingerprint(std::uint64_t h, const std::string& text);

/// The end of a tool's output.
std::string last_lines(const std::string& text, std::size_t most);

/// Makes the directory of a cache, for its user alone (mode 0700), where there is none. Errors,
/// cache.directory: it cannot be made; it belongs to neither the user nor root; or it is `own`, the
/// one that the user did not name, and others own it or can write in it.
Diagnostics open_cache(const std::filesystem::path& cache, bool own);

/// The error cache.directory of a place that cannot be written or read.
Diagnostic cache_failure(const std::filesystem::filesystem_error& error);

/// `file`, in the directory of an entry of a cache, is as `keep` took it, and belongs to the user
/// or to root. O(size).
bool is_intact(const std::filesystem::path& file);

/// Moves the directory `work` to `entry`, both in one cache, with the size and hash of its file
/// `name`: whole, since other processes look there. An intact entry that is there stays, any other
/// goes. Throws std::filesystem::filesystem_error.
void keep(const std::filesystem::path& work, const std::filesystem::path& entry,
          const std::string& name);

}  // namespace hopwise
