// SPDX-License-Identifier: Apache-2.0
// Dimension-order routing: deterministic, minimal, lowest dimension first. Dateline classes after
// Dally & Seitz, "Deadlock- free message routing in multiprocessor interconnection networks", IEEE
// Trans. Computers, 1987.
#include "routing/dor/dor.hpp"

#include <algorithm>

#include "routing/grid.hpp"

namespace hopwise::routing::dor {
namespace {

class Dor final : public RoutingRelation {
 public:
  Dor(const spec::NetworkSpec& spec, const topology::Topology& topology)
      : order_(topology),
        classes_(grid_vc_classes(spec, false)),
        classic_(spec, classes_),
        balanced_(spec.topology.has_wraparound() && dor::balanced(spec.routing)) {}

  std::string name() const override { return "dor"; }
  const std::vector<VcClass>& vc_classes() const override { return classes_; }
  bool acyclic() const override { return true; }
  bool in_order() const override {
    // Two VCs to choose from let a packet overtake.
    return !balanced_ && std::all_of(classes_.begin(), classes_.end(),
                                     [](const VcClass& c) { return c.count == 1; });
  }

  void moves(const Query& query, Moves& out) const override {
    out.clear();
    const auto hop = order_.next(query);
    if (!hop) return out.push(order_.ejection(query.dst));
    const VcMask vcs = balanced_ ? balanced(query, *hop) : classic_.mask(hop->step);
    out.push({hop->port, vcs, true, 0});
  }

 private:
  /// A packet that does not wrap chooses between the classes as it enters the ring and may step up
  /// to escape1 on its way, never down. One that has wrapped takes escape1 at once: this breaks the
  /// ring of escape0, and no packet crosses the wraparound channel in escape1.
  VcMask balanced(const Query& query, const DimensionOrder::Hop& hop) const {
    const VcMask escape0 = classes_[0].mask(), escape1 = classes_[1].mask();
    const auto& [dim, step, port] = hop;
    if (step.wraps) return escape0;
    // What travels + comes in at the port that leads -, and the other way round.
    if (query.in_port != DimensionOrder::port(dim, !step.plus)) return escape0 | escape1;
    if ((escape1 >> index(query.in_vc) & 1) != 0) return escape1;
    const unsigned behind_wraparound = step.plus ? 0 : order_.size(dim) - 1;
    return order_.coordinate(dim, query.at) == behind_wraparound ? escape1 : escape0 | escape1;
  }

  DimensionOrder order_;
  std::vector<VcClass> classes_;
  ClassicDateline classic_;
  bool balanced_;
};

constexpr std::array kVariants{Variant{"dor", "dimension order"}};
constexpr std::array<std::string_view, 2> kDatelines{"classic", "balanced"};
constexpr std::array kKeys{
    spec::Key{.path = "dateline",
              .names = kDatelines,
              .default_yaml = "classic",
              .doc = "`dor`: how packets of a torus are spread over the two escape classes: "
                     "`classic` changes at the wraparound link, `balanced` puts packets that do "
                     "not cross it in either. A mesh has no dateline."},
};

void complete(Request& request) {
  if (request.bad("dateline") || request.topology().has_wraparound() ||
      !balanced(request.network.routing))
    return;
  request.refuse("config.dateline-on-mesh", "dateline", "balanced", "classic on a mesh",
                 "a mesh has no wraparound link, and so no dateline");
}

}  // namespace

bool balanced(const spec::RoutingSpec& routing) {
  return routing.settings.word("dateline") == kDatelines[1];
}

constinit const Family kFamily{
    .name = "dor",
    .variants = kVariants,
    .keys = kKeys,
    .fits = [](const spec::TopologySpec& t, std::string_view) { return t.is_grid(); },
    .complete = complete,
    .vc_classes = [](const spec::TopologySpec& t,
                     const spec::RoutingSpec&) { return grid_class_names(t, false); },
    .relation = [](const spec::NetworkSpec& spec, const topology::Topology& topology)
        -> std::unique_ptr<RoutingRelation> { return std::make_unique<Dor>(spec, topology); },
    .unit = unit,
};

}  // namespace hopwise::routing::dor
