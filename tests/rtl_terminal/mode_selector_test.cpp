// SPDX-License-Identifier: Apache-2.0
// The selector in hardware against algorithm 1 in rational numbers, decision by decision.
#include "../traffic/mode_reference.hpp"
#include "Vmode_selector.h"
#include "Vmode_selector_no_age.h"
#include "Vmode_selector_sign.h"
#include "Vmode_selector_wide.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

template <class Model>
class Selector {
 public:
  Selector(unsigned lambda, unsigned sigma)
      : reference_{.lambda = Rational(lambda, 16), .sigma = Rational(sigma, 16)} {
    bench_->threshold_i = 4096;
    bench_->lambda_i = static_cast<std::uint8_t>(lambda);
    bench_->sigma_i = static_cast<std::uint8_t>(sigma);
    bench_->max_age_i = 5;
    bench_->msg_valid_i = 0;
    bench_->sample_valid_i = 0;
    bench_.reset();
  }

  /// Whether the RTL answers as the reference does, and then takes the same sample.
  bool agrees(const History::Step& step, bool alltoall) {
    bool decided = false;
    const bool high = reference_.select(step.bytes, step.destination, step.get, decided);
    bench_->msg_valid_i = 1;
    bench_->msg_bytes_i = step.bytes;
    bench_->msg_dst_i = static_cast<std::uint8_t>(step.destination);
    bench_->msg_get_i = step.get;
    bench_->msg_alltoall_i = alltoall;
    bench_.settle();
    EXPECT_TRUE(bench_->msg_ready_o);
    bench_.edge();
    bench_->msg_valid_i = 0;
    for (latency_ = 1; !bench_->rsp_valid_o && latency_ < 2000; ++latency_) {
      EXPECT_FALSE(bench_->msg_ready_o || bench_->sample_ready_o || bench_->quiescent_o);
      bench_.edge();
    }
    longest_ = std::max(longest_, latency_);
    if (!decided) {
      EXPECT_EQ(latency_, 1U);
    }
    const unsigned expected = high ? 3 : alltoall ? 1 : 0;
    if (bench_->rsp_mode_o != expected || bench_->rsp_decided_o != decided) return false;
    bench_.edge();
    EXPECT_FALSE(bench_->rsp_valid_o);
    if (!decided) return true;
    ++decisions_;
    high_ += high ? 1 : 0;
    ties_ += reference_.gain == 0 ? 1 : 0;
    reference_.sample(step.latency, step.packets, step.stalls, step.flits);
    bench_->sample_valid_i = 1;
    bench_->sample_latency_i = step.latency;
    bench_->sample_packets_i = step.packets;
    bench_->sample_stalls_i = step.stalls;
    bench_->sample_flits_i = step.flits;
    bench_.settle();
    EXPECT_TRUE(bench_->sample_ready_o);
    EXPECT_FALSE(bench_->msg_ready_o);
    bench_.edge();
    bench_->sample_valid_i = 0;
    return true;
  }

  Bench<Model> bench_;
  ReferenceSelector reference_;
  unsigned latency_ = 0, longest_ = 0, decisions_ = 0, high_ = 0, ties_ = 0;
};

/// Number of the first history that the RTL decides otherwise; 0: none of them.
template <class Model>
unsigned first_difference(unsigned histories, unsigned& longest) {
  unsigned decisions = 0, high = 0;
  for (unsigned seed = 1; seed <= histories; ++seed) {
    History history(seed);
    std::mt19937 random(seed);
    // The paper's factors, and any others, below 1 as well.
    const bool published = seed % 2 == 0;
    const auto factor = [&](unsigned most) { return 1 + static_cast<unsigned>(random()) % most; };
    Selector<Model> selector(published ? 19 : factor(32), published ? 80 : factor(120));
    for (unsigned i = 0; i < 300; ++i) {
      if (!selector.agrees(history.next(), random() % 2 == 0)) return seed;
    }
    EXPECT_FALSE(selector.bench_.failed());
    decisions += selector.decisions_;
    high += selector.high_;
    longest = std::max(longest, selector.longest_);
  }
  EXPECT_GT(decisions, histories * 100);
  EXPECT_GT(high, decisions / 10);
  EXPECT_LT(high, decisions - decisions / 10);
  return 0;
}

TEST(ModeSelectorRtl, DecidesAsRationalArithmeticDoes) {
  unsigned longest = 0;
  EXPECT_EQ(first_difference<Vmode_selector>(100, longest), 0U);
  EXPECT_LE(longest, 4U * (6 + 128 / 4) + 4);
}

TEST(ModeSelectorRtl, DecidesTheSameWithAWiderMultiplierSooner) {
  unsigned longest = 0;
  EXPECT_EQ(first_difference<Vmode_selector_wide>(20, longest), 0U);
  EXPECT_LE(longest, 4U * (6 + 128 / 16) + 4);
}

TEST(ModeSelectorRtl, TakesTheModesThatThePaperTakes) {
  // L_AD = 960, s_AD = 0.1, lambda 5/4, sigma 5: as good as each other at 480 flits, 6,144 bytes.
  for (const std::uint32_t bytes : {4097u, 6080u, 6144u, 6145u, 16384u, 4u << 20}) {
    Selector<Vmode_selector> selector(20, 80);
    ASSERT_TRUE(selector.agrees({5000, 1, false, 96000, 100, 50, 500}, false));
    ASSERT_TRUE(selector.agrees({bytes, 1, false, 0, 0, 0, 0}, false));
    EXPECT_EQ(selector.reference_.high, bytes < 6144) << bytes;
    EXPECT_EQ(selector.ties_, bytes == 6144 ? 2U : 1U);  // the first decision compares nothing
  }
}

TEST(ModeSelectorRtl, IsExactWhereAllNumbersAreTheLargest) {
  Selector<Vmode_selector> selector(255, 255);
  const std::uint32_t most = 0xffffffff;
  for (const std::uint32_t less : {0u, 1u, 0u, 1u, 1u, 0u})
    ASSERT_TRUE(selector.agrees({most, 7, false, most - less, most, most, most - less}, false));
}

/// Cycles of a decision between two samples whose numbers all have 32 bits.
template <class Model>
unsigned longest_decision() {
  Selector<Model> selector(255, 16);
  const std::uint32_t most = 0xffffffff;
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_TRUE(selector.agrees({most, 7, false, most - i, most, most, most}, false));
  return selector.longest_;
}

TEST(ModeSelectorRtl, TakesTheCyclesOfTheFormulaWhereAllNumbersAreTheLargest) {
  EXPECT_EQ(longest_decision<Vmode_selector>(), 4U * (6 + 128 / 4) + 4);
  EXPECT_EQ(longest_decision<Vmode_selector_wide>(), 4U * (6 + 128 / 16) + 4);
}

TEST(ModeSelectorRtl, DecidesInFewerCyclesWhereNumbersAreShort) {
  // Messages of 10 KB: 157 packets of up to five flits, round trips of some 220 cycles.
  Selector<Vmode_selector> selector(19, 80);
  for (unsigned i = 0; i < 6; ++i)
    ASSERT_TRUE(selector.agrees({10000, 1, false, 34540 + i, 157, 310, 785}, false));
  EXPECT_GT(selector.longest_, 30U);
  EXPECT_LE(selector.longest_, 72U);
}

TEST(ModeSelectorRtl, SeededFaultsAreFound) {
  unsigned longest = 0;
  EXPECT_NE(first_difference<Vmode_selector_sign>(20, longest), 0U);
  EXPECT_NE(first_difference<Vmode_selector_no_age>(20, longest), 0U);
}

}  // namespace
}  // namespace hopwise::test
