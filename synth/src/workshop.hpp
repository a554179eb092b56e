// SPDX-License-Identifier: Apache-2.0
// The tools of a synthesis, in one directory, one after the other or side by side.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "support/result.hpp"
#include "synth/src/process.hpp"

namespace hopwise::synth {

/// What stands in the place of each @NAME@ of a flow (synth/*.ys, *.tcl).
using Places = std::map<std::string, std::string>;
/// Precondition: there is such a flow.
std::string filled(const std::string& flow, const Places& places);

Diagnostic failure(std::string code, std::string found, std::string allowed, std::string hint);

/// Functions may be called in several threads at a time.
class Workshop {
 public:
  /// `logs`: where the log of a tool that failed is kept. `stop`: ends all tools.
  Workshop(std::filesystem::path directory, std::filesystem::path logs,
           const std::atomic<bool>& stop)
      : directory_(std::move(directory)), logs_(std::move(logs)), stop_(stop) {}

  /// Runs a tool; what it prints is in NAME.log.
  ProcessResult start(const std::string& name, const std::vector<std::string>& command,
                      const std::atomic<bool>* dropped = nullptr);
  /// Yosys or OpenSTA, on a script. `dropped`, where given, ends it without an error.
  /// Errors: synth.failed, cache.directory.
  Diagnostics yosys(const std::string& name, const std::string& script,
                    const std::atomic<bool>* dropped = nullptr);
  Diagnostics sta(const std::string& name, const std::string& script);

  /// Largest resident size: of the tools of a name, 0 where none ran; and of any.
  double peak_mib(const std::string& name) const;
  double peak_mib() const;

 private:
  Diagnostics run(const std::string& name, const std::vector<std::string>& command,
                  const std::string& script, const std::atomic<bool>* dropped);

  const std::filesystem::path directory_, logs_;
  const std::atomic<bool>& stop_;
  mutable std::mutex mutex_;
  std::map<std::string, double> peaks_;  // by name
};

}  // namespace hopwise::synth
