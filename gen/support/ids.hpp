// SPDX-License-Identifier: Apache-2.0
// Strong indices: a router number is never mistaken for a port number.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hopwise {

enum class RouterId : std::uint32_t {};    ///< 0 .. routers-1, dimension 0 varies fastest
enum class TerminalId : std::uint32_t {};  ///< router * terminals_per_router + slot
enum class ChannelId : std::uint32_t {};   ///< a unidirectional router-to-router channel
/// a port of a router: network ports first, then terminals
enum class PortId : std::uint16_t {};
enum class VcId : std::uint8_t {};  ///< a virtual channel of a port

/// The number behind a strong id, to index a container with.
template <class Id>
constexpr std::size_t index(Id id) {
  return static_cast<std::size_t>(id);
}

/// A set of VCs of one port; bit v stands for VcId{v}.
using VcMask = std::uint32_t;
inline constexpr unsigned kMaxVcs = 16;
inline constexpr unsigned kMaxMessageClasses = 4;

}  // namespace hopwise
