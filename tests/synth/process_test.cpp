// SPDX-License-Identifier: Apache-2.0
#include "synth/src/process.hpp"

#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hopwise::synth {
namespace {

namespace fs = std::filesystem;

// Tests run at once, each as a process: a log for each, in the build tree.
fs::path log_path() {
  const char* name = testing::UnitTest::GetInstance()->current_test_info()->name();
  return fs::absolute(fmt::format("process_test_{}.log", name));
}

TEST(Process, ToolsThatFailOrAreMissingAreToldFromThoseThatSucceed) {
  const auto never = [] { return false; };
  const fs::path log = log_path();
  EXPECT_EQ(run_process({"true"}, ".", log, never).status, 0);
  EXPECT_EQ(run_process({"sh", "-c", "exit 3"}, ".", log, never).status, 3);
  EXPECT_EQ(run_process({"hopwise-no-such-tool"}, ".", log, never).status, 127);
}

TEST(Process, BothOutputsGoToTheLog) {
  const auto never = [] { return false; };
  const fs::path log = log_path();
  run_process({"sh", "-c", "echo one; echo two >&2"}, ".", log, never);
  std::ifstream in(log);
  std::string one, two;
  in >> one >> two;
  EXPECT_EQ(one + two, "onetwo");
}

TEST(Process, AStopEndsTheGrandchildrenToo) {
  std::atomic<bool> stop = false;
  const fs::path log = log_path();
  const fs::path pid_file = log.string() + ".pid";
  fs::remove(pid_file);
  std::thread stopper([&] {
    for (int pid = 0; pid == 0; std::this_thread::yield()) std::ifstream(pid_file) >> pid;
    stop = true;
  });
  const auto done =
      run_process({"sh", "-c", "sleep 1000 & echo $! > " + pid_file.string() + "; wait"}, ".", log,
                  [&] { return stop.load(); });
  stopper.join();
  EXPECT_EQ(done.status, -1);
  int pid = 0;
  std::ifstream(pid_file) >> pid;
  const auto runs = [&] {  // a process that has ended may wait for its new parent
    std::string text;
    std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
    std::getline(in, text);
    return !text.empty() && text.find(") Z") == std::string::npos;
  };
  while (runs()) std::this_thread::yield();  // the test's time limit is the measure
}

}  // namespace
}  // namespace hopwise::synth
