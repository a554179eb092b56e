// SPDX-License-Identifier: Apache-2.0
// What routings that learn a table may do: any port within a number of hops, minimal paths from
// there on. Boyan & Littman, "Packet routing in dynamically changing networks: a reinforcement
// learning approach", NIPS 1993; Kang, Wang & Lan, "Q-adaptive: a multi-agent reinforcement
// learning based routing on Dragonfly network", HPDC 2021.
#include <algorithm>
#include <string>
#include <vector>

#include "routing/hop_limited_grid.hpp"
#include "routing/q/q.hpp"
#include "topology/dragonfly.hpp"

namespace hopwise::routing::q {
namespace {

/// Dragonflies. The VC of a link tells the hops made before it, one step for each, so that steps
/// rise along every path: there is no cycle, wherever packets turn, and no packet class to carry.
class QDragonfly final : public RoutingRelation {
 public:
  QDragonfly(const spec::NetworkSpec& spec, const topology::Topology& topology)
      : d_(topology.spec()),
        name_(spec.routing.algorithm),
        settings_(settings(spec.routing)),
        a_(d_.routers_per_group()),
        terminals_per_router_(topology.terminals_per_router()),
        classes_(with_counts(hop_names(settings_), spec.routing.vcs_per_class)) {
    for (std::size_t i = 0; i < classes_.size(); ++i)
      step_of_.insert(step_of_.end(), classes_[i].count, static_cast<unsigned>(i));
    for (unsigned g = 0; g < d_.groups(); ++g) {
      for (unsigned r = 0; r < a_; ++r) {
        for (unsigned p = 0; p < d_.network_ports(); ++p)
          linked_.push_back(d_.is_local(p) || d_.peer(g, r, p));
      }
    }
  }

  std::string name() const override { return name_; }
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
    if (settings_.everywhere) return at.hops < settings_.max_hops ? Freedom::kAll : Freedom::kNone;
    if (at.group == at.dst_group) return Freedom::kNone;
    if (at.hops == 0) return settings_.local_detours ? Freedom::kAll : Freedom::kGlobal;
    if (at.hops > 1) return Freedom::kNone;
    // The first router of an intermediate group: an own link to the destination's group is not
    // passed by.
    if (at.from_global) return d_.is_local(minimal) ? Freedom::kAll : Freedom::kNone;
    return settings_.progressive ? Freedom::kGlobal : Freedom::kNone;
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
  std::string name_;
  Settings settings_;
  unsigned a_;
  unsigned terminals_per_router_;
  std::vector<VcClass> classes_;
  std::vector<unsigned> step_of_;  // [VC]
  std::vector<bool> linked_;       // [(group * a + router) * network ports + port]
};

}  // namespace

std::unique_ptr<RoutingRelation> make_q(const spec::NetworkSpec& spec,
                                        const topology::Topology& topology) {
  if (topology::is_dragonfly(spec.topology)) return std::make_unique<QDragonfly>(spec, topology);
  return make_hop_limited_grid(spec, topology,
                               {.max_hops = settings(spec.routing).max_hops, .escape_last = false});
}

}  // namespace hopwise::routing::q
