// SPDX-License-Identifier: Apache-2.0
// Numbers of a network's learning routers, and what their tables start from: worked out from the
// network alone, without the RTL's parameters or its arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "routing/q/q.hpp"
#include "spec/spec.hpp"
#include "topology/packet_format.hpp"
#include "topology/topology.hpp"

namespace hopwise::probes::q {

/// The learner of one router; all routers of a network have one shape.
struct Shape {
  std::size_t rows = 0;           ///< what packets are bound for
  std::size_t columns = 0;        ///< network ports
  std::size_t local_columns = 0;  ///< of them, those to the router's group; 0: no groups
  unsigned row_bits = 1, column_bits = 1, port_bits = 1;
  unsigned time_bits = 0, value_bits = 0, fraction_bits = 0;
  unsigned table_cycles = 0;  ///< of a decision
  unsigned banks = 1;         ///< decisions, and updates, of a cycle
  bool two_level = false;     ///< values end at the first router of the destination's group
  bool admissible = false;    ///< feedback knows only ports that the packet may take
  bool queues = false;
  std::uint32_t flit_cycles = 0;  ///< core cycles of a flit on a link, 2^-4
  std::uint32_t alpha = 0, beta = 0, threshold_source = 0, threshold_detour = 0;  ///< 2^-16

  /// All bits set: no such way.
  std::uint32_t infinity() const {
    return static_cast<std::uint32_t>((std::uint64_t{1} << value_bits) - 1);
  }
  unsigned decision_bits() const {
    return 7 + 4 * port_bits + time_bits + (1 + row_bits + value_bits) + 2 * value_bits;
  }
  /// of a bank's slice of trace_o
  unsigned bank_bits() const {
    return 2 + 2 * row_bits + column_bits + value_bits + decision_bits();
  }
  unsigned trace_bits() const { return banks * bank_bits(); }
  /// Address of a value in the table window of the CSR block.
  std::uint32_t window_word(std::size_t row, std::size_t column) const {
    return static_cast<std::uint32_t>(routing::q::kTableWord + (row << column_bits) + column);
  }
};

/// The shape of a network whose routing learns a table: its family is q.
Shape shape_of(const spec::NetworkSpec& network, const topology::Topology& topology,
               const topology::PacketFormat& format);

/// A router's table, row by row, after initialisation: for each port the time of the minimal way
/// through it in an empty network, by walking it hop by hop; infinity where the port is not
/// connected, one less where the time is too long. With q_initial optimistic as
/// docs/reference/routing-q.md has it. O(rows x columns x hops).
std::vector<std::uint32_t> start_values(const Shape& shape, const spec::NetworkSpec& network,
                                        const topology::Topology& topology,
                                        const topology::PacketFormat& format, RouterId router);

}  // namespace hopwise::probes::q
