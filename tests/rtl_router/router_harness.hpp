// SPDX-License-Identifier: Apache-2.0
// A router of three ports with sources, sinks and a route computation that does what the head flit
// says.
//
// Head flit: length [2:0], first candidate's port [4:3] and VCs [6:5], second candidate's [8:7] and
// [10:9], class [12:11], packet number above. The route computation answers with the candidates and
// the next class.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "bench.hpp"
#include "failures.hpp"

namespace hopwise::test {

constexpr unsigned kPorts = 3, kFlitBits = 40;

enum class Flow { kVct, kSaf, kWormhole };

template <class ModelType, Flow F, unsigned Pipeline, unsigned MaxLength, unsigned... Depth>
struct Router {
  using Model = ModelType;
  static constexpr Flow kFlow = F;
  static constexpr unsigned kPipeline = Pipeline, kMaxLength = MaxLength, kVcs = sizeof...(Depth);
  static constexpr std::array<unsigned, sizeof...(Depth)> kDepths{Depth...};
  static constexpr unsigned kRouteBits = 13, kTimeBits = 0;
  /// of a head flit, that the router leaves alone
  static constexpr std::uint64_t kHeadBits = (1ULL << kFlitBits) - 1;
};

/// A router that learns: packet numbers of 11 bits, arrival [31:24] and reward [39:32] above them.
template <class Base>
struct Learns : Base {
  static constexpr unsigned kRouteBits = 24, kTimeBits = 8;
  static constexpr std::uint64_t kHeadBits = (1ULL << kRouteBits) - 1;
};

template <class Model, unsigned MaxLength = 4>
using LearningVct = Learns<Router<Model, Flow::kVct, 2, MaxLength, 6, 9>>;

/// Their parameter LinkCycles.
inline constexpr unsigned kLinkCycles[kPorts] = {1, 4, 9};

// as hw_drop_pkg has them
enum Cause : unsigned {
  kNone,
  kBadDestination,
  kBadLength,
  kBadClass,
  kNoRoute,
  kBadParity,
  kHopsExceeded
};

struct Candidate {
  unsigned port = 0, vcs = 0;
};

struct Packet {
  unsigned length = 1;
  Candidate first, second;
  unsigned klass = 0;
  std::uint64_t number = 0;

  std::uint64_t flit(unsigned place) const {
    if (place > 0)
      return (number << 13 | place << 8 | (number * 37 & 0xff)) & ((1ULL << kFlitBits) - 1);
    return (length | first.port << 3 | first.vcs << 5 | second.port << 7 | second.vcs << 9 |
            klass << 11 | number << 13) &
           ((1ULL << kFlitBits) - 1);
  }
};

struct Arrival {
  std::uint64_t cycle = 0;
  unsigned port = 0, vc = 0;
  bool head = false, tail = false;
  std::uint64_t data = 0;
};

template <class T>
class RouterBench {
 public:
  explicit RouterBench(std::uint64_t seed = 1) : random(seed) {
    auto& m = router.model();
    m.in_valid_i = m.in_vc_i = m.in_head_i = m.in_tail_i = 0;
    m.out_credit_valid_i = m.out_credit_vc_i = 0;
    m.rsp_valid_i = m.rsp_vc_i = 0;
    m.rsp_port_i = 0;
    m.rsp_vcs_i = 0;
    m.rsp_state_i = 0;
    m.rc_ready_i = (1U << kPorts) - 1;
    m.now_i = 0;
    write_port(m.in_data_i, Words(4));
    for (auto& port : credits) port = T::kDepths;
    router.reset();
  }

  void send(unsigned port, unsigned vc, const Packet& packet) {
    for (unsigned place = 0; place < packet.length; ++place) {
      const std::uint64_t age = ages && place == 0 ? (packet.number * 29 & 0xff) << 32 : 0;
      source[port][vc].push_back(
          {0, port, vc, place == 0, place + 1 == packet.length, packet.flit(place) | age});
    }
  }

