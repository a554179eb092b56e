// SPDX-License-Identifier: Apache-2.0
// What a message interface writes into the head flits of its packets, in PacketFormat::message: the
// counterpart of rtl/common/hw_message.svh.
#pragma once

#include "spec/spec.hpp"
#include "support/bits.hpp"
#include "topology/packet_format.hpp"

namespace hopwise::topology {

/// From bit 0 up: code (of a response its status, of a request bit 0: GET), bytes of payload, id of
/// the request and its generation; and in requests alone window, key, offset in flits.
struct MessageFormat {
  static constexpr unsigned kCodeBits = 3, kGenerationBits = 4;
  unsigned bytes, id, window, offset;  ///< widths, as the constants

  unsigned bits() const {
    return kCodeBits + bytes + id + kGenerationBits + window + spec::kKeyBits + offset;
  }
};

/// Preconditions: a flit has a power of two of bytes and fewer than an offset reaches; packets have
/// payload.
inline MessageFormat message_format(const spec::TerminalSpec& terminal,
                                    const spec::PacketSpec& packet) {
  const unsigned flit_bytes = packet.flit_bits / 8;
  return {bits_for((packet.max_flits - overhead_flits(packet)) * flit_bytes + 1),
          bits_for(terminal.outstanding), bits_for(terminal.windows),
          spec::kOffsetBits - bits_for(flit_bytes)};
}

}  // namespace hopwise::topology
