// SPDX-License-Identifier: Apache-2.0
// Random traffic through a network interface whose injection channel is looped back to its ejection
// channel by a modelled router port: one buffer per VC, drained whole packet by whole packet with
// random pauses.
#include <deque>

#include "terminals.hpp"

namespace hopwise::test {
namespace {

struct Pauses {
  unsigned master, router, credit, slave;  // percent of cycles in which each side acts
};

template <class T>
class Loopback {
 public:
  explicit Loopback(std::uint64_t seed, Pauses pauses, unsigned packets)
      : random_(seed), pauses_(pauses), buffers_(T::kVcDepths.size()), owed_(T::kVcDepths.size()) {
    for (unsigned i = 0; i < packets; ++i) {
      const unsigned flits =
          1 + static_cast<unsigned>(random_() % (T::kMaxFlits + (i % 4 == 0 ? 4 : 0)));
      to_send_.push_back(random_packet<T>(random_, flits, true));
      if (!legal<T>(to_send_.back())) {
        ++illegal_;
        continue;
      }
      legal_.push_back(to_send_.back());
    }
    credits_.assign(T::kVcDepths.begin(), T::kVcDepths.end());
    usable_ = credits_;
    idle_terminal<T>(ni_);
    ni_.reset();
  }

  void run() {
    for (int idle = 0; idle < 200; ++idle) {
      cycle();
      if (testing::Test::HasFatalFailure()) return;
      if (received_ < legal_.size() || !to_send_.empty()) idle = 0;
      ASSERT_LT(ni_.cycle(), 1000000U) << "stuck after " << received_ << " packets";
    }
    EXPECT_EQ(errors_, illegal_);
    EXPECT_EQ(received_, legal_.size());
    EXPECT_EQ(injected_, legal_.size());
    EXPECT_TRUE(ni_->quiescent_o);
  }

 private:
  void cycle() {
    ni_.settle();
    drive_master();
    drive_slave();
    drive_router();
    ni_.settle();
    check_injection();
    check_ejection();
    if (ni_->error_o) ++errors_;
    const bool accepted = ni_->s_tvalid_i && ni_->s_tready_o;
    if (ni_->ej_credit_valid_o) {
      EXPECT_EQ(ni_->ej_credit_vc_o, 0);
      ++eject_credits_;
      ASSERT_LE(eject_credits_, T::kEjectDepth);
    }
    ni_.edge();
    ASSERT_FALSE(ni_.failed());
    if (accepted) {
      ni_->s_tvalid_i = 0;
      if (++beat_ == to_send_.front().beats.size()) {
        to_send_.pop_front();
        beat_ = 0;
      }
    }
  }

  void drive_master() {
    if (!ni_->s_tvalid_i && !to_send_.empty() && chance(random_, pauses_.master)) {
      drive_beat<T>(ni_, to_send_.front(), beat_);
      if (beat_ > 0) ni_->s_tuser_i = 0;  // read with the first beat only
    }
  }

  void drive_slave() { ni_->m_tready_i = chance(random_, pauses_.slave); }

  // Drains whole packets to the ejection channel, and returns credits with a delay of its own.
  void drive_router() {
    ni_->ej_valid_i = 0;
    if (eject_credits_ > 0 && chance(random_, pauses_.router)) {
      if (draining_ == kNone) {
        for (std::size_t vc = 0; vc < buffers_.size(); ++vc) {
          if (!buffers_[vc].empty()) draining_ = vc;
        }
      }
      if (draining_ != kNone && !buffers_[draining_].empty()) {
        const Flit& flit = buffers_[draining_].front();
        ni_->ej_valid_i = 1;
        ni_->ej_head_i = flit.head;
        ni_->ej_tail_i = flit.tail;
        write_port(ni_->ej_data_i, flit.data);
        if (flit.head) ejected_.push_back({});
        ejected_.back().push_back(flit.data);
        --eject_credits_;
        ++owed_[draining_];
        const bool tail = flit.tail;
        buffers_[draining_].pop_front();
        if (tail) draining_ = kNone;
      }
    }
    ni_->inj_credit_valid_i = 0;
    const std::size_t vc = random_() % owed_.size();
    if (owed_[vc] > 0 && chance(random_, pauses_.credit)) {
      --owed_[vc];
      ni_->inj_credit_valid_i = 1;
      ni_->inj_credit_vc_i = static_cast<std::uint8_t>(vc);
    }
  }

  // A head flit on the pins was decided on one cycle ago, with the credits of the pins before that.
  void check_injection() {
    if (ni_->inj_valid_o) {
      const Words data = read_port(ni_->inj_data_o, T::kFlitBits);
      const std::size_t vc = ni_->inj_vc_o;
      if (flit_ == 0) {
        ASSERT_LT(injected_, legal_.size());
        expected_ = expected_flits<T>(legal_[injected_], injected_);
        check_vc(vc);
        current_vc_ = vc;
      }
      ASSERT_EQ(vc, current_vc_) << "packets are interleaved";
      ASSERT_EQ(ni_->inj_head_o, flit_ == 0);
      ASSERT_EQ(ni_->inj_tail_o, flit_ + 1 == expected_.size());
      ASSERT_EQ(data, expected_[flit_]) << "packet " << injected_ << " flit " << flit_;
      buffers_[vc].push_back({flit_ == 0, flit_ + 1 == expected_.size(), data});
      ASSERT_LE(buffers_[vc].size() + owed_[vc], T::kVcDepths[vc]) << "more flits than credits";
      if (++flit_ == expected_.size()) {
        flit_ = 0;
        ++injected_;
      }
    }
    usable_ = credits_;
    if (ni_->inj_valid_o) --usable_[ni_->inj_vc_o];
    credits_ = usable_;
    if (ni_->inj_credit_valid_i) ++credits_[ni_->inj_credit_vc_i];
  }

