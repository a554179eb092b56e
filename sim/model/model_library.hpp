// SPDX-License-Identifier: Apache-2.0
// Compiles router models with Verilator and loads them: one shared library per router shape.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "model/router_bank.hpp"
#include "model/shared_library.hpp"
#include "support/result.hpp"

namespace hopwise::model {

struct LoadedModel {
  SharedLibrary library;  ///< holds the model
  const RouterModel* model = nullptr;
};

/// Builds (or finds) and loads the model of module `top` (gen/emit/model.cpp), whose files (path ->
/// text) are given. `shape` holds its numbers, without the factory.
/// `progress` hears what is going on. Errors: model.verilator, model.compiler (their output in
/// `found`), model.load, cache.directory.
Result<LoadedModel> load_model(const std::map<std::string, std::string>& files,
                               const std::string& top, const RouterModel& shape,
                               const BuildOptions& options,
                               const std::function<void(const std::string&)>& progress);

}  // namespace hopwise::model
