// SPDX-License-Identifier: Apache-2.0
#include "model/model_library.hpp"

#include <fmt/format.h>

namespace hopwise::model {

Result<LoadedModel> load_model(const std::map<std::string, std::string>& files,
                               const std::string& top, const RouterModel& shape,
                               const BuildOptions& options,
                               const std::function<void(const std::string&)>& progress) {
  const Harness harness{
      shape.hosts != 0 ? "terminal" : "router", "verilated_bank.hpp",
      fmt::format("#define HOPWISE_PORTS {}\n#define HOPWISE_FLIT_BITS {}\n"
                  "#define HOPWISE_COUNTER_WORDS {}\n"
                  "#define HOPWISE_QUEUE_BITS {}\n#define HOPWISE_FEEDBACK_PORTS {}\n"
                  "#define HOPWISE_FEEDBACK_BITS {}\n#define HOPWISE_TRACE_BITS {}\n"
                  "#define HOPWISE_STUCK_WORDS {}\n#define HOPWISE_HOSTS {}\n",
                  shape.ports, shape.flit_bits, shape.counter_words, shape.queue_bits,
                  shape.feedback_ports, shape.feedback_bits, shape.trace_bits, shape.stuck_words,
                  shape.hosts)};
  auto library = load_library(files, top, harness, options, progress);
  if (!library) return library.errors();
  const auto* model =
      static_cast<const RouterModel*>(library.value().symbol("hopwise_router_model"));
  if (model == nullptr || model->version != kRouterBankVersion)
    return another_version("router bank", kRouterBankVersion);
  return LoadedModel{std::move(library).value(), model};
}

}  // namespace hopwise::model
