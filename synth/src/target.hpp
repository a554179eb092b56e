// SPDX-License-Identifier: Apache-2.0
// What a router can be synthesised for.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "synth/src/liberty.hpp"
#include "synth/src/memories.hpp"

namespace hopwise::synth {

enum class Kind { kCells, kGeneric, kFpga };

struct Target {
  std::string name;
  Kind kind;
  std::string flow;                ///< name of the Yosys script
  std::string flat, hierarchical;  ///< its option that dissolves, or keeps, the modules
  std::string no_memories;         ///< its option that makes memories of flip-flops (Kind::kFpga)
};

/// All targets, in the order of the documentation.
const std::vector<Target>& targets();

/// The target of that name, or nullptr.
const Target* find_target(std::string_view name);

/// What one cell of a netlist stands for.
struct Cost {
  double area = 0;
  std::uint64_t flip_flops = 0, luts = 0, lut_ram_luts = 0, ram_bits = 0, dsps = 0;

  void add(const Cost& other, std::uint64_t times);
};

/// Cost of the cells of a target by type: of the liberty file, of gates in NAND2 equivalents, or of
/// FPGA primitives; the macros that stand for memories have RAM bits alone.
std::map<std::string, Cost> cell_costs(const Target& target, const Liberty& liberty,
                                       const std::vector<MemoryShape>& macros);

/// The flows of the folder synth/, file name -> text, as they were when the generator was built.
const std::map<std::string, std::string>& flows();

}  // namespace hopwise::synth
