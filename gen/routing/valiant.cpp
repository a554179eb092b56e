// SPDX-License-Identifier: Apache-2.0
// Valiant's routing on tori and meshes: dimension order to a random router, and from there to the
// destination, each way on VCs of its own (Valiant & Brebner 1981; Dally & Towles, section 9.1).
//
// Packet classes: 0 as injected, 1 on the first way, 2 on the second. The relation does not know
// the intermediate: on the first way it allows whatever leads on to some router in dimension order.
#include "routing/algorithms.hpp"
#include "routing/dimension_order.hpp"

namespace hopwise::routing {
namespace {

class Valiant final : public RoutingRelation {
 public:
  Valiant(const spec::NetworkSpec& spec, const topology::Topology& topology)
      : kind_(spec.topology.kind), dims_(topology.dims()), order_(topology) {
    const bool torus = kind_ == spec::TopologyKind::kTorus;
    const char* names[] = {"escape0", "escape1", "second0", "second1"};
    unsigned first = 0;
    for (std::size_t i = 0; i < spec.routing.vcs_per_class.size(); ++i) {
      classes_.push_back({names[torus ? i : 2 * i], true, first, spec.routing.vcs_per_class[i]});
      first += spec.routing.vcs_per_class[i];
    }
  }

  std::string name() const override { return "valiant"; }
  const std::vector<VcClass>& vc_classes() const override { return classes_; }
  bool acyclic() const override { return true; }
  bool in_order() const override { return false; }
  unsigned num_packet_classes() const override { return 3; }

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
    if (kind_ != spec::TopologyKind::kTorus) return classes_[second ? 1 : 0].mask();
    return classes_[(second ? 2 : 0) + (wraps ? 0 : 1)].mask();
  }

  void second_way(const Query& query, Moves& out) const {
    const unsigned dim = order_.first_dim(query.at, query.dst);
    if (dim == order_.num_dims()) {
      out.push(order_.ejection(query.dst));
      return;
    }
    const Step& step = order_.step(dim, query.at, query.dst);
    out.push({DimensionOrder::port(dim, step.plus), mask(true, step.wraps), true, 2});
  }

  /// Whether the router before, on the VC class in which the packet stands, may have sent it to
  /// coordinate `to`.
  bool aimed(const Query& query, unsigned dim, bool plus, unsigned to) const {
    const unsigned size = dims_[dim], here = order_.coordinate(dim, query.at);
    const unsigned before = plus ? (here + size - 1) % size : (here + 1) % size;
    const Step back = minimal_step(kind_, size, before, to);
    if (back.arrived || back.plus != plus) return false;
    return kind_ != spec::TopologyKind::kTorus ||
           back.wraps == ((mask(false, true) >> index(query.in_vc) & 1) != 0);
  }

  /// Further along the dimension in which it came, in the same direction.
  void go_on(const Query& query, unsigned dim, bool plus, Moves& out) const {
    for (unsigned to = 0; to < dims_[dim]; ++to) {
      if (aimed(query, dim, plus, to)) step(query, dim, to, out);
    }
  }

  void step(const Query& query, unsigned dim, unsigned to, Moves& out) const {
    const Step s = minimal_step(kind_, dims_[dim], order_.coordinate(dim, query.at), to);
    if (s.arrived) return;
    const Move move{DimensionOrder::port(dim, s.plus), mask(false, s.wraps), true, 1};
    if (!out.has(move)) out.push(move);
  }

  spec::TopologyKind kind_;
  std::vector<unsigned> dims_;
  DimensionOrder order_;
  std::vector<VcClass> classes_;
};

}  // namespace

std::unique_ptr<RoutingRelation> make_valiant(const spec::NetworkSpec& spec,
                                              const topology::Topology& topology) {
  return std::make_unique<Valiant>(spec, topology);
}

}  // namespace hopwise::routing
