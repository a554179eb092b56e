// SPDX-License-Identifier: Apache-2.0
#include "app/output.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "app/files.hpp"
#include "app/network.hpp"

namespace hopwise::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLockFile = ".lock";

}  // namespace

OutputLock::~OutputLock() {
  if (file_ >= 0) ::close(file_);
}

Diagnostics OutputLock::take(const fs::path& directory) {
  std::error_code ignored;  // the file says whether it is there
  fs::create_directories(directory, ignored);
  const fs::path path = directory / kLockFile;
  // Compilers and other children must not keep it.
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) return {write_error(path)};
  // A file system without locks cannot tell.
  if (flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return {};
  return {{"app.in-use",
           {directory.string(), 0, 0},
           "",
           "another process that writes its results here",
           "one at a time",
           "wait for it, or choose another directory"}};
}

bool OutputLock::is_taken(const fs::path& directory) {
  const int file = ::open((directory / kLockFile).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  // Those who only look do not see each other.
  const bool taken = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return taken;
}

std::string earlier_file(const fs::path& directory) {
  for (const char* file : {kJournalFile, kResultsFile, "report.html", "points.csv", kSpeedFile}) {
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(directory / file, ignored))) return file;
  }
  return "";
}

void remove_stale(const fs::path& file) {
  std::error_code ignored;
  fs::remove(file, ignored);
}

Diagnostics check_no_results(const fs::path& directory, const std::string& hint) {
  const std::string file = earlier_file(directory);
  if (file.empty()) return {};
  return {{"app.results-there",
           {directory.string(), 0, 0},
           "",
           file + " of an earlier run",
           "a directory without results",
           hint}};
}

Journal::Journal(const fs::path& directory, std::function<std::string()> start)
    : path_(directory / kJournalFile), start_(std::move(start)) {}

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

std::string Journal::text(const nlohmann::ordered_json& line) {
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void Journal::add(const nlohmann::ordered_json& line) {
  const std::lock_guard lock(mutex_);
  if (failed_) return;
  const Diagnostics errors = append(text(line));
  if (errors.empty()) return;
  failed_ = true;
  report(errors);
}

Diagnostics Journal::append(const std::string& text) {
  if (file_ < 0) {
    if (Diagnostics errors = write_durably(path_, start_()); !errors.empty()) return errors;
    file_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file_ < 0) return {write_error(path_)};
  }
  Diagnostics errors = write_all(file_, path_, text);
  if (errors.empty() && fdatasync(file_) != 0) errors = {write_error(path_)};
  return errors;
}

void Journal::remove() {
  remove_stale(path_);  // what stays is read again, and is the same
}

}  // namespace hopwise::app
