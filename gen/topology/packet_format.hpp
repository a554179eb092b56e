// SPDX-License-Identifier: Apache-2.0
// Where the fields of a packet stand in its head flit. The generator, the RTL's parameters and the
// simulator's terminals all read this one description.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "spec/spec.hpp"
#include "support/ids.hpp"
#include "support/result.hpp"
#include "topology/topology.hpp"

namespace hopwise::topology {

/// Bits [lsb + width - 1 : lsb] of the head flit. width 0: the network does not need the field.
struct HeaderField {
  unsigned lsb = 0;
  unsigned width = 0;
};

/// Fields of head flits in memory: 64-bit words, bit 0 of the flit in bit 0 of the first.
inline void set_field(std::uint64_t* words, const HeaderField& field, std::uint64_t value) {
  if (field.width == 0) return;
  const std::uint64_t mask = (std::uint64_t{1} << field.width) - 1;
  const unsigned shift = field.lsb % 64;
  std::uint64_t* word = words + field.lsb / 64;
  word[0] = (word[0] & ~(mask << shift)) | (value & mask) << shift;
  if (shift + field.width > 64)
    word[1] = (word[1] & ~(mask >> (64 - shift))) | (value & mask) >> (64 - shift);
}

inline std::uint32_t get_field(const std::uint64_t* words, const HeaderField& field) {
  if (field.width == 0) return 0;
  std::uint64_t value = words[field.lsb / 64] >> (field.lsb % 64);
  if (field.lsb % 64 + field.width > 64)
    value |= words[field.lsb / 64 + 1] << (64 - field.lsb % 64);
  return static_cast<std::uint32_t>(value & ((std::uint64_t{1} << field.width) - 1));
}

/// What a routing keeps in the head flit; the router that decides writes it.
struct HeaderState {
  unsigned packet_classes = 1;
  bool via = false;       ///< the router or group through which a non-minimal path leads
  bool feedback = false;  ///< time of injection, and a latency that is reported back (DGB)
  bool source = false;    ///< routers read the source's coordinates
  /// times of the last hop, by which routers learn (q_routing, q_adaptive, q_par)
  bool timing = false;
  bool source_slot = false;  ///< routers read the source's terminal slot
  bool modes = false;        ///< packets say how they are routed (spec/mode.hpp)
  /// of the pending entry that an acknowledge looks for (dqn); with `timing` the age replaces the
  /// reward
  unsigned track_bits = 0;
};

/// Head flit layout.
///
/// `compact`, from bit 0, without gaps: destination coordinates (dimension 0 first), destination
/// terminal slot, length in flits, routing class, intermediate router's coordinates, times by which
/// routers learn, routing mode (3) and flow label (4) where packets have them, source coordinates,
/// source slot, time of arrival, hops (where they are limited), message class (2), congestion (2,
/// where it is controlled), message (that of a message interface, where terminals are such), bytes
/// of the tail (where streams have TKEEP), packet id (up to 16, at least 6), parity (where it is
/// kept); the rest of the head flit is payload.
///
/// `apenet` (128 bits; Lonardo 2019, section 3.3, where its text gives the place): destination x,
/// y, z [17:0], 6 bits each, destination slot [20:18], payload flits [29:21], proto [31:30] (0
/// regular, 1 acknowledge), packet id [40:32], source x, y, z [58:41], source slot [61:59], Pdor
/// [62], ReqAck [63], [127:64] remote virtual address or, of message interfaces, their fields.
struct PacketFormat {
  /// Times of day have more bits than the differences that are taken of them, which saturate: to
  /// look short a wait or a latency would have to last for 2^18 cycles.
  static constexpr unsigned kArrivalBits = 18, kRewardBits = 13, kAgeBits = 16, kStampBits = 18,
                            kLatencyBits = 14;
  static constexpr unsigned kModeBits = 3, kLabelBits = 4;

