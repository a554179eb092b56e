// SPDX-License-Identifier: Apache-2.0
// Router models that step all routers in SIMD lockstep, one lane each: made from a netlist by
// sim/model/lanes, cached and loaded like the verilated ones.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "model/model_library.hpp"

namespace hopwise::model {

/// The widest that this CPU has.
Vectors vectors_of_cpu();

/// What g++ is told of them.
const char* compiler_flags(Vectors vectors);

/// As load_model, for words of `lanes` lanes (64, 128, 256 or 512). Errors: model.yosys,
/// model.lanes (what the compiler does not know), model.compiler, model.load, cache.directory.
Result<LoadedModel> load_lanes_model(const std::map<std::string, std::string>& files,
                                     const std::string& top, const RouterModel& shape,
                                     unsigned lanes, const BuildOptions& options,
                                     const std::function<void(const std::string&)>& progress);

}  // namespace hopwise::model
