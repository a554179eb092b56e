// SPDX-License-Identifier: Apache-2.0
// The emitted route computations with a Q-table: a stand-in for the agent takes every port that the
// agent could; what is offered then is exactly the relation, for every router, input port, VC,
// state and destination of small networks.
#include <algorithm>
#include <set>

#include "q_model.hpp"
#include "routing/q/q.hpp"
#include "topology/dragonfly.hpp"

namespace hopwise::test {
namespace {

using routing::Move;

constexpr unsigned kMinimalMode = 0, kLearnedMode = 1, kDetourMode = 2, kGreedyMode = 3;

class Comparison {
 public:
  explicit Comparison(std::size_t number)
      : m_(number),
        t_(m_.network.topology()),
        q_(routing::q::settings(m_.spec.routing)),
        dragonfly_(t_.has_groups()),
        two_level_(m_.spec.routing.algorithm != "q_routing") {
    for (std::size_t i = 0; i < m_.spec.routing.vcs_per_class.size(); ++i) {
      step_of_.insert(step_of_.end(), m_.spec.routing.vcs_per_class[i], static_cast<unsigned>(i));
    }
  }

  QResult run() {
    const unsigned classes = dragonfly_ ? 1 : q_.max_hops + 1;
    for (std::uint32_t r = 0; r < t_.num_routers(); ++r) {
      for (std::uint32_t d = 0; d < t_.num_terminals(); ++d) {
        for (unsigned vc = 0; vc < m_.shape.vcs; ++vc) {
          for (unsigned c = 0; c < classes; ++c) query(RouterId{r}, TerminalId{d}, vc, c);
        }
        if (result_.wrong > 0) return result_;
      }
    }
    return result_;
  }

 private:
  // port, VCs, escape, next class
  using Offers = std::set<std::tuple<unsigned, VcMask, bool, unsigned>>;

  static PortId port(unsigned p) { return PortId(static_cast<std::uint16_t>(p)); }
  unsigned group(RouterId r) const { return t_.coordinate(r, 1); }

  template <class A, class B>
  void expect(const std::string& what, A found, B expected) {
    if (static_cast<std::uint64_t>(found) == static_cast<std::uint64_t>(expected) ||
        result_.wrong++ > 0)
      return;
    result_.first =
        fmt::format("{}: {} is {:#x}, expected {:#x}", at_, what, static_cast<std::uint64_t>(found),
                    static_cast<std::uint64_t>(expected));
  }

  void query(RouterId r, TerminalId dst, unsigned vc, unsigned klass) {
    const auto& f = m_.shape.format;
    const RouterId to = t_.router_of(dst);
    Words header(kQHeader / 32);
    // fields that routing does not read
    for (auto& word : header) word = static_cast<std::uint32_t>(m_.random());
    unsigned row = 0, shift = 0;
    for (unsigned d = 0; d < f.dst_coord.size(); ++d) {
      set_bits(header, f.dst_coord[d].lsb, f.dst_coord[d].width, t_.coordinate(to, d));
      row |= t_.coordinate(to, d) << shift;
      shift += f.dst_coord[d].width;
    }
    const auto source = static_cast<unsigned>(m_.random() % t_.terminals_per_router());
    if (dragonfly_) {
      row = two_level_ ? group(to) * t_.terminals_per_router() + source
                       : group(to) * topology::Dragonfly(t_.spec()).routers_per_group() +
                             t_.coordinate(to, 0);
    }
    set_bits(header, f.dst_slot.lsb, f.dst_slot.width, t_.slot_of(dst));
    set_bits(header, f.src_slot.lsb, f.src_slot.width, source);
    if (!dragonfly_) set_bits(header, f.routing_class.lsb, f.routing_class.width, klass);
    const std::uint64_t reward = m_.random() % (1U << f.reward.width);
    set_bits(header, f.reward.lsb, f.reward.width, reward);
    m_->coord_i = static_cast<std::uint32_t>(emit::coordinate_value(m_.shape, t_, r));
    m_->vc_i = static_cast<std::uint8_t>(vc);
    write_port(m_->bits_i, header);
    m_->ready_i = m_.random() % 2;
    m_->answer_i = 0;
    m_.ask();
    for (unsigned p = 0; p < t_.num_ports(); ++p) {
      const bool from_network = p < t_.network_ports();
      const unsigned hops = from_network ? step_of_[vc] + 1 : 0;
      // A packet has not made more hops than there are steps.
      if (dragonfly_ && r != to && hops >= m_.spec.routing.vcs_per_class.size()) continue;
      at_ = fmt::format("router {} input {} VC {} class {} to terminal {}", t_.name(r),
                        t_.port_name(RouterId{0}, port(p)), vc, klass, index(dst));
      const bool asks = m_.get("ask_valid", p) != 0;
      ++result_.compared;
      expect("ask_valid", asks, dragonfly_ && two_level_ ? group(r) != group(to) : r != to);
      Offers offered;
      if (asks) {
        expect("rc_ready", m_.get("req_ready", p), m_->ready_i);
        expect("rsp_valid", m_.get("rsp_valid", p), 0);
        expect("a feedback before the answer", m_.get("feedback", p) & 1, 0);
        expect("ask_row", m_.get("ask_row", p), row);
        expect("a row beyond the table", row < q_rows(m_.shape), 1);
        expect("ask_feedback", m_.get("ask_feedback", p), from_network);
        expect("ask_reward", m_.get("ask_reward", p), reward);
        question(r, to, p, hops, klass, vc);
        offered = offers(r, p);
        ++result_.asked;
      } else {
        expect("rc_ready", m_.get("req_ready", p), 1);
        expect("rsp_valid", m_.get("rsp_valid", p), 1);
        expect("rsp_vc", m_.get("rsp_vc", p), vc);
        offered = response(m_.get("rsp_port", p), m_.get("rsp_vcs", p), m_.get("rsp_state", p));
        const bool global =
            from_network && dragonfly_ && !topology::Dragonfly(t_.spec()).is_local(p);
        const std::uint64_t feedback = m_.get("feedback", p), most = (1ULL << q_.value_bits) - 2;
        const bool tells = two_level_ && dragonfly_ ? global : from_network;
        expect("the feedback's valid bit", feedback & 1, tells);
        if (tells)
          expect("the feedback", feedback,
                 std::min(most, reward << q_.fraction_bits) << (1 + q_row_bits(m_.shape)) |
                     row << 1 | 1);
      }
      compare(offered, {r, port(p), VcId(static_cast<std::uint8_t>(vc)), klass, dst});
    }
    answers();
  }

