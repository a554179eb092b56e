// SPDX-License-Identifier: Apache-2.0
// A 4x4 torus of single-flit packets, cycle by cycle: data that a random agent sends on arbitrary
// paths, and acknowledges that go back along them. No RTL: it shows what the acknowledges of
// Lonardo (2019), algorithm 3, may do to a network.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "traffic/random.hpp"

namespace hopwise::test {

/// What an acknowledge is, and what it waits for.
enum class Acks {
  kNone,
  kEscapeVcs,  ///< packets on the escape VCs of the data, in dimension order to the next router of
               ///< the path, where they enter a queue from which they are sent on; they wait where
               ///< it is full, and so does data to be consumed
  kOwnVc,      ///< the same on a VC of their own
  /// words beside the credits, one served per router and cycle; dropped where a FIFO is full
  kReverseWires,
};

class AckTorus {
 public:
  // port 2 * d: up dimension d, 2 * d + 1: down
  static constexpr int kSide = 4, kRouters = kSide * kSide, kPorts = 4;
  static constexpr int kAdaptive = 2, kAckVc = 3, kVcs = 4;  // VCs 0 and 1: escape
  static constexpr std::size_t kDepth = 4, kAckQueue = 8, kFifo = 2, kMostHops = 8;

  AckTorus(Acks acks, double load, int packets_per_router, std::uint64_t seed)
      : acks_(acks),
        generate_(load),
        left_(kRouters, packets_per_router),
        random_(seed, 0),
        agent_(seed, 1) {}

  /// One cycle. Data that is generated is the same for all kinds of acknowledges.
  void step() {
    for (int r = 0; r < kRouters; ++r) {
      if (left_[r] == 0 || !generate_(random_)) continue;
      --left_[r];
      const int dst = static_cast<int>(random_.below(kRouters - 1));
      routers_[r].source.push_back({.dst = dst < r ? dst : dst + 1});
    }
    if (acks_ == Acks::kReverseWires) serve_words();
    arriving_.clear();
    moved_ = false;
    for (int r = 0; r < kRouters; ++r) route(r);
    for (auto& [to, port, vc, packet] : arriving_)
      routers_[to].in[port][vc].push_back(std::move(packet));
    still_ = moved_ || delivered == generated() ? 0 : still_ + 1;
  }

  std::uint64_t cycles_without_a_move() const { return still_; }
  int generated() const {
    int sum = 0;
    for (const int left : left_) sum += left;
    return total_ - sum;
  }

  int delivered = 0, acks_made = 0, acks_home = 0, acks_dropped = 0;

 private:
  struct Packet {
    int dst = 0;
    bool ack = false, escape = false;
    // of the escape network: dimension under way, and whether its dateline is behind
    int dim = -1, dateline = 0;
    // ports that it came through, the last one last; an acknowledge goes back along it
    std::vector<int> way = {};
  };
  struct Router {
    std::array<std::array<std::deque<Packet>, kVcs>, kPorts> in;
    std::deque<Packet> source, acks;
    // [0, 4): from the wires, [4, 8): of own deliveries
    std::array<std::deque<std::vector<int>>, 2 * kPorts> words;
    unsigned next = 0, next_word = 0;
  };
  struct Want {
    int port = -1, vc = 0;
  };
  struct Arrival {
    int to, port, vc;
    Packet packet;
  };

  static int at(int router, int dim) { return dim == 0 ? router % kSide : router / kSide; }
  static int neighbour(int router, int port) {
    const int d = port / 2, step = port % 2 == 0 ? 1 : kSide - 1;
    const int c = (at(router, d) + step) % kSide;
    return d == 0 ? router - at(router, 0) + c : router % kSide + kSide * c;
  }
  static bool wraps(int router, int port) {
    return at(router, port / 2) == (port % 2 == 0 ? kSide - 1 : 0);
  }

  bool room(int router, int port, int vc) const {
    const int to = neighbour(router, port);
    std::size_t held = routers_[to].in[port ^ 1][vc].size();
    for (const Arrival& a : arriving_)
      held += a.to == to && a.port == (port ^ 1) && a.vc == vc ? 1 : 0;
    return held < kDepth;
  }

  /// Dimension order on dateline VCs.
  Want escape_way(int router, Packet& p) {
    for (int d = 0; d < 2; ++d) {
      const int offset = (at(p.dst, d) - at(router, d) + kSide) % kSide;
      if (offset == 0) continue;
      const int port = 2 * d + (offset <= kSide / 2 ? 0 : 1);
      if (p.dim != d) p.dim = d, p.dateline = 0;
      return {port, p.dateline | (wraps(router, port) ? 1 : 0)};
    }
    return {};
  }

