// SPDX-License-Identifier: Apache-2.0
#include "topology/packet_format.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "support/bits.hpp"

namespace hopwise::topology {

namespace {

constexpr unsigned kMinPacketIdBits = 6;
constexpr unsigned kMaxPacketIdBits = 16;
constexpr unsigned kApenetAddress = 64;  // from here on

Result<PacketFormat> compact(const spec::TopologySpec& topology, const spec::PacketSpec& packet,
                             HeaderState state) {
  PacketFormat f;
  f.flit_bits = packet.flit_bits;
  unsigned lsb = 0;
  const auto take = [&lsb](unsigned width) {
    const HeaderField field{lsb, width};
    lsb += width;
    return field;
  };
  for (unsigned size : topology.dims) f.dst_coord.push_back(take(bits_for(size)));
  f.dst_slot = take(bits_for(topology.terminals_per_router));
  f.length = take(packet.max_flits == 1 ? 0 : bits_for(packet.max_flits + 1));
  f.routing_class = take(bits_for(state.packet_classes));
  if (state.via) {
    for (unsigned size : topology.dims) f.via_coord.push_back(take(bits_for(size)));
  }
  f.track = take(state.track_bits);
  if (state.feedback) {
    f.stamp = take(PacketFormat::kStampBits);
    f.feedback = take(PacketFormat::kLatencyBits + 2);
  }
  if (state.timing)
    f.reward = take(state.track_bits > 0 ? PacketFormat::kAgeBits : PacketFormat::kRewardBits);
  if (state.modes) {
    f.mode = take(PacketFormat::kModeBits);
    f.label = take(PacketFormat::kLabelBits);
  }
  // Every VC of every input port holds the route bits in registers: fields that routing does not
  // read are above them.
  f.route_bits = lsb;
  for (unsigned size : topology.dims) f.src_coord.push_back(take(bits_for(size)));
  if (state.source) f.route_bits = lsb;
  f.src_slot = take(bits_for(topology.terminals_per_router));
  if (state.source_slot) f.route_bits = lsb;
  if (state.timing) f.arrival = take(PacketFormat::kArrivalBits);
  f.hops = take(packet.hop_limit == 0 ? 0 : bits_for(packet.hop_limit + 1));
  f.message_class = take(2);
  if (packet.congestion) f.congestion = take(2);
  f.message = take(packet.message_bits);
  if (packet.tkeep) f.tail_bytes = take(bits_for(packet.flit_bits / 8));
  const unsigned above = packet.header_parity ? 1 : 0;
  if (lsb + kMinPacketIdBits + above > packet.flit_bits) {
    return Diagnostic{
        .code = "config.flit-too-narrow",
        .where = {},
        .key = "packet.flit_bits",
        .found = fmt::format("{}", packet.flit_bits),
        .allowed = fmt::format(">= {} for this topology and packet length",
                               lsb + kMinPacketIdBits + above),
        .hint =
            packet.message_bits == 0
                ? "the head flit holds destination, length, source, class and packet id"
                : fmt::format("{} bits of the head flit are the message interface's: fewer with "
                              "less of terminal.outstanding and terminal.windows",
                              packet.message_bits)};
  }
  f.packet_id = take(std::min(kMaxPacketIdBits, packet.flit_bits - lsb - above));
  f.parity = take(above);
  f.header_bits = lsb;
  return f;
}

Result<PacketFormat> apenet(const spec::TopologySpec& topology, const spec::PacketSpec& packet,
                            HeaderState state) {
  Diagnostics errors;
  const auto refuse = [&errors](const char* key, std::string found, const char* allowed) {
    errors.push_back(
        {"config.apenet-field",
         {},
         key,
         std::move(found),
         allowed,
         "the header of packet.format apenet has fixed fields; compact has no such limit"});
  };
  if (packet.flit_bits != 128)
    refuse("packet.flit_bits", fmt::format("{}", packet.flit_bits),
           "128 with packet.format apenet");
  if (!topology.is_grid())
    refuse("packet.format", fmt::format("apenet on a {}", topology.kind),
           "compact; apenet is for tori and meshes");
  if (state.via)
    refuse("packet.format", "apenet with a routing through an intermediate router",
           "compact; apenet's header has no field for it");
  if (state.modes)
    refuse("packet.format", "apenet with routing.modes",
           "compact; apenet's header has no field for them");
  if (state.timing && topology.is_grid())
    refuse("packet.format", "apenet with a routing that learns from every hop",
           "compact; apenet's header has no field for it");
  if (state.packet_classes > 1 && !state.via && !state.timing)
    refuse("packet.format", "apenet with a routing whose packets have classes",
           "compact; apenet's header has no field that routers write");
  if (topology.dims.size() > 3)
    refuse("topology.dims", fmt::format("{} dimensions", topology.dims.size()),
           "1 to 3 dimensions with packet.format apenet");
  if (packet.header_parity)
    refuse("router.header_parity", "true with packet.format apenet",
           "false; apenet's header has no bit for it");
  if (packet.hop_limit > 0)
    refuse("router.hop_limit", fmt::format("{} with packet.format apenet", packet.hop_limit),
           "0; apenet's header has no field for it");
  if (packet.tkeep)
    refuse("terminal.tkeep", "true with packet.format apenet",
           "false; apenet's header has no field for it");
  if (packet.max_flits < 2 || packet.max_flits > 258)
    refuse("packet.max_flits", fmt::format("{}", packet.max_flits),
           "2 to 258 with packet.format apenet (header, 0 to 256 payload flits, footer)");
  if (kApenetAddress + packet.message_bits > packet.flit_bits && packet.flit_bits == 128)
    refuse("terminal.windows",
           fmt::format("{} bits of a message interface's fields", packet.message_bits),
           "64 with packet.format apenet: less of terminal.outstanding and terminal.windows");
  if (!errors.empty()) return errors;
  PacketFormat f;
  f.kind = spec::PacketFormatKind::kApenet;
  for (unsigned d = 0; d < topology.dims.size(); ++d) {
    f.dst_coord.push_back({6 * d, 6});
    f.src_coord.push_back({41 + 6 * d, 6});
  }
  f.dst_slot = {18, 3};
  f.length = {21, 9};
  f.length_offset = 2;
  f.message_class = {30, 2};
  f.packet_id = {32, 9};
  f.src_slot = {59, 3};
  f.routing_class = {62, 1};
  if (packet.message_bits > 0) f.message = {kApenetAddress, packet.message_bits};
  f.header_bits = kApenetAddress + packet.message_bits;
  f.route_bits = kApenetAddress;
  return f;
}

}  // namespace

std::vector<bool> PacketFormat::parity_mask() const {
  std::vector<bool> mask;
  if (parity.width == 0) return mask;
  mask.assign(header_bits, true);
  mask.resize(flit_bits, false);
  for (const HeaderField& field : {reward, arrival, mark()})
    std::fill_n(mask.begin() + field.lsb, field.width, false);
  return mask;
}

Result<PacketFormat> make_packet_format(const spec::TopologySpec& topology,
                                        const spec::PacketSpec& packet, HeaderState state) {
  return packet.format == spec::PacketFormatKind::kApenet ? apenet(topology, packet, state)
                                                          : compact(topology, packet, state);
}

}  // namespace hopwise::topology
