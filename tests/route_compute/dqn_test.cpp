// SPDX-License-Identifier: Apache-2.0
// The emitted route computations of DQN-Routing: with every proposal that an agent could make,
// accepted and rejected, what is offered is exactly the relation, for every router, input port, VC,
// class and destination of small tori.
#include <map>
#include <set>

#include "../rtl_common/bench.hpp"
#include "Vdqn_variants.h"
#include "dqn_variants.hpp"
#include "routing/dqn/dqn.hpp"

namespace hopwise::test {
namespace {

struct DqnRouteResult {
  std::uint64_t compared = 0, asked = 0, forced = 0, answers = 0, wrong = 0;
  std::string first;  ///< the first difference
};

class DqnComparison {
 public:
  explicit DqnComparison(std::size_t number)
      : variant_(all_dqn_variants()[number]),
        network_(prove_variant(variant_)),
        t_(network_.topology()),
        shape_(emit::router_shape(network_)),
        seen_(shape_),
        max_hops_(routing::dqn::settings(network_.spec().network.routing).max_hops),
        proposals_(shape_.unit.candidates - 1),
        prefers_(routing::dqn::settings(network_.spec().network.routing).preferences > 0),
        nothing_((all_dqn_variants().size() + 31) / 32),
        bit_(nothing_) {
    spec::NetworkSpec spec;
    seen_ = emitted_shape(variant_, network_, spec);
    unsigned lsb = 0;
    for (const auto& [pin, width] : dqn_outputs(seen_)) {
      place_[pin.substr(0, pin.size() - 2)] = {lsb, width / seen_.ports};
      lsb += width;
    }
    set_bits(bit_, static_cast<unsigned>(number), 1, 1);
    model_->number_i = static_cast<std::uint32_t>(number);
    raise(false);
  }
  ~DqnComparison() { model_->final(); }
  DqnComparison(const DqnComparison&) = delete;
  DqnComparison& operator=(const DqnComparison&) = delete;

