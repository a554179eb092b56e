// SPDX-License-Identifier: Apache-2.0
// Dragonflies (Kim et al. 2008), and their arithmetic: which router, port and group meet. The
// topology, the routing relations and the RTL's parameters all follow from these few functions.
#pragma once

#include <optional>

#include "topology/kind.hpp"

namespace hopwise::topology {

extern const Kind kDragonfly;

/// Which group a global port leads to (Hastings et al. 2015; Camarero et al. 2014).
enum class GlobalArrangement { kAbsolute, kPalmtree, kCirculant };

/// dfly(p, a, h, g) of Kim et al. 2008; p is TopologySpec::terminals_per_router.
struct DragonflySpec {
  unsigned routers_per_group = 0;     ///< a
  unsigned global_ports = 0;          ///< h, per router
  unsigned groups = 0;                ///< g, 2 to a*h + 1
  unsigned links_per_group_pair = 1;  ///< l, l * (g - 1) <= a*h
  /// 1: fully connected group; else rows of a 2-D all-to-all (Cray Cascade)
  unsigned group_rows = 1;
  GlobalArrangement arrangement = GlobalArrangement::kAbsolute;
  unsigned column_links = 1;  ///< between two routers of a column
};

bool is_dragonfly(const spec::TopologySpec& topology);
/// Precondition: is_dragonfly.
DragonflySpec dragonfly_spec(const spec::TopologySpec& topology);
spec::TopologySpec dragonfly(const DragonflySpec& numbers, unsigned terminals_per_router);

/// Link classes of a dragonfly.
inline constexpr unsigned kLocalLinks = 0, kGlobalLinks = 1;

/// dfly(p, a, h, g). Ports of a router: local ones first, then h global ones, then p terminals.
///
/// Local ports lead to the other routers of the group in ascending order of their number. With
/// group_rows > 1, router r = row * columns + column, the first columns - 1 lead along its row, the
/// next (rows - 1) * column_links along its column, those to one router side by side.
///
/// Global links: port j of router r is the group's global port k = r * h + j. Copy c = k div (g-1)
/// of the links has one to every other group; within it, with k' = k mod (g-1), group i's port k'
/// leads to
///   absolute:  group k' (k' < i) or k' + 1,
///   palmtree:  group i - k' - 1 (modulo g),
///   circulant: group i + 1, i - 1, i + 2, i - 2, ... (modulo g) for k' = 0, 1, 2, 3, ...
/// (Hastings et al., CLUSTER 2015; Camarero et al., ACM TACO 2014). Ports from l * (g-1) on have no
/// link.
class Dragonfly {
 public:
  /// Precondition: is_dragonfly.
  explicit Dragonfly(const spec::TopologySpec& topology) : Dragonfly(dragonfly_spec(topology)) {}
  explicit Dragonfly(const DragonflySpec& spec)
      : spec_(spec),
        columns_(spec.group_rows == 0 ? 0 : spec.routers_per_group / spec.group_rows) {}

  unsigned routers_per_group() const { return spec_.routers_per_group; }
  unsigned groups() const { return spec_.groups; }
  unsigned links_per_group_pair() const { return spec_.links_per_group_pair; }
  unsigned columns() const { return columns_; }
  unsigned row_ports() const { return columns_ - 1; }
  unsigned column_links() const { return spec_.column_links; }
  unsigned local_ports() const { return row_ports() + (spec_.group_rows - 1) * spec_.column_links; }
  unsigned network_ports() const { return local_ports() + spec_.global_ports; }
  bool is_local(unsigned port) const { return port < local_ports(); }

  /// The router of the same group behind a local port.
  unsigned neighbour(unsigned router, unsigned port) const;
  /// The local port on the minimal way to another router of the group; along the row first. `copy`:
  /// which of the links to it, below links_to.
  unsigned local_port(unsigned router, unsigned to, unsigned copy = 0) const;
  /// Which of the links to the router behind a local port.
  unsigned link_number(unsigned port) const {
    return port < row_ports() ? 0 : (port - row_ports()) % spec_.column_links;
  }
  /// The links on that way's next hop.
  unsigned links_to(unsigned router, unsigned to) const {
    return to % columns_ == router % columns_ ? spec_.column_links : 1;
  }
  /// Local hops between two routers of a group.
  unsigned local_distance(unsigned from, unsigned to) const;

  /// Fewest hops between two routers of the network, of the paths with at most one global channel
  /// (two in a row can be shorter than local, global, local, but no routing calls that minimal).
  unsigned distance(unsigned from, unsigned to) const;

  struct End {
    unsigned router = 0;  ///< in its group
    unsigned port = 0;    ///< of that router
  };
  /// The end in group `from` of link number `copy` to group `to`.
  End global_end(unsigned from, unsigned to, unsigned copy) const;
  /// Group and link number behind a global port; none where the port has no link.
  struct Peer {
    unsigned group = 0;
    unsigned copy = 0;
  };
  std::optional<Peer> peer(unsigned group, unsigned router, unsigned port) const;

 private:
  unsigned position(unsigned from, unsigned to) const;  // k' of the link from one group to another

  DragonflySpec spec_;
  unsigned columns_;
};

}  // namespace hopwise::topology
