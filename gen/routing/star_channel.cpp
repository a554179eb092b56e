// SPDX-License-Identifier: Apache-2.0
// Fully adaptive minimal routing: any adaptive VC in any dimension left to correct, and the
// dimension-order channel as escape. Gravano, Pifarre, Berman & Sanz, "Adaptive deadlock- and
// livelock-free routing with all minimal paths in torus networks", IEEE Trans. Parallel and
// Distributed Systems, 1994; proof by Duato's condition.
#include "routing/algorithms.hpp"
#include "routing/dimension_order.hpp"

namespace hopwise::routing {
namespace {

class StarChannel final : public RoutingRelation {
 public:
  StarChannel(const spec::NetworkSpec& spec, const topology::Topology& topology)
      : order_(topology),
        classes_(make_vc_classes(spec, true)),
        escape_(spec, classes_),
        adaptive_(classes_.back().mask()) {}

  std::string name() const override { return "star_channel"; }
  const std::vector<VcClass>& vc_classes() const override { return classes_; }
  bool acyclic() const override { return false; }
  bool in_order() const override { return false; }

  void moves(const Query& query, Moves& out) const override {
    out.clear();
    for (unsigned dim = 0; dim < order_.num_dims(); ++dim) {
      const Step& step = order_.step(dim, query.at, query.dst);
      if (!step.arrived) out.push({DimensionOrder::port(dim, step.plus), adaptive_, false, 0});
    }
    const unsigned dim = order_.first_dim(query.at, query.dst);
    if (dim == order_.num_dims()) {
      out.push(order_.ejection(query.dst));
      return;
    }
    // The class depends on the place and the destination alone, so a packet may leave the escape
    // channels and come back to them anywhere.
    const Step& step = order_.step(dim, query.at, query.dst);
    out.push({DimensionOrder::port(dim, step.plus), escape_.mask(step), true, 0});
  }

 private:
  DimensionOrder order_;
  std::vector<VcClass> classes_;
  ClassicDateline escape_;
  VcMask adaptive_;
};

}  // namespace

std::unique_ptr<RoutingRelation> make_star_channel(const spec::NetworkSpec& spec,
                                                   const topology::Topology& topology) {
  return std::make_unique<StarChannel>(spec, topology);
}

}  // namespace hopwise::routing
