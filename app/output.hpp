// SPDX-License-Identifier: Apache-2.0
// The directory that a run writes its results to: one process at a time, no result overwritten
// unasked, each finished point on disk.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>

#include <nlohmann/json.hpp>

#include "support/result.hpp"

namespace hopwise::app {

inline constexpr const char* kResultsFile = "results.json";
inline constexpr const char* kSpeedFile = "speed.json";
inline constexpr const char* kJournalFile = "points.jsonl";

/// Keeps other processes out of a directory until it goes, or the process does: the kernel frees
/// it.
class OutputLock {
 public:
  OutputLock() = default;
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;
  ~OutputLock();

  /// Makes the directory. app.in-use where another process has it, app.cannot-write.
  Diagnostics take(const std::filesystem::path& directory);

  /// Has another process it? Changes nothing; who takes it at this very moment is refused, and may
  /// try again.
  static bool is_taken(const std::filesystem::path& directory);

 private:
  int file_ = -1;
};

/// The first file of an earlier run's results in `directory`; empty: there is none.
std::string earlier_file(const std::filesystem::path& directory);

/// What an earlier run has written and this one does not.
void remove_stale(const std::filesystem::path& file);

/// app.results-there where there is one. `hint`: what the user may do about it.
Diagnostics check_no_results(const std::filesystem::path& directory, const std::string& hint);

/// The results of a run that has not ended, a line each. To add one costs one, to write
/// results.json again would cost all. What is written outlives the process, what is synced the
/// machine; a line counts when its end is there, so that one cut off is a point in progress, and no
/// damage.
class Journal {
 public:
  /// `start`: its first lines, made when the first result is added. Until then an earlier journal
  /// stays as it is.
  Journal(const std::filesystem::path& directory, std::function<std::string()> start);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  /// On disk when it returns, or the user hears why not and the journal has failed: what is there
  /// stays, and nothing is added any more. Thread-safe.
  void add(const nlohmann::ordered_json& line);
  bool failed() const { return failed_; }

  /// results.json has it all.
  void remove();

  static std::string text(const nlohmann::ordered_json& line);

 private:
  Diagnostics append(const std::string& text);

  const std::filesystem::path path_;
  const std::function<std::string()> start_;
  std::mutex mutex_;
  std::atomic<bool> failed_ = false;
  int file_ = -1;
};

}  // namespace hopwise::app
