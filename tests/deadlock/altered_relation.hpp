// SPDX-License-Identifier: Apache-2.0
// A good relation with something changed in its answers.
#pragma once

#include <functional>
#include <memory>

#include "../routing/small_networks.hpp"
#include "deadlock/proof.hpp"

namespace hopwise::test {

class AlteredRelation final : public routing::RoutingRelation {
 public:
  using Alter = std::function<void(const routing::Query&, routing::Moves&)>;
  AlteredRelation(std::shared_ptr<const routing::RoutingRelation> base, Alter alter,
                  unsigned packet_classes = 1)
      : base_(std::move(base)), alter_(std::move(alter)), packet_classes_(packet_classes) {}

  std::string name() const override { return "altered " + base_->name(); }
  const std::vector<routing::VcClass>& vc_classes() const override { return base_->vc_classes(); }
  void moves(const routing::Query& query, routing::Moves& out) const override {
    base_->moves(query, out);
    alter_(query, out);
  }
  bool acyclic() const override { return base_->acyclic(); }
  bool in_order() const override { return base_->in_order(); }
  unsigned num_packet_classes() const override { return packet_classes_; }

 private:
  std::shared_ptr<const routing::RoutingRelation> base_;
  Alter alter_;
  unsigned packet_classes_;
};

/// `moves` with f applied to each of them.
template <class F>
void change_each(routing::Moves& moves, F f) {
  routing::Moves changed;
  for (routing::Move m : moves) {
    f(m);
    changed.push(m);
  }
  moves = changed;
}

inline SmallNetwork altered(spec::Spec spec, AlteredRelation::Alter alter,
                            unsigned packet_classes = 1) {
  SmallNetwork n(std::move(spec));
  n.relation = std::make_shared<AlteredRelation>(n.relation, std::move(alter), packet_classes);
  return n;
}

/// star_channel on a mesh whose dimension 0 has two routers. Once on its way in dimension 1,
/// where `allowed` says so, a packet may step aside in dimension 0 although it has nothing to
/// correct there (packet class 0 -> 1). Back in line it asks for an escape channel of dimension 0
/// while, in wormhole, it still holds one of dimension 1: an indirect dependency against the order
/// of the dimensions.
inline SmallNetwork with_step_aside(
    spec::Switching switching, std::function<bool(RouterId at, TerminalId dst)> allowed =
                                   [](RouterId, TerminalId) { return true; }) {
  spec::Spec spec = small_spec(Grid::kMesh, {2, 4}, Routing::kStarChannel);
  spec.network.router.switching = switching;
  const topology::Topology t(topology::builtin_kinds(), spec.network.topology, spec.network.link);
  return altered(
      spec,
      [t, allowed](const routing::Query& q, routing::Moves& moves) {
        const RouterId to = t.router_of(q.dst);
        change_each(moves, [&](routing::Move& m) {
          m.next_class = static_cast<std::uint8_t>(q.packet_class);
        });
        if (q.packet_class == 1 || q.at == to || t.coordinate(q.at, 0) != t.coordinate(to, 0))
          return;
        const bool under_way = q.in_port == PortId{2} || q.in_port == PortId{3};
        if (!under_way || !allowed(q.at, q.dst)) return;
        moves.push(
            {PortId(static_cast<std::uint16_t>(t.coordinate(q.at, 0))), VcMask{2}, false, 1});
      },
      2);
}

using Outcome = std::variant<deadlock::ProvenNetwork, deadlock::ProofFailure>;

inline Outcome prove(const SmallNetwork& n) {
  return deadlock::prove(n.spec, n.topology, n.relation, n.family());
}

/// Nothing where the network was proved.
inline std::string failure_text(const Outcome& outcome) {
  const auto* failure = std::get_if<deadlock::ProofFailure>(&outcome);
  return failure == nullptr ? "" : failure->text;
}

inline std::string check(const deadlock::Certificate& certificate, const SmallNetwork& n) {
  return deadlock::check_certificate(certificate, n.spec.network, *n.topology, *n.relation);
}

}  // namespace hopwise::test
