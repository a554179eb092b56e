// SPDX-License-Identifier: Apache-2.0
// Valiant's routing on tori and meshes: dimension order to a random router, and from there to the
// destination, each way on VCs of its own (Valiant & Brebner 1981; Dally & Towles, section 9.1).
//
// Packet classes: 0 as injected, 1 on the first way, 2 on the second. The relation does not know
// the intermediate: on the first way it allows whatever leads on to some router in dimension order.
#include "routing/valiant/valiant.hpp"

#include "routing/grid.hpp"

namespace hopwise::routing::valiant {
namespace {

constexpr unsigned kPacketClasses = 3;

std::vector<VcClass> class_names(const spec::TopologySpec& topology) {
  if (!topology.has_wraparound()) return {{"escape0", true}, {"second0", true}};
  return {{"escape0", true}, {"escape1", true}, {"second0", true}, {"second1", true}};
}

class Valiant final : public RoutingRelation {
 public:
  Valiant(const spec::NetworkSpec& spec, const topology::Topology& topology)
      : torus_(spec.topology.has_wraparound()),
        dims_(topology.dims()),
        order_(topology),
        classes_(with_counts(class_names(spec.topology), spec.routing.vcs_per_class)) {}

  std::string name() const override { return "valiant"; }
  const std::vector<VcClass>& vc_classes() const override { return classes_; }
  bool acyclic() const override { return true; }
  bool in_order() const override { return false; }
  unsigned num_packet_classes() const override { return kPacketClasses; }

  void moves(const Query& query, Moves& out) const override {
    out.clear();
    if (query.packet_class == 2) return second_way(query, out);
    const auto port = index(query.in_port);
    const bool injected = port >= 2 * order_.num_dims();
    const unsigned came = injected ? 0 : static_cast<unsigned>(port / 2);  // dimension
    if (!injected) go_on(query, came, port % 2 != 0, out);
    // Here the way along that dimension may end, and with it the first way.
    if (!injected && !aimed(query, came, port % 2 != 0, order_.coordinate(came, query.at))) return;
    second_way(query, out);
    for (unsigned dim = injected ? 0 : came + 1; dim < order_.num_dims(); ++dim) {
      for (unsigned to = 0; to < dims_[dim]; ++to) step(query, dim, to, out);
    }
  }

 private:
  VcMask mask(bool second, bool wraps) const {
    if (!torus_) return classes_[second ? 1 : 0].mask();
    return classes_[(second ? 2 : 0) + (wraps ? 0 : 1)].mask();
  }

  void second_way(const Query& query, Moves& out) const {
    const auto hop = order_.next(query);
    if (!hop) return out.push(order_.ejection(query.dst));
    out.push({hop->port, mask(true, hop->step.wraps), true, 2});
  }

  /// Whether the router before, on the VC class in which the packet stands, may have sent it to
  /// coordinate `to`.
  bool aimed(const Query& query, unsigned dim, bool plus, unsigned to) const {
    const unsigned size = dims_[dim], here = order_.coordinate(dim, query.at);
    const unsigned before = plus ? (here + size - 1) % size : (here + 1) % size;
    const Step back = minimal_step(torus_, size, before, to);
    if (back.arrived || back.plus != plus) return false;
    return !torus_ || back.wraps == ((mask(false, true) >> index(query.in_vc) & 1) != 0);
  }

  /// Further along the dimension in which it came, in the same direction.
  void go_on(const Query& query, unsigned dim, bool plus, Moves& out) const {
    for (unsigned to = 0; to < dims_[dim]; ++to) {
      if (aimed(query, dim, plus, to)) step(query, dim, to, out);
    }
  }

  void step(const Query& query, unsigned dim, unsigned to, Moves& out) const {
    const Step s = minimal_step(torus_, dims_[dim], order_.coordinate(dim, query.at), to);
    if (s.arrived) return;
    const Move move{DimensionOrder::port(dim, s.plus), mask(false, s.wraps), true, 1};
    if (!out.has(move)) out.push(move);
  }

  bool torus_;
  std::vector<unsigned> dims_;
  DimensionOrder order_;
  std::vector<VcClass> classes_;
};

constexpr std::array kVariants{Variant{"valiant", "dimension order through a random router"}};

}  // namespace

constinit const Family kFamily{
    .name = "valiant",
    .variants = kVariants,
    .fits = [](const spec::TopologySpec& t, std::string_view) { return t.is_grid(); },
    .vc_classes = [](const spec::TopologySpec& t,
                     const spec::RoutingSpec&) { return class_names(t); },
    .header =
        [](const spec::TopologySpec&, const spec::RoutingSpec&) {
          return topology::HeaderState{.packet_classes = kPacketClasses, .via = true};
        },
    .relation = [](const spec::NetworkSpec& spec, const topology::Topology& topology)
        -> std::unique_ptr<RoutingRelation> { return std::make_unique<Valiant>(spec, topology); },
    .unit = unit,
};

}  // namespace hopwise::routing::valiant