  /// One clock cycle. Flits that come out are added to `arrivals`.
  void cycle() {
    step();
    ASSERT_FALSE(router.failed());
  }
  /// The same, where an assertion of the RTL is expected.
  void step() {
    router->now_i =
        static_cast<std::uint8_t>((router.cycle() + epoch) & ((1U << T::kTimeBits) - 1));
    router.settle();
    take_outputs();
    drive_inputs();
    route();
    router.settle();
    take_turns();
    router.edge();
  }
  void run(unsigned cycles) {
    for (unsigned n = 0; n < cycles && !testing::Test::HasFatalFailure(); ++n) cycle();
  }
  bool sources_empty() const {
    for (const auto& port : source) {
      for (const auto& vc : port) {
        if (!vc.empty()) return false;
      }
    }
    return true;
  }

  Bench<typename T::Model> router;
  std::mt19937_64 random;
  unsigned send_percent = 100, credit_percent = 100;
  unsigned route_latency = 0;  ///< cycles
  /// flits to send, per input port and VC
  std::array<std::array<std::deque<Arrival>, T::kVcs>, kPorts> source;
  /// buffered: at the sinks
  std::array<std::array<unsigned, T::kVcs>, kPorts> credits{}, buffered{};
  /// of route computation
  unsigned ready_percent = 100;
  std::uint64_t questions = 0;  ///< that it took
  /// heads come with an age, from their number
  bool ages = false;
  /// of routers without output queues, not wormhole
  bool check_held = false;
  unsigned epoch = 0;  ///< time of cycle 0
  /// cycle in which a packet's head came
  std::map<std::uint64_t, std::uint64_t> entered;
  std::vector<Arrival> arrivals;
  /// cycle of the port's last flit in
  std::array<std::uint64_t, kPorts> last_in{};

 private:
  struct Response {
    std::uint64_t due;
    unsigned vc;
    std::uint64_t bits;
  };

  void take_outputs() {
    auto& m = router.model();
    const Words data = read_port(m.out_data_o, kPorts * kFlitBits);
    for (unsigned o = 0; o < kPorts; ++o) {
      if ((m.in_credit_valid_o >> o & 1) != 0) {
        const unsigned vc = m.in_credit_vc_o >> o & 1;
        ++credits[o][vc];
        ASSERT_FALSE(inside_[o][vc].empty()) << "a credit for no flit";
        inside_[o][vc].pop_front();
      }
      if ((m.out_valid_o >> o & 1) == 0) continue;
      const unsigned vc = m.out_vc_o >> o & 1;
      ASSERT_LT(vc, T::kVcs);
      const Arrival a{router.cycle(),
                      o,
                      vc,
                      (m.out_head_o >> o & 1) != 0,
                      (m.out_tail_o >> o & 1) != 0,
                      get_bits(data, o * kFlitBits, kFlitBits)};
      const unsigned needs =
          T::kFlow != Flow::kWormhole && a.head ? static_cast<unsigned>(a.data & 7) : 1;
      ASSERT_LE(buffered[o][vc] + needs, T::kDepths[vc])
          << "no room downstream at port " << o << " VC " << vc;
      ++buffered[o][vc];
      arrivals.push_back(a);
      if (a.head) {
        const std::uint64_t number = (a.data & T::kHeadBits) >> 13;
        const auto turn = turned_.find({number, vc});
        ASSERT_NE(turn, turned_.end()) << "packet " << number << " came without a turn to its VC";
        turned_.erase(turn);
        reserved_[o][vc] += static_cast<unsigned>(a.data & 7);
      }
    }
    const unsigned width = static_cast<unsigned>(std::bit_width(std::ranges::max(T::kDepths)));
    const Words held = read_port(m.rc_buffer_space_o, kPorts * T::kVcs * width),
                space = read_port(m.rc_space_o, kPorts * T::kVcs * width);
    for (unsigned o = 0; check_held && o < kPorts; ++o) {
      for (unsigned vc = 0; vc < T::kVcs; ++vc) {
        const std::uint64_t here = get_bits(held, (o * T::kVcs + vc) * width, width),
                            free = get_bits(space, (o * T::kVcs + vc) * width, width);
        ASSERT_EQ(here, T::kDepths[vc] - reserved_[o][vc])
            << "held space of port " << o << " VC " << vc;
        ASSERT_TRUE(free == 0 || free == here);
      }
    }
  }

