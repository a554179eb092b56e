// SPDX-License-Identifier: Apache-2.0
// The second opinion on a proof. Nothing here comes from the prover: a plain recursive walk over
// states, on the public interfaces of topology and relation, written to be read in one sitting.
//
// For every state (channel, VC, packet class) that packets to a destination reach, `visit` answers
// two questions: how many hops can still follow, and which is the lowest number among the escape
// channels that may be requested from there. A packet in an escape channel must only ever request
// higher numbers.
#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "deadlock/proof.hpp"

namespace hopwise::deadlock {
namespace {

// four times the largest mesh's diameter; bounds the depth of the recursion
constexpr unsigned kMaxHops = 1'000;
constexpr std::uint32_t kNone = Certificate::kNotEscape;

class Checker {
 public:
  Checker(const Certificate& certificate, const spec::NetworkSpec& spec,
          const topology::Topology& topology, const routing::RoutingRelation& relation)
      : certificate_(certificate),
        topology_(topology),
        relation_(relation),
        replies_(spec.terminal.replies),
        vcs_(spec.router.vcs),
        classes_(spec.router.num_message_classes()),
        class_vcs_(spec.router.message_class_vcs()),
        buffers_(topology.channels().size() * vcs_),
        all_escape_(relation.acyclic()),
        indirect_(!all_escape_ && spec.router.switching == spec::Switching::kWormhole),
        output_queues_(spec.router.output_queue_flits > 1) {}

  std::string run() {
    check_form();
    if (!error_.empty()) return error_;
    row_ = topology_.network_ports() * vcs_ + topology_.terminals_per_router() * classes_;
    requested_.assign((buffers_ + queues()) * row_, false);
    supplied_.assign(buffers_, false);
    memo_.resize(buffers_ * relation_.num_packet_classes());
    answers_.resize(certificate_.hop_bound + 1);
    // Relations are by router: one destination of each stands for all its terminals.
    for (const TerminalId dst : topology_.first_terminals()) {
      if (error_.empty()) check_destination(dst);
    }
    if (error_.empty()) check_totals();
    if (error_.empty()) check_replies();
    return error_;
  }

 private:
  struct Ahead {
    std::uint32_t hops = kNone;    // longest walk from here; kNone: not visited yet
    std::uint32_t lowest = kNone;  // lowest escape number requested here or after non-escape moves
  };

  template <class... Args>
  void fail(fmt::format_string<Args...> text, Args&&... args) {
    if (error_.empty()) error_ = fmt::format(text, std::forward<Args>(args)...);
  }

  void check_form() {
    const std::string& hash = certificate_.network_hash;
    const bool hex = std::all_of(hash.begin(), hash.end(), [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    });
    if (hash.size() != 16 || !hex) fail("network_hash \"{}\" is not 16 hexadecimal digits", hash);
    const std::string method = all_escape_ ? "Dally-Seitz"
                               : indirect_ ? "Duato (with indirect)"
                                           : "Duato (direct and cross)";
    if (certificate_.method != method) {
      fail("method \"{}\" does not fit the network, which needs \"{}\"", certificate_.method,
           method);
    }
    if (certificate_.number.size() != buffers_) {
      fail("the certificate numbers {} (channel, VC) pairs, the network has {}",
           certificate_.number.size(), buffers_);
    }
    const std::size_t queues_numbered = replies_.empty() ? 0 : queues();
    if (certificate_.injection.size() != queues_numbered ||
        certificate_.ejection.size() != queues_numbered) {
      fail("the certificate numbers {} injection and {} ejection queues, the replies need {}",
           certificate_.injection.size(), certificate_.ejection.size(), queues_numbered);
    }
    if (certificate_.hop_bound > kMaxHops)
      fail("hop_bound {} is above {}", certificate_.hop_bound, kMaxHops);
  }

  void check_destination(TerminalId dst) {
    std::fill(memo_.begin(), memo_.end(), Ahead{});
    for (std::size_t queue = 0; queue < queues() && error_.empty(); ++queue) {
      const TerminalId source{static_cast<std::uint32_t>(queue / classes_)};
      const VcId vc{static_cast<std::uint8_t>(queue % classes_ * vcs_ / classes_)};
      const Ahead ahead =
          visit({topology_.router_of(source), topology_.port_of(source), vc, 0, dst},
                (buffers_ + queue) * row_, 0);
      if (ahead.hops > certificate_.hop_bound) {
        fail("a packet from terminal {} to terminal {} may make {} hops, hop_bound says {}",
             index(source), index(dst), ahead.hops, certificate_.hop_bound);
      }
      if (!replies_.empty()) check_injection(queue, ahead.lowest);
    }
  }

