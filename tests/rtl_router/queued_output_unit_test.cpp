// SPDX-License-Identifier: Apache-2.0
#include "Vqueued_hold.h"
#include "Vqueued_paced.h"
#include "Vqueued_vct.h"
#include "Vqueued_wormhole.h"
#include "output_harness.hpp"

namespace hopwise::test {
namespace {

template <class T>
class QueuedOutputUnit : public testing::Test {};
using QueuedOutputs = testing::Types<Output<Vqueued_vct, false, 7, false, 1, 1, 4, 5, 9>,
                                     Output<Vqueued_hold, false, 7, true, 1, 1, 4, 5, 9>,
                                     Output<Vqueued_paced, false, 7, false, 5, 2, 4, 5, 9>,
                                     Output<Vqueued_wormhole, true, 2, false, 1, 1, 1, 2, 3>>;
TYPED_TEST_SUITE(QueuedOutputUnit, QueuedOutputs);

TYPED_TEST(QueuedOutputUnit, KeepsOrderCreditsAndPaceAndTheAccountOfItsQueues) {
  for (unsigned flits : {30U, 100U}) {
    for (unsigned credits : {10U, 50U, 100U}) {
      OutputRun<TypeParam> run(flits * 1000 + credits, flits, credits);
      run.run(4000);
      if (this->HasFatalFailure()) FAIL() << flits << " % flits, " << credits << " % credits";
      EXPECT_GT(run.delivered(), 100U);
    }
  }
}

TYPED_TEST(QueuedOutputUnit, AFlitPassesAnEmptyQueueInOneCycle) {
  Bench<typename TypeParam::Model> unit;
  idle_output(unit.model());
  unit.reset();
  const OutFlit flit{1, 1, 0, 99};
  put(unit.model(), flit, TypeParam::kWormhole);
  unit.edge();
  idle_output(unit.model());
  unit.settle();
  EXPECT_EQ(unit->out_valid_o, 1);
  EXPECT_EQ(unit->out_data_o, flit.data());
}

TYPED_TEST(QueuedOutputUnit, WithoutDownstreamCreditsPacketsWaitInTheQueueAndStillCross) {
  Bench<typename TypeParam::Model> unit;
  idle_output(unit.model());
  unit.reset();
  constexpr unsigned depth = TypeParam::kDepths[0], all = depth + TypeParam::kQueue;
  unsigned sent = 0, out = 0;
  for (int n = 0; n < 60; ++n) {
    idle_output(unit.model());
    unit.settle();
    out += unit->out_valid_o;
    if ((unit->vc_free_o & 1) != 0) {
      put(unit.model(), {0, 1, 0, sent}, TypeParam::kWormhole);
      ++sent;
    }
    unit.settle();
    unit.edge();
    ASSERT_FALSE(unit.failed());
  }
  EXPECT_EQ(out, depth) << "one credit for each flit that enters the link";
  EXPECT_EQ(sent, all);
  EXPECT_EQ(unit->idle_o, 0);
}

TEST(QueuedOutputUnitPace, ABacklogLeavesAtTwoFlitsInFiveCycles) {
  Bench<Vqueued_paced> unit;
  idle_output(unit.model());
  unit.reset();
  std::vector<unsigned> times;
  for (unsigned n = 0; n < 20; ++n) {
    idle_output(unit.model());
    unit.settle();
    if (unit->out_valid_o) times.push_back(n);
    if (n < 7) put(unit.model(), {2, 1, 0, n}, false);
    unit.settle();
    unit.edge();
  }
  EXPECT_EQ(times, (std::vector<unsigned>{1, 4, 6, 9, 11, 14, 16}));
}

TYPED_TEST(QueuedOutputUnit, ACreditBeyondTheDepthTripsItsAssumption) {
  expect_assertion("a_no_credit_beyond_depth", [] {
    Bench<typename TypeParam::Model> unit;
    idle_output(unit.model());
    unit.reset();
    unit->out_credit_valid_i = 1;
    unit.edge();
    return unit.failed();
  });
}

TEST(QueuedOutputUnitReservation, AHeadThatTheQueueHasNoRoomForTripsItsAssertion) {
  expect_assertion("a_reserves_only_space", [] {
    Bench<Vqueued_paced> unit;
    idle_output(unit.model());
    unit.reset();
    for (std::uint64_t n = 0; n < 12; ++n) {
      put(unit.model(), {0, 1, 0, n}, false);
      unit.edge();
    }
    return unit.failed();
  });
}

}  // namespace
}  // namespace hopwise::test
