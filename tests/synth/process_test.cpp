// SPDX-License-Identifier: Apache-2.0
#include "synth/src/process.hpp"

#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

namespace hopwise::synth {
namespace {

namespace fs = std::filesystem;

const fs::path kLog = fs::temp_directory_path() / "hopwise_process_test.log";

TEST(Process, ToolsThatFailOrAreMissingAreToldFromThoseThatSucceed) {
  const std::atomic<bool> stop = false;
  EXPECT_EQ(run_process({"true"}, ".", kLog, stop).status, 0);
  EXPECT_EQ(run_process({"sh", "-c", "exit 3"}, ".", kLog, stop).status, 3);
  EXPECT_EQ(run_process({"hopwise-no-such-tool"}, ".", kLog, stop).status, 127);
}

TEST(Process, BothOutputsGoToTheLog) {
  const std::atomic<bool> stop = false;
  run_process({"sh", "-c", "echo one; echo two >&2"}, ".", kLog, stop);
  std::ifstream in(kLog);
  std::string one, two;
  in >> one >> two;
  EXPECT_EQ(one + two, "onetwo");
}

TEST(Process, AStopEndsTheGrandchildrenToo) {
  std::atomic<bool> stop = false;
  const fs::path pid_file = kLog.string() + ".pid";
  fs::remove(pid_file);
  std::thread stopper([&] {
    for (int pid = 0; pid == 0; std::this_thread::yield()) std::ifstream(pid_file) >> pid;
    stop = true;
  });
  const auto done = run_process(
      {"sh", "-c", "sleep 1000 & echo $! > " + pid_file.string() + "; wait"}, ".", kLog, stop);
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
