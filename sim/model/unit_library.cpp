// SPDX-License-Identifier: Apache-2.0
#include "model/unit_library.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hopwise::model {

Result<LoadedUnit> load_unit(const std::map<std::string, std::string>& files,
                             const std::string& top, const UnitShape& shape,
                             const BuildOptions& options,
                             const std::function<void(const std::string&)>& progress) {
  const Harness harness{
      "routing unit", "verilated_unit.hpp",
      fmt::format("#define HOPWISE_PORTS {}\n#define HOPWISE_VC_DEPTHS {}\n"
                  "#define HOPWISE_SPACE_BITS {}\n#define HOPWISE_QUEUE_BITS {}\n"
                  "#define HOPWISE_HEAD_BITS {}\n#define HOPWISE_CANDIDATES {}\n"
                  "#define HOPWISE_CFG {}\n",
                  shape.ports, fmt::join(shape.vc_depths, ", "), shape.space_bits, shape.queue_bits,
                  shape.head_bits, shape.candidates, fmt::join(shape.cfg, ", "))};
  auto library = load_library(files, top, harness, options, progress);
  if (!library) return library.errors();
  LoadedUnit loaded{std::move(library).value(), nullptr};
  const auto* model = static_cast<const UnitModel*>(loaded.library.symbol("hopwise_unit_model"));
  if (model == nullptr || model->version != kUnitBankVersion)
    return another_version("unit bank", kUnitBankVersion);
  loaded.bank.reset(model->make());
  return loaded;
}

}  // namespace hopwise::model
