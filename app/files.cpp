// SPDX-License-Identifier: Apache-2.0
#include "app/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
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

Diagnostic write_error(const fs::path& path) { return cannot_write(path, std::strerror(errno)); }

Diagnostics write_all(int file, const fs::path& path, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return {write_error(path)};
    done += static_cast<std::size_t>(n);
  }
  return {};
}

Diagnostics write_durably(const fs::path& path, const std::string& text) {
  const std::string beside = path.string() + ".tmp";
  const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return {write_error(path)};
  Diagnostics errors = write_all(file, path, text);
  if (errors.empty() && fsync(file) != 0) errors = {write_error(path)};
  if (::close(file) != 0 && errors.empty()) errors = {write_error(path)};
  if (errors.empty() && ::rename(beside.c_str(), path.c_str()) != 0) errors = {write_error(path)};
  if (!errors.empty()) ::unlink(beside.c_str());
  return errors;
}

}  // namespace hopwise::app
