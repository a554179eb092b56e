// SPDX-License-Identifier: Apache-2.0
// Routers, terminals, channels and port maps of a network.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "support/ids.hpp"

namespace hopwise::topology {

/// A unidirectional channel between two routers (Dally & Towles, section 1.1).
struct Channel {
  RouterId src;
  PortId src_port;
  RouterId dst;
  PortId dst_port;
  unsigned latency_cycles = 1;  ///< output pins of src to input pins of dst, core cycles
  unsigned dim = 0;
  bool plus = true;             ///< direction of travel along `dim`
  bool wraparound = false;      ///< closes the ring (tori): from size-1 to 0, or from 0 to size-1
};

/// Torus or mesh. Port 2d of a router leads in direction + of dimension d, port 2d+1 in direction -; ports 2n and up
/// are terminals. What leaves through port 2d arrives at the neighbour's port 2d+1. Ports at a mesh's border have no
/// channel. A ring of two routers has both its + and its - channel.
class Topology {
 public:
  explicit Topology(const config::TopologySpec& spec, const config::LinkSpec& link);

  config::TopologyKind kind() const { return kind_; }
  const std::vector<unsigned>& dims() const { return dims_; }
  unsigned num_dims() const { return static_cast<unsigned>(dims_.size()); }
  std::size_t num_routers() const { return num_routers_; }
  std::size_t num_terminals() const { return num_routers_ * terminals_per_router_; }
  unsigned terminals_per_router() const { return terminals_per_router_; }
  unsigned network_ports() const { return 2 * num_dims(); }
  unsigned num_ports() const { return network_ports() + terminals_per_router_; }
  unsigned terminal_latency_cycles() const { return terminal_latency_; }

  const std::vector<Channel>& channels() const { return channels_; }
  const Channel& channel(ChannelId id) const { return channels_[index(id)]; }
  /// The channel that leaves (enters) a router through a network port; none at a mesh's border.
  std::optional<ChannelId> out_channel(RouterId router, PortId port) const { return lookup(out_, router, port); }
  std::optional<ChannelId> in_channel(RouterId router, PortId port) const { return lookup(in_, router, port); }

  unsigned coordinate(RouterId router, unsigned dim) const {
    return (static_cast<unsigned>(index(router)) / stride_[dim]) % dims_[dim];
  }
  RouterId router_at(const std::vector<unsigned>& coordinates) const;

  RouterId router_of(TerminalId terminal) const {
    return RouterId{static_cast<std::uint32_t>(index(terminal) / terminals_per_router_)};
  }
  unsigned slot_of(TerminalId terminal) const {
    return static_cast<unsigned>(index(terminal) % terminals_per_router_);
  }
  PortId port_of(TerminalId terminal) const { return PortId(network_ports() + slot_of(terminal)); }
  bool is_terminal_port(PortId port) const { return index(port) >= network_ports(); }

  /// Fewest router-to-router hops between two routers.
  unsigned distance(RouterId from, RouterId to) const;

  std::string name(RouterId router) const;    ///< "(1,2)"
  std::string name(ChannelId channel) const;  ///< "(1,2) -> (2,2) [+d0]"
  std::string port_name(PortId port) const;   ///< "+d0", "-d1", "t0"

 private:
  std::optional<ChannelId> lookup(const std::vector<std::uint32_t>& map, RouterId router, PortId port) const {
    if (is_terminal_port(port)) return std::nullopt;
    const auto id = map[index(router) * network_ports() + index(port)];
    return id == kNone ? std::nullopt : std::optional(ChannelId{id});
  }

  static constexpr std::uint32_t kNone = 0xffffffff;
  config::TopologyKind kind_;
  std::vector<unsigned> dims_;
  std::vector<unsigned> stride_;
  unsigned terminals_per_router_;
  unsigned terminal_latency_;
  std::size_t num_routers_ = 1;
  std::vector<Channel> channels_;
  std::vector<std::uint32_t> out_, in_;  // [router * network_ports + port] -> channel
};

}  // namespace hopwise::topology
