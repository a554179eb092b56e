// SPDX-License-Identifier: Apache-2.0
// Routers, terminals, channels and port maps of a network, whatever its kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spec/spec.hpp"
#include "support/ids.hpp"
#include "topology/graph.hpp"
#include "topology/kind.hpp"

namespace hopwise::topology {

/// A unidirectional channel between two routers (Dally & Towles, section 1.1).
struct Channel : Joint {
  unsigned latency_cycles = 1;  ///< output pins of src to input pins of dst, core cycles
  unsigned link_class = 0;      ///< channels of one class have one latency
};

/// A network of routers of one or several shapes. Ports of a router: network ports first, then its
/// terminals. A router has coordinates, one per entry of dims(): its number with these sizes as
/// digits, the first the least. Terminals are numbered router by router.
class Topology {
 public:
  /// Precondition: a validated `spec` of one of `kinds`, whose graph has no faults.
  Topology(Kinds kinds, const spec::TopologySpec& spec, const spec::LinkSpec& link);

  const spec::TopologySpec& spec() const { return spec_; }
  bool is_grid() const { return spec_.is_grid(); }
  bool has_wraparound() const { return spec_.has_wraparound(); }
  bool has_groups() const { return spec_.has_groups(); }
  const std::vector<unsigned>& dims() const { return spec_.dims; }
  unsigned num_dims() const { return static_cast<unsigned>(dims().size()); }

  std::size_t num_routers() const { return graph_.routers.size(); }
  std::size_t num_terminals() const { return router_of_.size(); }

  const std::vector<RouterShape>& shapes() const { return graph_.shapes; }
  unsigned shape_index(RouterId router) const { return graph_.routers[index(router)].shape; }
  const RouterShape& shape(RouterId router) const { return graph_.shapes[shape_index(router)]; }
  unsigned network_ports(RouterId router) const { return shape(router).num_network_ports(); }
  unsigned num_ports(RouterId router) const { return shape(router).num_ports(); }
  /// The most that a router has. Of a network of one shape: what every router has.
  unsigned network_ports() const { return network_ports_; }
  unsigned num_ports() const { return num_ports_; }
  unsigned terminals_per_router() const { return terminals_per_router_; }

  unsigned terminals_at(RouterId router) const { return shape(router).terminals; }
  TerminalId terminal_at(RouterId router, unsigned slot) const {
    return TerminalId{first_terminal_[index(router)] + slot};
  }
  /// One terminal of each router that has any.
  const std::vector<TerminalId>& first_terminals() const { return first_terminals_; }
  RouterId router_of(TerminalId terminal) const { return router_of_[index(terminal)]; }
  unsigned slot_of(TerminalId terminal) const {
    return static_cast<unsigned>(index(terminal)) - first_terminal_[index(router_of(terminal))];
  }
  PortId port_of(TerminalId terminal) const {
    return PortId(
        static_cast<std::uint16_t>(network_ports(router_of(terminal)) + slot_of(terminal)));
  }
  bool is_terminal_port(RouterId router, PortId port) const {
    return index(port) >= network_ports(router);
  }

  const std::vector<Channel>& channels() const { return channels_; }
  const Channel& channel(ChannelId id) const { return channels_[index(id)]; }
  /// The channel that leaves (enters) a router through a network port; none where nothing is joined
  /// to the port, as at a mesh's border.
  std::optional<ChannelId> out_channel(RouterId router, PortId port) const {
    return lookup(out_, router, port);
  }
  std::optional<ChannelId> in_channel(RouterId router, PortId port) const {
    return lookup(in_, router, port);
  }
  const std::vector<std::string>& link_classes() const { return graph_.link_classes; }
  unsigned terminal_latency_cycles() const { return terminal_latency_; }
  /// Latency of the channels at a port of all routers of a shape, core cycles; terminals' too.
  unsigned port_latency_cycles(const RouterShape& shape, PortId port) const {
    return index(port) < shape.num_network_ports()
               ? class_latency_[shape.network_ports[index(port)].link_class]
               : terminal_latency_;
  }

  unsigned coordinate(RouterId router, unsigned dim) const {
    return (static_cast<unsigned>(index(router)) / stride_[dim]) % dims()[dim];
  }
  RouterId router_at(const std::vector<unsigned>& coordinates) const;

  /// Fewest hops between routers. O(routers).
  unsigned distance(RouterId from, RouterId to) const;
  /// Of the paths that the kind calls minimal.
  MeanPath mean_minimal_path() const;

  const Layout& layout() const { return graph_.layout; }
  const std::string& name(RouterId router) const { return graph_.routers[index(router)].name; }
  std::string name(ChannelId channel) const;                  ///< "(1,2) -> (2,2) [+d0]"
  std::string port_name(RouterId router, PortId port) const;  ///< "+d0", "l2", "t0"

 private:
  std::vector<unsigned> distances_from(RouterId router, std::vector<double>& wire_cycles) const;
  std::optional<ChannelId> lookup(const std::vector<std::uint32_t>& map, RouterId router,
                                  PortId port) const {
    if (is_terminal_port(router, port)) return std::nullopt;
    const auto id = map[index(router) * network_ports_ + index(port)];
    return id == kNone ? std::nullopt : std::optional(ChannelId{id});
  }

  static constexpr std::uint32_t kNone = 0xffffffff;
  spec::TopologySpec spec_;
  Graph graph_;
  std::vector<unsigned> stride_;
  std::vector<unsigned> class_latency_;
  unsigned terminal_latency_;
  unsigned network_ports_ = 0, num_ports_ = 0, terminals_per_router_ = 0;
  std::vector<Channel> channels_;
  std::vector<std::uint32_t> out_, in_;        // [router * network_ports + port] -> channel
  std::vector<std::uint32_t> first_terminal_;  // of each router; that of the next where it has none
  std::vector<TerminalId> first_terminals_;
  std::vector<RouterId> router_of_;
};

}  // namespace hopwise::topology
