// SPDX-License-Identifier: Apache-2.0
#include "model/model_library.hpp"

#include <fmt/format.h>

namespace hopwise::model {

Result<std::unique_ptr<LoadedModel>> load_model(
    const std::map<std::string, std::string>& files, const std::string& top,
    const RouterModel& shape, const BuildOptions& options,
    const std::function<void(const std::string&)>& progress) {
  const Harness harness{
      "router", "verilated_bank.hpp",
      fmt::format("#define HOPWISE_PORTS {}\n#define HOPWISE_VCS {}\n#define HOPWISE_FLIT_BITS {}\n"
                  "#define HOPWISE_MONITOR_WORDS {}\n"
                  "#define HOPWISE_QUEUE_BITS {}\n#define HOPWISE_FEEDBACK_PORTS {}\n"
                  "#define HOPWISE_FEEDBACK_BITS {}\n#define HOPWISE_LEARN_BITS {}\n",
                  shape.ports, shape.vcs, shape.flit_bits, shape.monitor_words, shape.queue_bits,
                  shape.feedback_ports, shape.feedback_bits, shape.learn_bits)};
  auto library = load_library(files, top, harness, options, progress);
  if (!library) return library.errors();
  auto loaded = std::unique_ptr<LoadedModel>(new LoadedModel);
  loaded->library_ = std::move(library).value();
  loaded->model_ =
      static_cast<const RouterModel*>(loaded->library_->symbol("hopwise_router_model"));
  if (loaded->model_ == nullptr || loaded->model_->version != kRouterBankVersion)
    return another_version("router bank", kRouterBankVersion);
  return loaded;
}

}  // namespace hopwise::model
