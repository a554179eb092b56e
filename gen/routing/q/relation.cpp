// SPDX-License-Identifier: Apache-2.0
// What routings that learn a table may do: any port within a number of hops, minimal paths from
// there on. Boyan & Littman, "Packet routing in dynamically changing networks: a reinforcement
// learning approach", NIPS 1993; Kang, Wang & Lan, "Q-adaptive: a multi-agent reinforcement
// learning based routing on Dragonfly network", HPDC 2021.
#include <algorithm>
#include <vector>

#include "routing/dragonfly.hpp"
#include "routing/hop_limited_grid.hpp"
#include "routing/q/q.hpp"

namespace hopwise::routing::q {
namespace {

/// Dragonflies. The VC of a link tells the hops made before it, one step for each, so that steps
/// rise along every path: there is no cycle, wherever packets turn, and no packet class to carry.
class QDragonfly final : public DragonflyRelation {
 public:
  QDragonfly(const spec::NetworkSpec& spec, const topology::Topology& topology)
      : DragonflyRelation(spec, topology, hop_names(settings(spec.routing))),
        settings_(settings(spec.routing)) {
    for (unsigned g = 0; g < d_.groups(); ++g) {
      for (unsigned r = 0; r < a_; ++r) {
        for (unsigned p = 0; p < d_.network_ports(); ++p)
          linked_.push_back(d_.is_local(p) || d_.peer(g, r, p));
      }
    }
  }

  bool in_order() const override { return false; }

  void moves(const Query& query, Moves& out) const override {
    out.clear();
    const Place at = place(query);
    if (arrived(at)) return out.push(ejection(at));
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

  /// Made so far.
  static unsigned hops(const Place& at) { return at.from_terminal ? 0 : at.step + 1; }

  Freedom freedom_of(const Place& at, unsigned minimal) const {
    if (settings_.everywhere) return hops(at) < settings_.max_hops ? Freedom::kAll : Freedom::kNone;
    if (at.group == at.dst_group) return Freedom::kNone;
    if (at.from_terminal) return settings_.local_detours ? Freedom::kAll : Freedom::kGlobal;
    if (hops(at) > 1) return Freedom::kNone;
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
    const std::size_t step = std::min<std::size_t>(hops(at), classes_.size() - 1);
    out.push({port(p), classes_[step].mask(), true, 0});
  }

  Settings settings_;
  std::vector<bool> linked_;  // [(group * a + router) * network ports + port]
};

}  // namespace

std::unique_ptr<RoutingRelation> make_q(const spec::NetworkSpec& spec,
                                        const topology::Topology& topology) {
  if (topology::is_dragonfly(spec.topology)) return std::make_unique<QDragonfly>(spec, topology);
  return make_hop_limited_grid(spec, topology, {.max_hops = settings(spec.routing).max_hops});
}

}  // namespace hopwise::routing::q
