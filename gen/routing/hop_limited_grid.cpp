// SPDX-License-Identifier: Apache-2.0
#include "routing/hop_limited_grid.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "routing/grid.hpp"

namespace hopwise::routing {
namespace {

class HopLimitedGrid final : public RoutingRelation {
 public:
  HopLimitedGrid(const spec::NetworkSpec& spec, const topology::Topology& topology, HopLimit rule)
      : order_(topology),
        classes_(grid_vc_classes(spec, true)),
        escape_(spec, classes_),
        adaptive_(classes_.back().mask()),
        network_ports_(topology.network_ports()),
        name_(spec.routing.algorithm),
        rule_(rule) {}

  std::string name() const override { return name_; }
  const std::vector<VcClass>& vc_classes() const override { return classes_; }
  bool acyclic() const override { return false; }
  bool in_order() const override { return false; }
  unsigned num_packet_classes() const override { return rule_.max_hops + 1; }

  void moves(const Query& query, Moves& out) const override {
    out.clear();
    const auto hop = order_.next(query);
    if (!hop) return out.push(order_.ejection(query.dst));
    // One for all candidates: the head is written once, whichever of them is taken.
    const auto next = static_cast<std::uint8_t>(std::min(query.packet_class + 1, rule_.max_hops));
    if (!on_escape(query)) {
      for (unsigned p = 0; p < network_ports_; ++p) {
        const auto port = PortId(static_cast<std::uint16_t>(p));
        if (query.packet_class < rule_.max_hops || (port == hop->port && !rule_.escape_last))
          out.push({port, adaptive_, false, next});
      }
    }
    out.push({hop->port, escape_.mask(hop->step), true, next});
  }

 private:
  bool on_escape(const Query& query) const {
    return index(query.in_port) < network_ports_ && (adaptive_ >> index(query.in_vc) & 1) == 0;
  }

  DimensionOrder order_;
  std::vector<VcClass> classes_;
  ClassicDateline escape_;
  VcMask adaptive_;
  unsigned network_ports_;
  std::string name_;
  HopLimit rule_;
};

}  // namespace

std::unique_ptr<RoutingRelation> make_hop_limited_grid(const spec::NetworkSpec& spec,
                                                       const topology::Topology& topology,
                                                       HopLimit rule) {
  return std::make_unique<HopLimitedGrid>(spec, topology, rule);
}

}  // namespace hopwise::routing
