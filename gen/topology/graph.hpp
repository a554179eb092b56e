// SPDX-License-Identifier: Apache-2.0
// A network as data: what a kind of topology builds from its keys, and all that Hopwise knows of
// it.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/diagnostics.hpp"
#include "support/ids.hpp"

namespace hopwise::topology {

/// A network port of all routers of a shape. Network ports come first, then terminals.
struct NetworkPort {
  std::string name;         ///< "+d0", "l2", "up1"
  unsigned link_class = 0;  ///< of the channels that leave and enter through it
};

/// Routers of one shape are the same hardware.
struct RouterShape {
  std::vector<NetworkPort> network_ports;
  unsigned terminals = 0;
  std::string name = {};  ///< part of module names, where there are several: "leaf"
  unsigned num_network_ports() const { return static_cast<unsigned>(network_ports.size()); }
  unsigned num_ports() const { return num_network_ports() + terminals; }
};

/// A unidirectional channel between two routers (Dally & Towles, section 1.1). Every channel has
/// one in the opposite direction between the same ports. Credits and feedback go against it.
struct Joint {
  RouterId src;
  PortId src_port;
  RouterId dst;
  PortId dst_port;
  bool plus = true;         ///< direction of travel, in a grid
  bool wraparound = false;  ///< closes the ring of a grid's dimension
};

/// Means over all ordered pairs of terminals at different routers: fewest hops, and the core cycles
/// on the wires of such a path.
struct MeanPath {
  double hops = 0;
  double wire_cycles = 0;
};

/// How the report draws the network: in a way that it knows, or at places.
struct Layout {
  /// "slices": planes of a grid side by side; "circle": groups around a circle; "places"
  std::string drawing = "places";
  /// of every router, for "places": x to the right, y upward, in steps of a router's size
  std::vector<std::pair<double, double>> places = {};
  std::string caption = {};  ///< for "places": what stands where
};

struct Graph {
  /// Names of the classes of links, one per entry of link.latency_cycles: "dimension 0", "global".
  std::vector<std::string> link_classes;
  std::vector<RouterShape> shapes;
  struct Router {
    std::string name;  ///< "(1,2)", "g3.r1", "leaf2"
    unsigned shape = 0;
  };
  std::vector<Router> routers;  ///< in the order of their numbers
  std::vector<Joint> channels;
  Layout layout;
  /// From the latencies of the classes, if a formula is quicker than a search from every router.
  std::function<MeanPath(const std::vector<unsigned>& latency_cycles)> mean_path = {};
};

/// Errors of a graph: ports that a shape does not have or that two channels share, a router that no
/// channel reaches, too many ports. `key` is the user's place in the file.
Diagnostics graph_faults(const Graph& graph, const std::string& key);

inline constexpr unsigned kMaxPorts = 48;

}  // namespace hopwise::topology
