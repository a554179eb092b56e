// SPDX-License-Identifier: Apache-2.0
#include "emit/channel.hpp"

#include <cstdio>
#include <cstdlib>
#include <regex>
#include <utility>

#include <fmt/format.h>

#include "emit/parts.hpp"

namespace hopwise::emit {

std::string Wire::pin(std::string_view channel, End end) const {
  return fmt::format("{}_{}_{}", channel, name, driven_by(end) ? 'o' : 'i');
}

std::string Wire::net(std::string_view channel) const {
  return fmt::format("{}_{}", channel, name);
}

std::vector<Wire> parse_channel(std::string_view header, std::size_t vc_width,
                                std::size_t flit_bits, std::size_t feedback_bits) {
  // "  FORWARD [(N)*VcWidth-1:0]  NAME``_vc_``F, \": direction, what a lane is as wide as, name.
  static const std::regex wire(
      R"( *(FORWARD|REVERSE) +\[\((N|WIDTH)\)(?:\*(\w+))?-1:0\] +NAME``_(\w+)_``[FR](?:, \\)?)");
  std::vector<Wire> wires;
  for (std::size_t at = 0; at < header.size();) {
    const std::size_t end = std::min(header.find('\n', at), header.size());
    const std::string line(header.substr(at, end - at));
    at = end + 1;
    if (!line.starts_with("  FORWARD") && !line.starts_with("  REVERSE")) continue;
    std::smatch part;
    const bool read = std::regex_match(line, part, wire);
    const std::string factor = read ? part[3].str() : "?";
    if (!factor.empty() && factor != "VcWidth" && factor != "FlitBits") {
      std::fprintf(stderr, "hw_channel.svh: not a wire: %s\n", line.c_str());
      std::abort();
    }
    const std::size_t width = part[2] == "WIDTH"    ? feedback_bits
                              : factor.empty()      ? 1
                              : factor == "VcWidth" ? vc_width
                                                    : flit_bits;
    if (width > 0) wires.push_back({part[4], width, part[1] == "FORWARD", part[2] == "WIDTH"});
  }
  return wires;
}

std::vector<Wire> channel_wires(const RouterShape& s) {
  return parse_channel(builtin_rtl().at("common/hw_channel.svh"), s.vc_width(), s.flit_bits,
                       s.feedback_bits);
}

std::size_t vector_bits(const RouterShape& s, const Wire& w, std::size_t ports) {
  return w.width * (w.feedback ? s.network_ports : ports);
}

std::vector<sv::Port> channel_ports(const RouterShape& s, std::size_t ports,
                                    std::string_view in_comment, std::string_view out_comment) {
  // Lanes of a tile's pins are picked by index, be there one.
  const auto range = ports == s.network_ports ? sv::vector_range : sv::range;
  std::vector<sv::Port> pins;
  for (const auto& [channel, end] : kChannels) {
    std::string_view comment = end == End::kReceiver ? in_comment : out_comment;
    for (const Wire& w : channel_wires(s)) {
      if (w.feedback) comment = "Feedback of network ports; bit 0: valid";
      pins.push_back({w.driven_by(end) ? "output" : "input", range(vector_bits(s, w, ports)),
                      w.pin(channel, end), std::string(std::exchange(comment, ""))});
    }
  }
  return pins;
}

std::string slice(std::string_view vector, std::size_t first, std::size_t width) {
  return width == 1 ? fmt::format("{}[{}]", vector, first)
                    : fmt::format("{}[{}+:{}]", vector, first, width);
}

std::string lane(std::string_view vector, std::size_t index, std::size_t width) {
  return slice(vector, index * width, width);
}

}  // namespace hopwise::emit
