// SPDX-License-Identifier: Apache-2.0
// Everything that packets to one destination router can do, from every injection port on.
//
// States with the same answer at the same router are merged into one node, so the cost is one
// question to the relation per reachable (channel, VC, class) and one look at the successors per
// different answer.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "deadlock/proof.hpp"
#include "deadlock/resources.hpp"

namespace hopwise::deadlock {

/// A packet that stands still without a way out, or moves for ever.
struct WalkFault {
  ProofFailure::Kind kind = ProofFailure::Kind::kDisconnected;
  std::vector<CycleStep> loop;  ///< kUnboundedHops: the moves that repeat
  RouterId at{};                ///< kDisconnected: where the packet stands
  /// kDisconnected: the buffer it stands in; none where it is just injected
  std::optional<Vertex> holder;
  std::string reason;
};

class DestinationWalk {
 public:
  struct Node {
    RouterId at;
    std::uint32_t next_at_router = 0;  ///< list of this router's nodes
    bool on_path = false;
    bool done = false;
    routing::Moves moves;
    RequestBits escape_requests{};
  };
  /// A holder that packets to this destination reach, and the node that says what they do there.
  struct Reached {
    Vertex holder;
    std::uint32_t state;
    std::uint32_t node;
  };

  /// With `all_escape` every move counts as a move of the escape subfunction (Dally & Seitz).
  DestinationWalk(const topology::Topology& topology, const routing::RoutingRelation& relation,
                  const Resources& resources, bool all_escape);

  /// Walks from every terminal to `dst` and, relations being by router, to all terminals of its
  /// router: ejections are noted for each of them. The first fault in a fixed order, if any. On
  /// success every walk is finite and every state has an escape move; together: the escape moves
  /// lead from everywhere to the destination.
  std::optional<WalkFault> run(TerminalId dst);

  const std::vector<Reached>& reached() const { return reached_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  /// The nodes in an order in which successors come first.
  const std::vector<std::uint32_t>& finished() const { return finished_; }
  bool is_escape(const routing::Move& move) const { return all_escape_ || move.escape; }
  /// Calls f(ejection queue) where `move` of `node` leaves the network: see run().
  template <class F>
  void for_each_ejection(const Node& node, const routing::Move& move, F&& f) const {
    if (!topology_.is_terminal_port(node.at, move.out_port)) return;
    const unsigned message_class = resources_.message_class(lowest(move.vcs));
    for (unsigned slot = 0; slot < topology_.terminals_at(node.at); ++slot)
      f(resources_.ejection(topology_.terminal_at(node.at, slot), message_class));
  }

  /// Router-to-router hops of the longest walk.
  unsigned longest_walk() const;

  /// Calls f(buffer, node) for every buffer that `move` of `node` may take, with the node in which
  /// the packet is then.
  template <class F>
  void for_each_successor(const Node& node, const routing::Move& move, F&& f) const {
    if (topology_.is_terminal_port(node.at, move.out_port)) return;
    const ChannelId channel = *topology_.out_channel(node.at, move.out_port);
    for (VcMask left = move.vcs; left != 0; left &= left - 1) {
      const Vertex buffer = resources_.buffer(channel, lowest(left));
      f(buffer, node_of_[state(buffer, move.next_class)]);
    }
  }

 private:
  static unsigned lowest(VcMask mask) { return static_cast<unsigned>(std::countr_zero(mask)); }
  static constexpr std::uint32_t kNone = 0xffffffff;
  struct Frame {
    std::uint32_t node;
    Vertex via = 0;        // buffer through which the path enters this node
    std::size_t move = 0;  // position among the moves
    VcMask left = 0;       // VCs of that move still to follow
  };

  std::size_t state(Vertex buffer, unsigned packet_class) const {
    return packet_class * static_cast<std::size_t>(resources_.num_buffers()) + buffer;
  }
  void reset();
  std::uint32_t ask(const routing::Query& query, Vertex holder);
  std::uint32_t enter(ChannelId channel, unsigned vc, unsigned packet_class);
  std::uint32_t find_or_add(RouterId at, const routing::Moves& moves, Vertex holder);
  std::string defect(const Node& node, unsigned message_class) const;
  std::string defect(RouterId at, const routing::Move& move, unsigned message_class) const;
  void collect_requests(Node& node) const;
  void descend(std::uint32_t root);
  void push(std::uint32_t node, Vertex via);
  void report_loop(std::uint32_t node, Vertex closing);

  const topology::Topology& topology_;
  const routing::RoutingRelation& relation_;
  const Resources& resources_;
  bool all_escape_;
  TerminalId dst_{};
  std::vector<Node> nodes_;
  std::vector<Reached> reached_;
  std::vector<std::uint32_t> finished_;
  std::vector<std::uint32_t> node_of_;  // [state] -> node
  std::vector<std::uint32_t> node_at_;  // [router] -> its first node
  std::vector<Frame> path_;
  routing::Moves answer_;
  std::optional<WalkFault> fault_;
};

}  // namespace hopwise::deadlock
