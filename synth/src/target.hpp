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
  std::string no_clock;            ///< why the result may have none; empty: it has one
};

/// A part that a router may go into, and what it has of each: LUTs (ice40: logic cells),
/// flip-flops, block RAMs of 36 (xcup), 18 (ecp5) and 4 kbit (ice40), DSP blocks.
struct Device {
  std::string name, target;
  std::uint64_t luts = 0, flip_flops = 0, block_rams = 0, dsps = 0;
};

/// The largest usual part of a target first, which is the one where the user names none. Of the
/// vendors' data sheets: AMD DS891 and DS890, Lattice FPGA-DS-02012 and -02029.
const std::vector<Device>& devices();

/// The device of that name and target; the first of the target for an empty name; nullptr where
/// there is none.
const Device* find_device(std::string_view name, const Target& target);

/// All targets, in the order of the documentation.
const std::vector<Target>& targets();

/// The target of that name, or nullptr.
const Target* find_target(std::string_view name);

/// What one cell of a netlist stands for.
struct Cost {
  double area = 0;
  std::uint64_t flip_flops = 0, luts = 0, lut_ram_luts = 0, ram_bits = 0, dsps = 0;
  double block_rams = 0;  ///< RAMB18E2 is half a one

  void add(const Cost& other, std::uint64_t times);
};

/// Cost of the cells of a target by type: of the liberty file, of gates in NAND2 equivalents, or of
/// FPGA primitives; the macros that stand for memories have RAM bits alone.
std::map<std::string, Cost> cell_costs(const Target& target, const Liberty& liberty,
                                       const std::vector<MemoryShape>& macros);

/// The flows of the folder synth/, file name -> text, as they were when the generator was built.
const std::map<std::string, std::string>& flows();

}  // namespace hopwise::synth
