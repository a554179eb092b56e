// SPDX-License-Identifier: Apache-2.0
// Minimal steps of tori and meshes, one dimension at a time: what the relations that route by
// coordinates share.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "routing/family.hpp"
#include "topology/topology.hpp"

namespace hopwise::routing {

/// The way from coordinate c to coordinate t of one dimension.
struct Step {
  bool arrived = true;  ///< c == t; the other members mean nothing then
  bool plus = false;    ///< travels in direction +
  bool wraps = false;   ///< the way from c on crosses the wraparound channel (tori)
  bool tie = false;     ///< the other direction is as short
};

/// The minimal step; where both directions of a ring are equally long, + from even and - from odd
/// coordinates, which loads both directions alike.
Step minimal_step(bool wraparound, unsigned size, unsigned from, unsigned to);

/// The steps of a whole network in tables: routers and terminals by number, no division when asked.
/// Holds no reference to the topology.
class DimensionOrder {
 public:
  explicit DimensionOrder(const topology::Topology& topology);

  unsigned num_dims() const { return num_dims_; }
  const Step& step(unsigned dim, RouterId at, TerminalId dst) const {
    const Ring& ring = rings_[dim];
    return ring.steps[routers_[index(at)][dim] * ring.size + terminals_[index(dst)][dim]];
  }
  struct Hop {
    unsigned dim = 0;
    Step step;
    PortId port{};
  };
  /// The hop in the lowest dimension in which the packet's router and the destination's differ;
  /// none at the destination router.
  std::optional<Hop> next(const Query& query) const {
    for (unsigned dim = 0; dim < num_dims_; ++dim) {
      const Step& s = step(dim, query.at, query.dst);
      if (!s.arrived) return Hop{dim, s, port(dim, s.plus)};
    }
    return std::nullopt;
  }
  unsigned coordinate(unsigned dim, RouterId at) const { return routers_[index(at)][dim]; }
  unsigned size(unsigned dim) const { return rings_[dim].size; }
  static PortId port(unsigned dim, bool plus) {
    return PortId(static_cast<std::uint16_t>(2 * dim + (plus ? 0 : 1)));
  }
  /// The only candidate at the destination router: its terminal's port, on the one VC of an
  /// ejection channel.
  Move ejection(TerminalId dst) const {
    const auto slot = index(dst) % terminals_per_router_;
    return {PortId(static_cast<std::uint16_t>(2 * num_dims_ + slot)), VcMask{1}, true, 0};
  }

 private:
  static constexpr unsigned kMaxDims = 4;
  using Coordinates = std::array<std::uint8_t, kMaxDims>;
  struct Ring {
    unsigned size = 0;
    std::vector<Step> steps;  // [from * size + to]
  };

  unsigned num_dims_;
  unsigned terminals_per_router_;
  std::vector<Ring> rings_;
  std::vector<Coordinates> routers_;
  std::vector<Coordinates> terminals_;
};

/// The VC classes of a network, counts not set: the escape classes (two dateline classes on tori,
/// one on meshes), then `adaptive` if asked for.
std::vector<VcClass> grid_class_names(const spec::TopologySpec& topology, bool adaptive);
/// The same with the counts of `spec.routing.vcs_per_class`.
std::vector<VcClass> grid_vc_classes(const spec::NetworkSpec& spec, bool adaptive);

/// Default of the most hops that a packet makes before it goes in dimension order: twice the
/// diameter.
unsigned default_max_hops(const spec::TopologySpec& topology);
/// Packet classes have 6 bits.
inline constexpr unsigned kMostHops = 62;

/// Masks of the escape classes by Dally and Seitz's rule: on a torus escape0 before the wraparound
/// channel and on it, escape1 where the remaining way does not wrap.
class ClassicDateline {
 public:
  ClassicDateline(const spec::NetworkSpec& spec, const std::vector<VcClass>& classes)
      : wrapping_(classes[0].mask()),
        straight_(classes[spec.topology.has_wraparound() ? 1 : 0].mask()) {}
  VcMask mask(const Step& step) const { return step.wraps ? wrapping_ : straight_; }

 private:
  VcMask wrapping_;
  VcMask straight_;
};

}  // namespace hopwise::routing
