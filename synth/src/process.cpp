// SPDX-License-Identifier: Apache-2.0
#include "synth/src/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace hopwise::synth {

ProcessResult run_process(const std::vector<std::string>& command,
                          const std::filesystem::path& directory, const std::filesystem::path& log,
                          const std::function<bool()>& stop) {
  std::vector<char*> argv;
  argv.reserve(command.size() + 1);
  for (const auto& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ProcessResult result;
  const pid_t child = fork();
  if (child < 0) return result;
  if (child == 0) {
    setpgid(0, 0);
    const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int in = open("/dev/null", O_RDONLY);
    if (out < 0 || in < 0 || chdir(directory.c_str()) != 0) _exit(127);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execvp(argv.front(), argv.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, WNOHANG, &usage) == 0) {
    if (stop()) kill(-child, SIGTERM);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.peak_mib = static_cast<double>(usage.ru_maxrss) / 1024;
  return result;
}

}  // namespace hopwise::synth
