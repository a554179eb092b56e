// SPDX-License-Identifier: Apache-2.0
// Compiles router models with Verilator and loads them: one shared library per router shape, cached
// by the hash of its sources, options and tools.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "model/router_bank.hpp"
#include "support/result.hpp"

namespace hopwise::model {

struct BuildOptions {
  std::filesystem::path cache;  ///< directory of compiled models; made if missing
  bool assertions = true;
  bool trace = false;  ///< waveforms can be written; slower
  /// anything that tells machines apart for which code is generated (CPU flags)
  std::string machine;
  unsigned jobs = 2;
  bool quick = false;  ///< compiles sooner and runs slower: for tests
};

/// A loaded model; the library stays loaded as long as this lives.
class LoadedModel {
 public:
  LoadedModel(const LoadedModel&) = delete;
  ~LoadedModel();
  const RouterModel& model() const { return *model_; }
  bool was_cached() const { return cached_; }

 private:
  friend Result<std::unique_ptr<LoadedModel>> load_model(
      const std::map<std::string, std::string>&, const std::string&, const RouterModel&, unsigned,
      const BuildOptions&, const std::function<void(const std::string&)>&);
  LoadedModel() = default;
  void* handle_ = nullptr;
  const RouterModel* model_ = nullptr;
  bool cached_ = false;
};

/// Builds (or finds) and loads the model of module `top`, whose files (path -> text) are given.
/// `shape` holds the numbers of ports, VCs and flit bits; `coord_bits` the width of coord_i.
/// `progress` hears what is going on. Errors: model.verilator, model.compiler (their output in
/// `found`), model.load.
Result<std::unique_ptr<LoadedModel>> load_model(
    const std::map<std::string, std::string>& files, const std::string& top,
    const RouterModel& shape, unsigned coord_bits, const BuildOptions& options,
    const std::function<void(const std::string&)>& progress);

}  // namespace hopwise::model
