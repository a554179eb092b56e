// SPDX-License-Identifier: Apache-2.0
#include "support/cache.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace hopwise {

namespace fs = std::filesystem;

namespace {

constexpr const char* kAnother = "--cache DIR, or XDG_CACHE_HOME, names another";

Diagnostic failure(const fs::path& where, std::string found, std::string allowed,
                   std::string hint = kAnother) {
  return {"cache.directory", {where.string(), 0, 0}, "",
          std::move(found),  std::move(allowed),     std::move(hint)};
}

std::error_code last_error() { return {errno, std::generic_category()}; }

/// With those above it.
std::error_code make_private(const fs::path& directory) {
  if (mkdir(directory.c_str(), 0700) == 0 || errno == EEXIST) return {};
  const std::error_code why = last_error();
  const fs::path above = directory.parent_path();
  if (why != std::errc::no_such_file_or_directory || above.empty() || above == directory)
    return why;
  if (const auto error = make_private(above)) return error;
  return mkdir(directory.c_str(), 0700) == 0 || errno == EEXIST ? std::error_code() : last_error();
}

bool belongs_to_user_or_root(const struct stat& status) {
  return status.st_uid == geteuid() || status.st_uid == 0;
}

fs::path sum_of(const fs::path& file) { return fs::path(file).replace_extension(".sum"); }

/// Size and hash. The entry's name is part of the hash: a copy of another entry is none of this
/// one.
std::string sum(const std::string& entry, const std::string& text) {
  return fmt::format("{} {:016x}\n", text.size(), fnv1a(text, fingerprint(kFnv1aStart, entry)));
}

}  // namespace

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write_text(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw fs::filesystem_error("write", path, last_error());
}

std::uint64_t fingerprint(std::uint64_t h, const std::string& text) {
  return fnv1a_step(fnv1a(text, h), text.size());
}

std::string last_lines(const std::string& text, std::size_t most) {
  std::size_t at = text.size();
  for (std::size_t lines = 0; at > 0 && lines <= most; --at) lines += text[at - 1] == '\n';
  return text.substr(at == 0 ? 0 : at + 1);
}

Diagnostics open_cache(const fs::path& cache, bool own) {
  if (const auto error = make_private(cache))
    return {failure(cache, error.message(), "a directory that can be made")};
  struct stat status;
  if (stat(cache.c_str(), &status) != 0)
    return {failure(cache, last_error().message(), "a directory")};
  if (!S_ISDIR(status.st_mode)) return {failure(cache, "a file", "a directory")};
  if (!belongs_to_user_or_root(status) || (own && status.st_uid != geteuid()))
    return {failure(cache, fmt::format("a directory of user {}", status.st_uid),
                    fmt::format("one of user {}, since libraries in it are loaded", geteuid()))};
  if (own && (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return {failure(
        cache,
        fmt::format("a directory that others can write in, mode {:04o}", status.st_mode & 07777),
        "one of yours alone, since libraries in it are loaded",
        "remove it, or chmod 700 it if what it holds is yours")};
  }
  return {};
}

Diagnostic cache_failure(const fs::filesystem_error& error) {
  return failure(error.path1(), error.code().message(), "a cache that can be written");
}

bool is_intact(const fs::path& file) {
  const std::string entry = file.parent_path().filename();
  for (const fs::path& path : {file.parent_path(), file, sum_of(file)}) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0 || !belongs_to_user_or_root(status)) return false;
    if (path != file.parent_path() && !S_ISREG(status.st_mode)) return false;
  }
  return read_text(sum_of(file)) == sum(entry, read_text(file));
}

void keep(const fs::path& work, const fs::path& entry, const std::string& name) {
  const fs::path made = work / name;
  write_text(sum_of(made), sum(entry.filename(), read_text(made)));
  std::error_code error;
  fs::rename(work, entry, error);
  if (!error) return;
  if (is_intact(entry / name)) {  // another process was faster
    fs::remove_all(work);
    return;
  }
  fs::remove_all(entry);
  fs::rename(work, entry);
}

}  // namespace hopwise
