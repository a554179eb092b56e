// SPDX-License-Identifier: Apache-2.0
// Acknowledges as Lonardo (2019), algorithm 3, sends them: packets in dimension order to the next
// router of the data's path, again at each of its routers. The proof finds their cycle on the
// escape VCs and on a VC of their own.
#include <gtest/gtest.h>

#include "altered_relation.hpp"

namespace hopwise::test {
namespace {

// two more than the diameter; the thesis allows 8, and dimension order behind them
constexpr unsigned kMostHops = 6;
enum class Vcs { kEscape, kOwn, kPerHop };

/// Back along any path that has at most kMostHops hops and ends where the data was injected: at
/// `dst`.
class AckRelation final : public routing::RoutingRelation {
 public:
  AckRelation(std::shared_ptr<const topology::Topology> topology,
              std::shared_ptr<const routing::RoutingRelation> dor, Vcs vcs)
      : topology_(std::move(topology)), dor_(std::move(dor)), vcs_(vcs) {
    if (vcs == Vcs::kEscape) classes_ = dor_->vc_classes();
    if (vcs == Vcs::kOwn)
      classes_ = {{"escape0", true, 0, 1}, {"escape1", true, 1, 1}, {"acks", true, 2, 1}};
    if (vcs == Vcs::kPerHop) classes_ = {{"acks", true, 0, kMostHops}};
  }
  std::string name() const override { return "acknowledges"; }
  const std::vector<routing::VcClass>& vc_classes() const override { return classes_; }
  bool acyclic() const override { return true; }
  bool in_order() const override { return false; }
  unsigned num_packet_classes() const override { return kMostHops + 1; }
  void moves(const routing::Query& q, routing::Moves& out) const override {
    out.clear();
    const RouterId home = topology_->router_of(q.dst);
    if (q.at == home) {
      out.push({PortId(topology_->network_ports()), VcMask{1}, true,
                static_cast<std::uint8_t>(q.packet_class)});
      return;
    }
    for (std::uint16_t port = 0; port < topology_->network_ports(); ++port) {
      const RouterId next = topology_->channel(*topology_->out_channel(q.at, PortId(port))).dst;
      if (q.packet_class + 1 + distance(next, home) > kMostHops) continue;
      out.push({PortId(port), vcs_of(q, PortId(port), next), true,
                static_cast<std::uint8_t>(q.packet_class + 1)});
    }
  }

 private:
  unsigned distance(RouterId a, RouterId b) const {
    unsigned sum = 0;
    for (unsigned d = 0; d < topology_->num_dims(); ++d) {
      const unsigned k = topology_->dims()[d],
                     up = (topology_->coordinate(b, d) + k - topology_->coordinate(a, d)) % k;
      sum += std::min(up, k - up);
    }
    return sum;
  }
  VcMask vcs_of(const routing::Query& q, PortId port, RouterId next) const {
    if (vcs_ == Vcs::kOwn) return VcMask{4};
    if (vcs_ == Vcs::kPerHop) return VcMask{1} << q.packet_class;
    // The leg is a path of one hop, which starts anew: what dimension order does with a packet
    // injected here for `next`.
    routing::Moves leg;
    dor_->moves({q.at, PortId(topology_->network_ports()), VcId{0}, 0,
                 TerminalId(static_cast<std::uint32_t>(index(next)))},
                leg);
    for (const routing::Move& m : leg) {
      if (m.out_port == port) return m.vcs;
    }
    ADD_FAILURE() << "dimension order does not take the link";
    return 1;
  }

  std::shared_ptr<const topology::Topology> topology_;
  std::shared_ptr<const routing::RoutingRelation> dor_;
  Vcs vcs_;
  std::vector<routing::VcClass> classes_;
};

SmallNetwork acknowledges(Vcs vcs) {
  SmallNetwork n(small_spec(Grid::kTorus, {4, 4}, Routing::kDorClassic));
  n.relation = std::make_shared<AckRelation>(n.topology, n.relation, vcs);
  n.spec.network.router.vcs = vcs == Vcs::kEscape ? 2 : vcs == Vcs::kOwn ? 3 : kMostHops;
  n.spec.network.router.vc_depth_flits.assign(n.spec.network.router.vcs, 8);
  return n;
}

TEST(Acknowledges, AsPublishedTheyCloseACycleOnTheEscapeVcsAndOnAVcOfTheirOwn) {
  for (const Vcs vcs : {Vcs::kEscape, Vcs::kOwn}) {
    const SmallNetwork n = acknowledges(vcs);
    const auto outcome = prove(n);
    const auto* failure = std::get_if<deadlock::ProofFailure>(&outcome);
    ASSERT_NE(failure, nullptr);
    EXPECT_EQ(failure->kind, deadlock::ProofFailure::Kind::kDependencyCycle);
    // The shortest: two neighbours that send to each other over the link between them.
    ASSERT_EQ(failure->cycle.size(), 2u) << failure->text;
    EXPECT_EQ(n.topology->channel(failure->cycle[0].channel).dst,
              n.topology->channel(failure->cycle[1].channel).src);
  }
}

TEST(Acknowledges, AVcForEveryHopHasNoCycleAndOnlyThat) {
  const SmallNetwork n = acknowledges(Vcs::kPerHop);
  const auto outcome = prove(n);
  const auto* proven = std::get_if<deadlock::ProvenNetwork>(&outcome);
  ASSERT_NE(proven, nullptr) << std::get<deadlock::ProofFailure>(outcome).text;
  EXPECT_EQ(proven->certificate().hop_bound, kMostHops);
  EXPECT_EQ(check(proven->certificate(), n), "");
}

}  // namespace
}  // namespace hopwise::test
