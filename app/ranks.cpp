// SPDX-License-Identifier: Apache-2.0
#include "app/ranks.hpp"

#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "app/places.hpp"
#include "mpi/mpi_ranks.hpp"

namespace hopwise::app {

/// What a process says that is not to be heard, unless it fails alone.
struct Processes::Silence {
  Silence() : kept(std::tmpfile()) {
    std::fflush(nullptr);
    error = ::dup(STDERR_FILENO);
    if (kept == nullptr || error < 0) return;
    ::dup2(::fileno(kept), STDOUT_FILENO);
    ::dup2(::fileno(kept), STDERR_FILENO);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  ~Silence() {
    if (error >= 0) ::close(error);
    if (kept != nullptr) std::fclose(kept);
  }
  void tell(unsigned rank) {
    std::fflush(nullptr);
    std::string text = fmt::format("rank {}:\n", rank);
    std::array<char, 4096> part;
    for (off_t at = 0; kept != nullptr;) {
      const ssize_t got = ::pread(::fileno(kept), part.data(), part.size(), at);
      if (got <= 0) break;
      text.append(part.data(), static_cast<std::size_t>(got));
      at += got;
    }
    if (::write(error, text.data(), text.size()) < 0) return;  // there is nobody left to tell
  }
  std::FILE* kept;
  int error = -1;
};

Processes::Processes() = default;
Processes::~Processes() = default;

Diagnostics Processes::join() {
  const std::filesystem::path path = optional_library(mpi::kLibrary);
  // Open MPI has parts of its own that look for it among what is loaded. It stays to the end.
  void* library = path.empty() ? nullptr : ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  void* join = library == nullptr ? nullptr : ::dlsym(library, mpi::kJoin);
  if (join == nullptr) {
    const char* why = path.empty() ? nullptr : ::dlerror();
    return {{"app.no-mpi",
             {},
             "--mpi",
             why != nullptr ? why : fmt::format("no {} beside the command", mpi::kLibrary),
             "a command that was built where Open MPI is",
             "install libopenmpi-dev and openmpi-bin, and build again; or leave --mpi out"}};
  }
  ranks_.reset(reinterpret_cast<mpi::Join>(join)());
  if (!first()) silence_ = std::make_unique<Silence>();
  return {};
}

int Processes::agree(int status) {
  if (several() == nullptr) return status;
  const std::vector<int> all = engine::gathered(*ranks_, std::vector{status});
  if (status != kGood && silence_ && all.front() == kGood) silence_->tell(ranks_->rank());
  const auto bad = std::find_if(all.begin(), all.end(), [](int s) { return s != kGood; });
  return bad == all.end() ? static_cast<int>(kGood) : *bad;
}

std::vector<std::uint64_t> Processes::peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const std::vector<std::uint64_t> mine{static_cast<std::uint64_t>(usage.ru_maxrss) * 1024};
  return several() != nullptr ? engine::gathered(*ranks_, mine) : mine;
}

Diagnostics check_ranks(const Plan& plan, unsigned ranks) {
  Diagnostics errors;
  const auto refuse = [&](const Contender& c, const char* key, std::string found,
                          std::string allowed, std::string hint = "leave --mpi out") {
    errors.push_back(
        {"app.mpi", {c.file, 0, 0}, key, std::move(found), std::move(allowed), std::move(hint)});
  };
  for (const Contender& c : plan.contenders) {
    if (c.spec.job.any()) refuse(c, "job.program", c.spec.job.name, "no job with --mpi");
    if (c.spec.network.terminal.messages)
      refuse(c, "terminal.interface", "messages", "streams, with --mpi");
    if (c.spec.fault.any()) refuse(c, "fault", "faults", "none with --mpi");
    if (!errors.empty()) return errors;  // other routings would say the same
  }
  const std::size_t routers = plan.proven.front().topology().num_routers();
  if (ranks > routers) {
    refuse(plan.contenders.front(), "mpirun -n", fmt::format("{} processes", ranks),
           fmt::format("at most one for each of {} routers", routers), "start fewer");
  }
  return errors;
}

}  // namespace hopwise::app
