// SPDX-License-Identifier: Apache-2.0
// What a waiting person sees, on the standard error output.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace hopwise::app {

/// Says what is going on, since when, and how long it may take; on a terminal in one line that is
/// drawn again each second, elsewhere in a line for each beginning. Thread-safe.
class Spinner {
 public:
  /// `seconds`: what it may take; 0: not known.
  void say(const std::string& what, double seconds = 0);
  void stop();
  ~Spinner() { stop(); }

 private:
  void draw();
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::string what_;
  double expected_ = 0;                                  // s
  std::chrono::steady_clock::time_point start_, begin_;  // of all, of what is said
  std::jthread clock_;                                   // on a terminal
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
