// SPDX-License-Identifier: Apache-2.0
#include "model/tool.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <thread>
#include <utility>

namespace hopwise::model {

Output run(const std::string& command) {
  Output out;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return {-1, "cannot start a shell"};
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    out.text.append(buffer.data(), n);
  const int status = pclose(pipe);
  out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return out;
}

Output run_all(const std::vector<std::string>& commands, unsigned jobs) {
  std::vector<Output> outputs(commands.size());
  std::vector<std::thread> workers;
  std::atomic<std::size_t> next = 0;
  for (unsigned j = 0; j < std::max(1u, jobs); ++j) {
    workers.emplace_back([&] {
      for (std::size_t i; (i = next++) < commands.size();) outputs[i] = run(commands[i]);
    });
  }
  for (auto& worker : workers) worker.join();
  for (auto& output : outputs) {
    if (output.status != 0) return output;
  }
  return {};
}

std::string quoted(const std::filesystem::path& path) {
  std::string text = "'";
  for (const char c : path.string()) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

Diagnostic failure(std::string code, std::string found, std::string allowed, std::string hint) {
  return {std::move(code),  {"router model", 0, 0}, "",
          std::move(found), std::move(allowed),     std::move(hint)};
}

}  // namespace hopwise::model
