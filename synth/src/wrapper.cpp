// SPDX-License-Identifier: Apache-2.0
#include "synth/src/wrapper.hpp"

#include <fmt/format.h>

namespace hopwise::synth {

Wrapper between_shift_registers(const std::string& top, const nlohmann::json& ports) {
  std::string connections;
  std::size_t inputs = 0, outputs = 0;
  for (const auto& [name, port] : ports.items()) {
    const std::size_t bits = port.at("bits").size();
    if (name == "clk_i" || name == "rst_ni") {
      connections += fmt::format(",\n    .{0}({0})", name);
    } else {
      const bool input = port.at("direction") == "input";
      std::size_t& first = input ? inputs : outputs;
      connections += fmt::format(",\n    .{}({}[{}+:{}])", name, input ? "in" : "out", first, bits);
      first += bits;
    }
  }
  return {fmt::format("module hopwise_wrapper (input clk_i, rst_ni, shift_i, output shift_o);\n"
                      "  reg [{0}:0] in;\n  wire [{1}:0] out;\n  reg [{1}:0] seen;\n"
                      "  assign shift_o = seen[{1}];\n"
                      "  always @(posedge clk_i) begin\n    in <= {{in, shift_i}};\n"
                      "    seen <= out ^ {{seen, in[{0}]}};\n  end\n"
                      "  {2} router ({3});\nendmodule\n",
                      inputs - 1, outputs - 1, top, connections.substr(1)),
          inputs + outputs};
}

}  // namespace hopwise::synth
