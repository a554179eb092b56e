// SPDX-License-Identifier: Apache-2.0
// Register addresses of rtl/terminal/hw_csr that software uses; the whole map is in
// docs/reference/csr.md.
#pragma once

#include <cstdint>

namespace hopwise::csr {

inline constexpr std::uint32_t kMagic = 0x0000;
inline constexpr std::uint32_t kMagicValue = 0x484f5057;
inline constexpr std::uint32_t kElapsed = 0x0048;
inline constexpr std::uint32_t kOccupancySum = 0x0050;

// Table window of the routing: from word 0 on, its counters.
inline constexpr std::uint32_t kTableAddress = 0x0060, kTableData = 0x0064;

// Configuration words of routings that draw random bits; further ones follow, each routing's own.
inline constexpr std::uint32_t kRoutingControl = 0x1000;
/// Of kRoutingControl: generators take the seed while it is set.
inline constexpr std::uint32_t kLoadSeed = 0x80000000;
inline constexpr std::uint32_t kRandomSeed = 0x1004;

enum PortCounter : std::uint32_t {
  kFlitsIn = 0x00,
  kFlitsOut = 0x08,
  kPacketsOut = 0x10,
  kStalledCycles = 0x18
};

constexpr std::uint32_t port_counter(std::uint32_t port, PortCounter which) {
  return 0x2000 + 0x40 * port + which;
}

}  // namespace hopwise::csr