  std::size_t message_class(const routing::Query& query) const {
    return index(query.in_vc) / class_vcs_;
  }

  /// Queues of one kind: one for each terminal and message class.
  std::size_t queues() const { return topology_.num_terminals() * classes_; }

  void check_injection(std::size_t queue, std::uint32_t lowest) {
    const std::uint32_t held = certificate_.injection[queue];
    if (lowest != kNone && lowest < std::uint64_t{held} + (output_queues_ ? 2 : 1)) {
      fail(
          "the injection queue of terminal {}, message class {}, has number {}, and a packet in it "
          "requests number {}",
          queue / classes_, queue % classes_, held, lowest);
    }
  }

  /// Whoever waits for replies has a lower number than they.
  void check_replies() {
    for (const auto& [request, reply] : replies_) {
      for (std::size_t t = 0; t < topology_.num_terminals(); ++t) {
        const std::uint32_t held = certificate_.ejection[t * classes_ + request],
                            waited_for = certificate_.injection[t * classes_ + reply];
        if (held >= waited_for) {
          fail(
              "the ejection queue of terminal {}, message class {}, has number {}, and waits for "
              "replies with number {}",
              t, request, held, waited_for);
        }
      }
    }
  }

  /// `row`: where the requests of the packet's holder are recorded; `depth`: hops made on the way
  /// here.
  Ahead visit(const routing::Query& query, std::size_t row, unsigned depth) {
    Ahead ahead{0, kNone};
    if (depth > certificate_.hop_bound) {
      fail("a packet to terminal {} may make more than {} hops", index(query.dst),
           certificate_.hop_bound);
      return ahead;
    }
    routing::Moves& moves = answers_[depth];
    relation_.moves(query, moves);
    bool way_out = false;
    for (const routing::Move& move : moves) {
      const bool escape = all_escape_ || move.escape;
      way_out |= escape && move.vcs != 0;
      if (topology_.is_terminal_port(query.at, move.out_port)) {
        check_ejection(query, move);
        for (unsigned slot = 0; escape && slot < topology_.terminals_at(query.at); ++slot) {
          requested_[row + topology_.network_ports() * vcs_ + slot * classes_ +
                     message_class(query)] = true;
          if (replies_.empty()) continue;
          // An output queue in front of an ejection queue is passed by.
          const std::size_t t = index(topology_.terminal_at(query.at, slot));
          ahead.lowest =
              std::min(ahead.lowest, certificate_.ejection[t * classes_ + message_class(query)] +
                                         (output_queues_ ? 1 : 0));
        }
        continue;
      }
      const auto channel = topology_.out_channel(query.at, move.out_port);
      if (!channel || move.vcs >> vcs_ != 0 || move.next_class >= relation_.num_packet_classes()) {
        fail("at {} the relation offers a move that the router does not have",
             topology_.name(query.at));
        return ahead;
      }
      const VcMask own = ((VcMask{1} << class_vcs_) - 1) << message_class(query) * class_vcs_;
      if ((move.vcs & ~own) != 0) {
        fail("at {} a packet would leave its message class", topology_.name(query.at));
        return ahead;
      }
      const std::size_t first = index(*channel) * vcs_;
      for (VcMask left = move.vcs; left != 0; left &= left - 1) {
        const auto vc = static_cast<unsigned>(std::countr_zero(left));
        if (escape) {
          request(row + index(move.out_port) * vcs_ + vc, first + vc);
          ahead.lowest = std::min(ahead.lowest, certificate_.number[first + vc]);
        }
        const Ahead next = follow(*channel, vc, move.next_class, query.dst, depth + 1);
        if (!error_.empty()) return ahead;
        ahead.hops = std::max(ahead.hops, next.hops + 1);
        if (!escape && indirect_) ahead.lowest = std::min(ahead.lowest, next.lowest);
      }
    }
    if (!way_out)
      fail("at {} a packet to terminal {} has no escape move", topology_.name(query.at),
           index(query.dst));
    return ahead;
  }

