// SPDX-License-Identifier: Apache-2.0
// Compiles RTL and the C++ around it into shared libraries and loads them, cached by the hash of
// their sources, options and tools.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "support/result.hpp"

namespace hopwise::model {

/// What models in lanes are compiled for.
enum class Vectors { kNone, kAvx2, kAvx512 };

struct BuildOptions {
  std::filesystem::path cache;  ///< directory of compiled models; made if missing
  bool assertions = true;
  bool trace = false;  ///< waveforms can be written; slower
  /// in lanes: all bits of a flit go through the netlist, so that routers may drop flits and make
  /// some up; slower
  bool whole_flits = false;
  /// anything that tells machines apart for which code is generated (CPU flags)
  std::string machine;
  unsigned jobs = 2;
  Vectors vectors = Vectors::kAvx512;  ///< in lanes: no wider ones, whatever the CPU has
  bool quick = false;                  ///< compiles sooner and runs slower: for tests
  bool own_cache = false;              ///< the user did not name it: see open_cache
};

/// The C++ around a verilated class: a header of model_headers(), which sees HOPWISE_MODEL (the
/// class), HOPWISE_TRACE, HOPWISE_ONE_EDGE and further macros.
struct Harness {
  std::string what;    ///< is compiled, in words: "router"
  std::string header;  ///< "verilated_bank.hpp"
  std::string macros;  ///< lines of #define
};

/// A library that stays loaded as long as this lives.
class SharedLibrary {
 public:
  /// Takes a handle of dlopen.
  explicit SharedLibrary(void* handle);
  /// nullptr where there is none.
  void* symbol(const char* name) const;

 private:
  std::unique_ptr<void, int (*)(void*)> handle_;
};

/// Finds and loads the library `name` of this hash (of all that it is made of), or has `build` make
/// it as "model.so" in the directory that it is given. What the cache holds is loaded if it is
/// intact, and made again otherwise. Errors: those of `build`, model.load, cache.directory.
Result<SharedLibrary> load_cached(
    const BuildOptions& options, const std::string& name, std::uint64_t hash,
    const std::function<Diagnostics(const std::filesystem::path& work)>& build);

/// Builds (or finds) and loads the library of module `top`, whose files (path -> text) are given.
/// `progress` hears what is going on. Errors: model.verilator, model.compiler (their output in
/// `found`), model.load, cache.directory.
Result<SharedLibrary> load_library(const std::map<std::string, std::string>& files,
                                   const std::string& top, const Harness& harness,
                                   const BuildOptions& options,
                                   const std::function<void(const std::string&)>& progress);

/// The error model.load of a library that was compiled against another interface.
Diagnostic another_version(const std::string& interface, unsigned version);

}  // namespace hopwise::model
