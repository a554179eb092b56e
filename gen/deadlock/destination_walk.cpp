// SPDX-License-Identifier: Apache-2.0
#include "deadlock/destination_walk.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace hopwise::deadlock {
namespace {

bool same(const routing::Moves& a, const routing::Moves& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

DestinationWalk::DestinationWalk(const topology::Topology& topology,
                                 const routing::RoutingRelation& relation,
                                 const Resources& resources, bool all_escape)
    : topology_(topology),
      relation_(relation),
      resources_(resources),
      all_escape_(all_escape),
      node_of_(static_cast<std::size_t>(resources.num_buffers()) * relation.num_packet_classes(),
               kNone),
      node_at_(topology.num_routers(), kNone) {}

void DestinationWalk::reset() {
  for (const Reached& r : reached_) {
    if (resources_.is_buffer(r.holder)) node_of_[r.state] = kNone;
  }
  for (const Node& n : nodes_) node_at_[index(n.at)] = kNone;
  nodes_.clear();
  reached_.clear();
  finished_.clear();
  path_.clear();
  fault_.reset();
}

std::optional<WalkFault> DestinationWalk::run(TerminalId dst) {
  reset();
  dst_ = dst;
  for (const TerminalId source : topology_.first_terminals()) {
    if (fault_) break;
    const RouterId router = topology_.router_of(source);
    for (unsigned c = 0; c < resources_.message_classes() && !fault_; ++c) {
      // An injection channel is asked about on one VC of the class and of one terminal: to a
      // relation, its buffers are all the same.
      const VcId vc{static_cast<std::uint8_t>(resources_.ejection_vc(c))};
      const std::uint32_t node =
          ask({router, topology_.port_of(source), vc, 0, dst}, resources_.injection(source, c));
      for (unsigned slot = 0; slot < topology_.terminals_at(router); ++slot)
        reached_.push_back({resources_.injection(topology_.terminal_at(router, slot), c), 0, node});
      if (!fault_ && !nodes_[node].done) descend(node);
    }
  }
  return fault_;
}

std::uint32_t DestinationWalk::enter(ChannelId channel, unsigned vc, unsigned packet_class) {
  const Vertex buffer = resources_.buffer(channel, vc);
  const std::size_t s = state(buffer, packet_class);
  if (node_of_[s] != kNone) return node_of_[s];
  const topology::Channel& c = topology_.channel(channel);
  const std::uint32_t node =
      ask({c.dst, c.dst_port, VcId{static_cast<std::uint8_t>(vc)}, packet_class, dst_}, buffer);
  node_of_[s] = node;
  reached_.push_back({buffer, static_cast<std::uint32_t>(s), node});
  return node;
}

std::uint32_t DestinationWalk::ask(const routing::Query& query, Vertex holder) {
  relation_.moves(query, answer_);
  return find_or_add(query.at, answer_, holder);
}

std::uint32_t DestinationWalk::find_or_add(RouterId at, const routing::Moves& moves,
                                           Vertex holder) {
  for (std::uint32_t n = node_at_[index(at)]; n != kNone; n = nodes_[n].next_at_router) {
    if (same(nodes_[n].moves, moves)) return n;
  }
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({at, node_at_[index(at)], false, false, moves, {}});
  node_at_[index(at)] = id;
  if (std::string reason = defect(nodes_.back(), resources_.message_class_of(holder));
      !reason.empty()) {
    const auto buffer = resources_.is_buffer(holder) ? std::optional(holder) : std::nullopt;
    fault_ = WalkFault{ProofFailure::Kind::kDisconnected, {}, at, buffer, std::move(reason)};
  } else {
    collect_requests(nodes_.back());
  }
  return id;
}

std::string DestinationWalk::defect(const Node& node, unsigned message_class) const {
  bool way_out = false;
  for (const routing::Move& m : node.moves) {
    if (std::string reason = defect(node.at, m, message_class); !reason.empty()) return reason;
    way_out |= is_escape(m);
  }
  if (way_out) return {};
  return node.moves.size() == 0 ? "no move is offered"
                                : "no move of the escape subfunction is offered";
}

std::string DestinationWalk::defect(RouterId at, const routing::Move& m,
                                    unsigned message_class) const {
  const auto port = index(m.out_port);
  if (m.vcs == 0) return fmt::format("a move through port #{} offers no VC", port);
  if (m.next_class >= relation_.num_packet_classes()) {
    return fmt::format("a move through port #{} names packet class {}, the relation has {}", port,
                       m.next_class, relation_.num_packet_classes());
  }
  if (topology_.is_terminal_port(at, m.out_port)) {
    if (at == topology_.router_of(dst_) && m.out_port == topology_.port_of(dst_) &&
        m.vcs == VcMask{1} << resources_.ejection_vc(message_class))
      return {};
    return fmt::format("a move ejects through port #{} with VCs {:#x}, which is not the terminal's",
                       port, m.vcs);
  }
  if (!topology_.out_channel(at, m.out_port)) {
    return fmt::format("a move leaves through port {}, which has no channel",
                       topology_.port_name(at, m.out_port));
  }
  if (m.vcs >> resources_.vcs() != 0) {
    return fmt::format("a move through port {} names VCs {:#x}, the router has {} VCs",
                       topology_.port_name(at, m.out_port), m.vcs, resources_.vcs());
  }
  if ((m.vcs & ~resources_.mask(message_class)) != 0) {
    return fmt::format("a move through port {} names VCs {:#x}, its message class has {:#x}",
                       topology_.port_name(at, m.out_port), m.vcs, resources_.mask(message_class));
  }
  return {};
}

void DestinationWalk::collect_requests(Node& node) const {
  const std::size_t network_bits = topology_.network_ports() * resources_.vcs();
  for (const routing::Move& m : node.moves) {
    if (!is_escape(m)) continue;
    const auto set = [&node](std::size_t bit) {
      node.escape_requests[bit / 64] |= std::uint64_t{1} << bit % 64;
    };
    if (topology_.is_terminal_port(node.at, m.out_port)) {
      const unsigned c = resources_.message_class(lowest(m.vcs));
      for (std::size_t slot = 0; slot < topology_.terminals_at(node.at); ++slot)
        set(network_bits + slot * resources_.message_classes() + c);
      continue;
    }
    for (VcMask left = m.vcs; left != 0; left &= left - 1)
      set(index(m.out_port) * resources_.vcs() + lowest(left));
  }
}

void DestinationWalk::push(std::uint32_t node, Vertex via) {
  nodes_[node].on_path = true;
  path_.push_back({node, via, 0, nodes_[node].moves[0].vcs});
}

void DestinationWalk::descend(std::uint32_t root) {
  push(root, 0);
  while (!path_.empty()) {
    Frame& top = path_.back();
    const Node& node = nodes_[top.node];
    const routing::Move& move = node.moves[top.move];
    if (top.left == 0 || topology_.is_terminal_port(node.at, move.out_port)) {
      if (++top.move < node.moves.size()) {
        top.left = node.moves[top.move].vcs;
        continue;
      }
      nodes_[top.node].on_path = false;
      nodes_[top.node].done = true;
      finished_.push_back(top.node);
      path_.pop_back();
      continue;
    }
    const unsigned vc = lowest(top.left);
    top.left &= top.left - 1;
    const ChannelId channel = *topology_.out_channel(node.at, move.out_port);
    // may move nodes_: `node` and `move` end here
    const std::uint32_t next = enter(channel, vc, move.next_class);
    if (fault_) return;
    if (nodes_[next].on_path) return report_loop(next, resources_.buffer(channel, vc));
    if (!nodes_[next].done) push(next, resources_.buffer(channel, vc));
  }
}

void DestinationWalk::report_loop(std::uint32_t node, Vertex closing) {
  WalkFault fault;
  fault.kind = ProofFailure::Kind::kUnboundedHops;
  const auto add = [&](Vertex buffer) {
    fault.loop.push_back({resources_.channel_of(buffer), resources_.vc_of(buffer), dst_, "move"});
  };
  const auto first =
      std::find_if(path_.begin(), path_.end(), [&](const Frame& f) { return f.node == node; });
  for (auto f = first + 1; f != path_.end(); ++f) add(f->via);
  add(closing);
  fault_ = std::move(fault);
}

unsigned DestinationWalk::longest_walk() const {
  std::vector<unsigned> longest(nodes_.size(), 0);
  unsigned bound = 0;
  for (std::uint32_t n : finished_) {
    for (const routing::Move& move : nodes_[n].moves) {
      for_each_successor(nodes_[n], move, [&](Vertex, std::uint32_t next) {
        longest[n] = std::max(longest[n], longest[next] + 1);
      });
    }
    bound = std::max(bound, longest[n]);
  }
  return bound;
}

}  // namespace hopwise::deadlock