  /// Turns tell of heads, with the VC that they leave by.
  void take_turns() {
    auto& m = router.model();
    for (unsigned p = 0; p < kPorts; ++p) {
      if ((m.turn_valid_o >> p & 1) == 0) continue;
      const unsigned vc = m.turn_vc_o >> p & 1;
      ASSERT_FALSE(inside_[p][vc].empty());
      // the flits before it have left with their credits
      const Arrival& flit = inside_[p][vc].front();
      ASSERT_TRUE(flit.head) << "a turn of a flit that is no head";
      turned_.insert({(flit.data & T::kHeadBits) >> 13, m.turn_out_vc_o >> p & 1});
    }
  }

  void drive_inputs() {
    auto& m = router.model();
    m.in_valid_i = m.in_vc_i = m.in_head_i = m.in_tail_i = 0;
    m.out_credit_valid_i = m.out_credit_vc_i = 0;
    Words data(4);
    for (unsigned p = 0; p < kPorts; ++p) {
      const unsigned v = static_cast<unsigned>(random() % T::kVcs);
      for (unsigned w = 0; w < T::kVcs; ++w) {
        const unsigned vc = (v + w) % T::kVcs;
        if (source[p][vc].empty() || credits[p][vc] == 0 || !chance(random, send_percent)) continue;
        const Arrival flit = source[p][vc].front();
        source[p][vc].pop_front();
        --credits[p][vc];
        if (flit.head) entered[(flit.data & T::kHeadBits) >> 13] = router.cycle();
        inside_[p][vc].push_back(flit);
        set(m.in_valid_i, p, true);
        set(m.in_vc_i, p, vc != 0);
        set(m.in_head_i, p, flit.head);
        set(m.in_tail_i, p, flit.tail);
        set_bits(data, p * kFlitBits, kFlitBits, flit.data);
        last_in[p] = router.cycle();
        break;
      }
      const unsigned c = static_cast<unsigned>(random() % T::kVcs);
      for (unsigned w = 0; w < T::kVcs; ++w) {
        const unsigned vc = (c + w) % T::kVcs;
        if (buffered[p][vc] == 0 || !chance(random, credit_percent)) continue;
        --buffered[p][vc];
        --reserved_[p][vc];
        set(m.out_credit_valid_i, p, true);
        set(m.out_credit_vc_i, p, vc != 0);
        break;
      }
    }
    write_port(m.in_data_i, data);
  }

  void route() {
    auto& m = router.model();
    const Words bits = read_port(m.rc_bits_o, kPorts * T::kRouteBits);
    Words port(1), vcs(1), klass(1);
    m.rsp_valid_i = m.rsp_vc_i = 0;
    for (unsigned p = 0; p < kPorts; ++p) {
      const bool ready = chance(random, ready_percent);
      set(m.rc_ready_i, p, ready);
      if (ready && (m.rc_valid_o >> p & 1) != 0) {
        ++questions;
        asked_[p].push_back({router.cycle() + route_latency,
                             static_cast<unsigned>(m.rc_vc_o >> p & 1),
                             get_bits(bits, p * T::kRouteBits, T::kRouteBits)});
      }
      if (asked_[p].empty() || asked_[p].front().due > router.cycle()) continue;
      const Response r = asked_[p].front();
      asked_[p].pop_front();
      set(m.rsp_valid_i, p, true);
      set(m.rsp_vc_i, p, r.vc != 0);
      for (unsigned k = 0; k < 2; ++k) {
        set_bits(port, (p * 2 + k) * 2, 2, r.bits >> (3 + 4 * k) & 3);
        set_bits(vcs, (p * 2 + k) * T::kVcs, T::kVcs, r.bits >> (5 + 4 * k) & 3);
      }
      set_bits(klass, p * 2, 2, (r.bits >> 11) + 1);
    }
    write_port(m.rsp_port_i, port);
    write_port(m.rsp_vcs_i, vcs);
    write_port(m.rsp_state_i, klass);
  }

  template <class Port>
  static void set(Port& port, unsigned bit, bool value) {
    port = static_cast<Port>(value ? port | 1U << bit : port & ~(1U << bit));
  }

