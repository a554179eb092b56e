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
    const bool escaped = on_escape(query), minimal = rule_.last == LastHops::kMinimal;
    const bool any = query.packet_class < rule_.max_hops && !escaped;
    const unsigned passed = escaped && minimal ? rule_.max_hops : query.packet_class + 1;
    const auto next = static_cast<std::uint8_t>(std::min(passed, rule_.max_hops));
    if (any) {
      for (unsigned p = 0; p < network_ports_; ++p)
        out.push({PortId(static_cast<std::uint16_t>(p)), adaptive_, false, next});
    } else if (minimal) {
      for (unsigned dim = 0; dim < order_.num_dims(); ++dim) {
        const Step& step = order_.step(dim, query.at, query.dst);
        if (step.arrived) continue;
        for (const bool plus : {false, true}) {
          if (plus == step.plus || step.tie)
            out.push({DimensionOrder::port(dim, plus), adaptive_, false, next});
        }
      }
    } else if (!escaped && rule_.last == LastHops::kDimensionOrder) {
      out.push({hop->port, adaptive_, false, next});
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
