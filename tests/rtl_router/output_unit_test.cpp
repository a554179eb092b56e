// SPDX-License-Identifier: Apache-2.0
#include "Vout_paced.h"
#include "Vout_vct.h"
#include "Vout_wormhole.h"
#include "output_harness.hpp"

namespace hopwise::test {
namespace {

template <class T>
class OutputUnit : public testing::Test {};
using Outputs = testing::Types<Output<Vout_vct, false, 0, false, 1, 1, 4, 5, 9>,
                               Output<Vout_paced, false, 0, false, 5, 2, 4, 5, 9>,
                               Output<Vout_wormhole, true, 0, false, 1, 1, 1, 2, 3>>;
TYPED_TEST_SUITE(OutputUnit, Outputs);

TYPED_TEST(OutputUnit, SpaceFollowsReservationsAndCreditsAndPacketsOfAVcStayWhole) {
  for (unsigned flits : {30U, 100U}) {
    for (unsigned credits : {10U, 50U, 100U}) {
      OutputRun<TypeParam> run(flits * 1000 + credits, flits, credits);
      run.run(4000);
      if (this->HasFatalFailure()) FAIL() << flits << " % flits, " << credits << " % credits";
      EXPECT_GT(run.delivered(), 100U);
    }
  }
}

TYPED_TEST(OutputUnit, AFlitIsOnThePinsInTheCycleAfterItsGrant) {
  Bench<typename TypeParam::Model> unit;
  idle_output(unit.model());
  unit.reset();
  const OutFlit flit{1, 1, 0, 99};
  put(unit.model(), flit, TypeParam::kWormhole);
  unit.settle();
  EXPECT_EQ(unit->out_valid_o, 0);
  EXPECT_EQ(unit->idle_o, 1);
  unit.edge();
  idle_output(unit.model());
  unit.settle();
  EXPECT_EQ(unit->out_valid_o, 1);
  EXPECT_EQ(unit->out_data_o, flit.data());
  EXPECT_EQ(unit->idle_o, 0);
}

TYPED_TEST(OutputUnit, ACreditBeyondTheDepthTripsItsAssumption) {
  expect_assertion("a_no_credit_beyond_depth", [] {
    Bench<typename TypeParam::Model> unit;
    idle_output(unit.model());
    unit.reset();
    unit->out_credit_valid_i = 1;
    unit.edge();
    return unit.failed();
  });
}

TYPED_TEST(OutputUnit, ASecondHeadWithinAPacketOfItsVcTripsItsAssertion) {
  // no space where the VC is owned, and no second head: whichever comes first
  expect_assertion("assertion a_", [] {
    Bench<typename TypeParam::Model> unit;
    idle_output(unit.model());
    unit.reset();
    put(unit.model(), {2, 3, 0, 0}, TypeParam::kWormhole);
    unit.edge();
    unit.edge();
    return unit.failed();
  });
}

TEST(OutputUnitReservation, AHeadThatDoesNotFitTripsItsAssertion) {
  expect_assertion("a_reserves_only_space", [] {
    Bench<Vout_vct> unit;
    idle_output(unit.model());
    unit.reset();
    for (std::uint64_t n = 0; n < 2; ++n) {  // 1 and 4 flits into 4 places
      put(unit.model(), {0, n == 0 ? 1U : 4U, 0, n}, false);
      unit.edge();
    }
    return unit.failed();
  });
}

TEST(OutputUnitWormhole, AnAdaptiveVcIsOfferedOnlyWhenEmptyDownstream) {
  Bench<Vout_wormhole> unit;
  idle_output(unit.model());
  unit.reset();
  unit.settle();
  EXPECT_EQ(unit->vc_free_o, 0b111);
  for (unsigned v : {1U, 2U}) {  // escape VC 1 (2 places), adaptive VC 2 (3 places): one flit each
    put(unit.model(), {v, 1, 0, 0}, true);
    unit.edge();
  }
  idle_output(unit.model());
  unit.settle();
  EXPECT_EQ(unit->vc_free_o, 0b011)
      << "the escape VC has a place left, the adaptive one is not empty";
  EXPECT_EQ(unit->flit_fits_o, 0b111);
  unit->out_credit_valid_i = 1;
  unit->out_credit_vc_i = kAdaptiveVc;
  unit.edge();
  unit.settle();
  EXPECT_EQ(unit->vc_free_o, 0b111);
}

}  // namespace
}  // namespace hopwise::test