  void compare(Offers& offered, const routing::Query& query) {
    routing::Moves moves;
    m_.network.relation().moves(query, moves);
    Offers allowed;
    for (const Move& move : moves) {
      const bool ejects = index(move.out_port) >= t_.network_ports();
      allowed.insert({static_cast<unsigned>(index(move.out_port)), move.vcs,
                      dragonfly_ || move.escape, ejects ? 0U : move.next_class});
    }
    result_.moves += moves.size();
    if (offered == allowed || result_.wrong++ > 0) return;
    result_.first = at_ + ": offers";
    for (const auto& [p, vcs, escape, next] : offered)
      result_.first += fmt::format(" {} {:b} {} {};", p, vcs, escape, next);
    result_.first += " the relation has";
    for (const auto& [p, vcs, escape, next] : allowed)
      result_.first += fmt::format(" {} {:b} {} {};", p, vcs, escape, next);
  }

  /// The moves of a response, slot by slot; the last slot of a torus is the escape.
  Offers response(std::uint64_t ports, std::uint64_t vcs, std::uint64_t state) const {
    Offers offers;
    for (unsigned k = 0; k < m_.shape.unit.candidates; ++k) {
      const auto p = static_cast<unsigned>(ports >> (k * m_.shape.port_width()) &
                                           ((1U << m_.shape.port_width()) - 1));
      const auto mask = static_cast<VcMask>(vcs >> (k * m_.shape.vcs) & ((1U << m_.shape.vcs) - 1));
      const bool ejects = p >= t_.network_ports();
      if (mask != 0)
        offers.insert({p, mask, dragonfly_ || ejects || k == 1,
                       dragonfly_ || ejects ? 0U : static_cast<unsigned>(state)});
    }
    return offers;
  }

  bool connected(RouterId r, unsigned p) const { return t_.out_channel(r, port(p)).has_value(); }
  RouterId next(RouterId r, unsigned p) const {
    return t_.channel(*t_.out_channel(r, port(p))).dst;
  }

  /// The port of the minimal path, from the links.
  unsigned minimal(RouterId r, RouterId to) const {
    unsigned local = t_.network_ports();
    for (unsigned p = 0; p < t_.network_ports(); ++p) {
      if (!connected(r, p)) continue;
      const RouterId n = next(r, p);
      if (n == to && group(r) == group(to)) return p;
      if (group(r) == group(to)) continue;
      if (group(n) == group(to)) return p;
      for (unsigned o = 0; group(n) == group(r) && o < t_.network_ports(); ++o) {
        if (connected(n, o) && group(next(n, o)) == group(to)) local = p;
      }
    }
    return local;
  }

