// SPDX-License-Identifier: Apache-2.0
// The dependencies of a tiny network by plain enumeration: every definition written out on
// std::set, nothing shared with the prover.
#pragma once

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "../routing/small_networks.hpp"

namespace hopwise::test {

class BruteForce {
 public:
  /// ("b", channel, vc) buffer, ("q", channel, vc) output queue, ("i", terminal, class)
  /// injection, ("e", terminal, class) ejection.
  using Resource = std::tuple<char, std::size_t, std::size_t>;
  using Edges = std::set<std::pair<Resource, Resource>>;

  explicit BruteForce(const SmallNetwork& n)
      : n_(n), queues_(n.spec.network.router.output_queue_flits > 1) {
    for (std::uint32_t t = 0; t < n.topology->num_terminals(); ++t) reach(TerminalId{t});
  }

  /// (channel, vc) pairs that the escape subfunction supplies for some destination.
  const std::set<Resource>& supplied() const { return supplied_; }

  Edges direct_and_cross() const { return edges(false); }
  Edges with_indirect() const { return edges(true); }

  /// In port, in VC, out port, out VC of all that some packet may do at some router. A source may
  /// use any VC of its class.
  using Turn = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;
  std::set<Turn> turns() const {
    std::set<Turn> all;
    for (const auto& [dst, states] : states_) {
      for (State s : states) {
        const std::size_t entries = std::get<char>(s.held) == 'i' ? class_vcs() : 1;
        for (const std::size_t end = index(s.vc) + entries; index(s.vc) < end;
             s.vc = VcId{static_cast<std::uint8_t>(index(s.vc) + 1)})
          add_turns(s, dst, all);
      }
    }
    return all;
  }

  static bool acyclic(const Edges& edges) {
    std::set<Resource> left;
    for (const auto& [from, to] : edges) left.insert({from, to});
    // Takes away what waits for nothing that is left, until nothing more goes.
    for (bool changed = true; changed;) {
      std::set<Resource> waits;
      for (const auto& [from, to] : edges) {
        if (left.count(from) != 0 && left.count(to) != 0) waits.insert(from);
      }
      changed = waits.size() != left.size();
      left = waits;
    }
    return left.empty();
  }

 private:
  struct State {
    Resource held;
    RouterId at;
    PortId in_port;
    VcId vc;
    unsigned packet_class;
    bool operator<(const State& o) const { return key() < o.key(); }
    std::tuple<Resource, unsigned> key() const { return {held, packet_class}; }
  };

  unsigned class_vcs() const { return n_.spec.network.router.message_class_vcs(); }

  std::vector<routing::Move> moves(const State& s, TerminalId dst, bool escape) const {
    routing::Moves all;
    n_.relation->moves({s.at, s.in_port, s.vc, s.packet_class, dst}, all);
    std::vector<routing::Move> chosen;
    for (const routing::Move& m : all) {
      if ((m.escape || n_.relation->acyclic()) == escape) chosen.push_back(m);
    }
    return chosen;
  }

  std::vector<State> next(const State& s, const routing::Move& m) const {
    std::vector<State> result;
    const auto channel = n_.topology->out_channel(s.at, m.out_port);
    if (!channel) return result;
    const topology::Channel& c = n_.topology->channel(*channel);
    for (std::uint8_t vc = 0; vc < n_.spec.network.router.vcs; ++vc) {
      if ((m.vcs >> vc & 1) != 0)
        result.push_back({{'b', index(*channel), vc}, c.dst, c.dst_port, VcId{vc}, m.next_class});
    }
    return result;
  }

  void add_turns(const State& s, TerminalId dst, std::set<Turn>& all) const {
    routing::Moves any;
    n_.relation->moves({s.at, s.in_port, s.vc, s.packet_class, dst}, any);
    for (const routing::Move& m : any) {
      const bool leaves = n_.topology->is_terminal_port(s.at, m.out_port);
      for (unsigned vc = 0; vc < n_.spec.network.router.vcs; ++vc) {
        if ((m.vcs >> vc & 1) == 0) continue;
        all.insert({index(s.in_port), index(s.vc), index(m.out_port), vc});
        if (leaves) break;  // on the first VC
      }
    }
  }

  void reach(TerminalId dst) {
    std::set<State>& seen = states_[dst];
    std::vector<State> open;
    for (std::uint32_t t = 0; t < n_.topology->num_terminals(); ++t) {
      const TerminalId source{t};
      for (std::uint8_t c = 0; c < n_.spec.network.router.num_message_classes(); ++c) {
        const auto vc = static_cast<std::uint8_t>(c * class_vcs());
        open.push_back({{'i', t, c},
                        n_.topology->router_of(source),
                        n_.topology->port_of(source),
                        VcId{vc},
                        0});
      }
    }
    while (!open.empty()) {
      const State s = open.back();
      open.pop_back();
      if (!seen.insert(s).second) continue;
      for (bool escape : {false, true}) {
        for (const routing::Move& m : moves(s, dst, escape)) {
          for (const State& after : next(s, m)) {
            open.push_back(after);
            if (escape) supplied_.insert(after.held);
          }
        }
      }
    }
  }

  /// What a packet in `s` may request from the escape subfunction; `later`: also after non-escape
  /// moves.
  std::set<Resource> requests(const State& s, TerminalId dst, bool later) const {
    std::set<Resource> result;
    for (const routing::Move& m : moves(s, dst, true)) {
      if (n_.topology->is_terminal_port(RouterId{0}, m.out_port))
        result.insert({'e', index(dst), index(s.vc) / class_vcs()});
      for (const State& after : next(s, m)) result.insert(after.held);
    }
    if (!later) return result;
    for (const routing::Move& m : moves(s, dst, false)) {
      for (const State& after : next(s, m)) result.merge(requests(after, dst, true));
    }
    return result;
  }

  Edges edges(bool indirect) const {
    Edges result;
    for (const auto& [dst, states] : states_) {
      for (const State& s : states) {
        if (std::get<char>(s.held) == 'b' && supplied_.count(s.held) == 0) continue;
        for (Resource to : requests(s, dst, indirect)) {
          if (queues_ && std::get<char>(to) == 'b') std::get<char>(to) = 'q';
          result.insert({s.held, to});
        }
      }
    }
    for (Resource b : supplied_) {
      const Resource queue{'q', std::get<1>(b), std::get<2>(b)};
      if (queues_) result.insert({queue, b});
    }
    for (const auto& [request, reply] : n_.spec.network.terminal.replies) {
      for (std::size_t t = 0; t < n_.topology->num_terminals(); ++t)
        result.insert({{'e', t, request}, {'i', t, reply}});
    }
    return result;
  }

  const SmallNetwork& n_;
  bool queues_;
  std::map<TerminalId, std::set<State>> states_;
  std::set<Resource> supplied_;
};

}  // namespace hopwise::test
