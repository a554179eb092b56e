// SPDX-License-Identifier: Apache-2.0
// From the RTL of a clocked module to C++ that evaluates it in lanes: Yosys elaborates, its ABC
// simplifies gates, the passes of this folder do the rest.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "model/lanes/payload.hpp"
#include "model/lanes/writer.hpp"

namespace hopwise::lanes {

/// Goes up with every change of what the compiler writes: models are cached.
inline constexpr const char* kCompilerVersion = "7";

struct Module {
  std::string top;
  std::string clock = "clk_i", reset = "rst_ni";
  FlitPins flits;                  ///< ports 0: there are none
  bool tokens = true;              ///< in place of payload: each flit that enters leaves once
  std::vector<std::string> shown;  ///< output pins that are wanted every cycle
  bool assertions = true;
  std::size_t guard = WriterOptions{}.guard, part = WriterOptions{}.part;
};

struct Compiled {
  Sources sources;          ///< C++, see writer.hpp
  Payload payload;          ///< flit bits; without payload all are control
  unsigned token_bits = 0;  ///< of the token, on the lowest payload bits; 0: there is no payload
  std::size_t registers = 0, tables = 0, operators = 0, memories = 0, assertions = 0;
};

/// `files`: path to text, written below `work`, where the tools run. Throws std::runtime_error with
/// the end of a tool's output, or with what the compiler does not know.
Compiled compile(const std::map<std::string, std::string>& files, const Module& module,
                 const std::filesystem::path& work,
                 const std::function<void(const std::string&)>& progress);

/// The same from the netlist on.
Compiled compile_netlist(Netlist netlist, const Module& module, const std::filesystem::path& work);

}  // namespace hopwise::lanes
