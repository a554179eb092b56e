// SPDX-License-Identifier: Apache-2.0
// Numbers of the resources that packets hold and wait for: the vertices of the channel dependency
// graph.
#pragma once

#include <array>
#include <cstdint>

#include "support/ids.hpp"
#include "topology/topology.hpp"

namespace hopwise::deadlock {

using Vertex = std::uint32_t;

/// Buffers (the input buffer of a (channel, VC), with its link), then injection queues, ejection
/// queues, and, where the router has them, the output queues in front of the buffers. Injection
/// queues are sources and ejection queues sinks (a terminal always drains), so neither lies on a
/// cycle; they are vertices all the same.
class Resources {
 public:
  Resources(const topology::Topology& topology, unsigned vcs, bool output_queues)
      : vcs_(vcs),
        buffers_(static_cast<Vertex>(topology.channels().size() * vcs)),
        terminals_(static_cast<Vertex>(topology.num_terminals())),
        output_queues_(output_queues) {}

  unsigned vcs() const { return vcs_; }
  Vertex num_buffers() const { return buffers_; }
  /// Buffers and injection queues: where a packet stands when it asks the routing relation.
  Vertex num_holders() const { return buffers_ + terminals_; }
  Vertex num_vertices() const {
    return buffers_ + 2 * terminals_ + (output_queues_ ? buffers_ : 0);
  }
  bool output_queues() const { return output_queues_; }

  Vertex buffer(ChannelId channel, unsigned vc) const {
    return static_cast<Vertex>(index(channel)) * vcs_ + vc;
  }
  Vertex injection(TerminalId terminal) const {
    return buffers_ + static_cast<Vertex>(index(terminal));
  }
  Vertex ejection(TerminalId terminal) const {
    return num_holders() + static_cast<Vertex>(index(terminal));
  }
  Vertex output_queue(Vertex buffer) const { return num_holders() + terminals_ + buffer; }
  /// What a packet must get first on its way into a buffer.
  Vertex entry(Vertex buffer) const { return output_queues_ ? output_queue(buffer) : buffer; }

  bool is_buffer(Vertex v) const { return v < buffers_; }
  ChannelId channel_of(Vertex buffer) const { return ChannelId{buffer / vcs_}; }
  VcId vc_of(Vertex buffer) const { return VcId{static_cast<std::uint8_t>(buffer % vcs_)}; }

 private:
  unsigned vcs_;
  Vertex buffers_;
  Vertex terminals_;
  bool output_queues_;
};

/// A set of requests that a packet makes at one router: bit port * vcs + vc of a network port, then
/// one bit per terminal.
using RequestBits = std::array<std::uint64_t, 8>;  // 31 network ports x 16 VCs + 16 terminals fit

}  // namespace hopwise::deadlock
