// SPDX-License-Identifier: Apache-2.0
#include "traffic/mode_selector.hpp"

#include <gtest/gtest.h>

#include "mode_reference.hpp"

namespace hopwise::traffic {
namespace {

using enum ModeSelector::Mode;
using test::Rational;
using test::ReferenceSelector;

TEST(ModeSelector, TheReferenceCountsAsThePaperDoes) {
  struct Row {
    std::uint64_t bytes, packets, flits, waits;
  };
  for (const Row& row : {Row{64, 1, 5, 1}, Row{1 << 10, 16, 80, 1}, Row{4 << 10, 64, 320, 1},
                         Row{16 << 10, 256, 1280, 1}, Row{64 << 10, 1024, 5120, 2},
                         Row{4 << 20, 65536, 327680, 65}}) {
    EXPECT_EQ(ReferenceSelector::packets(row.bytes), row.packets);
    EXPECT_EQ(ReferenceSelector::flits(row.bytes, false), row.flits);
    EXPECT_EQ(ReferenceSelector::flits(row.bytes, true), row.packets);
    EXPECT_EQ(ReferenceSelector::alpha(row.bytes), row.waits) << row.bytes;
  }
}

/// L_AD = 960 and s_AD = 0.1: the modes are as good as each other at 400 flits.
ModeSelector after_a_sample() {
  ModeSelector selector;
  const ModeSelector::Choice first = selector.choose({5000, 1});
  EXPECT_EQ(first.mode, kAdaptive);
  EXPECT_TRUE(first.decided);
  selector.heed({96000, 100, 50, 500});
  return selector;
}

TEST(ModeSelector, GivesLatencyToShortMessagesAndBandwidthToLongOnes) {
  ModeSelector short_one = after_a_sample(), long_one = after_a_sample();
  EXPECT_EQ(short_one.choose({4097, 1}).mode, kHighBias);
  EXPECT_EQ(long_one.choose({16384, 1}).mode, kAdaptive);
}

TEST(ModeSelector, LetsMessagesBelowTheThresholdDecideOnlyTogether) {
  ModeSelector selector;
  for (unsigned i = 0; i < 4; ++i) {
    const ModeSelector::Choice choice = selector.choose({1024, 1});
    EXPECT_EQ(choice.mode, kHighBias);
    EXPECT_FALSE(choice.decided);
  }
  EXPECT_TRUE(selector.choose({1, 1}).decided);
  EXPECT_FALSE(selector.choose({4096, 1}).decided);
}

TEST(ModeSelector, ForgetsTheOtherModeAfterSomeSamples) {
  // Under the adaptive mode all was bad: measured, it stays so; estimated from the high bias it is
  // the better one again, as stalls are many and latency is short.
  for (const unsigned samples : {4u, 5u}) {
    ModeSelector selector;
    selector.choose({8192, 1});
    selector.heed({100000000, 100, 0, 500});
    for (unsigned i = 0; i < samples; ++i) {
      ASSERT_EQ(selector.choose({8192, 1}).mode, kHighBias) << i;
      selector.heed({10000, 100, 5000, 500});
    }
    EXPECT_EQ(selector.choose({8192, 1}).mode, samples < 5 ? kHighBias : kAdaptive) << samples;
  }
}

TEST(ModeSelector, DoesNotTakeTheOtherModesSampleOfAnotherMessage) {
  for (const bool same : {true, false}) {
    ModeSelector selector;
    selector.choose({8192, 1});
    selector.heed({100000000, 100, 0, 500});
    selector.choose({8192, 1});
    selector.heed({10000, 100, 5000, 500});
    EXPECT_EQ(selector.choose({8192, same ? 1u : 2u}).mode, same ? kHighBias : kAdaptive);
  }
}

TEST(ModeSelector, AgreesWithRationalArithmeticInRandomHistories) {
  unsigned decisions = 0, high = 0, close = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    test::History history(seed);
    ModeSelector selector({.lambda = 1.1875, .sigma = 5});
    ReferenceSelector reference{.lambda = Rational(19, 16), .sigma = 5};
    for (unsigned i = 0; i < 500; ++i) {
      const auto step = history.next();
      bool decided = false;
      const bool expected = reference.select(step.bytes, step.destination, step.get, decided);
      const auto choice = selector.choose({step.bytes, step.destination, step.get});
      ASSERT_EQ(choice.decided, decided);
      if (reference.gain != 0 && abs(reference.gain) * 1'000'000'000'000 < reference.time) {
        ++close;  // within what doubles round
        break;
      }
      ASSERT_EQ(choice.mode == kHighBias, expected) << "history " << seed << ", step " << i;
      if (!decided) continue;
      ++decisions;
      high += expected ? 1 : 0;
      selector.heed({step.latency, step.packets, step.stalls, step.flits});
      reference.sample(step.latency, step.packets, step.stalls, step.flits);
    }
  }
  EXPECT_GT(decisions, 5000u);
  EXPECT_GT(high, decisions / 10);
  EXPECT_LT(high, decisions - decisions / 10);
  EXPECT_LT(close, 5u);
}

}  // namespace
}  // namespace hopwise::traffic
