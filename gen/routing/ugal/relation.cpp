// SPDX-License-Identifier: Apache-2.0
// The routings of a dragonfly as one relation: minimal paths, non-minimal ones through an
// intermediate group (Kim et al. 2008) or router (Garcia et al. 2012), and the places where a
// router may choose between them.
//
// Packet classes say how far a packet is, never through which intermediate it goes:
//   0  undecided: as injected; under `reconsider` also while a minimal choice may still be revised
//   in the source group 1  on a minimal path to the destination, from wherever it is 2  on its way
//   to an intermediate, in the source group 3  on its way to the intermediate router, in the
//   intermediate group
// Minimal routing alone knows class 0 only.
//
// VCs (Won et al. 2015; the scheme of the papers): a path starts on step 0 and goes one step up
// with every group it enters and with every way it begins anew within a group, if that way has a
// local hop. So steps never fall, and between channels of one step the order is local (row before
// column), then global: there is no cycle. With VCs of their own for minimal paths (Kang et al.
// 2021) the way to the destination, from the source if nobody revises it and from an intermediate
// router, begins on the last step but one, and the last is the destination group's; ways to an
// intermediate begin on the first step, under `reconsider` on the second.
#include <algorithm>
#include <vector>

#include "routing/dragonfly.hpp"
#include "routing/modes.hpp"
#include "routing/ugal/ugal.hpp"

namespace hopwise::routing::ugal {
namespace {

enum PacketClass : std::uint8_t { kUndecided, kMinimal, kToGroup, kToRouter };

class Ugal final : public DragonflyRelation {
 public:
  Ugal(const spec::NetworkSpec& spec, const topology::Topology& topology, const Settings& settings)
      : DragonflyRelation(spec, topology, step_names(settings.facts, settings.reconsider)),
        minimal_(settings.facts.minimal),
        nonminimal_(settings.facts.nonminimal),
        to_router_(settings.facts.through_router),
        reconsider_(settings.reconsider),
        own_vcs_(settings.minimal_vcs == MinimalVcs::kOwn) {
    // What would be searched for again and again.
    for (unsigned g = 0; g < d_.groups(); ++g) {
      for (unsigned r = 0; r < a_; ++r) {
        for (unsigned p = d_.local_ports(); p < d_.network_ports(); ++p) {
          const auto peer = d_.peer(g, r, p);
          peers_.push_back(peer ? static_cast<int>(peer->group) : kNoPeer);
        }
      }
    }
    for (unsigned g = 0; g < d_.groups(); ++g) {
      for (unsigned r = 0; r < a_; ++r) {
        for (unsigned to = 0; to < a_; ++to)
          beyond_.push_back(to == r ? kNoPeer : beyond(g, r, to, r));
      }
    }
  }

  bool in_order() const override {
    return !nonminimal_ && d_.links_per_group_pair() == 1 && d_.column_links() == 1 &&
           std::ranges::all_of(classes_, [](const VcClass& c) { return c.count == 1; });
  }
  unsigned num_packet_classes() const override { return nonminimal_ ? 4 : 1; }

  void moves(const Query& query, Moves& out) const override {
    moves(query, minimal_, nonminimal_, out);
  }
  void moves_in(spec::Mode mode, const Query& query, Moves& out) const override {
    const bool minimal = mode == spec::Mode::kMinHash || mode == spec::Mode::kInOrder;
    moves(query, minimal || mode != spec::Mode::kNminHash, !minimal, out);
    if (mode != spec::Mode::kInOrder) return;
    for (Move& move : out) move.vcs = lowest(move.vcs);
  }

 private:
  static constexpr int kNoPeer = -1, kManyPeers = -2;

  /// Where paths are chosen, of those that are minimal, or not, or both.
  void moves(const Query& query, bool of_minimal, bool of_nonminimal, Moves& out) const {
    out.clear();
    const Place at = place(query);
    switch (query.packet_class) {
      case kUndecided:
        if (at.group == at.dst_group) return minimal(at, false, out);
        // minimal routing alone
        if (!at.from_terminal && !reconsider_) return minimal(at, false, out);
        if (of_minimal) minimal(at, false, out);
        if (of_nonminimal && (at.from_terminal || at.from_local))
          to_intermediate(at, at.from_local, out);
        return;
      case kMinimal: return minimal(at, false, out);
      case kToGroup: return to_intermediate(at, false, out);
      default:
        minimal(at, at.from_local, out);  // this router is the intermediate one
        // or another one is
        for (unsigned to = 0; to < a_; ++to) {
          if (to != at.router && on_the_way(at, to, false))
            local(at, to, step(at, false), kToRouter, out);
        }
    }
  }

  /// Within a group, the way goes along the row, then along the column: true where router `to` may
  /// lie ahead of a packet that came as `at` says. A way that begins here is free.
  bool on_the_way(const Place& at, unsigned to, bool begins) const {
    if (!at.from_local || begins) return true;
    return at.in_port < d_.row_ports() && to % d_.columns() == at.router % d_.columns();
  }

