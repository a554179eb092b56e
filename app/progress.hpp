// SPDX-License-Identifier: Apache-2.0
// What a waiting person sees, on the standard error output.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <vector>

namespace hopwise::app {

/// Says what is going on; overwritten in place on a terminal.
class Spinner {
 public:
  void say(const std::string& what);
  void stop();
  ~Spinner() { stop(); }

 private:
  bool open_ = false;
};

/// A bar with the time left, over a number of jobs; appears when more than two seconds have passed.
/// Thread-safe.
class ProgressBar {
 public:
  explicit ProgressBar(std::size_t jobs, bool quiet);
  ~ProgressBar();
  /// One job, by its number, has done this part of its work (0 to 1).
  void update(std::size_t job, double part, const std::string& what);

 private:
  void draw(const std::string& what);
  std::mutex mutex_;
  std::vector<double> parts_;
  std::chrono::steady_clock::time_point start_, last_;
  bool terminal_, quiet_, drawn_ = false;
};

/// Set by Ctrl-C, SIGTERM and SIGHUP; the first asks running work to end, the second ends the
/// process.
const std::atomic<bool>& interrupted();
void catch_interrupts();

}  // namespace hopwise::app
