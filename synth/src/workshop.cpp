// SPDX-License-Identifier: Apache-2.0
#include "synth/src/workshop.hpp"

#include <algorithm>
#include <utility>

#include "support/cache.hpp"
#include "synth/src/target.hpp"

namespace hopwise::synth {

namespace fs = std::filesystem;

std::string filled(const std::string& flow, const Places& places) {
  std::string text = flows().at(flow);
  for (const auto& [place, value] : places) {
    const std::string mark = "@" + place + "@";
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size())
      text.replace(at, mark.size(), value);
  }
  return text;
}

Diagnostic failure(std::string code, std::string found, std::string allowed, std::string hint) {
  return {std::move(code),  {"synthesis", 0, 0}, "",
          std::move(found), std::move(allowed),  std::move(hint)};
}

ProcessResult Workshop::start(const std::string& name, const std::vector<std::string>& command,
                              const std::atomic<bool>* dropped) {
  const ProcessResult done = run_process(command, directory_, directory_ / (name + ".log"),
                                         [&] { return stop_ || (dropped != nullptr && *dropped); });
  const std::lock_guard lock(mutex_);
  double& peak = peaks_[name];
  peak = std::max(peak, done.peak_mib);
  return done;
}

Diagnostics Workshop::run(const std::string& name, const std::vector<std::string>& command,
                          const std::string& script, const std::atomic<bool>* dropped) try {
  write_text(directory_ / command.back(), script);
  const ProcessResult done = start(name, command, dropped);
  if (dropped != nullptr && *dropped) return {};
  const fs::path log = directory_ / (name + ".log");
  // OpenSTA goes on after an error and leaves with status 0.
  if (done.status == 0 && read_text(log).find("\nError:") == std::string::npos) return {};
  if (stop_) return {failure("synth.failed", "interrupted", "time to finish", "")};
  std::error_code ignored;
  const fs::path kept = logs_ / (name + ".log");
  fs::copy_file(log, kept, fs::copy_options::overwrite_existing, ignored);
  return {failure("synth.failed", last_lines(read_text(log), 8),
                  "a design that " + command.front() + " accepts",
                  "the whole log is in " + kept.string())};
} catch (const fs::filesystem_error& error) {
  return {cache_failure(error)};
}

Diagnostics Workshop::yosys(const std::string& name, const std::string& script,
                            const std::atomic<bool>* dropped) {
  return run(name, {"yosys", "-Q", "-T", name + ".ys"}, script, dropped);
}

Diagnostics Workshop::sta(const std::string& name, const std::string& script) {
  return run(name, {"sta", name + ".tcl"}, script, nullptr);
}

double Workshop::peak_mib(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto at = peaks_.find(name);
  return at == peaks_.end() ? 0 : at->second;
}

double Workshop::peak_mib() const {
  const std::lock_guard lock(mutex_);
  double most = 0;
  for (const auto& [name, peak] : peaks_) most = std::max(most, peak);
  return most;
}

}  // namespace hopwise::synth
