// SPDX-License-Identifier: Apache-2.0
#include "Vpacer_1_1.h"
#include "Vpacer_3_1.h"
#include "Vpacer_4_3.h"
#include "Vpacer_5_2.h"
#include "Vpacer_7_5.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

template <class ModelType, unsigned Num, unsigned Den>
struct Pacer {
  using Model = ModelType;
  static constexpr unsigned kNum = Num;
  static constexpr unsigned kDen = Den;
};

template <class T>
class LinkPacer : public testing::Test {};
using Pacers =
    testing::Types<Pacer<Vpacer_1_1, 1, 1>, Pacer<Vpacer_5_2, 5, 2>, Pacer<Vpacer_3_1, 3, 1>,
                   Pacer<Vpacer_7_5, 7, 5>, Pacer<Vpacer_4_3, 4, 3>>;
TYPED_TEST_SUITE(LinkPacer, Pacers);

TYPED_TEST(LinkPacer, FromRestSendsInTheCyclesCeilOfKTimesNumOverDen) {
  Bench<typename TypeParam::Model> pacer;
  pacer->send_i = 0;
  pacer->want_i = 0;
  pacer.reset();
  std::uint64_t k = 0;
  const std::uint64_t cycles = 1000 * TypeParam::kNum;
  while (pacer.cycle() < cycles) {
    pacer.settle();
    const std::uint64_t due = (k * TypeParam::kNum + TypeParam::kDen - 1) / TypeParam::kDen;
    ASSERT_EQ(pacer->ready_o, pacer.cycle() == due) << "flit " << k;
    pacer->send_i = pacer->ready_o;
    if (pacer->ready_o) ++k;
    pacer.settle();
    pacer.edge();
  }
  EXPECT_EQ(k, 1000U * TypeParam::kDen) << "long-run rate";
}

TYPED_TEST(LinkPacer, FollowsTheRuleWhateverTheRequests) {
  for (unsigned percent : {5U, 30U, 70U, 99U}) {
    std::mt19937_64 random(percent);
    Bench<typename TypeParam::Model> pacer;
    pacer->send_i = 0;
    pacer->want_i = 0;
    pacer.reset();
    int debt = 0;
    for (int cycle = 0; cycle < 5000; ++cycle) {
      pacer.settle();
      ASSERT_EQ(pacer->ready_o, debt <= 0);
      ASSERT_EQ(pacer->at_rest_o, debt == 0);
      const bool send = pacer->ready_o && chance(random, percent);
      pacer->send_i = send;
      pacer.settle();
      pacer.edge();
      if (send) {
        debt += static_cast<int>(TypeParam::kNum) - static_cast<int>(TypeParam::kDen);
      } else {
        debt = debt <= 0 ? 0 : debt - static_cast<int>(TypeParam::kDen);
      }
      ASSERT_FALSE(pacer.failed());
    }
  }
}

TEST(LinkPacerAssertion, SendingTooEarlyTripsItsAssertion) {
  expect_assertion("a_send_only_when_ready", [] {
    Bench<Vpacer_5_2> pacer;
    pacer->send_i = 0;
    pacer->want_i = 0;
    pacer.reset();
    pacer->send_i = 1;
    pacer.edge();
    pacer.edge();
    return pacer.failed();
  });
}

}  // namespace
}  // namespace hopwise::test
