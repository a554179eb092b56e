// SPDX-License-Identifier: Apache-2.0
// What routings that learn where to go may do: any port within a number of hops, minimal paths from
// there on. Boyan & Littman, "Packet routing in dynamically changing networks: a reinforcement
// learning approach", NIPS 1993; Kang, Wang & Lan, "Q-adaptive: a multi-agent reinforcement
// learning based routing on Dragonfly network", HPDC 2021; Lonardo, "DQN-Routing", 2019.
#include <algorithm>
#include <string>
#include <vector>

#include "routing/algorithms.hpp"
#include "routing/dimension_order.hpp"

namespace hopwise::routing {
namespace {

/// Dragonflies. The VC of a link tells the hops made before it, one step for each, so that steps
/// rise along every path: there is no cycle, wherever packets turn, and no packet class to carry.
class QDragonfly final : public RoutingRelation {
 public:
  QDragonfly(const spec::NetworkSpec& spec, const topology::Topology& topology)
      : d_(topology.dragonfly()),
        algorithm_(spec.routing.algorithm),
        a_(d_.routers_per_group()),
        terminals_per_router_(topology.terminals_per_router()),
        max_hops_(spec.routing.q.max_hops),
        local_detours_(spec.routing.q.local_detours),
        progressive_(spec.routing.q.progressive) {
    unsigned first = 0;
    for (std::size_t i = 0; i < spec.routing.vcs_per_class.size(); ++i) {
      const unsigned count = spec.routing.vcs_per_class[i];
      classes_.push_back({"hop" + std::to_string(i), true, first, count});
      step_of_.insert(step_of_.end(), count, static_cast<unsigned>(i));
      first += count;
    }
    for (unsigned g = 0; g < d_.groups(); ++g) {
      for (unsigned r = 0; r < a_; ++r) {
        for (unsigned p = 0; p < d_.network_ports(); ++p)
          linked_.push_back(d_.is_local(p) || d_.peer(g, r, p));
      }
    }
  }

  std::string name() const override {
    if (algorithm_ == spec::Algorithm::kQRouting) return "q_routing";
    return algorithm_ == spec::Algorithm::kQPar ? "q_par" : "q_adaptive";
  }
  const std::vector<VcClass>& vc_classes() const override { return classes_; }
  bool acyclic() const override { return true; }
  bool in_order() const override { return false; }

  void moves(const Query& query, Moves& out) const override {
    out.clear();
    const Place at = place(query);
    if (at.group == at.dst_group && at.router == at.dst_router) {
      out.push({port(d_.network_ports() + at.dst_slot), VcMask{1}, true, 0});
      return;
    }
    const unsigned minimal = minimal_port(at);
    add(at, minimal, out);
    const Freedom freedom = freedom_of(at, minimal);
    if (freedom == Freedom::kNone) return;
    const std::size_t row =
        static_cast<std::size_t>(at.group * a_ + at.router) * d_.network_ports();
    for (unsigned p = freedom == Freedom::kAll ? 0 : d_.local_ports(); p < d_.network_ports();
         ++p) {
      if (p != minimal && linked_[row + p]) add(at, p, out);
    }
  }

 private:
  /// What there is to choose from beside the minimal port.
  enum class Freedom { kNone, kGlobal, kAll };

  /// A query in the terms of the dragonfly.
  struct Place {
    unsigned router, group;  // here
    unsigned dst_router, dst_group, dst_slot;
    unsigned hops;  // made so far
    bool from_global;
  };

  Place place(const Query& query) const {
    const auto here = static_cast<unsigned>(index(query.at));
    const auto dst = static_cast<unsigned>(index(query.dst));
    const auto in = static_cast<unsigned>(index(query.in_port));
    const unsigned dst_router = dst / terminals_per_router_;
    const bool from_terminal = in >= d_.network_ports();
    return {.router = here % a_,
            .group = here / a_,
            .dst_router = dst_router % a_,
            .dst_group = dst_router / a_,
            .dst_slot = dst % terminals_per_router_,
            .hops = from_terminal ? 0 : step_of_[index(query.in_vc)] + 1,
            .from_global = !from_terminal && !d_.is_local(in)};
  }