  /// What the head of a queue asks for in this cycle, if it may go.
  Want wanted(int router, Packet& p) {
    if (p.ack) {
      const int port = p.way.back();
      return {port, acks_ == Acks::kOwnVc ? kAckVc : wraps(router, port) ? 1 : 0};
    }
    if (!p.escape && p.way.size() < kMostHops) {
      const int port = static_cast<int>(agent_.below(kPorts));  // a random agent: any direction
      if (room(router, port, kAdaptive)) return {port, kAdaptive};
    }
    p.escape = true;  // rejected once, in dimension order for the rest
    return escape_way(router, p);
  }

  /// Takes a packet out of the network where that is possible now.
  bool consume(int router, Packet& p) {
    Router& r = routers_[router];
    if (p.ack) {
      if (p.way.empty()) {
        ++acks_home;
      } else {
        if (r.acks.size() == kAckQueue) return false;
        r.acks.push_back(std::move(p));
      }
      return true;
    }
    if (p.dst != router) return false;
    if (acks_ == Acks::kReverseWires) {
      auto& fifo = r.words[kPorts + p.way.back()];
      ++acks_made;
      if (fifo.size() == kFifo)
        ++acks_dropped;
      else
        fifo.push_back(std::move(p.way));
    } else if (acks_ != Acks::kNone) {
      if (r.acks.size() == kAckQueue) return false;
      ++acks_made;
      r.acks.push_back({.dst = 0, .ack = true, .way = std::move(p.way)});
    }
    ++delivered;
    return true;
  }

  void route(int router) {
    Router& r = routers_[router];
    std::vector<std::deque<Packet>*> queues;
    for (auto& port : r.in)
      for (auto& vc : port) queues.push_back(&vc);
    queues.push_back(&r.source);
    std::array<bool, kPorts> taken{};
    const std::size_t first = r.next++ % queues.size();
    const auto forward = [&](std::deque<Packet>& queue) {
      const Want want = wanted(router, queue.front());
      if (want.port < 0 || taken[want.port] || !room(router, want.port, want.vc)) return;
      Packet p = std::move(queue.front());
      queue.pop_front();
      taken[want.port] = moved_ = true;
      if (p.ack)
        p.way.pop_back();
      else
        p.way.push_back(want.port ^ 1);
      if (want.vc < kAdaptive) p.dateline = want.vc;
      arriving_.push_back({neighbour(router, want.port), want.port ^ 1, want.vc, std::move(p)});
    };
    if (!r.acks.empty()) forward(r.acks);  // acknowledges first
    for (std::size_t i = 0; i < queues.size(); ++i) {
      auto& queue = *queues[(first + i) % queues.size()];
      if (queue.empty()) continue;
      const bool ends = queue.front().ack || queue.front().dst == router;
      if (!ends)
        forward(queue);
      else if (consume(router, queue.front()))
        queue.pop_front(), moved_ = true;
    }
  }

  /// Each router takes one word from a FIFO and puts it on the reverse wires of the port that its
  /// packet came through, which are free: no other word is served in this cycle.
  void serve_words() {
    // FIFO of the neighbour as router * ports + port
    std::vector<std::pair<int, std::vector<int>>> on_wires;
    for (int n = 0; n < kRouters; ++n) {
      Router& r = routers_[n];
      for (unsigned i = 0; i < 2 * kPorts; ++i) {
        auto& fifo = r.words[(r.next_word + i) % (2 * kPorts)];
        if (fifo.empty()) continue;
        std::vector<int> way = std::move(fifo.front());
        fifo.pop_front();
        r.next_word += i + 1;
        if (way.empty()) {
          ++acks_home;
        } else {
          const int port = way.back();
          way.pop_back();
          on_wires.emplace_back(neighbour(n, port) * kPorts + (port ^ 1), std::move(way));
        }
        break;
      }
    }
    for (auto& [fifo, way] : on_wires) {
      auto& words = routers_[fifo / kPorts].words[fifo % kPorts];
      if (words.size() == kFifo)
        ++acks_dropped;
      else
        words.push_back(std::move(way));
    }
  }

  Acks acks_;
  traffic::Chance generate_;
  std::vector<int> left_;
  int total_ = kRouters * left_.front();
  traffic::Random random_, agent_;
  std::array<Router, kRouters> routers_;
  std::vector<Arrival> arriving_;
  bool moved_ = false;
  std::uint64_t still_ = 0;
};

}  // namespace hopwise::test