  /// The packet takes (channel, vc). A walk that closes a loop meets no finished memo and runs into
  /// the hop bound.
  Ahead follow(ChannelId channel, unsigned vc, unsigned packet_class, TerminalId dst,
               unsigned depth) {
    const std::size_t buffer = index(channel) * vcs_ + vc;
    Ahead& memo = memo_[packet_class * buffers_ + buffer];
    if (memo.hops != kNone) return memo;
    const topology::Channel& c = topology_.channel(channel);
    const routing::Query query{c.dst, c.dst_port, VcId{static_cast<std::uint8_t>(vc)}, packet_class,
                               dst};
    const Ahead ahead = visit(query, buffer * row_, depth);
    const std::uint32_t held = certificate_.number[buffer];
    // The output queue in front of the requested channel lies between the two numbers.
    const std::uint64_t least = std::uint64_t{held} + (output_queues_ ? 2 : 1);
    if (error_.empty() && held != kNone && ahead.lowest != kNone && ahead.lowest < least) {
      fail("{} VC {} has number {}, and a packet to terminal {} in it requests number {}",
           topology_.name(channel), vc, held, index(dst), ahead.lowest);
    }
    memo = ahead;
    return ahead;
  }

  void request(std::size_t bit, std::size_t buffer) {
    requested_[bit] = true;
    supplied_[buffer] = true;
    if (certificate_.number[buffer] == kNone) {
      const ChannelId channel{static_cast<std::uint32_t>(buffer / vcs_)};
      fail("{} VC {} is an escape channel without a number", topology_.name(channel),
           buffer % vcs_);
    }
  }

  void check_ejection(const routing::Query& query, const routing::Move& move) {
    if (query.at != topology_.router_of(query.dst) ||
        move.out_port != topology_.port_of(query.dst) ||
        move.vcs != VcMask{1} << message_class(query) * class_vcs_) {
      fail("at {} a packet to terminal {} would leave through {}", topology_.name(query.at),
           index(query.dst), topology_.port_name(query.at, move.out_port));
    }
  }

  /// Only escape channels have numbers, and the dependencies are as many as claimed.
  void check_totals() {
    std::uint64_t dependencies = 0;
    for (std::size_t holder = 0; holder < buffers_ + queues(); ++holder) {
      if (holder < buffers_ && !supplied_[holder]) {
        if (certificate_.number[holder] != kNone)
          fail("number {} stands at a VC that is no escape channel", holder);
        continue;
      }
      const auto row = requested_.begin() + static_cast<std::ptrdiff_t>(holder * row_);
      dependencies += static_cast<std::uint64_t>(
          std::count(row, row + static_cast<std::ptrdiff_t>(row_), true));
      // from its output queue into the buffer
      if (output_queues_ && holder < buffers_) ++dependencies;
    }
    dependencies += replies_.size() * topology_.num_terminals();
    if (dependencies != certificate_.dependencies) {
      fail("the network has {} dependencies, the certificate says {}", dependencies,
           certificate_.dependencies);
    }
  }

  const Certificate& certificate_;
  const topology::Topology& topology_;
  const routing::RoutingRelation& relation_;
  const std::map<unsigned, unsigned>& replies_;
  unsigned vcs_;
  unsigned classes_;    // message classes
  unsigned class_vcs_;  // VCs of each
  std::size_t buffers_;
  bool all_escape_;
  bool indirect_;
  bool output_queues_;
  // bits of one holder: network port * vcs + vc, then terminal slot * classes + message class
  std::size_t row_ = 0;
  std::vector<bool> requested_;  // [holder * row_ + bit]
  std::vector<bool> supplied_;
  std::vector<Ahead> memo_;              // [class * buffers_ + buffer], of one destination
  std::vector<routing::Moves> answers_;  // [depth]: one per level of the recursion
  std::string error_;
};

}  // namespace

std::string check_certificate(const Certificate& certificate, const spec::NetworkSpec& spec,
                              const topology::Topology& topology,
                              const routing::RoutingRelation& relation) {
  return Checker(certificate, spec, topology, relation).run();
}

}  // namespace hopwise::deadlock
