// SPDX-License-Identifier: Apache-2.0
// A terminal with two message classes of two VCs, its injection channel looped back to its ejection
// channel by a modelled router port that sends whole packets of each class, those of different
// classes flit by flit between each other.
#include <algorithm>
#include <array>
#include <deque>

#include "Vni_classes.h"
#include "terminals.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kClasses = 2, kOwn = 2, kVcs = kClasses * kOwn, kDepth = 10, kEject = 5;
using C = Compact;

class ClassLoopback {
 public:
  ClassLoopback(std::uint64_t seed, unsigned packets) : random_(seed) {
    for (unsigned c = 0; c < kClasses; ++c) {
      for (unsigned i = 0; i < packets; ++i)
        to_send_[c].push_back(
            random_packet<C>(random_, 1 + static_cast<unsigned>(random_() % C::kMaxFlits)));
      for (unsigned id = 0; id < packets; ++id) {
        Packet packet = to_send_[c][id];
        packet.msg = c;  // whatever the master says
        for (const Words& flit : expected_flits<C>(packet, id)) expected_[c].push_back(flit);
      }
    }
    credits_.fill(kDepth);
    room_.fill(kEject);
    ni_->src_i = kSource;
    ni_->s_tvalid_i = ni_->s_tlast_i = ni_->s_abort_i = ni_->m_tready_i = 0;
    ni_->inj_credit_valid_i = ni_->ej_valid_i = 0;
    ni_.reset();
  }

  /// `stuck`: a class whose packets the router never takes, or whose slave takes none.
  bool run(unsigned cycles, int stuck_in = -1, int stuck_out = -1) {
    for (unsigned i = 0; i < cycles; ++i) {
      cycle(stuck_in, stuck_out);
      if (testing::Test::HasFatalFailure()) return false;
    }
    return true;
  }
  bool done(unsigned c) const { return expected_[c].empty(); }
  bool quiescent() { return ni_->quiescent_o != 0; }
  Bench<Vni_classes>& ni() { return ni_; }

 private:
  void cycle(int stuck_in, int stuck_out) {
    ni_.settle();
    const unsigned ready = ni_->s_tready_o;
    for (unsigned c = 0; c < kClasses; ++c) {
      if ((offered_ >> c & 1) != 0 && (ready >> c & 1) != 0) {
        offered_ &= ~(1U << c);
        if (++beat_[c] == to_send_[c].front().beats.size()) {
          to_send_[c].pop_front();
          beat_[c] = 0;
        }
      }
      take(c);
    }
    router();
    ni_.edge();
    drive(stuck_in, stuck_out);
  }

  /// What the slaves took in this cycle.
  void take(unsigned c) {
    if ((ni_->m_tvalid_o >> c & 1) == 0 || (ready_ >> c & 1) == 0) return;
    ASSERT_FALSE(expected_[c].empty());
    // The two VCs of a class may overtake each other: packets are known by their ids.
    const Words all = read_port(ni_->m_tdata_o, kClasses * C::kFlitBits);
    const Words flit(all.begin() + c * 2, all.begin() + c * 2 + 2);
    if (!inside_[c]) {
      const auto id = get_bits(flit, C::kId.lsb, C::kId.width);
      const auto at = std::find_if(expected_[c].begin(), expected_[c].end(), [&](const Words& w) {
        return w == flit && get_bits(w, C::kId.lsb, C::kId.width) == id;
      });
      ASSERT_NE(at, expected_[c].end()) << "a head flit of class " << c << " is not known";
      next_[c] = static_cast<std::size_t>(at - expected_[c].begin());
      EXPECT_EQ(get_bits(flit, C::kMsg.lsb, C::kMsg.width), c);
    }
    ASSERT_LT(next_[c], expected_[c].size());
    EXPECT_EQ(expected_[c][next_[c]], flit);
    expected_[c].erase(expected_[c].begin() + static_cast<std::ptrdiff_t>(next_[c]));
    inside_[c] = (ni_->m_tlast_o >> c & 1) == 0;
  }

  void router() {
    if (ni_->inj_valid_o) {
      const unsigned vc = ni_->inj_vc_o;
      ASSERT_GT(credits_[vc], 0U) << "a flit without a credit";
      --credits_[vc];
      buffers_[vc].push_back(
          {ni_->inj_head_o != 0, ni_->inj_tail_o != 0, read_port(ni_->inj_data_o, C::kFlitBits)});
    }
    if (ni_->ej_credit_valid_o) {
      ASSERT_EQ(ni_->ej_credit_vc_o % kOwn, 0U);
      ++room_[ni_->ej_credit_vc_o / kOwn];
      ASSERT_LE(room_[ni_->ej_credit_vc_o / kOwn], kEject) << "a credit for nothing";
    }
  }

