// SPDX-License-Identifier: Apache-2.0
// hw_router: packets that wait for a VC with room behind its owner, space that it tells of owned
// VCs, heads whose age accumulates. (That turns are told as they happen is checked in every cycle
// of every router test.)
#include "Vages_of_a_hop.h"
#include "Vhasty.h"
#include "Vheld_by_none.h"
#include "Vrouter_ages.h"
#include "Vrouter_ages_queued.h"
#include "Vrouter_patient.h"
#include "Vrouter_patient_4.h"
#include "Vrouter_patient_queued.h"
#include "Vturns_of_any_flit.h"
#include "Vwaits_without_room.h"
#include "router_harness.hpp"

namespace hopwise::test {
namespace {

using Patient = LearningVct<Vrouter_patient>;
using PatientQueued = Learns<Router<Vrouter_patient_queued, Flow::kVct, 3, 4, 6, 9>>;

using Patient4 = Learns<Router<Vrouter_patient_4, Flow::kVct, 4, 4, 6, 9>>;

template <class T>
void ages_add_up(std::uint64_t seed) {
  RouterBench<T> bench(seed);
  bench.ages = true;
  bench.credit_percent = 60;
  bench.route_latency = static_cast<unsigned>(seed % 3);
  run_random(bench, 400);
  if (testing::Test::HasFatalFailure()) return;
  for (const Arrival& a : bench.arrivals) {
    if (!a.head) continue;
    const std::uint64_t number = (a.data & T::kHeadBits) >> 13, in = bench.entered.at(number),
                        out = a.cycle + kLinkCycles[a.port];
    ASSERT_EQ(a.data >> 32 & 0xff, (number * 29 + out - in) & 0xff) << "age of packet " << number;
  }
}

TEST(AgeRouter, AddsTheTimeOfItsHopToTheAge) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    ages_add_up<LearningVct<Vrouter_ages>>(seed);
    ages_add_up<LearningVct<Vrouter_ages_queued>>(seed);
  }
}

template <class T>
void random_packets(std::uint64_t seed) {
  RouterBench<T> bench(seed);
  bench.check_held = true;
  bench.credit_percent = seed % 2 == 0 ? 20 : 100;
  bench.ready_percent = 70;
  bench.route_latency = static_cast<unsigned>(seed % 3);
  run_random(bench, 500);
}

TEST(PatientRouter, DeliversRandomPackets) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) random_packets<Patient>(seed);
  {
    RouterBench<PatientQueued> queued(5);
    queued.route_latency = 2;
    run_random(queued, 500);
  }
  RouterBench<Patient4> registered(6);
  registered.credit_percent = 30;
  run_random(registered, 500);
}

TEST(PatientRouter, TellsTheSpaceOfOwnedVcs) {
  // One flit of four comes: it owns VC 0 of port 1 until the others do.
  RouterBench<Patient> bench;
  bench.check_held = true;
  bench.send(0, 0, {4, {1, 0b01}, {}, 0, 1});
  auto rest = bench.source[0][0];
  rest.pop_front();
  bench.source[0][0].resize(1);
  bench.credit_percent = 0;
  bench.run(8);
  const Words held = read_port(bench.router->rc_buffer_space_o, 24),
              space = read_port(bench.router->rc_space_o, 24);
  EXPECT_EQ(get_bits(held, 8, 4), 2U);
  EXPECT_EQ(get_bits(space, 8, 4), 0U);
  bench.source[0][0] = rest;
  bench.run(8);
  EXPECT_EQ(get_bits(read_port(bench.router->rc_space_o, 24), 8, 4), 2U);
}

/// Packet 1 owns VC 0 of port 1 with `owner` flits, all but its head late; packet 2 with `length`
/// prefers that VC. Returns the port by which packet 2 leaves before packet 1's rest comes, or
/// kPorts; `late`: the port in the end.
template <class T>
unsigned second_leaves_by(unsigned owner, unsigned length, unsigned* late) {
  RouterBench<T> bench;
  bench.send(0, 0, {owner, {1, 0b01}, {}, 0, 1});
  auto rest = bench.source[0][0];
  rest.pop_front();
  bench.source[0][0].resize(1);
  bench.credit_percent = 0;
  bench.run(8);
  bench.send(2, 0, {length, {1, 0b01}, {2, 0b10}, 0, 2});
  const auto port_of = [&bench](std::uint64_t number) {
    for (const Arrival& a : bench.arrivals) {
      if (a.head && (a.data & T::kHeadBits) >> 13 == number) return a.port;
    }
    return kPorts;
  };
  bench.run(20);
  const unsigned early = port_of(2);
  bench.source[0][0] = rest;
  bench.run(30);
  *late = port_of(2);
  return early;
}

TEST(PatientRouter, WaitsBehindAnOwnerWhereThereIsRoomForBoth) {
  // Depth 6. The queue in front of the output holds 5.
  unsigned late = 0;
  EXPECT_EQ(second_leaves_by<Patient>(4, 2, &late), kPorts) << "it did not wait";
  EXPECT_EQ(late, 1U);
  EXPECT_EQ(second_leaves_by<PatientQueued>(3, 3, &late), kPorts);
  EXPECT_EQ(late, 1U);
}

TEST(PatientRouter, TakesTheNextCandidateWhereThereIsNoRoom) {
  unsigned late = 0;
  EXPECT_EQ(second_leaves_by<Patient>(4, 3, &late), 2U);
}

TEST(PatientRouter, OthersTakeTheNextCandidateWhereTheFirstIsOwned) {
  unsigned late = 0;
  EXPECT_EQ(second_leaves_by<LearningVct<Vrouter_ages>>(4, 2, &late), 2U);
}

template <class T>
int failures_of_patience() {
  return failures([] {
    unsigned late = 0;
    EXPECT_EQ(second_leaves_by<T>(4, 2, &late), kPorts);
    EXPECT_EQ(second_leaves_by<T>(4, 3, &late), 2U);
  });
}

TEST(PatientRouterChecks, CatchFaults) {
  EXPECT_EQ(failures_of_patience<Patient>(), 0);
  EXPECT_GT(failures_of_patience<LearningVct<Vwaits_without_room>>(), 0);
  EXPECT_GT(failures_of_patience<LearningVct<Vhasty>>(), 0);
  EXPECT_GT(failures([] { random_packets<LearningVct<Vturns_of_any_flit>>(1); }), 0);
  EXPECT_GT(failures([] { random_packets<LearningVct<Vheld_by_none>>(1); }), 0);
  EXPECT_GT(failures([] { ages_add_up<LearningVct<Vages_of_a_hop>>(1); }), 0);
}

}  // namespace
}  // namespace hopwise::test