  void check_vc(std::size_t vc) {
    const std::size_t vcs = T::kVcDepths.size();
    const unsigned need = T::kWhole ? static_cast<unsigned>(expected_.size()) : 1;
    ASSERT_GE(usable_[vc], need) << "packet does not fit";
    if (T::kFixedVc) {
      ASSERT_EQ(vc, legal_[injected_].dst % vcs);
      return;
    }
    std::size_t first = next_vc_;
    while (usable_[first] < need) first = (first + 1) % vcs;
    ASSERT_EQ(vc, first) << "not the first VC with room";
    next_vc_ = (vc + 1) % vcs;
  }

  void check_ejection() {
    if (!(ni_->m_tvalid_o && ni_->m_tready_i)) return;
    ASSERT_LT(received_, ejected_.size());
    const std::vector<Words>& packet = ejected_[received_];
    ASSERT_LT(taken_, packet.size());
    ASSERT_EQ(read_port(ni_->m_tdata_o, T::kFlitBits), packet[taken_]);
    const std::uint64_t msg = get_bits(packet[0], T::kMsg.lsb, T::kMsg.width);
    ASSERT_EQ(ni_->m_tuser_o, msg << T::kSrc.width | kSource);
    ++taken_;
    const std::uint64_t flits = get_bits(packet[0], T::kLen.lsb, T::kLen.width) + T::kLenOffset;
    ASSERT_EQ(ni_->m_tlast_o, taken_ == flits);
    if (taken_ == flits) {
      taken_ = 0;
      ++received_;
    }
  }

  static constexpr std::size_t kNone = ~std::size_t{0};

  Bench<typename T::Model> ni_;
  std::mt19937_64 random_;
  Pauses pauses_;
  std::deque<Packet> to_send_;
  std::vector<Packet> legal_;
  std::size_t beat_ = 0;
  std::size_t illegal_ = 0, errors_ = 0;
  // Injection channel
  std::vector<Words> expected_;
  std::size_t flit_ = 0, injected_ = 0, current_vc_ = 0, next_vc_ = 0;
  std::vector<unsigned> credits_, usable_;
  // Modelled router port
  std::vector<std::deque<Flit>> buffers_;
  std::vector<unsigned> owed_;
  std::size_t draining_ = kNone;
  unsigned eject_credits_ = T::kEjectDepth;
  // Ejection stream
  std::vector<std::vector<Words>> ejected_;
  std::size_t taken_ = 0, received_ = 0;
};

template <class T>
class NetworkInterface : public testing::Test {};
TYPED_TEST_SUITE(NetworkInterface, Terminals);

TYPED_TEST(NetworkInterface, CarriesEveryPacketIntactUnderRandomPausesAndDropsThoseOfWrongLength) {
  for (const Pauses pauses :
       {Pauses{100, 100, 100, 100}, Pauses{50, 50, 50, 50}, Pauses{90, 20, 90, 90},
        Pauses{90, 90, 10, 90}, Pauses{90, 90, 90, 10}, Pauses{10, 90, 90, 90}}) {
    for (std::uint64_t seed : {1U, 2U, 3U}) {
      Loopback<TypeParam>(seed, pauses, 400).run();
      ASSERT_FALSE(this->HasFatalFailure())
          << pauses.master << ' ' << pauses.router << ' ' << pauses.credit << ' ' << pauses.slave
          << " seed " << seed;
    }
  }
}

TYPED_TEST(NetworkInterface, CreditWithoutFlitTripsItsAssertion) {
  expect_assertion("a_credit_only_for_sent_flit", [] {
    Bench<typename TypeParam::Model> ni;
    idle_terminal<TypeParam>(ni);
    ni.reset();
    ni->inj_credit_valid_i = 1;
    ni.edge();
    return ni.failed();
  });
}

TYPED_TEST(NetworkInterface, FlitWithoutEjectionCreditTripsItsAssertion) {
  expect_assertion("a_credit_was_held", [] {
    Bench<typename TypeParam::Model> ni;
    idle_terminal<TypeParam>(ni);
    ni.reset();
    ni->ej_valid_i = 1;
    ni->ej_head_i = 1;
    ni->ej_tail_i = 1;
    for (unsigned i = 0; i <= TypeParam::kEjectDepth; ++i) ni.edge();
    return ni.failed();
  });
}

TYPED_TEST(NetworkInterface, InterleavedEjectionTripsItsAssertion) {
  expect_assertion("a_packets_not_interleaved", [] {
    Bench<typename TypeParam::Model> ni;
    idle_terminal<TypeParam>(ni);
    ni.reset();
    ni->ej_valid_i = 1;
    ni->ej_head_i = 1;
    for (int i = 0; i < 2; ++i) ni.edge();
    return ni.failed();
  });
}

}  // namespace
}  // namespace hopwise::test