  void drive(int stuck_in, int stuck_out) {
    std::array<Words, kClasses> data, user;
    for (unsigned c = 0; c < kClasses; ++c) {
      data[c].resize(2);
      user[c].resize(1);
      if (to_send_[c].empty()) {
        offered_ &= ~(1U << c);
        continue;
      }
      if (chance(random_, 80)) offered_ |= 1U << c;
      const Packet& packet = to_send_[c].front();
      data[c] = packet.beats[beat_[c]];
      user[c][0] = static_cast<std::uint32_t>(packet.msg << C::kDst.width | packet.dst);
      const bool last = beat_[c] + 1 == packet.beats.size();
      ni_->s_tlast_i = static_cast<std::uint8_t>((ni_->s_tlast_i & ~(1U << c)) |
                                                 static_cast<unsigned>(last) << c);
    }
    ni_->s_tvalid_i = static_cast<std::uint8_t>(offered_);
    write_port(ni_->s_tdata_i, {data[0][0], data[0][1], data[1][0], data[1][1]});
    write_port(ni_->s_tuser_i, {user[0][0] | user[1][0] << (C::kDst.width + C::kMsg.width)});
    ready_ = 0;
    for (unsigned c = 0; c < kClasses; ++c)
      ready_ |= static_cast<unsigned>(stuck_out != static_cast<int>(c) && chance(random_, 70)) << c;
    ni_->m_tready_i = static_cast<std::uint8_t>(ready_);
    forward(stuck_in);
  }

  /// A flit of some class that has one and room for it, and its credit.
  void forward(int stuck_in) {
    ni_->ej_valid_i = 0;
    ni_->inj_credit_valid_i = 0;
    const auto first = static_cast<unsigned>(random_() % kClasses);
    for (unsigned i = 0; i < kClasses; ++i) {
      const unsigned c = (first + i) % kClasses;
      if (stuck_in == static_cast<int>(c) || room_[c] == 0) continue;
      if (!sending_[c]) vc_[c] = c * kOwn + static_cast<unsigned>(random_() % kOwn);
      auto& buffer = buffers_[vc_[c]];
      if (buffer.empty()) continue;
      const Flit flit = buffer.front();
      buffer.pop_front();
      --room_[c];
      ++credits_[vc_[c]];
      sending_[c] = !flit.tail;
      ni_->ej_valid_i = 1;
      ni_->ej_vc_i = static_cast<std::uint8_t>(c * kOwn);
      ni_->ej_head_i = flit.head;
      ni_->ej_tail_i = flit.tail;
      write_port(ni_->ej_data_i, flit.data);
      ni_->inj_credit_valid_i = 1;
      ni_->inj_credit_vc_i = static_cast<std::uint8_t>(vc_[c]);
      return;
    }
  }

  std::mt19937_64 random_;
  Bench<Vni_classes> ni_;
  std::array<std::deque<Packet>, kClasses> to_send_;
  std::array<std::deque<Words>, kClasses> expected_;
  std::array<std::size_t, kClasses> beat_{}, next_{};
  std::array<bool, kClasses> inside_{}, sending_{};
  std::array<unsigned, kClasses> vc_{}, room_{};
  std::array<unsigned, kVcs> credits_{};
  std::array<std::deque<Flit>, kVcs> buffers_;
  unsigned offered_ = 0, ready_ = 0;
};

TEST(ClassInterface, EveryPacketComesOutOfTheStreamOfItsClass) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    ClassLoopback terminal(seed, 100);
    ASSERT_TRUE(terminal.run(6000));
    EXPECT_TRUE(terminal.done(0) && terminal.done(1));
    EXPECT_TRUE(terminal.quiescent());
  }
}

TEST(ClassInterface, AClassThatStandsStillHoldsUpNoOther) {
  for (const int stuck : {0, 1}) {
    for (const bool in : {false, true}) {
      ClassLoopback terminal(7, 100);
      ASSERT_TRUE(terminal.run(6000, in ? stuck : -1, in ? -1 : stuck));
      EXPECT_TRUE(terminal.done(1 - static_cast<unsigned>(stuck)));
      EXPECT_FALSE(terminal.done(static_cast<unsigned>(stuck)));
      EXPECT_FALSE(terminal.quiescent());
    }
  }
}

TEST(ClassInterface, AnEjectedFlitOnAVcThatNoClassEjectsOnIsFound) {
  expect_assertion("a_ejection_on_known_vcs", [] {
    ClassLoopback terminal(1, 0);
    terminal.ni()->ej_valid_i = 1;
    terminal.ni()->ej_vc_i = 1;
    terminal.ni()->ej_head_i = terminal.ni()->ej_tail_i = 1;
    terminal.ni().settle();
    terminal.ni().edge();
    return terminal.ni().failed();
  });
}

}  // namespace
}  // namespace hopwise::test