  /// The step of the next channel. `begins`: a new way begins with it in a group in which the
  /// packet has come by a local hop already, and has one itself.
  static unsigned step(const Place& at, bool begins) {
    return at.step + (at.from_global || begins ? 1 : 0);
  }
  void local(const Place& at, unsigned to, unsigned step, PacketClass next, Moves& out) const {
    for (unsigned copy = 0; copy < d_.links_to(at.router, to); ++copy)
      add({port(d_.local_port(at.router, to, copy)), classes_[step].mask(), true, next}, out);
  }
  void global(unsigned p, unsigned step, PacketClass next, Moves& out) const {
    add({port(p), classes_[step].mask(), true, next}, out);
  }

  void minimal(const Place& at, bool begins, Moves& out) const {
    const PacketClass decided = nonminimal_ ? kMinimal : kUndecided;
    // Where a way to the destination begins that nobody revises.
    const bool own = own_vcs_ && (at.packet_class == kUndecided || at.packet_class == kToRouter);
    const auto last = static_cast<unsigned>(classes_.size()) - 1;
    if (at.group == at.dst_group) {
      if (at.router == at.dst_router) {
        add(ejection(at), out);
      } else {
        local(at, at.dst_router, own ? last : step(at, begins), decided, out);
      }
      return;
    }
    if (leave(at, static_cast<int>(at.dst_group), own ? last - 1 : step(at, false), decided, out))
      return;
    const bool revised = reconsider_ && at.packet_class == kUndecided;
    const unsigned way = own && !revised ? last - 1 : step(at, begins);
    for (unsigned copy = 0; copy < d_.links_per_group_pair(); ++copy) {
      const unsigned gateway = d_.global_end(at.group, at.dst_group, copy).router;
      if (on_the_way(at, gateway, begins))
        local(at, gateway, way, revised ? kUndecided : decided, out);
    }
  }

  /// Through this router's own links to a group, if it has any.
  bool leave(const Place& at, int to_group, unsigned step, PacketClass next, Moves& out) const {
    bool any = false;
    for (unsigned p = d_.local_ports(); p < d_.network_ports(); ++p) {
      if (peer(at.group, at.router, p) != to_group) continue;
      global(p, step, next, out);
      any = true;
    }
    return any;
  }

  /// Towards some group that is neither this one nor the destination's; a link of this router's own
  /// comes first.
  void to_intermediate(const Place& at, bool begins, Moves& out) const {
    const bool own =
        own_vcs_ && at.packet_class == kUndecided;  // a way begins, on a step of its own
    const unsigned first = reconsider_ ? 1 : 0;
    const PacketClass next = to_router_ ? kToRouter : kMinimal;
    for (unsigned p = d_.local_ports(); p < d_.network_ports(); ++p) {
      const int to = peer(at.group, at.router, p);
      if (to != kNoPeer && to != static_cast<int>(at.dst_group))
        global(p, own ? first : step(at, false), next, out);
    }
    for (unsigned r = 0; r < a_; ++r) {
      if (r == at.router || !on_the_way(at, r, begins)) continue;
      // Where the packet came from on the same way had no link of its own to that group either.
      const int there = at.from_local && !begins
                            ? beyond(at.group, at.router, r, d_.neighbour(at.router, at.in_port))
                            : beyond_[(at.group * a_ + at.router) * a_ + r];
      if (there == kNoPeer || there == static_cast<int>(at.dst_group)) continue;
      local(at, r, own ? first : step(at, begins), kToGroup, out);
    }
  }

  /// The groups that router `to` has links to and routers `r` and `s` of the same group have not:
  /// none, the only one, or many.
  int beyond(unsigned group, unsigned r, unsigned to, unsigned s) const {
    int found = kNoPeer;
    for (unsigned p = d_.local_ports(); p < d_.network_ports(); ++p) {
      const int there = peer(group, to, p);
      if (there == kNoPeer || there == found) continue;
      bool own = false;
      for (unsigned q = d_.local_ports(); q < d_.network_ports(); ++q)
        own |= peer(group, r, q) == there || peer(group, s, q) == there;
      if (!own) found = found == kNoPeer ? there : kManyPeers;
    }
    return found;
  }

  int peer(unsigned group, unsigned router, unsigned p) const {
    const unsigned h = d_.network_ports() - d_.local_ports();
    return peers_[(group * a_ + router) * h + p - d_.local_ports()];
  }
  static void add(const Move& move, Moves& out) {
    if (!out.has(move)) out.push(move);
  }

  bool minimal_, nonminimal_, to_router_, reconsider_, own_vcs_;
  std::vector<int> peers_;   // [(group * a + router) * h + global port]
  std::vector<int> beyond_;  // [(group * a + router) * a + other router]
};

}  // namespace

std::unique_ptr<RoutingRelation> make_ugal(const spec::NetworkSpec& spec,
                                           const topology::Topology& topology) {
  return std::make_unique<Ugal>(spec, topology, settings(spec.routing));
}

}  // namespace hopwise::routing::ugal
