// SPDX-License-Identifier: Apache-2.0
// A router has more pins than a package: what takes their place where one is placed and routed.
#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json.hpp>

namespace hopwise::synth {

struct Wrapper {
  std::string text;      ///< Verilog of the module hopwise_wrapper
  std::size_t pins = 0;  ///< flip-flops that stand for pins
};

/// The module `top` with these ports (of Yosys' JSON) between two shift registers of its inputs and
/// outputs; clk_i and rst_ni go through.
Wrapper between_shift_registers(const std::string& top, const nlohmann::json& ports);

}  // namespace hopwise::synth
