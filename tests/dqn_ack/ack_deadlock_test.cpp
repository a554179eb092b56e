// SPDX-License-Identifier: Apache-2.0
// Acknowledges as published stop the network; words on the reverse wires never do. Same traffic,
// same seeds.
#include "ack_torus.hpp"

#include <gtest/gtest.h>

namespace hopwise::test {
namespace {

constexpr int kPackets = 2000;  // of each router
constexpr std::uint64_t kSeeds = 5;
// cycles without a move of anything, with packets in the network
constexpr std::uint64_t kStuck = 2000;
constexpr double kLoad = 0.3;

struct Outcome {
  bool stuck = false;
  int delivered = 0, made = 0, home = 0, dropped = 0;
};

Outcome run(Acks acks, std::uint64_t seed, double load = kLoad, int packets = kPackets) {
  AckTorus torus(acks, load, packets, seed);
  bool stuck = false;
  for (int cycle = 0; cycle < 200'000 && !stuck && torus.delivered < AckTorus::kRouters * packets;
       ++cycle) {
    torus.step();
    stuck = torus.cycles_without_a_move() > kStuck;
  }
  for (int cycle = 0; cycle < 1000; ++cycle) torus.step();  // the last acknowledges
  return {stuck, torus.delivered, torus.acks_made, torus.acks_home, torus.acks_dropped};
}

constexpr int kAll = AckTorus::kRouters * kPackets;

TEST(AckDeadlock, WithoutAcknowledgesTheDataIsDelivered) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Outcome o = run(Acks::kNone, seed);
    EXPECT_FALSE(o.stuck) << seed;
    EXPECT_EQ(o.delivered, kAll);
  }
}

TEST(AckDeadlock, AcknowledgesOnTheEscapeVcsStopTheNetwork) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Outcome o = run(Acks::kEscapeVcs, seed);
    EXPECT_TRUE(o.stuck) << seed;
    EXPECT_LT(o.delivered, kAll);
  }
}

TEST(AckDeadlock, AVcOfTheirOwnDoesNotHelp) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Outcome o = run(Acks::kOwnVc, seed);
    EXPECT_TRUE(o.stuck) << seed;
    EXPECT_LT(o.delivered, kAll);
  }
}

TEST(AckDeadlock, WordsOnTheReverseWiresNeverStopIt) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Outcome o = run(Acks::kReverseWires, seed);
    EXPECT_FALSE(o.stuck) << seed;
    EXPECT_EQ(o.delivered, kAll);
    EXPECT_EQ(o.made, kAll);
    EXPECT_EQ(o.home + o.dropped, o.made);
    // A flit is a packet here: a router has more acknowledges to pass on than cycles, and yet
    // nothing waits for them.
    EXPECT_GT(o.home, kAll / 10);
    EXPECT_GT(o.dropped, 0);
  }
}

TEST(AckDeadlock, AtAHundredthOfThePacketsNearlyAllOfThemComeHome) {
  // Packets of 3 to 258 flits come at 1/130 of the rate of flits.
  const Outcome o = run(Acks::kReverseWires, 1, 0.01, 100);
  EXPECT_EQ(o.delivered, AckTorus::kRouters * 100);
  EXPECT_EQ(o.home + o.dropped, o.made);
  EXPECT_GE(o.home, o.made * 99 / 100);
}

}  // namespace
}  // namespace hopwise::test
