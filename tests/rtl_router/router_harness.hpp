// SPDX-License-Identifier: Apache-2.0
// A router of three ports with sources, sinks and a route computation that does what the head flit says.
//
// Head flit: length [2:0], first candidate's port [4:3] and VCs [6:5], second candidate's [8:7] and [10:9], class [12:11],
// packet number above. The route computation answers with the candidates and the next class.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <vector>

#include "bench.hpp"

namespace hopwise::test {

constexpr unsigned kPorts = 3, kFlitBits = 40, kRouteBits = 13;

enum class Flow { kVct, kSaf, kWormhole };

template <class ModelType, Flow F, unsigned Pipeline, unsigned MaxLength, unsigned... Depth>
struct Router {
  using Model = ModelType;
  static constexpr Flow kFlow = F;
  static constexpr unsigned kPipeline = Pipeline, kMaxLength = MaxLength, kVcs = sizeof...(Depth);
  static constexpr std::array<unsigned, sizeof...(Depth)> kDepths{Depth...};
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
    if (place > 0) return (number << 13 | place << 8 | (number * 37 & 0xff)) & ((1ULL << kFlitBits) - 1);
    return (length | first.port << 3 | first.vcs << 5 | second.port << 7 | second.vcs << 9 | klass << 11 | number << 13) &
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
    write_port(m.in_data_i, Words(4));
    for (auto& port : credits) port = T::kDepths;
    router.reset();
  }

  void send(unsigned port, unsigned vc, const Packet& packet) {
    for (unsigned place = 0; place < packet.length; ++place) {
      source[port][vc].push_back({0, port, vc, place == 0, place + 1 == packet.length, packet.flit(place)});
    }
  }

  /// One clock cycle. Flits that come out are added to `arrivals`.
  void cycle() {
    step();
    ASSERT_FALSE(router.failed());
  }
  /// The same, where an assertion of the RTL is expected.
  void step() {
    router.settle();
    take_outputs();
    drive_inputs();
    route();
    router.settle();
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
  unsigned route_latency = 0;                                                ///< cycles
  std::array<std::array<std::deque<Arrival>, T::kVcs>, kPorts> source;       ///< flits to send, per input port and VC
  std::array<std::array<unsigned, T::kVcs>, kPorts> credits{}, buffered{};   ///< buffered: at the sinks
  std::vector<Arrival> arrivals;
  std::array<std::uint64_t, kPorts> last_in{};                               ///< cycle of the port's last flit in

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
      if ((m.in_credit_valid_o >> o & 1) != 0) ++credits[o][m.in_credit_vc_o >> o & 1];
      if ((m.out_valid_o >> o & 1) == 0) continue;
      const unsigned vc = m.out_vc_o >> o & 1;
      ASSERT_LT(vc, T::kVcs);
      const Arrival a{router.cycle(), o, vc, (m.out_head_o >> o & 1) != 0, (m.out_tail_o >> o & 1) != 0,
                      get_bits(data, o * kFlitBits, kFlitBits)};
      const unsigned needs = T::kFlow != Flow::kWormhole && a.head ? static_cast<unsigned>(a.data & 7) : 1;
      ASSERT_LE(buffered[o][vc] + needs, T::kDepths[vc]) << "no room downstream at port " << o << " VC " << vc;
      ++buffered[o][vc];
      arrivals.push_back(a);
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
        set(m.out_credit_valid_i, p, true);
        set(m.out_credit_vc_i, p, vc != 0);
        break;
      }
    }
    write_port(m.in_data_i, data);
  }

  void route() {
    auto& m = router.model();
    const Words bits = read_port(m.rc_bits_o, kPorts * kRouteBits);
    Words port(1), vcs(1), klass(1);
    m.rsp_valid_i = m.rsp_vc_i = 0;
    for (unsigned p = 0; p < kPorts; ++p) {
      if ((m.rc_valid_o >> p & 1) != 0) {
        asked_[p].push_back({router.cycle() + route_latency, static_cast<unsigned>(m.rc_vc_o >> p & 1),
                             get_bits(bits, p * kRouteBits, kRouteBits)});
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
};

/// The packet's flit as it leaves: routing has rewritten the class of the head.
inline std::uint64_t flit_out(Packet packet, unsigned place) {
  packet.klass = (packet.klass + 1) & 3;
  return packet.flit(place);
}

}  // namespace hopwise::test
