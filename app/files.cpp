// SPDX-License-Identifier: Apache-2.0
#include "app/files.hpp"

#include <unistd.h>

#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace hopwise::app {

namespace fs = std::filesystem;

namespace {

Diagnostic cannot_write(const fs::path& path, const std::string& why) {
  return {
      "app.cannot-write", {path.string(), 0, 0}, "", why, "a place where files can be written", ""};
}

}  // namespace

Result<std::string> read_file(const fs::path& path) {
  std::error_code none;
  std::ifstream in(path, std::ios::binary);
  if (!in || fs::is_directory(path, none)) {
    return Diagnostic{
        "app.cannot-read", {path.string(), 0, 0}, "", "no readable file", "a file", ""};
  }
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

Diagnostics write_file(const fs::path& path, const std::string& text) {
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  const fs::path beside = path.string() + fmt::format(".{}.tmp", getpid());
  {
    std::ofstream out(beside, std::ios::binary);
    out << text;
    out.flush();
    if (!out) {
      fs::remove(beside, error);
      return {cannot_write(path, "the file cannot be written")};
    }
  }
  fs::rename(beside, path, error);
  if (error) {
    const std::string why = error.message();
    fs::remove(beside, error);
    return {cannot_write(path, why)};
  }
  return {};
}

Diagnostics check_writable(const fs::path& directory, const fs::path& file) {
  const auto check = [](const fs::path& folder, const fs::path& what) -> Diagnostics {
    std::error_code error;
    fs::create_directories(folder, error);
    const fs::path probe = folder / fmt::format(".{}.tmp", getpid());
    const bool written = std::ofstream(probe).put('\n').good();
    fs::remove(probe, error);
    if (written) return {};
    return {cannot_write(what, "the directory cannot be made or written")};
  };
  Diagnostics failed = check(directory, directory);
  if (failed.empty() && !file.empty()) {
    std::error_code none;
    failed = fs::is_directory(file, none) ? Diagnostics{cannot_write(file, "a directory")}
                                          : check(fs::absolute(file, none).parent_path(), file);
  }
  return failed;
}

}  // namespace hopwise::app
