// SPDX-License-Identifier: Apache-2.0
// The throttle and the notifier of a terminal against the engine's models of them, on random
// histories.
#include "engine/congestion.hpp"

#include "Vcongestion_notifier.h"
#include "Vcongestion_throttle.h"
#include "Vcongestion_throttle_hasty.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kFlows = 3, kDstBits = 4;  // as CMakeLists.txt has them

TEST(CongestionThrottle, EqualsTheEnginesModelInEveryCycle) {
  std::mt19937_64 random(11);
  std::uint64_t stopped = 0, given_up = 0;
  for (int run = 0; run < 40; ++run) {
    spec::CongestionSpec spec;
    spec.flows = kFlows;
    spec.throttle = run % 8 != 7;
    spec.period_cycles = 1 + static_cast<unsigned>(random() % 60);
    spec.increase = 1 + static_cast<unsigned>(random() % (run % 2 != 0 ? 20000 : 300));
    spec.decrease_shift = 1 + static_cast<unsigned>(random() % 8);
    const unsigned notes = static_cast<unsigned>(random() % 20);
    engine::Throttle model(spec);
    Bench<Vcongestion_throttle> rtl;
    rtl->congestion_i = std::uint64_t{spec.increase} << 48 |
                        std::uint64_t{spec.period_cycles} << 32 | (spec.throttle ? 1U << 31 : 0U) |
                        spec.decrease_shift << 16;
    rtl->note_valid_i = rtl->sent_flits_i = 0;
    rtl.reset();
    bool was_active = false;
    for (std::uint64_t cycle = 0; cycle < 3000; ++cycle) {
      rtl->note_valid_i = cycle < 2500 && chance(random, notes);
      rtl->note_dst_i = static_cast<std::uint8_t>(random() % 6);
      std::vector<std::uint32_t> sent;  // of one stream and the other
      unsigned flits = 0, to = 0;
      for (unsigned stream = 0; stream < 2; ++stream) {
        const auto dst = static_cast<std::uint32_t>(random() % 6);
        const auto n = chance(random, stream == 0 ? 15 : 5) ? 1 + random() % 3 : 0;
        sent.insert(sent.end(), n, dst);
        flits |= static_cast<unsigned>(n) << 2 * stream;
        to |= dst << kDstBits * stream;
      }
      rtl->sent_flits_i = static_cast<std::uint8_t>(flits);
      rtl->sent_dst_i = static_cast<std::uint8_t>(to);
      rtl.settle();
      const auto& flows = model.flows(cycle);
      for (unsigned f = 0; f < kFlows; ++f) {
        const bool stops = flows[f].valid && flows[f].debt != 0;
        ASSERT_EQ(rtl->stop_valid_o >> f & 1, stops) << "run " << run << " cycle " << cycle;
        if (!stops) continue;
        ++stopped;
        ASSERT_EQ(rtl->stop_dst_o >> f * kDstBits & ((1U << kDstBits) - 1), flows[f].dst);
      }
      ASSERT_EQ(rtl->quiescent_o, !model.active()) << "run " << run << " cycle " << cycle;
      given_up += was_active && !model.active();
      was_active = model.active();
      std::optional<std::uint32_t> note;
      if (rtl->note_valid_i) note = rtl->note_dst_i;
      // A cycle in which nothing happens need not be told.
      if (note || !sent.empty()) model.step(cycle, note, sent);
      rtl.edge();
      ASSERT_FALSE(rtl.failed());
    }
  }
  EXPECT_GT(stopped, 1000U);
  EXPECT_GT(given_up, 5U);
}

TEST(CongestionThrottle, AFlowThatIsTakenWhileARateChangesTripsTheAssertion) {
  Bench<Vcongestion_throttle_hasty> rtl;
  rtl->congestion_i =
      std::uint64_t{1} << 48 | std::uint64_t{kFlows + 2} << 32 | 1U << 31 | 1U << 16;
  rtl->sent_flits_i = 0;
  rtl->note_valid_i = 1;
  rtl->note_dst_i = 1;
  rtl.reset();
  for (unsigned cycle = 0; cycle < 20 && !rtl.failed(); ++cycle) {
    rtl->note_dst_i = static_cast<std::uint8_t>(1 + cycle / (kFlows + 2));
    rtl.edge();
  }
  EXPECT_TRUE(rtl.failed());
}

TEST(CongestionNotifier, EqualsTheEnginesModelInEveryCycle) {
  std::mt19937_64 random(12);
  for (int run = 0; run < 20; ++run) {
    spec::CongestionSpec spec;
    spec.note_cycles = 1 + static_cast<unsigned>(random() % 12);
    engine::Notifier model(spec);
    Bench<Vcongestion_notifier> rtl;
    rtl->gap_i = static_cast<std::uint16_t>(spec.note_cycles);
    rtl->mark_valid_i = rtl->note_ready_i = 0;
    rtl.reset();
    unsigned taken = 0;
    for (std::uint64_t cycle = 0; cycle < 2000; ++cycle) {
      rtl->mark_valid_i = chance(random, 40);
      rtl->mark_src_i = static_cast<std::uint8_t>(random() % 16);
      rtl->note_ready_i = chance(random, 30);
      rtl.settle();
      const auto pending = model.pending(cycle);
      ASSERT_EQ(rtl->note_valid_o, pending.has_value()) << "run " << run << " cycle " << cycle;
      if (pending) {
        ASSERT_EQ(rtl->note_dst_o, *pending);
      }
      if (rtl->mark_valid_i) model.mark(cycle, rtl->mark_src_i);
      if (pending && rtl->note_ready_i) {
        model.take(cycle);
        ++taken;
      }
      rtl.edge();
      ASSERT_FALSE(rtl.failed());
    }
    EXPECT_GT(taken, 50U);
  }
}

}  // namespace
}  // namespace hopwise::test
