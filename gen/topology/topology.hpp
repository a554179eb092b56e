// SPDX-License-Identifier: Apache-2.0
// Routers, terminals, channels and port maps of a network.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spec/spec.hpp"
#include "support/ids.hpp"
#include "topology/dragonfly.hpp"

namespace hopwise::topology {

/// Which wires a channel is made of: channels of one class have one latency.
enum class ChannelKind : std::uint8_t { kDimension, kLocal, kGlobal };

/// A unidirectional channel between two routers (Dally & Towles, section 1.1).
struct Channel {
  RouterId src;
  PortId src_port;
  RouterId dst;
  PortId dst_port;
  unsigned latency_cycles = 1;  ///< output pins of src to input pins of dst, core cycles
  ChannelKind kind = ChannelKind::kDimension;
  unsigned dim = 0;         ///< torus, mesh
  bool plus = true;         ///< direction of travel along `dim`
  bool wraparound = false;  ///< closes the ring (tori): from size-1 to 0, or from 0 to size-1
};

/// Ports of a router: network ports first, then terminals. A router has coordinates, one per entry
/// of dims().
///
/// Torus or mesh: port 2d leads in direction + of dimension d, port 2d+1 in direction -. What
/// leaves through port 2d arrives at the neighbour's port 2d+1. Ports at a mesh's border have no
/// channel. A ring of two routers has both its + and its - channel.
///
/// Dragonfly: coordinates are {router in the group, group}, dims {a, g}; ports and links as class
/// Dragonfly says.
class Topology {
 public:
  explicit Topology(const spec::TopologySpec& spec, const spec::LinkSpec& link);

  const spec::TopologySpec& spec() const { return spec_; }
  bool is_grid() const { return spec_.is_grid(); }
  bool has_wraparound() const { return spec_.has_wraparound(); }
  bool has_groups() const { return spec_.has_groups(); }
  const std::vector<unsigned>& dims() const { return dims_; }
  unsigned num_dims() const { return static_cast<unsigned>(dims_.size()); }
  std::size_t num_routers() const { return num_routers_; }
  std::size_t num_terminals() const { return num_routers_ * terminals_per_router_; }
  unsigned terminals_per_router() const { return terminals_per_router_; }
  unsigned network_ports() const { return network_ports_; }
  unsigned num_ports() const { return network_ports() + terminals_per_router_; }
  unsigned terminal_latency_cycles() const { return terminal_latency_; }

  const std::vector<Channel>& channels() const { return channels_; }
  const Channel& channel(ChannelId id) const { return channels_[index(id)]; }
  /// The channel that leaves (enters) a router through a network port; none at a mesh's border.
  std::optional<ChannelId> out_channel(RouterId router, PortId port) const {
    return lookup(out_, router, port);
  }
  std::optional<ChannelId> in_channel(RouterId router, PortId port) const {
    return lookup(in_, router, port);
  }

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

  /// The arithmetic of a dragonfly. Precondition: kind() says it is one.
  const Dragonfly& dragonfly() const { return dragonfly_; }

  /// Latency of the channels at a network port, core cycles: the same at every router.
  unsigned port_latency_cycles(PortId port) const { return port_latency_[index(port)]; }

  /// Fewest router-to-router hops between two routers; in a dragonfly, of the paths with at most
  /// one global channel (two global channels in a row can be shorter than local, global, local, but
  /// no routing calls that minimal).
  unsigned distance(RouterId from, RouterId to) const;
  /// Means over all ordered pairs of different routers: fewest hops, and the core cycles on the
  /// wires of such a path (in a dragonfly with several links between two groups, over link 0).
  struct MeanPath {
    double hops = 0;
    double wire_cycles = 0;
  };
  MeanPath mean_minimal_path() const;

  std::string name(RouterId router) const;    ///< "(1,2)"; "g3.r1" in a dragonfly
  std::string name(ChannelId channel) const;  ///< "(1,2) -> (2,2) [+d0]"
  std::string port_name(PortId port) const;   ///< "+d0", "-d1", "t0"; "l2", "g1" in a dragonfly

 private:
  void join_grid(const spec::LinkSpec& link);
  void join_dragonfly(const spec::LinkSpec& link);
  void add(const Channel& channel);
  unsigned ring_distance(unsigned dim, unsigned from, unsigned to) const;
  std::optional<ChannelId> lookup(const std::vector<std::uint32_t>& map, RouterId router,
                                  PortId port) const {
    if (is_terminal_port(port)) return std::nullopt;
    const auto id = map[index(router) * network_ports() + index(port)];
    return id == kNone ? std::nullopt : std::optional(ChannelId{id});
  }

  static constexpr std::uint32_t kNone = 0xffffffff;
  spec::TopologySpec spec_;
  std::vector<unsigned> dims_;
  std::vector<unsigned> stride_;
  unsigned terminals_per_router_;
  unsigned terminal_latency_;
  Dragonfly dragonfly_;
  unsigned network_ports_ = 0;
  std::vector<unsigned> port_latency_;
  std::size_t num_routers_ = 1;
  std::vector<Channel> channels_;
  std::vector<std::uint32_t> out_, in_;  // [router * network_ports + port] -> channel
};

}  // namespace hopwise::topology
