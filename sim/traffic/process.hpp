// SPDX-License-Identifier: Apache-2.0
// Packets as terminals generate them, and terminals that decide for themselves when they do.
#pragma once

#include <cstdint>

#include "support/ids.hpp"

namespace hopwise::traffic {

/// Next cycle of what generates nothing any more.
inline constexpr std::uint64_t kNoPacket = ~std::uint64_t{0};

/// A packet at the moment of its generation, from which its latency counts.
struct GeneratedPacket {
  std::uint64_t cycle = 0;  ///< core cycle of generation
  TerminalId src{};
  TerminalId dst{};
  std::uint32_t flits = 1;  ///< header (and footer) included
  std::uint64_t step = 0;   ///< closed loops: of the application, from 1 on
  bool get = false;         ///< of a job: asks `dst` for data rather than bring it some
  bool operator==(const GeneratedPacket&) const = default;
};

/// A terminal of a closed loop: it hears what arrives, and sends when it has heard enough.
class Process {
 public:
  virtual ~Process() = default;
  /// Core cycle of the next packet; kNoPacket while it waits for others, and when all is done.
  virtual std::uint64_t next_cycle() const = 0;
  /// Precondition: next_cycle() != kNoPacket.
  virtual GeneratedPacket pop() = 0;
  /// The next packet has no room before `cycle`.
  virtual void postpone(std::uint64_t cycle) = 0;
  /// A packet that another process sent in `step`, 0 of those that no process sends, has arrived as
  /// a whole.
  virtual void receive(std::uint64_t cycle, std::uint64_t step) = 0;
};

}  // namespace hopwise::traffic
