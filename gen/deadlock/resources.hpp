// SPDX-License-Identifier: Apache-2.0
// Numbers of the resources that packets hold and wait for: the vertices of the channel dependency
// graph.
#pragma once

#include <array>
#include <cstdint>

#include "spec/spec.hpp"
#include "support/ids.hpp"
#include "topology/topology.hpp"

namespace hopwise::deadlock {

using Vertex = std::uint32_t;

/// Buffers (the input buffer of a (channel, VC), with its link), then injection queues, ejection
/// queues, one of each for every terminal and message class, and, where the router has them, the
/// output queues in front of the buffers. Injection queues are sources and ejection queues sinks,
/// and so lie on no cycle, where terminals always drain; where they reply, the one leads to the
/// other.
class Resources {
 public:
  Resources(const topology::Topology& topology, const spec::RouterSpec& router)
      : vcs_(router.vcs),
        classes_(router.num_message_classes()),
        class_vcs_(router.message_class_vcs()),
        buffers_(static_cast<Vertex>(topology.channels().size() * vcs_)),
        queues_(static_cast<Vertex>(topology.num_terminals() * classes_)),
        output_queues_(router.output_queue_flits > 1) {}

  unsigned vcs() const { return vcs_; }
  unsigned message_classes() const { return classes_; }
  unsigned message_class(unsigned vc) const { return vc / class_vcs_; }
  /// Of injection and ejection queues and of buffers.
  unsigned message_class_of(Vertex v) const {
    return is_buffer(v) ? message_class(v % vcs_) : (v - buffers_) % classes_;
  }
  /// The only VC of an ejection channel that a message class has.
  unsigned ejection_vc(unsigned message_class) const { return message_class * class_vcs_; }
  /// The VCs of a message class.
  VcMask mask(unsigned message_class) const {
    return ((VcMask{1} << class_vcs_) - 1) << message_class * class_vcs_;
  }
  Vertex num_buffers() const { return buffers_; }
  /// Buffers and injection queues: where a packet stands when it asks the routing relation.
  Vertex num_holders() const { return buffers_ + queues_; }
  Vertex num_vertices() const { return buffers_ + 2 * queues_ + (output_queues_ ? buffers_ : 0); }
  bool output_queues() const { return output_queues_; }

  Vertex buffer(ChannelId channel, unsigned vc) const {
    return static_cast<Vertex>(index(channel)) * vcs_ + vc;
  }
  Vertex injection(TerminalId terminal, unsigned message_class) const {
    return buffers_ + static_cast<Vertex>(index(terminal)) * classes_ + message_class;
  }
  Vertex ejection(TerminalId terminal, unsigned message_class) const {
    return injection(terminal, message_class) + queues_;
  }
  Vertex output_queue(Vertex buffer) const { return num_holders() + queues_ + buffer; }
  /// What a packet must get first on its way into a buffer.
  Vertex entry(Vertex buffer) const { return output_queues_ ? output_queue(buffer) : buffer; }

  bool is_buffer(Vertex v) const { return v < buffers_; }
  bool is_injection(Vertex v) const { return v >= buffers_ && v < num_holders(); }
  bool is_output_queue(Vertex v) const { return v >= num_holders() + queues_; }
  /// Of an injection or ejection queue.
  TerminalId terminal_of(Vertex v) const { return TerminalId{(v - buffers_) % queues_ / classes_}; }
  ChannelId channel_of(Vertex buffer) const { return ChannelId{buffer / vcs_}; }
  VcId vc_of(Vertex buffer) const { return VcId{static_cast<std::uint8_t>(buffer % vcs_)}; }

 private:
  unsigned vcs_, classes_;
  unsigned class_vcs_;
  Vertex buffers_;
  Vertex queues_;  // injection queues; ejection queues are as many
  bool output_queues_;
};

/// A set of requests that a packet makes at one router: bit port * vcs + vc of a network port, then
/// one bit per terminal and message class.
using RequestBits = std::array<std::uint64_t, topology::kMaxPorts * kMaxVcs / 64>;

}  // namespace hopwise::deadlock