  DqnRouteResult run() {
    for (std::uint32_t r = 0; r < t_.num_routers(); ++r) {
      for (std::uint32_t d = 0; d < t_.num_terminals(); ++d) {
        for (unsigned vc = 0; vc < shape_.vcs; ++vc) {
          for (unsigned c = 0; c <= max_hops_; ++c) {
            for (const bool tracked : {false, true}) {
              if (tracked && prefers_) continue;
              query(RouterId{r}, TerminalId{d}, vc, c, tracked);
            }
          }
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
  void raise(bool value) {
    write_port(model_->ask_i, value ? bit_ : nothing_);
    model_->eval();
  }
  void show() {
    raise(true);
    raise(false);
    shown_ = read_port(model_->shown_o, kDqnShown);
  }
  std::uint64_t get(const std::string& net, unsigned p) const {
    const auto& [lsb, width] = place_.at(net);
    return get_bits(shown_, lsb + p * width, width);
  }
  void expect(const char* what, std::uint64_t found, std::uint64_t expected) {
    if (found == expected || result_.wrong++ > 0) return;
    result_.first = fmt::format("{}: {} is {:#x}, expected {:#x}", at_, what, found, expected);
  }

  void query(RouterId r, TerminalId dst, unsigned vc, unsigned klass, bool tracked) {
    const auto& f = shape_.format;
    const RouterId to = t_.router_of(dst);
    Words header(kDqnHeader / 32);
    // fields that routing does not read
    for (auto& word : header) word = static_cast<std::uint32_t>(random_());
    for (unsigned d = 0; d < f.dst_coord.size(); ++d)
      set_bits(header, f.dst_coord[d].lsb, f.dst_coord[d].width, t_.coordinate(to, d));
    set_bits(header, f.dst_slot.lsb, f.dst_slot.width, t_.slot_of(dst));
    set_bits(header, f.routing_class.lsb, f.routing_class.width, klass);
    if (!prefers_) set_bits(header, f.track.lsb, 1, tracked);
    model_->coord_i = static_cast<std::uint32_t>(emit::coordinate_value(shape_, t_, r));
    model_->vc_i = static_cast<std::uint8_t>(vc);
    write_port(model_->bits_i, header);
    for (unsigned p = 0; p < t_.num_ports() && result_.wrong == 0; ++p) {
      const bool from_network = p < t_.network_ports();
      at_ = fmt::format("router {} input {} VC {} class {} {} to terminal {}", t_.name(r),
                        t_.port_name(RouterId{0}, port(p)), vc, klass,
                        tracked ? "tracked" : "untracked", index(dst));
      const bool escaped = from_network && (shape_.adaptive_vcs >> vc & 1) == 0,
                 forced = escaped || klass >= max_hops_;
      const bool asks = r != to && (!forced || prefers_ || (tracked && from_network));
      model_->ready_i = random_() % 2;
      model_->answer_i = 0;
      show();
      ++result_.compared;
      expect("ask_valid", get("ask_valid", p), asks);
      expect("rc_ready", get("req_ready", p), asks ? model_->ready_i : 1);
      expect("rsp_valid", get("rsp_valid", p), !asks);
      expect("arrived", get("arrived", p), r == to);
      Offers offered;
      if (!asks) {
        expect("rsp_vc", get("rsp_vc", p), vc);
        offered = response(p, r == to);
        expect("the track", get("rsp_state", p) >> f.routing_class.width, 0);
      } else {
        ++result_.asked;
        result_.forced += forced;
        expect("ask_forced", get("ask_forced", p), forced);
        std::vector<unsigned> allowed;
        for (unsigned to_port = 0; to_port < t_.network_ports(); ++to_port) {
          if (!forced || (prefers_ && shortens(r, to, to_port))) allowed.push_back(to_port);
        }
        offered = answers(p, allowed, asks);
      }
      compare(offered, {r, port(p), VcId(static_cast<std::uint8_t>(vc)), klass, dst});
    }
  }

  /// The port leads nearer to the router `to`.
  bool shortens(RouterId from, RouterId to, unsigned port) const {
    const unsigned d = port / 2, size = t_.dims()[d];
    const unsigned ahead = (t_.coordinate(to, d) + size - t_.coordinate(from, d)) % size;
    return ahead != 0 && (port % 2 == 0 ? 2 * ahead <= size : 2 * ahead >= size);
  }

  /// What input port `p` offers over all answers to its question that name ports of `allowed`, in
  /// any place, and none. Beside an answer the question waits, or is taken.
  Offers answers(unsigned p, const std::vector<unsigned>& allowed, bool asks) {
    const std::uint64_t info = get("ask_info", p);
    const unsigned track_bits = shape_.format.track.width;
    Offers all;
    for (std::size_t first = 0; first <= allowed.size(); ++first) {
      std::set<unsigned> named;
      std::uint32_t ports = 0, accept = 0;
      for (unsigned k = 0;
           first < allowed.size() && k < std::min<std::size_t>(proposals_, allowed.size()); ++k) {
        const unsigned port = allowed[(first + k) % allowed.size()];
        ports |= port << (k * shape_.port_width());
        accept |= 1U << k;
        named.insert(port);
      }
      for (const bool accepted : {false, true}) {
        const std::uint64_t track = random_() & ((1U << track_bits) - 1),
                            vc = random_() % shape_.vcs;
        model_->answer_i = 1;
        model_->answer_vc_i = static_cast<std::uint8_t>(vc);
        model_->answer_port_i = ports;
        model_->answer_accept_i = static_cast<std::uint8_t>(accepted ? accept : 0);
        model_->answer_track_i = static_cast<std::uint16_t>(track);
        model_->answer_info_i = info;
        model_->ready_i = random_() % 2;
        show();
        expect("rc_ready beside an answer", get("req_ready", p), asks ? model_->ready_i : 0);
        expect("arrived beside an answer", get("arrived", p), 0);
        expect("rsp_valid", get("rsp_valid", p), 1);
        expect("rsp_vc", get("rsp_vc", p), vc);
        expect("the track", get("rsp_state", p) >> shape_.format.routing_class.width, track);
        const Offers some = response(p, false);
        expect("candidates", some.size(), (accepted ? named.size() : 0) + 1);
        for (unsigned k = 0; accepted && k < named.size(); ++k) {
          const unsigned at = k * shape_.port_width(), mask = (1U << shape_.port_width()) - 1;
          expect("a candidate's port", get("rsp_port", p) >> at & mask, ports >> at & mask);
        }
        all.insert(some.begin(), some.end());
        ++result_.answers;
      }
    }
    return all;
  }

  /// The moves of a response, slot by slot; the last slot is the escape.
  Offers response(unsigned p, bool ejects) const {
    const std::uint64_t ports = get("rsp_port", p), vcs = get("rsp_vcs", p);
    const auto next = static_cast<unsigned>(get("rsp_state", p) &
                                            ((1U << shape_.format.routing_class.width) - 1));
    Offers offers;
    for (unsigned k = 0; k <= proposals_; ++k) {
      const auto to = static_cast<unsigned>(ports >> (k * shape_.port_width()) &
                                            ((1U << shape_.port_width()) - 1));
      const auto mask = static_cast<VcMask>(vcs >> (k * shape_.vcs) & ((1U << shape_.vcs) - 1));
      if (mask != 0) offers.insert({to, mask, ejects || k == proposals_, ejects ? 0 : next});
    }
    return offers;
  }

  void compare(const Offers& offered, const routing::Query& query) {
    routing::Moves moves;
    network_.relation().moves(query, moves);
    Offers allowed;
    for (const routing::Move& move : moves) {
      const bool ejects = index(move.out_port) >= t_.network_ports();
      allowed.insert({static_cast<unsigned>(index(move.out_port)), move.vcs, move.escape,
                      ejects ? 0U : move.next_class});
    }
    if (offered == allowed || result_.wrong++ > 0) return;
    result_.first = at_ + ": offers";
    for (const auto& [p, vcs, escape, next] : offered)
      result_.first += fmt::format(" {} {:b} {} {};", p, vcs, escape, next);
    result_.first += " the relation has";
    for (const auto& [p, vcs, escape, next] : allowed)
      result_.first += fmt::format(" {} {:b} {} {};", p, vcs, escape, next);
  }

  Variant variant_;
  deadlock::ProvenNetwork network_;
  const topology::Topology& t_;
  emit::RouterShape shape_, seen_;  // as it should be, and as the emitter had it
  unsigned max_hops_;
  unsigned proposals_;  // of an answer
  bool prefers_;        // packets that have escaped go on in any minimal way, and none is tracked
  VerilatedContext context_;
  std::unique_ptr<Vdqn_variants> model_ = std::make_unique<Vdqn_variants>(&context_);
  std::map<std::string, std::pair<unsigned, unsigned>> place_;  // lowest bit, width of a slice
  Words nothing_, bit_, shown_;
  std::mt19937_64 random_{7};
  std::string at_;
  DqnRouteResult result_;
};

std::vector<std::size_t> dqn_numbers(bool faulty) {
  const std::size_t good = good_dqn_variants().size(), all = all_dqn_variants().size();
  std::vector<std::size_t> out;
  for (std::size_t i = faulty ? good : 0; i < (faulty ? all : good); ++i) out.push_back(i);
  return out;
}

std::string dqn_variant_name(const testing::TestParamInfo<std::size_t>& info) {
  return all_dqn_variants()[info.param].name;
}

class DqnRouteCompute : public testing::TestWithParam<std::size_t> {};

TEST_P(DqnRouteCompute, OffersOverAllProposalsExactlyTheMovesOfTheRelation) {
  const DqnRouteResult result = DqnComparison(GetParam()).run();
  EXPECT_EQ(result.wrong, 0U) << result.first;
  EXPECT_GT(result.asked, 0U);
  EXPECT_GT(result.forced, 0U);
  fmt::print("{} states, {} asked, {} of them forced, {} answers\n", result.compared, result.asked,
             result.forced, result.answers);
}

class FaultyDqnRoute : public testing::TestWithParam<std::size_t> {};

TEST_P(FaultyDqnRoute, IsCaught) { EXPECT_GT(DqnComparison(GetParam()).run().wrong, 0U); }

INSTANTIATE_TEST_SUITE_P(Emitted, DqnRouteCompute, testing::ValuesIn(dqn_numbers(false)),
                         dqn_variant_name);
INSTANTIATE_TEST_SUITE_P(Emitted, FaultyDqnRoute, testing::ValuesIn(dqn_numbers(true)),
                         dqn_variant_name);

}  // namespace
}  // namespace hopwise::test
