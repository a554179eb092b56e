// SPDX-License-Identifier: Apache-2.0
#include "app/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "support/hash.hpp"

namespace hopwise::app {

namespace fs = std::filesystem;

namespace {

Diagnostic cannot_write(const fs::path& path, const std::string& why) {
  return {
      "app.cannot-write", {path.string(), 0, 0}, "", why, "a place where files can be written", ""};
}

/// By way of `beside`; `durably`: on the disk before it is renamed.
Diagnostics write_whole(const fs::path& path, const fs::path& beside, const std::string& text,
                        bool durably) {
  const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return {write_error(path)};
  Diagnostics errors = write_all(file, path, text);
  if (errors.empty() && durably && fsync(file) != 0) errors = {write_error(path)};
  if (::close(file) != 0 && errors.empty()) errors = {write_error(path)};
  if (errors.empty() && ::rename(beside.c_str(), path.c_str()) != 0) errors = {write_error(path)};
  if (!errors.empty()) ::unlink(beside.c_str());
  return errors;
}

}  // namespace

std::string text_hash(std::string_view text) { return fmt::format("{:016x}", fnv1a(text)); }

Result<std::string> read_file(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::string text;
  std::array<char, 1 << 16> block;
  ssize_t n = file < 0 ? -1 : 1;
  while (n > 0 || (n < 0 && file >= 0 && errno == EINTR)) {
    n = ::read(file, block.data(), block.size());
    if (n > 0) text.append(block.data(), static_cast<std::size_t>(n));
  }
  const std::string why = n < 0 ? std::strerror(errno) : "";
  if (file >= 0) ::close(file);
  if (n < 0)
    return Diagnostic{"app.cannot-read", {path.string(), 0, 0}, "", why, "a readable file", ""};
  return text;
}

Diagnostics write_file(const fs::path& path, const std::string& text) {
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error) return {cannot_write(path, error.message())};
  return write_whole(path, path.string() + fmt::format(".{}.tmp", getpid()), text, false);
}

Diagnostics check_writable(const fs::path& directory, const fs::path& file) {
  const auto check = [](const fs::path& folder, const fs::path& what) -> Diagnostics {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return {cannot_write(what, error.message())};
    const fs::path probe = folder / fmt::format(".{}.tmp", getpid());
    const int opened = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (opened < 0) return {write_error(what)};
    Diagnostics errors = write_all(opened, what, "\n");
    ::close(opened);
    ::unlink(probe.c_str());
    return errors;
  };
  Diagnostics failed = check(directory, directory);
  if (failed.empty() && !file.empty()) {
    std::error_code none;
    failed = fs::is_directory(file, none) ? Diagnostics{cannot_write(file, std::strerror(EISDIR))}
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
  return write_whole(path, path.string() + ".tmp", text, true);
}

}  // namespace hopwise::app
