// SPDX-License-Identifier: Apache-2.0
// A tool as a child process: its own process group, its output in a file, its memory
// measured.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace hopwise::synth {

struct ProcessResult {
  int status = -1;  ///< exit status; -1: killed, or not started
  /// largest resident size among the process and the processes that it waited for
  double peak_mib = 0;
};

/// Runs `command` (program, arguments) in `directory`; standard output and error go to `log`. When
/// `stop` says so, which is asked all the time, the whole process group is ended.
ProcessResult run_process(const std::vector<std::string>& command,
                          const std::filesystem::path& directory, const std::filesystem::path& log,
                          const std::function<bool()>& stop);

}  // namespace hopwise::synth
