// SPDX-License-Identifier: Apache-2.0
#include "app/progress.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include <fmt/format.h>

namespace hopwise::app {

using std::chrono::steady_clock;

namespace {

std::atomic<bool> g_interrupted = false;  // a signal handler has no other place to leave word

void on_interrupt(int signal_number) {
  if (signal_number == SIGHUP) {  // what is said must not fail now that the terminal is gone
    const int nowhere = open("/dev/null", O_WRONLY);
    for (const int file : {STDOUT_FILENO, STDERR_FILENO}) {
      if (isatty(file) != 0) dup2(nowhere, file);
    }
  }
  if (g_interrupted.exchange(true)) {
    signal(signal_number, SIG_DFL);
    raise(signal_number);
  }
}

std::string duration(double seconds) {
  const long s = std::lround(seconds);
  return s < 60 ? fmt::format("{} s", s) : fmt::format("{} min {:02} s", s / 60, s % 60);
}

}  // namespace

const std::atomic<bool>& interrupted() { return g_interrupted; }

void catch_interrupts() {
  signal(SIGINT, on_interrupt);
  signal(SIGTERM, on_interrupt);
  if (signal(SIGHUP, on_interrupt) == SIG_IGN) signal(SIGHUP, SIG_IGN);  // nohup
}

void Spinner::say(const std::string& what, double seconds) {
  const std::lock_guard lock(mutex_);
  begin_ = steady_clock::now();
  if (what_.empty()) start_ = begin_;
  what_ = what;
  expected_ = seconds;
  if (isatty(STDERR_FILENO) == 0) {
    fmt::print(stderr, "{} ...{}\n", what,
               seconds >= 10 ? " some " + duration(seconds) : std::string());
    std::fflush(stderr);
    return;
  }
  draw();
  if (clock_.joinable()) return;
  clock_ = std::jthread([this](const std::stop_token& stop) {
    std::unique_lock waiting(mutex_);
    while (!changed_.wait_for(waiting, stop, std::chrono::seconds(1), [] { return false; }) &&
           !stop.stop_requested())
      draw();
  });
}

/// Precondition: the mutex is held.
void Spinner::draw() {
  const auto now = steady_clock::now();
  const double since = std::chrono::duration<double>(now - begin_).count();
  std::string left;
  if (expected_ > 0) {
    left = since < expected_ ? ", some " + duration(expected_ - since) + " left"
                             : ", longer than estimated";
  }
  fmt::print(stderr, "\r\033[K{} ... {}{}", what_,
             duration(std::chrono::duration<double>(now - start_).count()), left);
  std::fflush(stderr);
}

void Spinner::stop() {
  if (!clock_.joinable()) return;
  clock_.request_stop();
  clock_.join();
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
}

ProgressBar::ProgressBar(std::size_t jobs, bool quiet)
    : parts_(jobs, 0.0),
      start_(steady_clock::now()),
      last_(start_),
      terminal_(isatty(STDERR_FILENO) != 0),
      quiet_(quiet) {}

ProgressBar::~ProgressBar() {
  if (drawn_ && terminal_) fmt::print(stderr, "\r\033[K");
}

void ProgressBar::update(std::size_t job, double part, const std::string& what) {
  const std::lock_guard lock(mutex_);
  parts_[job] = std::max(parts_[job], std::min(part, 1.0));
  draw(what);
}

void ProgressBar::draw(const std::string& what) {
  const auto now = steady_clock::now();
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double since = std::chrono::duration<double>(now - last_).count();
  if (quiet_ || elapsed < 2 || since < (terminal_ ? 0.2 : 15.0)) return;
  last_ = now;
  const double done =
      std::accumulate(parts_.begin(), parts_.end(), 0.0) / static_cast<double>(parts_.size());
  const std::string left = done > 0.02 ? duration(elapsed * (1 - done) / done) + " left" : "";
  if (terminal_) {
    const auto filled = static_cast<int>(done * 30);
    fmt::print(stderr, "\r\033[K[{:#<{}}{:.<{}}] {:3.0f} %  {}  {}", "", filled, "", 30 - filled,
               done * 100, left, what);
  } else {
    fmt::print(stderr, "{:3.0f} %  {}  {}\n", done * 100, left, what);
  }
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace hopwise::app
