// SPDX-License-Identifier: Apache-2.0
// hw_congestion_interface with two message classes, of which the second answers the first, between
// a host and a channel: who is notified, what the notifications are, and whom they stop.
#include <deque>

#include "Vni_congestion.h"
#include "terminals.hpp"

namespace hopwise::test {
namespace {

class CongestionInterface : public testing::Test {
 protected:
  static constexpr unsigned kClasses = 2, kNoteClass = 1, kDstBits = Compact::kDst.width;
  static constexpr Field kFlags{19, 2};  // {notification, mark}, as CMakeLists.txt has it
  static constexpr std::uint64_t kMark = 1, kNote = 2;

  CongestionInterface() {
    idle_terminal<CompactAt<Vni_congestion>>(ni_);
    // {increase, period}, {throttle, shift, gap}
    ni_->congestion_i = std::uint64_t{32} << 48 | std::uint64_t{64} << 32 | 1U << 31 | 3U << 16 | 4;
    ni_->m_tready_i = 3;
    ni_.reset();
  }

  /// A cycle, in which credits come back for what went in the last one.
  void cycle() {
    ni_.settle();
    if (ni_->inj_valid_o && ni_->inj_head_o) heads_.push_back(read_port(ni_->inj_data_o, 64));
    for (unsigned c = 0; c < kClasses; ++c) out_[c] += ni_->m_tvalid_o >> c & 1;
    stopped_ = ni_->stop_valid_o;
    const bool sent = ni_->inj_valid_o;
    const auto vc = ni_->inj_vc_o;
    ni_.edge();
    ASSERT_FALSE(ni_.failed());
    ni_->inj_credit_valid_i = sent;
    ni_->inj_credit_vc_i = vc;
    ni_->ej_valid_i = 0;
  }
  void cycles(unsigned count) {
    for (unsigned i = 0; i < count; ++i) ASSERT_NO_FATAL_FAILURE(cycle());
  }

  /// A packet of one flit comes out of the network in the next cycle.
  void arrive(unsigned message_class, std::uint64_t source, std::uint64_t flags) {
    Words head(2);
    set_bits(head, Compact::kLen.lsb, Compact::kLen.width, 1);
    set_bits(head, Compact::kSrc.lsb, Compact::kSrc.width, source);
    set_bits(head, Compact::kMsg.lsb, Compact::kMsg.width, message_class);
    set_bits(head, kFlags.lsb, kFlags.width, flags);
    ni_->ej_valid_i = ni_->ej_head_i = ni_->ej_tail_i = 1;
    ni_->ej_vc_i = static_cast<CData>(message_class * 2);
    write_port(ni_->ej_data_i, head);
    ASSERT_NO_FATAL_FAILURE(cycle());
  }

  /// The host offers a beat; whether it is taken.
  bool offer(unsigned message_class, std::uint32_t dst, bool last) {
    ni_->s_tvalid_i = static_cast<CData>(1U << message_class);
    ni_->s_tlast_i = static_cast<CData>(last ? 1U << message_class : 0);
    write_port(ni_->s_tuser_i, {dst << message_class * (kDstBits + Compact::kMsg.width)});
    ni_.settle();
    const bool taken = ni_->s_tready_o >> message_class & 1;
    cycle();
    ni_->s_tvalid_i = 0;
    return taken;
  }

  static std::uint64_t field(const Words& head, Field f) { return get_bits(head, f.lsb, f.width); }

  Bench<Vni_congestion> ni_;
  std::vector<Words> heads_;     // on the channel to the router
  unsigned out_[kClasses] = {};  // beats to the host
  unsigned stopped_ = 0;
};

TEST_F(CongestionInterface, NotifiesTheSourceOfAMarkedPacketOfAnyClassInTheClassThatNobodyAnswers) {
  for (unsigned c = 0; c < kClasses; ++c) {
    heads_.clear();
    arrive(c, 9 + c, kMark);
    cycles(20);
    ASSERT_EQ(heads_.size(), 1U);
    EXPECT_EQ(field(heads_[0], Compact::kDst), 9 + c);
    EXPECT_EQ(field(heads_[0], Compact::kSrc), kSource);
    EXPECT_EQ(field(heads_[0], Compact::kMsg), kNoteClass);
    EXPECT_EQ(field(heads_[0], Compact::kLen), 1U);
    EXPECT_EQ(field(heads_[0], kFlags), kNote);
    EXPECT_EQ(out_[c], 1U) << "the marked packet is the host's";
  }
  arrive(0, 9, 0);
  cycles(20);
  EXPECT_EQ(heads_.size(), 1U) << "nobody is notified of what is not marked";
}

TEST_F(CongestionInterface, ANotificationIsNotTheHostsAndWaitsForNothing) {
  ni_->m_tready_i = 0;
  for (unsigned i = 0; i < 3 * Compact::kEjectDepth; ++i) {
    arrive(kNoteClass, 5, kNote);
    cycles(3);
  }
  EXPECT_EQ(out_[kNoteClass], 0U);
  EXPECT_TRUE(heads_.empty());
}

TEST_F(CongestionInterface, ANotifiedDestinationIsStoppedByRequestsToItOnly) {
  arrive(kNoteClass, 5, kNote);
  cycles(5);
  EXPECT_EQ(stopped_, 0U);
  EXPECT_TRUE(offer(1, 5, true));  // a reply
  cycles(1);
  EXPECT_EQ(stopped_, 0U);
  EXPECT_TRUE(offer(0, 6, true));
  cycles(1);
  EXPECT_EQ(stopped_, 0U);
  EXPECT_TRUE(offer(0, 5, true));
  cycles(1);
  ASSERT_EQ(stopped_, 1U);
  EXPECT_EQ(ni_->stop_dst_o & ((1U << kDstBits) - 1), 5U);
  cycles(10);
  EXPECT_EQ(stopped_, 0U) << "the rate has paid for a flit";
}

TEST_F(CongestionInterface, ANotificationGoesBetweenThePacketsOfItsClass) {
  EXPECT_TRUE(offer(kNoteClass, 3, false));
  arrive(0, 9, kMark);
  cycles(20);
  EXPECT_TRUE(heads_.empty());
  EXPECT_TRUE(offer(kNoteClass, 3, true));
  cycles(20);
  ASSERT_EQ(heads_.size(), 2U);
  EXPECT_EQ(field(heads_[0], Compact::kDst), 3U);
  EXPECT_EQ(field(heads_[0], kFlags), 0U);
  EXPECT_EQ(field(heads_[1], Compact::kDst), 9U);
  EXPECT_EQ(field(heads_[1], kFlags), kNote);
}

TEST_F(CongestionInterface, AnAbortedPacketHoldsNoNotificationUp) {
  EXPECT_TRUE(offer(kNoteClass, 3, false));
  ni_->s_abort_i = 1U << kNoteClass;
  arrive(0, 9, kMark);
  cycles(20);
  EXPECT_TRUE(heads_.empty());
  ni_->s_abort_i = 0;
  cycles(20);
  ASSERT_EQ(heads_.size(), 1U);
  EXPECT_EQ(field(heads_[0], kFlags), kNote);
}

}  // namespace
}  // namespace hopwise::test
