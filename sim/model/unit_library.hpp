// SPDX-License-Identifier: Apache-2.0
// Compiles a routing unit alone, with the top of fixed pins that gen/emit/unit.cpp writes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/shared_library.hpp"
#include "model/unit_bank.hpp"

namespace hopwise::model {

/// The numbers of a unit.
struct UnitShape {
  unsigned ports = 0;
  std::vector<unsigned> vc_depths;
  unsigned space_bits = 0, queue_bits = 1;
  unsigned head_bits = 0;  ///< of a head flit that routing reads
  unsigned candidates = 1;
  std::vector<std::uint32_t> cfg;  ///< configuration words
};

struct LoadedUnit {
  SharedLibrary library;  // outlives the bank
  std::unique_ptr<UnitBank> bank;
};

/// As load_model.
Result<LoadedUnit> load_unit(const std::map<std::string, std::string>& files,
                             const std::string& top, const UnitShape& shape,
                             const BuildOptions& options,
                             const std::function<void(const std::string&)>& progress);

}  // namespace hopwise::model
