// SPDX-License-Identifier: Apache-2.0
// Routing modes of packets: how a packet's path is chosen among those that its network's routing
// has (De Sensi, Di Girolamo & Hoefler, SC 2019, section 2.2). rtl/common/hw_mode_pkg.sv has the
// same codes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hopwise::spec {

enum class Mode : std::uint8_t {
  kAdaptive0,  ///< adaptive, without a bias
  kAdaptive1,  ///< with one towards minimal paths that grows along the way
  kAdaptive2,  ///< with a low one
  kAdaptive3,  ///< with a high one
  kMinHash,    ///< the minimal path that source, destination and flow label say
  kNminHash,   ///< the non-minimal one
  kInOrder,    ///< a minimal one that is the same for all packets of a source and destination
};

/// As users write them, in the order of their codes.
inline constexpr std::array<std::string_view, 7> kModeNames{
    "adaptive_0", "adaptive_1", "adaptive_2", "adaptive_3", "min_hash", "nmin_hash", "in_order"};
inline constexpr std::size_t kModes = kModeNames.size();

constexpr std::string_view name_of(Mode mode) { return kModeNames[static_cast<std::size_t>(mode)]; }

/// Packets with the same head take the same path.
constexpr bool is_deterministic(Mode mode) { return mode >= Mode::kMinHash; }

}  // namespace hopwise::spec
