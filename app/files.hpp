// SPDX-License-Identifier: Apache-2.0
// Files, written whole or not at all. This folder is the only place that touches them. What fails
// has the reason of the system: "No such file or directory".
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "support/result.hpp"

namespace hopwise::app {

/// The text of a file. app.cannot-read.
Result<std::string> read_file(const std::filesystem::path& path);

/// 16 hexadecimal digits that tell texts of files apart.
std::string text_hash(std::string_view text);

/// Writes beside the file and renames; makes the directories. app.cannot-write where that fails.
Diagnostics write_file(const std::filesystem::path& path, const std::string& text);

/// Whether files can be written into `directory` (made where it is missing) and, unless it is
/// empty, as `file`: app.cannot-write before an hour of simulation rather than after it.
Diagnostics check_writable(const std::filesystem::path& directory,
                           const std::filesystem::path& file);

/// app.cannot-write with the reason of the system call that just failed.
Diagnostic write_error(const std::filesystem::path& path);

/// Writes all of the text to an open file. app.cannot-write.
Diagnostics write_all(int file, const std::filesystem::path& path, const std::string& text);

/// As write_file, but on the disk when it returns. Its file beside the other has a fixed name: one
/// process writes there, see OutputLock.
Diagnostics write_durably(const std::filesystem::path& path, const std::string& text);

}  // namespace hopwise::app