  spec::PacketFormatKind kind = spec::PacketFormatKind::kCompact;
  unsigned flit_bits = 128;
  std::vector<HeaderField> dst_coord;  ///< one per dimension
  HeaderField dst_slot;
  HeaderField length;          ///< holds flits - length_offset
  unsigned length_offset = 0;  ///< 0 compact; 2 apenet (header and footer are not counted)
  HeaderField routing_class;   ///< packet class of the routing relation; apenet: Pdor
  std::vector<HeaderField> src_coord;
  /// one per dimension, directly above routing_class; empty: no such field
  std::vector<HeaderField> via_coord;
  /// {index, generation (2), valid} of the last router's pending entry; above routing_class
  HeaderField track;
  /// time of injection, core cycles modulo 2^width; above via_coord
  HeaderField stamp;
  /// {latency, non-minimal, valid}; see rtl/routing/ugal/hw_bias_learner.sv
  HeaderField feedback;
  HeaderField reward;  ///< core cycles from input pins to input pins of the last hop, at most
                       ///< 2^width - 1; above feedback. The router that the packet leaves writes
                       ///< it. With `track`: the age, the sum over all hops modulo 2^width
  /// spec::Mode, written by the sender, as is what tells its flows apart, directly above. Nothing
  /// on the way rewrites them, and routing reads both, with the source above them.
  HeaderField mode, label;
  /// core cycle modulo 2^width in which the head came to the input pins
  HeaderField arrival;
  HeaderField src_slot;
  HeaderField message_class;  ///< AXI4-Stream tuser's class; apenet: proto
  /// {notification, marked}: of networks with congestion control; directly above message_class
  HeaderField congestion;
  /// of message interfaces: see MessageFormat; in compact above message_class and congestion
  HeaderField message;
  HeaderField tail_bytes;  ///< bytes of the tail that are the packet's, less 1: see terminal.tkeep
  HeaderField packet_id;   ///< injected packets of this source, modulo 2^width
  HeaderField hops;        ///< links between routers that the packet has crossed; routers count
  /// makes the number of ones even among the header's bits, but reward, arrival and the mark
  HeaderField parity;
  /// one above the highest field: from here on the head flit is payload
  unsigned header_bits = 0;
  /// routing reads bits [route_bits-1:0] of the head flit, no more
  unsigned route_bits = 0;

  /// Routing class, intermediate, stamp and feedback: what a routing decision may rewrite.
  HeaderField routing_state() const {
    HeaderField field = routing_class;
    for (const HeaderField& via : via_coord) field.width += via.width;
    field.width += track.width + stamp.width + feedback.width;
    return field;
  }
  /// All that routers rewrite, in place of which no packet is damaged: empty fields where they
  /// rewrite nothing.
  std::array<HeaderField, 6> rewritten() const {
    const bool state = kind == spec::PacketFormatKind::kCompact;
    return {state ? routing_state() : HeaderField{}, reward, arrival, hops, mark(), parity};
  }
  /// Bits of the head flit of which an even number is 1, bit 0 first; empty without parity. What a
  /// router writes into every head as it passes is not protected.
  std::vector<bool> parity_mask() const;
  /// The last router of a packet writes it.
  HeaderField mark() const { return {congestion.lsb, congestion.width / 2}; }
  HeaderField notification() const { return {congestion.lsb + 1, congestion.width / 2}; }
};

/// The layout for a network; an error where the fields do not fit the flit or, with `apenet`, the
/// fixed widths. `spec` must be otherwise valid; the diagnostic's place is left empty for the
/// caller to fill in.
Result<PacketFormat> make_packet_format(const spec::TopologySpec& topology,
                                        const spec::PacketSpec& packet, HeaderState state);

/// Flits of a packet that are no payload: a head, and the footer of `apenet`. The
/// shortest packet has no others.
inline unsigned overhead_flits(const spec::PacketSpec& packet) {
  return packet.format == spec::PacketFormatKind::kApenet ? 2 : 1;
}

}  // namespace hopwise::topology
