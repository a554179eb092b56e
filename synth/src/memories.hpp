// SPDX-License-Identifier: Apache-2.0
// Memories of a design as macros: black boxes whose pins are timed as registers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "synth/src/liberty.hpp"
#include "synth/src/netlist.hpp"

namespace hopwise::synth {

/// Below so many bits a memory is cheaper as flip-flops than as a macro with its decoders and sense
/// amplifiers.
inline constexpr std::uint64_t kLeastMacroBits = 256;

/// Memories that one macro serves.
struct MemoryShape {
  std::uint64_t width = 0, words = 0, address_bits = 0;
  unsigned read_ports = 0, write_ports = 0;
  /// one character per read port, the last port first: 1 where it has a register
  std::string read_clocked;
  std::uint64_t lane_bits = 0;  ///< bits behind one write enable

  std::uint64_t bits() const { return width * words; }
  bool serves(const MemoryShape& memory) const;  ///< same in all but the write enables
  std::string macro() const;                     ///< name of the black box
};

/// The memory that a `$mem_v2` cell of Yosys' JSON is; nullopt for other cells.
std::optional<MemoryShape> read_memory(const nlohmann::json& cell);

/// The distinct shapes among the memories of a design (Yosys' JSON), those that are written and of
/// at least kLeastMacroBits.
std::vector<MemoryShape> find_memories(const nlohmann::json& design);

/// All memories of a design for synth.json, each with whether one of `macros` serves it.
nlohmann::ordered_json memory_list(const nlohmann::json& design, const Hierarchy& hierarchy,
                                   const std::vector<MemoryShape>& macros);

/// Verilog of the black boxes, and a techmap that puts them in the place of the memories.
std::string black_boxes(const std::vector<MemoryShape>& shapes);
std::string techmap(const std::vector<MemoryShape>& shapes);

/// Liberty of the black boxes: inputs have the setup and hold times of the library's flip-flop,
/// outputs its delay from clock. They have no area and no power.
std::string macro_liberty(const std::vector<MemoryShape>& shapes, const Liberty& liberty);

}  // namespace hopwise::synth
