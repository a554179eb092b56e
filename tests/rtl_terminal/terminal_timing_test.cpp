// SPDX-License-Identifier: Apache-2.0
// The cycles that docs/reference/terminal.md promises.
#include "terminals.hpp"

namespace hopwise::test {
namespace {

template <class T>
class TerminalTiming : public testing::Test {};
TYPED_TEST_SUITE(TerminalTiming, Terminals);

TYPED_TEST(TerminalTiming,
           HeadFlitIsOnThePinsTwoCyclesAfterTlastWasAcceptedAndTheRestFollowsThePacer) {
  using T = TypeParam;
  std::mt19937_64 random(7);
  Bench<typename T::Model> ni;
  idle_terminal<T>(ni);
  ni.reset();
  const Packet packet = random_packet<T>(random, 2);
  for (std::size_t beat = 0; beat < packet.beats.size(); ++beat) {
    drive_beat<T>(ni, packet, beat);
    ni.settle();
    ASSERT_TRUE(ni->s_tready_o);
    ASSERT_FALSE(ni->inj_valid_o);
    ni.edge();
  }
  ni->s_tvalid_i = 0;
  const std::uint64_t complete = ni.cycle();  // stored at the beginning of this cycle
  const std::uint64_t second = complete + 1 + (T::kNum + T::kDen - 1) / T::kDen;
  while (ni.cycle() < complete + 8) {
    ni.settle();
    ASSERT_EQ(ni->inj_valid_o, ni.cycle() == complete + 1 || ni.cycle() == second);
    ASSERT_EQ(ni->error_o, 0);
    ni.edge();
  }
  ni.settle();
  EXPECT_TRUE(ni->quiescent_o);
}

TYPED_TEST(TerminalTiming, PacketsFollowEachOtherWithoutAGap) {
  using T = TypeParam;
  std::mt19937_64 random(8);
  Bench<typename T::Model> ni;
  idle_terminal<T>(ni);
  ni.reset();
  unsigned sent = 0;
  std::size_t beat = 0;
  std::uint64_t first = 0;
  Packet packet = random_packet<T>(random, T::kMaxFlits);
  for (int cycle = 0; cycle < 1000; ++cycle) {
    drive_beat<T>(ni, packet, beat);
    ni.settle();
    if (ni->inj_valid_o) {
      if (sent == 0) first = ni.cycle();
      ASSERT_EQ(ni.cycle() - first, (std::uint64_t{sent} * T::kNum + T::kDen - 1) / T::kDen)
          << "flit " << sent;
      ++sent;
    }
    // The buffer downstream never fills: a flit's credit comes back in its own cycle.
    ni->inj_credit_valid_i = ni->inj_valid_o;
    ni->inj_credit_vc_i = ni->inj_vc_o;
    ni.settle();
    if (ni->s_tready_o && ++beat == packet.beats.size()) {
      beat = 0;
      packet = random_packet<T>(random, T::kMaxFlits);
    }
    ni.edge();
  }
  EXPECT_GE(sent * T::kNum, (1000 - first - 2) * T::kDen);
}

TYPED_TEST(TerminalTiming, CreditOfAFlitIsOnThePinsTwoCyclesAfterIt) {
  using T = TypeParam;
  std::mt19937_64 random(9);
  Bench<typename T::Model> ni;
  idle_terminal<T>(ni);
  ni->m_tready_i = 1;
  ni.reset();
  for (int cycle = 0; cycle < 8; ++cycle) {
    ni->ej_valid_i = cycle < 3;
    ni->ej_head_i = cycle == 0;
    ni->ej_tail_i = cycle == 2;
    write_port(ni->ej_data_i, random_flit<T>(random));
    ni.settle();
    EXPECT_EQ(ni->m_tvalid_o, cycle >= 1 && cycle < 4) << cycle;
    if (ni->m_tvalid_o) {
      EXPECT_EQ(ni->m_tlast_o, cycle == 3);
    }
    EXPECT_EQ(ni->ej_credit_valid_o, cycle >= 2 && cycle < 5) << cycle;
    ni.edge();
  }
}

TYPED_TEST(TerminalTiming, PacketOfWrongLengthIsReportedOnceAndLeavesNothingBehind) {
  using T = TypeParam;
  std::mt19937_64 random(10);
  Bench<typename T::Model> ni;
  idle_terminal<T>(ni);
  ni.reset();
  for (unsigned flits : {T::kMaxFlits + 1, T::kMaxFlits + 9, 3 * T::kMaxFlits, T::kMinFlits - 1}) {
    if (flits == 0) continue;
    const Packet packet = random_packet<T>(random, flits);
    unsigned errors = 0;
    for (std::size_t cycle = 0; cycle < flits + 10; ++cycle) {
      ni->s_tvalid_i = 0;
      if (cycle < flits) drive_beat<T>(ni, packet, cycle);
      ni.settle();
      ASSERT_TRUE(ni->s_tready_o);
      ASSERT_FALSE(ni->inj_valid_o);
      errors += ni->error_o;
      ni.edge();
    }
    EXPECT_EQ(errors, 1U) << flits << " flits";
    EXPECT_TRUE(ni->quiescent_o);
  }
}

}  // namespace
}  // namespace hopwise::test