  /// How the packet's question is to be decided, by the rules of docs/reference/routing-q.md.
  void question(RouterId r, RouterId to, unsigned p, unsigned hops, unsigned klass, unsigned vc) {
    unsigned mode = kMinimalMode;
    bool narrow = false;
    if (!dragonfly_) {
      const bool escaped = p < t_.network_ports() && (m_.shape.adaptive_vcs >> vc & 1) == 0;
      if (!escaped && klass < q_.max_hops) mode = kGreedyMode;
    } else {
      const unsigned way = minimal(r, to);
      expect("ask_minimal", m_.get("ask_minimal", p), way);
      if (!two_level_) {
        if (hops < q_.max_hops) mode = kGreedyMode;
      } else if (p >= t_.network_ports()) {
        mode = kLearnedMode;
        narrow = !q_.local_detours;
      } else if (hops == 1 && !topology::Dragonfly(t_.spec()).is_local(p)) {
        if (topology::Dragonfly(t_.spec()).is_local(way)) mode = kDetourMode;
      } else if (hops == 1 && q_.progressive) {
        mode = kLearnedMode;
        narrow = true;
      }
    }
    expect("ask_mode", m_.get("ask_mode", p), mode);
    expect("ask_narrow", m_.get("ask_narrow", p), narrow);
  }

  /// What input port `p` offers over all answers that an agent may give.
  Offers offers(RouterId r, unsigned p) const {
    const auto way = static_cast<unsigned>(m_.get("ask_minimal", p));
    const std::uint64_t info = m_.get("ask_info", p);
    const unsigned w = m_.shape.port_width(), v = m_.shape.vcs;
    Offers all;
    for (unsigned c = 0; c < t_.network_ports(); ++c) {
      bool may = connected(r, c);
      if (m_.get("ask_mode", p) == kMinimalMode) may = c == way;
      if (m_.get("ask_narrow", p) != 0 && topology::Dragonfly(t_.spec()).is_local(c) && c != way)
        may = false;
      if (!may) continue;
      // (That an answer is handed on in this way is checked by answers().)
      const Offers some = dragonfly_ ? response(c, info, 0)
                                     : response((info >> (2 * v) & ((1U << w) - 1)) << w | c,
                                                info & ((1ULL << 2 * v) - 1), info >> (2 * v + w));
      all.insert(some.begin(), some.end());
    }
    return all;
  }

  /// An answer of the agent goes first, and through to the response as it is.
  void answers() {
    const unsigned w = m_.shape.port_width(), v = m_.shape.vcs,
                   state = dragonfly_ ? 0 : m_.shape.state_width();
    const std::uint64_t info = m_.random() & ((1ULL << (dragonfly_ ? v : state + w + 2 * v)) - 1);
    const std::uint64_t feedback = m_.random() & ((1ULL << m_.shape.feedback_bits) - 1);
    const std::uint64_t answer = m_.random() & ((1U << w) - 1), vc = m_.random() % m_.shape.vcs;
    m_->answer_i = 1;
    m_->answer_vc_i = static_cast<std::uint8_t>(vc);
    m_->answer_port_i = static_cast<std::uint8_t>(answer);
    m_->answer_info_i = info;
    m_->answer_feedback_i = feedback;
    m_.ask();
    for (unsigned p = 0; p < t_.num_ports(); ++p) {
      expect("rc_ready beside an answer", m_.get("req_ready", p),
             m_.get("ask_valid", p) != 0 ? m_->ready_i : 0);
      expect("rsp_valid", m_.get("rsp_valid", p), 1);
      expect("rsp_vc", m_.get("rsp_vc", p), vc);
      expect("the answer's feedback", m_.get("feedback", p), feedback);
      expect("rsp_port", m_.get("rsp_port", p),
             dragonfly_ ? answer : (info >> (2 * v) & ((1U << w) - 1)) << w | answer);
      expect("rsp_vcs", m_.get("rsp_vcs", p), dragonfly_ ? info : info & ((1ULL << 2 * v) - 1));
      if (!dragonfly_) expect("rsp_state", m_.get("rsp_state", p), info >> (2 * v + w));
    }
  }

  QModel m_;
  const topology::Topology& t_;
  const routing::q::Settings q_;
  bool dragonfly_, two_level_;
  std::vector<unsigned> step_of_;
  std::string at_;
  QResult result_;
};

class QRouteCompute : public testing::TestWithParam<std::size_t> {};

TEST_P(QRouteCompute, OffersOverAllAnswersExactlyTheMovesOfTheRelation) {
  const QResult result = Comparison(GetParam()).run();
  EXPECT_EQ(result.wrong, 0U) << result.first;
  EXPECT_GT(result.asked, 0U);
  fmt::print("{} states, {} asked, {} moves\n", result.compared, result.asked, result.moves);
}

class FaultyQRoute : public testing::TestWithParam<std::size_t> {};

TEST_P(FaultyQRoute, IsCaught) { EXPECT_GT(Comparison(GetParam()).run().wrong, 0U); }

INSTANTIATE_TEST_SUITE_P(Emitted, QRouteCompute, testing::ValuesIn(q_numbers(QFault::kNone)),
                         q_variant_name);
INSTANTIATE_TEST_SUITE_P(Emitted, FaultyQRoute, testing::ValuesIn(q_numbers(QFault::kRoute)),
                         q_variant_name);

}  // namespace
}  // namespace hopwise::test
