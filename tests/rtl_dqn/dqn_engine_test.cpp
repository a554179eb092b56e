// SPDX-License-Identifier: Apache-2.0
#include "dqn_play.hpp"

#include "Vdqn_16.h"
#include "Vdqn_3d.h"
#include "Vdqn_64.h"
#include "Vdqn_four_layers.h"
#include "Vdqn_impatient_load.h"
#include "Vdqn_impatient_swap.h"
#include "Vdqn_left_behind.h"
#include "Vdqn_lone_layer.h"
#include "Vdqn_no_drain.h"
#include "Vdqn_one_bank_of_shifts.h"
#include "Vdqn_one_step.h"
#include "Vdqn_same_bank.h"
#include "Vdqn_two_layers.h"
#include "Vdqn_zero.h"
#include "Vdqn_zero_odd.h"
#include "routing/dqn/dqn.hpp"

namespace hopwise::test {
namespace {

using Dqn64 = DqnShape<Vdqn_64, 4, 16, false, 13, 32, 16, 4>;
using Dqn16 = DqnShape<Vdqn_16, 1, 16, false, 13, 32, 16, 4>;
using Dqn3d = DqnShape<Vdqn_3d, 8, 8, false, 19, 32, 16, 6>;
using DqnLone = DqnShape<Vdqn_lone_layer, 1, 4, false, 5, 3>;
using DqnOneStep = DqnShape<Vdqn_one_step, 2, 2, false, 2, 2>;
template <class Model>
using DqnTwo = DqnShape<Model, 16, 4, false, 7, 9, 2>;
using DqnFour = DqnShape<Vdqn_four_layers, 8, 1, false, 1, 11, 7, 5, 3>;
using DqnZero = DqnShape<Vdqn_zero, 4, 16, true, 13, 32, 16, 4>;
using DqnZeroOdd = DqnShape<Vdqn_zero_odd, 2, 4, true, 7, 9, 2>;

template <class T>
class DqnEngine : public testing::Test {};
using DqnShapes = testing::Types<Dqn64, Dqn16, Dqn3d, DqnLone, DqnOneStep, DqnTwo<Vdqn_two_layers>,
                                 DqnFour, DqnZero, DqnZeroOdd>;
TYPED_TEST_SUITE(DqnEngine, DqnShapes);

TYPED_TEST(DqnEngine, AnswersAreThoseOfTheModel) {
  DqnPlay<TypeParam> play;
  for (unsigned n = 0; n < 12 && play.fine(); ++n) {
    play.load(random_network(TypeParam::layers(), play.random));
    for (unsigned cycles = 0; cycles < 20 * (TypeParam::interval() + 1); ++cycles)
      play.step(chance(play.random, 60), false);
  }
  EXPECT_EQ(play.wrong, "");
  EXPECT_GT(play.answers, 100u);
}

TYPED_TEST(DqnEngine, AnAnswerIsThatOfOneVersionWhateverIsLoadedMeanwhile) {
  for (const unsigned requests : {5u, 50u, 100u}) {
    for (const unsigned patches : {0u, 60u, 100u}) {
      DqnPlay<TypeParam> play(requests + patches);
      play.load(random_network(TypeParam::layers(), play.random));
      play.run({.requests = requests,
                .words = 90,
                .patches = patches,
                .swaps = patches == 100 ? 50u : 10u},
               8000);
      ASSERT_EQ(play.wrong, "") << requests << " % requests, " << patches << " % patches";
      EXPECT_GT(play.banks.swaps, 10u);
      EXPECT_GT(play.answers, 60u);
      EXPECT_TRUE(patches < 100 || requests < 100 || TypeParam::kZero || play.waits > 0);
    }
  }
}

TYPED_TEST(DqnEngine, KnowsNoWeightsAfterResetAndDropsTheRequest) {
  DqnPlay<TypeParam> play;
  play.load(random_network(TypeParam::layers(), play.random));
  for (unsigned n = 0; n < 3; ++n) play.step(true, false);
  play.reset();
  for (unsigned n = 0; n < 100; ++n) play.step(false, false);
  EXPECT_EQ(play.answers, TypeParam::kZero ? 3u : 0u);
  play.load(random_network(TypeParam::layers(), play.random));
  play.run({.requests = 100, .patches = 0}, 200);
  EXPECT_EQ(play.wrong, "");
}

TEST(DqnEngineLatency, IsWhatTheScheduleSaysAndWhatWasAskedFor) {
  const auto agrees = [](auto shape) {
    using T = decltype(shape);
    const auto schedule = routing::dqn::schedule(T::layers(), T::kLanes * T::kDepth, T::kZero);
    return schedule.lanes == T::kLanes && schedule.depth == T::kDepth &&
           schedule.latency_cycles == T::latency() && schedule.interval_cycles == T::interval() &&
           schedule.weight_words == T::steps();
  };
  EXPECT_TRUE(agrees(Dqn64{}));
  EXPECT_TRUE(agrees(Dqn16{}));
  EXPECT_TRUE(agrees(Dqn3d{}));
  EXPECT_TRUE(agrees(DqnZero{}));
  EXPECT_EQ(Dqn64::latency(), 24u);
  EXPECT_EQ(Dqn16::latency(), 75u);
}

TEST(DqnEngineArithmetic, AHandComputedNetworkSaturatesShiftsAndClips) {
  learn::IntegerNetwork network = learn::zero_network(Layers{2, 2});
  network.parameters[0] = {{-128, 127, 1, -1}, {-5, 7}, 3};
  DqnPlay<DqnOneStep> play;
  play.load(network);
  while (play.answers == 0 && play.fine()) play.step(true, false);
  EXPECT_EQ(play.wrong, "");
  EXPECT_EQ(learn::infer(network, std::vector<std::uint8_t>{255, 0}),
            (std::vector<std::int32_t>{-32645, 262}));
}

template <class T>
std::string seen(const DqnLoad& load) {
  DqnPlay<T> play(3);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  play.load(random_network(T::layers(), play.random));
  play.run(load, 20000);
  const std::string printed =
      testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
  for (const char* assertion : {"a_bank_in_use_is_not_written", "a_swap_between_decisions",
                                "a_inputs_are_not_read_while_written"})
    if (printed.find(assertion) != std::string::npos) return assertion;
  return play.wrong.substr(0, play.wrong.find(' '));
}

template <class Model>
std::string fault_seen(const DqnLoad& load) {
  return seen<DqnTwo<Model>>(load);
}

TEST(DqnEngineFaults, AWriteToTheBankInUseIsCaught) {
  EXPECT_EQ(
      fault_seen<Vdqn_two_layers>({.requests = 100, .words = 100, .patches = 100, .swaps = 40}),
      "");
  EXPECT_EQ(
      fault_seen<Vdqn_impatient_load>({.requests = 100, .words = 100, .patches = 100, .swaps = 40}),
      "a_bank_in_use_is_not_written");
}
TEST(DqnEngineFaults, ASwapAmongTheStepsOfARequestIsCaught) {
  EXPECT_EQ(fault_seen<Vdqn_impatient_swap>({.requests = 100}), "a_swap_between_decisions");
}
TEST(DqnEngineFaults, OtherFaultsGiveWrongAnswers) {
  EXPECT_EQ(fault_seen<Vdqn_same_bank>({}), "rsp_values_o");
  EXPECT_EQ(fault_seen<Vdqn_one_bank_of_shifts>({}), "rsp_values_o");
  using LeftBehind = DqnShape<Vdqn_left_behind, 4, 16, false, 13, 32, 16, 4>;
  EXPECT_EQ(seen<LeftBehind>({.words = 100, .patches = 95}), "rsp_values_o");
}
TEST(DqnEngineFaults, ALayerThatDoesNotWaitForTheOneBeforeIsCaught) {
  EXPECT_EQ(fault_seen<Vdqn_no_drain>({}), "a_inputs_are_not_read_while_written");
}

/// The play compares every value with the reference model, which saturates.
TEST(DqnEngine, AValueThatLeaves24BitsSaturates) {
  learn::IntegerNetwork network = learn::zero_network(Layers{2, 2});
  network.parameters[0] = {{127, 127, 0, 0}, {(1 << 23) - 1, 0}, 0};
  EXPECT_FALSE(learn::fits(network));
  DqnPlay<DqnOneStep> play;
  play.load(network);
  for (unsigned n = 0; n < 20 && play.fine(); ++n) play.step(true, false);
  EXPECT_EQ(play.wrong, "");
  EXPECT_GT(play.answers, 0u);
}

TEST(DqnEngineAssumptions, ALoadThatChangesItsMindIsCaught) {
  expect_assertion("a_load_holds", [] {
    DqnPlay<Dqn64> play;
    play.load(random_network(Dqn64::layers(), play.random));
    play.step(true, false);
    play.bench->load_valid_i = 1;
    play.bench->load_addr_i = 16;
    play.bench.settle();
    play.bench.edge();
    play.bench->load_addr_i = 64;
    play.bench.settle();
    play.bench.edge();
    return play.bench.failed();
  });
}
TEST(DqnEngineAssumptions, ARequestBeforeAnyWeightsIsCaught) {
  expect_assertion("a_loaded_before_asked", [] {
    DqnPlay<DqnOneStep> play;
    play.step(true, false);
    return play.bench.failed();
  });
}

}  // namespace
}  // namespace hopwise::test