  std::array<std::deque<Response>, kPorts> asked_;
  // flits that have not left, as they came
  std::array<std::array<std::deque<Arrival>, T::kVcs>, kPorts> inside_;
  // packets whose head has crossed, and to which VC
  std::multiset<std::pair<std::uint64_t, unsigned>> turned_;
  // downstream, by heads that have come out
  std::array<std::array<unsigned, T::kVcs>, kPorts> reserved_{};
};

/// The packet's flit as it leaves: routing has rewritten the class of the head.
inline std::uint64_t flit_out(Packet packet, unsigned place) {
  packet.klass = (packet.klass + 1) & 3;
  return packet.flit(place);
}

template <class T>
Candidate random_candidate(std::mt19937_64& random) {
  return {static_cast<unsigned>(random() % kPorts),
          1 + static_cast<unsigned>(random() % ((1U << T::kVcs) - 1))};
}

template <class T>
Packet random_packet(std::mt19937_64& random, std::uint64_t number) {
  return {1 + static_cast<unsigned>(random() % T::kMaxLength), random_candidate<T>(random),
          chance(random, 50) ? random_candidate<T>(random) : Candidate{},
          static_cast<unsigned>(random() % 4), number};
}

/// Random packets from every input port and VC; all must come out whole, where they may, in the
/// order that is promised.
template <class T>
void run_random(RouterBench<T>& bench, unsigned packets) {
  struct Sent {
    Packet packet;
    unsigned port, vc;
  };
  std::map<std::uint64_t, Sent> sent;
  for (std::uint64_t n = 0; n < packets; ++n) {
    const unsigned port = static_cast<unsigned>(bench.random() % kPorts),
                   vc = static_cast<unsigned>(bench.random() % T::kVcs);
    const Packet packet = random_packet<T>(bench.random, n);
    sent[n] = {packet, port, vc};
    bench.send(port, vc, packet);
  }
  for (int n = 0; n < 400 && !bench.sources_empty(); ++n) {
    bench.run(100);
    ASSERT_FALSE(testing::Test::HasFatalFailure());
  }
  ASSERT_TRUE(bench.sources_empty()) << "packets are stuck";
  bench.credit_percent = 100;
  bench.run(400);
  ASSERT_FALSE(testing::Test::HasFatalFailure());

  // (port, VC) -> packet, next place
  std::map<std::pair<unsigned, unsigned>, std::pair<std::uint64_t, unsigned>> open;
  // (in port, in VC, out port, out VC) -> packet before
  std::map<std::array<unsigned, 4>, std::uint64_t> last;
  unsigned whole = 0;
  for (const Arrival& a : bench.arrivals) {
    const auto at = std::pair(a.port, a.vc);
    if (a.head) {
      ASSERT_FALSE(open.contains(at)) << "a packet within another";
      open[at] = {(a.data & T::kHeadBits) >> 13, 0};
    }
    ASSERT_TRUE(open.contains(at)) << "a flit without head";
    const auto [number, place] = open[at];
    ASSERT_TRUE(sent.contains(number));
    const Sent& s = sent[number];
    const std::uint64_t same = a.head ? T::kHeadBits : (1ULL << kFlitBits) - 1;
    ASSERT_EQ(a.data & same, flit_out(s.packet, place) & same)
        << "packet " << number << " flit " << place;
    ASSERT_EQ(a.tail, place + 1 == s.packet.length);
    const auto allows = [&a](const Candidate& c) {
      return c.port == a.port && (c.vcs >> a.vc & 1) != 0;
    };
    ASSERT_TRUE(allows(s.packet.first) || allows(s.packet.second)) << "not a candidate";
    open[at].second = place + 1;
    if (!a.tail) continue;
    open.erase(at);
    ++whole;
    const std::array<unsigned, 4> way{s.port, s.vc, a.port, a.vc};
    ASSERT_TRUE(!last.contains(way) || last[way] < number) << "overtaken within a VC";
    last[way] = number;
  }
  EXPECT_EQ(whole, packets);
  EXPECT_EQ(bench.router->quiescent_o, 1);
  for (unsigned p = 0; p < kPorts; ++p)
    EXPECT_EQ(bench.credits[p], T::kDepths) << "credits of port " << p;
}

}  // namespace hopwise::test
