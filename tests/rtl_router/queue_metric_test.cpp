// SPDX-License-Identifier: Apache-2.0
// hw_queue_meter, alone, in both output units and in the router, against a count of all that ever
// happened.
#include "Vmeter_corrected.h"
#include "Vmeter_used.h"
#include "Vout_paced_1.h"
#include "Vout_paced_2.h"
#include "Vout_paced_3.h"
#include "Vout_paced_4.h"
#include "Vout_single_1.h"
#include "Vout_single_2.h"
#include "Vout_single_3.h"
#include "Vout_single_4.h"
#include "Vqueued_paced_1.h"
#include "Vqueued_paced_2.h"
#include "Vqueued_paced_3.h"
#include "Vqueued_paced_4.h"
#include "Vqueued_single_1.h"
#include "Vqueued_single_2.h"
#include "Vqueued_single_3.h"
#include "Vqueued_single_4.h"
#include "Vrouter_corrected.h"
#include "Vrouter_queued_used.h"
#include "output_harness.hpp"
#include "router_harness.hpp"

namespace hopwise::test {
namespace {

// Paced: packets of up to 4 flits, 5/2 cycles per flit, FlightCycles 9. Single: single flits at
// core speed, FlightCycles 1.
template <class Model, unsigned Queue, unsigned Metric, unsigned Flight = 9>
using Paced = Metered<Output<Model, false, Queue, false, 5, 2, 4, 5, 9>, 4, Metric, Flight>;
template <class Model, unsigned Queue, unsigned Metric, unsigned Flight = 1>
using Single = Metered<Output<Model, false, Queue, false, 1, 1, 4, 5, 9>, 1, Metric, Flight>;

template <class T>
class QueueMetric : public testing::Test {};
using Units = testing::Types<
    Paced<Vout_paced_1, 0, 1>, Paced<Vout_paced_2, 0, 2>, Paced<Vout_paced_3, 0, 3>,
    Paced<Vout_paced_4, 0, 4>, Single<Vout_single_1, 0, 1>, Single<Vout_single_2, 0, 2>,
    Single<Vout_single_3, 0, 3>, Single<Vout_single_4, 0, 4>, Paced<Vqueued_paced_1, 7, 1>,
    Paced<Vqueued_paced_2, 7, 2>, Paced<Vqueued_paced_3, 7, 3>, Paced<Vqueued_paced_4, 7, 4>,
    Single<Vqueued_single_1, 7, 1>, Single<Vqueued_single_2, 7, 2>, Single<Vqueued_single_3, 7, 3>,
    Single<Vqueued_single_4, 7, 4>>;
TYPED_TEST_SUITE(QueueMetric, Units);

struct Seen {
  long longest = 0;
  unsigned negative = 0;  ///< cycles in which metric 4 had to be kept from being negative
};

/// Random traffic with slow, middling and immediate credits: the first disagreement with the
/// reference.
template <class T>
std::string traffic(Seen& seen) {
  for (unsigned flits : {10U, 30U, 100U}) {
    for (unsigned credits : {10U, 50U, 100U}) {
      OutputRun<T> run(flits * 1000 + credits, flits, credits);
      run.run(1500);
      EXPECT_FALSE(testing::Test::HasFatalFailure())
          << flits << " % flits, " << credits << " % credits";
      EXPECT_GT(run.delivered(), 50U);
      if (!run.metric().disagreement().empty()) return run.metric().disagreement();
      seen.longest = std::max(seen.longest, run.metric().longest());
      seen.negative += run.metric().negative();
    }
  }
  return "";
}

TYPED_TEST(QueueMetric, IsTheCountOfWhatCrossedWasSentAndCameBackInEveryCycle) {
  Seen seen;
  ASSERT_EQ(traffic<TypeParam>(seen), "");
  constexpr unsigned places = 4 + 5 + 9, queues = 3 * TypeParam::kQueue;
  switch (TypeParam::kMetric) {
    case 1: EXPECT_GE(seen.longest, queues / 2); break;
    case 2: EXPECT_GE(seen.longest, places - 4); break;
    case 3: EXPECT_GE(seen.longest, places - 4 + queues / 2); break;
    default: EXPECT_GE(seen.longest, places / 2);
  }
  // No credit is faster than one cycle.
  EXPECT_EQ(seen.negative > 10, TypeParam::kMetric == 4 && TypeParam::kFlight > 1);
}

TYPED_TEST(QueueMetric, IsZeroInResetWhateverWasBefore) {
  Bench<typename TypeParam::Model> unit;
  idle_output(unit.model());
  unit.reset();
  EXPECT_EQ(unit->queue_o, 0);
  put(unit.model(), {1, 1, 0, 0}, false);
  unit.edge();
  idle_output(unit.model());
  for (int n = 0; n < 3; ++n) unit.edge();
  unit->rst_ni = 0;
  unit.settle();
  EXPECT_EQ(unit->queue_o, 0);
  unit.reset();
  for (int n = 0; n < 20; ++n) {  // nor is anything left in flight
    unit.settle();
    ASSERT_EQ(unit->queue_o, 0);
    ASSERT_EQ(unit->idle_o, 1);
    unit.edge();
  }
}

// The reference counts one cycle more or less, or another metric: the comparison above must see it.
template <class T>
class WrongQueueMetric : public testing::Test {};
using Faults = testing::Types<
    Paced<Vout_paced_4, 0, 4, 8>, Paced<Vqueued_paced_4, 7, 4, 10>, Single<Vout_single_4, 0, 4, 2>,
    Single<Vqueued_single_4, 7, 4, 0>, Paced<Vqueued_paced_1, 7, 2>, Paced<Vqueued_paced_2, 7, 3>,
    Paced<Vqueued_paced_3, 7, 1>, Paced<Vout_paced_3, 0, 4>, Paced<Vout_paced_1, 0, 2>>;
TYPED_TEST_SUITE(WrongQueueMetric, Faults);

TYPED_TEST(WrongQueueMetric, DisagreesWithTheUnit) {
  Seen seen;
  EXPECT_NE(traffic<TypeParam>(seen), "");
}

template <class Model>
void one_flit_in_flight() {
  Bench<Model> unit;
  idle_output(unit.model());
  unit.reset();
  put(unit.model(), {1, 1, 0, 0}, false);
  unit.edge();
  for (unsigned cycle = 1; cycle <= 12; ++cycle) {  // granted, and on the link, in cycle 0
    idle_output(unit.model());
    unit.settle();
    EXPECT_EQ(unit->idle_o, cycle > 9) << "cycle " << cycle;
    EXPECT_EQ(unit->queue_o, cycle > 9) << "cycle " << cycle << ": no credit has come back";
    unit.edge();
  }
}

TEST(QueueMetricInFlight, AUnitIsIdleOnlyWhenTheFlightOfItsFlitsIsOver) {
  one_flit_in_flight<Vout_paced_4>();
  one_flit_in_flight<Vqueued_paced_4>();
}

template <class Model>
bool two_credits_for_one_flit() {
  Bench<Model> meter;
  meter->enter_i = meter->send_i = 1;
  meter->credit_i = 0;
  meter.reset();
  meter.edge();
  meter->enter_i = meter->send_i = 0;
  meter->credit_i = 1;
  meter.edge();
  EXPECT_FALSE(meter.failed()) << "one credit for one flit";
  for (int n = 0; n < 4; ++n) meter.edge();
  return meter.failed();
}

TEST(QueueMeter, ACreditForNothingTripsItsAssumption) {
  expect_assertion("a_only_what_came_leaves", two_credits_for_one_flit<Vmeter_used>);
  expect_assertion("a_only_what_came_leaves", two_credits_for_one_flit<Vmeter_corrected>);
}

/// Random traffic through a router of three ports; the pins of each output port against a reference
/// of its own.
template <class T>
std::array<std::string, kPorts> router_traffic(unsigned metric,
                                               std::array<unsigned, kPorts> flight_cycles) {
  constexpr unsigned width = 5;
  RouterBench<T> bench(99);
  bench.credit_percent = 30;
  std::array<std::string, kPorts> first;
  std::vector<QueueReference> ports;
  for (unsigned cycles : flight_cycles) ports.emplace_back(metric, cycles);
  for (std::uint64_t n = 0; n < 2500; ++n) {
    const auto any = [&](unsigned count) { return static_cast<unsigned>(bench.random() % count); };
    const Candidate to{any(kPorts), 3};
    if (n < 2000 && n % 2 == 0) bench.send(any(kPorts), any(2), {1 + any(4), to, to, 0, n});
    bench.cycle();
    if (testing::Test::HasFatalFailure()) return {};
    const auto& m = bench.router.model();
    const Words queue = read_port(m.rc_queue_o, kPorts * width);
    for (unsigned p = 0; p < kPorts; ++p) {
      const bool sent = (m.out_valid_o >> p & 1) != 0;
      ports[p].step(sent, sent, (m.out_credit_valid_i >> p & 1) != 0,
                    static_cast<unsigned>(get_bits(queue, p * width, width)));
      if (first[p].empty()) first[p] = ports[p].disagreement();
      if (first[p].empty() && m.quiescent_o && ports[p].in_flight())
        first[p] = "quiescent with flits in flight";
    }
  }
  for (const auto& port : ports) EXPECT_GT(port.longest(), 5);
  return first;
}

using CorrectedRouter = Router<Vrouter_corrected, Flow::kVct, 2, 4, 6, 9>;
using QueuedRouter = Router<Vrouter_queued_used, Flow::kVct, 2, 4, 6, 9>;
using Agreement = std::array<std::string, kPorts>;

TEST(RouterQueueMetric, EveryPortHasItsSliceAndItsFlightCycles) {
  EXPECT_EQ((router_traffic<CorrectedRouter>(4, {0, 3, 7})), Agreement{});
  EXPECT_EQ((router_traffic<QueuedRouter>(2, {0, 0, 0})), Agreement{});
}

TEST(RouterQueueMetric, AnotherPortsFlightCyclesDisagree) {
  const Agreement first = router_traffic<CorrectedRouter>(4, {0, 7, 3});
  EXPECT_EQ(first[0], "");
  EXPECT_NE(first[1], "");
  EXPECT_NE(first[2], "");
}

}  // namespace
}  // namespace hopwise::test
