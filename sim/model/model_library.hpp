// SPDX-License-Identifier: Apache-2.0
// Compiles router models with Verilator and loads them: one shared library per router shape.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "model/router_bank.hpp"
#include "model/shared_library.hpp"
#include "support/result.hpp"

namespace hopwise::model {

/// A loaded model; the library stays loaded as long as this lives.
class LoadedModel {
 public:
  const RouterModel& model() const { return *model_; }
  bool was_cached() const { return library_->was_cached(); }

 private:
  friend Result<std::unique_ptr<LoadedModel>> load_model(
      const std::map<std::string, std::string>&, const std::string&, const RouterModel&,
      const BuildOptions&, const std::function<void(const std::string&)>&);
  LoadedModel() = default;
  std::unique_ptr<SharedLibrary> library_;
  const RouterModel* model_ = nullptr;
};

/// Builds (or finds) and loads the model of module `top` (gen/emit/model.cpp), whose files (path ->
/// text) are given. `shape` holds the numbers of ports, VCs and flit bits.
/// `progress` hears what is going on. Errors: model.verilator, model.compiler (their output in
/// `found`), model.load.
Result<std::unique_ptr<LoadedModel>> load_model(
    const std::map<std::string, std::string>& files, const std::string& top,
    const RouterModel& shape, const BuildOptions& options,
    const std::function<void(const std::string&)>& progress);

}  // namespace hopwise::model
