// SPDX-License-Identifier: Apache-2.0
// How the wires of a network are laid out in memory, and which lanes its routers take.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "engine/blocks.hpp"
#include "engine/options.hpp"

namespace hopwise::engine {

struct Layout {
  explicit Layout(const Setup& setup) {
    const auto& topology = setup.topology;
    const unsigned class_cycles = setup.network.router.class_cycles();
    unsigned longest = topology.terminal_latency_cycles() + 2 + 2 * class_cycles, shortest = ~0u;
    for (const auto& channel : topology.channels()) {
      longest = std::max(longest, channel.latency_cycles + 1);
      shortest = std::min(shortest, channel.latency_cycles + 1);
    }
    epoch = std::min(shortest, 64u);
    terminal_slots = std::bit_ceil(longest + 2) - 1;
    for (std::size_t shape = 0; shape < topology.shapes().size(); ++shape) {
      const unsigned flit_bits = setup.network.packet.wire_bits();
      routers.push_back(
          {.ports = topology.shapes()[shape].num_ports(),
           .lanes = setup.models[shape]->lanes,
           .flit_bytes = (flit_bits + 63) / 64 * 8,
           .feedback_bytes = setup.models.front()->feedback_bits > 0 ? 8u : 0u,
           // A partition may be an epoch ahead of the one that reads what it writes.
           .slot_mask = std::bit_ceil(longest + static_cast<unsigned>(epoch) + 2) - 1});
    }
  }

  std::vector<model::WireShape> routers;  ///< blocks of each shape of routers
  std::uint32_t terminal_slots = 0;       ///< of the terminals' wires, less one
  /// core cycles between two meetings of partitions
  std::uint64_t epoch = 1;
};

/// Of each shape among the routers [first, end).
inline std::vector<std::size_t> routers_of_shapes(const topology::Topology& topology,
                                                  std::uint32_t first, std::uint32_t end) {
  std::vector<std::size_t> routers(topology.shapes().size());
  for (std::uint32_t r = first; r < end; ++r) ++routers[topology.shape_index(RouterId{r})];
  return routers;
}

/// Of the wires of so many routers of a shape.
inline std::size_t bytes_of_blocks(const model::WireShape& wires, std::size_t routers) {
  return (routers + wires.lanes - 1) / wires.lanes * wires.block_bytes();
}

/// Lanes for a network: beside others, in banks that are stepped for all of them (see batch.hpp),
/// or of its own.
struct Berth {
  struct Shape {
    model::RouterBank* bank = nullptr;  ///< beside others
    std::byte* blocks = nullptr;        ///< wires of the bank's routers
    std::size_t first = 0;              ///< router of the bank
  };
  std::vector<Shape> shapes;
  std::uint64_t cycle = 0;  ///< of the banks, in which the network's cycle 0 is

  /// The pins of the network's router `number` of a shape.
  InputPins pins(std::size_t shape, std::size_t number, const model::WireShape& wires) const {
    const std::size_t router = shapes[shape].first + number;
    return {shapes[shape].blocks + router / wires.lanes * wires.block_bytes(), &wires,
            static_cast<std::uint32_t>(router % wires.lanes)};
  }
};

}  // namespace hopwise::engine