  Freedom freedom_of(const Place& at, unsigned minimal) const {
    if (algorithm_ == spec::Algorithm::kQRouting)
      return at.hops < max_hops_ ? Freedom::kAll : Freedom::kNone;
    if (at.group == at.dst_group) return Freedom::kNone;
    if (at.hops == 0) return local_detours_ ? Freedom::kAll : Freedom::kGlobal;
    if (at.hops > 1) return Freedom::kNone;
    // The first router of an intermediate group: an own link to the destination's group is not
    // passed by.
    if (at.from_global) return d_.is_local(minimal) ? Freedom::kAll : Freedom::kNone;
    return progressive_ ? Freedom::kGlobal : Freedom::kNone;
  }

  /// Towards another router: the only minimal port, groups being fully connected and joined by
  /// single links.
  unsigned minimal_port(const Place& at) const {
    if (at.group == at.dst_group) return d_.local_port(at.router, at.dst_router);
    const auto gateway = d_.global_end(at.group, at.dst_group, 0);
    return gateway.router == at.router ? gateway.port : d_.local_port(at.router, gateway.router);
  }

  void add(const Place& at, unsigned p, Moves& out) const {
    // (No packet makes more hops than there are steps; the proof would see it.)
    const std::size_t step = std::min<std::size_t>(at.hops, classes_.size() - 1);
    out.push({port(p), classes_[step].mask(), true, 0});
  }
  static PortId port(unsigned p) { return PortId(static_cast<std::uint16_t>(p)); }

  topology::Dragonfly d_;
  spec::Algorithm algorithm_;
  unsigned a_;
  unsigned terminals_per_router_;
  unsigned max_hops_;
  bool local_detours_, progressive_;
  std::vector<VcClass> classes_;
  std::vector<unsigned> step_of_;  // [VC]
  std::vector<bool> linked_;       // [(group * a + router) * network ports + port]
};

/// Tori: adaptive VCs for any move, and the dimension-order channel as escape. The packet class
/// counts hops; at the last one only dimension order is left, with `dqn` on the escape channels
/// alone. A packet in an escape channel stays on them: after a non-minimal move its next escape
/// request could lie anywhere in the order of the channels.
class QTorus final : public RoutingRelation {
 public:
  QTorus(const spec::NetworkSpec& spec, const topology::Topology& topology)
      : order_(topology),
        classes_(make_vc_classes(spec, true)),
        escape_(spec, classes_),
        adaptive_(classes_.back().mask()),
        network_ports_(topology.network_ports()),
        dqn_(spec.routing.algorithm == spec::Algorithm::kDqn),
        max_hops_(dqn_ ? spec.routing.dqn.max_hops : spec.routing.q.max_hops) {}

  std::string name() const override { return dqn_ ? "dqn" : "q_routing"; }
  const std::vector<VcClass>& vc_classes() const override { return classes_; }
  bool acyclic() const override { return false; }
  bool in_order() const override { return false; }
  unsigned num_packet_classes() const override { return max_hops_ + 1; }

  void moves(const Query& query, Moves& out) const override {
    out.clear();
    const unsigned dim = order_.first_dim(query.at, query.dst);
    if (dim == order_.num_dims()) {
      out.push(order_.ejection(query.dst));
      return;
    }
    const Step& step = order_.step(dim, query.at, query.dst);
    const PortId in_order = DimensionOrder::port(dim, step.plus);
    // One for all candidates: the head is written once, whichever of them is taken.
    const auto next = static_cast<std::uint8_t>(std::min(query.packet_class + 1, max_hops_));
    if (!on_escape(query)) {
      for (unsigned p = 0; p < network_ports_; ++p) {
        const auto port = PortId(static_cast<std::uint16_t>(p));
        if (query.packet_class < max_hops_ || (port == in_order && !dqn_))
          out.push({port, adaptive_, false, next});
      }
    }
    out.push({in_order, escape_.mask(step), true, next});
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
  bool dqn_;
  unsigned max_hops_;
};

}  // namespace

std::unique_ptr<RoutingRelation> make_q_routing(const spec::NetworkSpec& spec,
                                                const topology::Topology& topology) {
  if (topology.kind() == spec::TopologyKind::kDragonfly)
    return std::make_unique<QDragonfly>(spec, topology);
  return std::make_unique<QTorus>(spec, topology);
}

}  // namespace hopwise::routing
