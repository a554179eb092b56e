// SPDX-License-Identifier: Apache-2.0
// Valiant's routing on tori and meshes: proofs of small networks, and what makes them fail.
#include <gtest/gtest.h>

#include "../routing/small_networks.hpp"
#include "deadlock/proof.hpp"

namespace hopwise::test {
namespace {

/// One VC in each class of both ways.
SmallNetwork valiant(const Shape& shape) {
  spec::Spec spec = small_spec(shape.kind, shape.dims, Routing::kDorClassic);
  spec::NetworkSpec& n = spec.network;
  set_routing(n.routing, "valiant");
  n.routing.vcs_per_class.assign(shape.kind == Grid::kTorus ? 4 : 2, 1);
  n.router.vcs = static_cast<unsigned>(n.routing.vcs_per_class.size());
  n.router.vc_depth_flits.assign(n.router.vcs, 8);
  return SmallNetwork(spec);
}

TEST(Valiant, IsProvedOnEverySmallNetworkAndTheCertificateHolds) {
  for (const Shape& shape : small_shapes()) {
    for (const auto switching : {spec::Switching::kVirtualCutThrough, spec::Switching::kWormhole}) {
      SmallNetwork n = valiant(shape);
      n.spec.network.router.switching = switching;
      const auto outcome = deadlock::prove(n.spec, n.topology, n.relation, n.family());
      const auto* proven = std::get_if<deadlock::ProvenNetwork>(&outcome);
      ASSERT_NE(proven, nullptr) << name(shape) << std::get<deadlock::ProofFailure>(outcome).text;
      EXPECT_EQ(deadlock::check_certificate(proven->certificate(), n.spec.network, *n.topology,
                                            *n.relation),
                "")
          << name(shape);
      unsigned most = 0;  // hops of the longest way in dimension order
      for (const unsigned size : shape.dims) most += size - 1;
      EXPECT_LE(proven->certificate().hop_bound, 2 * most) << name(shape);
    }
  }
}

/// The relation with both ways on the VCs of the first.
class OneWayOfVcs final : public routing::RoutingRelation {
 public:
  OneWayOfVcs(std::shared_ptr<const routing::RoutingRelation> base, unsigned vcs)
      : base_(std::move(base)), vcs_(vcs) {}
  std::string name() const override { return base_->name(); }
  const std::vector<routing::VcClass>& vc_classes() const override { return base_->vc_classes(); }
  bool acyclic() const override { return true; }
  bool in_order() const override { return false; }
  unsigned num_packet_classes() const override { return base_->num_packet_classes(); }
  void moves(const routing::Query& query, routing::Moves& out) const override {
    routing::Moves as_it_is;
    base_->moves(query, as_it_is);
    out.clear();
    for (routing::Move move : as_it_is) {
      if ((move.vcs >> vcs_) != 0) move.vcs >>= vcs_;
      if (!out.has(move)) out.push(move);
    }
  }

 private:
  std::shared_ptr<const routing::RoutingRelation> base_;
  unsigned vcs_;
};

TEST(Valiant, WithBothWaysOnTheSameVcsHasACycle) {
  for (const Shape& shape : {Shape{Grid::kTorus, {4, 4}}, Shape{Grid::kMesh, {3, 3}}}) {
    const SmallNetwork n = valiant(shape);
    const auto one = std::make_shared<OneWayOfVcs>(n.relation, n.spec.network.router.vcs / 2);
    const auto outcome = deadlock::prove(n.spec, n.topology, one, n.family());
    const auto* failure = std::get_if<deadlock::ProofFailure>(&outcome);
    ASSERT_NE(failure, nullptr) << name(shape);
    EXPECT_EQ(failure->kind, deadlock::ProofFailure::Kind::kDependencyCycle) << name(shape) << "\n"
                                                                             << failure->text;
  }
}

}  // namespace
}  // namespace hopwise::test
