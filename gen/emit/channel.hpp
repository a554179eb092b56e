// SPDX-License-Identifier: Apache-2.0
// The wires of a channel, as the SystemVerilog library describes them (rtl/common/hw_channel.svh).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emit/shape.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

/// Which end of a channel a module is.
enum class End { kReceiver, kSender };

/// One wire of a channel.
struct Wire {
  std::string name;   ///< "vc"
  std::size_t width;  ///< bits of one lane
  bool forward;       ///< with the flits; else back to their sender
  bool feedback;      ///< what routing learns from: between routers only

  /// Whether the module at this end of the channel drives the wire.
  bool driven_by(End end) const { return forward == (end == End::kSender); }
  /// Its pin on a module that has `channel`: "out_vc_o".
  std::string pin(std::string_view channel, End end) const;
  /// All lanes as a net: "out_vc".
  std::string net(std::string_view channel) const;
};

/// The channels of routers of this shape: wires of flits and credits and, where routing learns from
/// its neighbours, of feedback.
std::vector<Wire> channel_wires(const RouterShape& shape);

/// The wires that the library's macros HW_CHANNEL and HW_CHANNEL_FEEDBACK declare in `header`, in
/// their order; no feedback if its bits are 0. Aborts on a line that it cannot read.
std::vector<Wire> parse_channel(std::string_view header, std::size_t vc_width,
                                std::size_t flit_bits, std::size_t feedback_bits);

/// A router's channels, and which end of each it is.
inline constexpr std::pair<const char*, End> kChannels[] = {{"in", End::kReceiver},
                                                            {"out", End::kSender}};
/// Their pins, with a lane for each of the lowest `ports` ports of a router.
std::vector<sv::Port> channel_ports(const RouterShape& shape, std::size_t ports,
                                    std::string_view in_comment, std::string_view out_comment);
/// Bits of a wire's vector of such a channel.
std::size_t vector_bits(const RouterShape& shape, const Wire& wire, std::size_t ports);

/// The net of a node on a pin of its router.
std::string router_net(const RouterShape& shape, const Wire& wire, std::string_view channel,
                       End end);

/// Lane `index` of a vector whose lanes have `width` bits.
std::string lane(std::string_view vector, std::size_t index, std::size_t width);
/// Bits of a vector from `first` on.
std::string slice(std::string_view vector, std::size_t first, std::size_t width);

}  // namespace hopwise::emit
