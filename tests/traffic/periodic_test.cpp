// SPDX-License-Identifier: Apache-2.0
// Periodic injection: the exact rate, rounds, and what a full source queue does to every process.
#include <gtest/gtest.h>

#include <deque>
#include <string>

#include "fixture.hpp"
#include "traffic/traffic.hpp"

namespace hopwise::traffic {
namespace {

constexpr auto kPeriodic = spec::Injection::kPeriodic;

spec::TrafficSpec periodic(unsigned flits = 1, const char* pattern = "uniform") {
  spec::TrafficSpec spec;
  spec.injection = kPeriodic;
  spec.pattern = pattern;
  spec.length = {flits, flits};
  return spec;
}

/// ceil(k * interval) where interval = flits * rate / (load / 10^9), by 128-bit integers alone.
std::uint64_t due(std::uint64_t k, unsigned flits, spec::Rational rate, std::uint64_t load) {
  __extension__ using Wide = unsigned __int128;
  const Wide num = static_cast<Wide>(k) * flits * rate.num * 1'000'000'000,
             den = static_cast<Wide>(rate.den) * load;
  return static_cast<std::uint64_t>((num + den - 1) / den);
}

TEST(Periodic, EveryPacketOfALongRunComesInTheCycleThatExactFractionsSay) {
  struct Case {
    double load;
    std::uint64_t billionths;
    unsigned flits;
    spec::Rational rate;
  };
  for (const Case& c :
       {Case{0.4507, 450'700'000, 1, {10, 1}}, Case{1.0, 1'000'000'000, 1, {1, 1}},
        Case{0.8, 800'000'000, 1, {10, 1}}, Case{0.3, 300'000'000, 5, {5, 2}},
        Case{0.123456789, 123'456'789, 7, {17, 16}}, Case{0.001, 1'000'000, 1, {1, 1}}}) {
    const Traffic traffic = made(periodic(c.flits), c.load, c.rate);
    Source source = traffic.sources()[3];
    for (std::uint64_t k = 0; k < 200'000; ++k) {
      ASSERT_EQ(source.pop().cycle, due(k, c.flits, c.rate, c.billionths)) << c.load;
    }
  }
}

TEST(Periodic, TheLoadOfTheStudyIsMetWithoutDrift) {
  // 10 core cycles per flit: packets at 0.4507 of the link are 4507 in every 100000 cycles.
  const Traffic traffic = made(periodic(), 0.4507, {10, 1});
  Source source = traffic.sources()[0];
  for (std::uint64_t span = 0; span < 300; ++span) {
    for (int i = 0; i < 4507; ++i) {
      const std::uint64_t cycle = source.pop().cycle;
      ASSERT_TRUE(cycle >= span * 100'000 && cycle < (span + 1) * 100'000);
    }
    ASSERT_EQ(source.next_cycle(), (span + 1) * 100'000);
  }
}

TEST(Periodic, AllTerminalsStartTogetherInCycle0AndKeepStep) {
  const Traffic traffic = made(periodic(), 0.3, {5, 2});
  auto sources = traffic.sources();
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t cycle = sources[0].next_cycle();
    if (i == 0) {
      ASSERT_EQ(cycle, 0u);
    }
    for (Source& s : sources) ASSERT_EQ(s.pop().cycle, cycle);
  }
}

TEST(Periodic, PacketsOfSeveralLengthsKeepTheMeanLoadInFlits) {
  spec::TrafficSpec spec = periodic();
  spec.length = {1, 16};
  const Traffic traffic = made(spec, 0.4, {5, 2});
  Source source = traffic.sources()[0];
  std::uint64_t flits = 0;
  for (int i = 0; i < 100'000; ++i) {
    const GeneratedPacket p = source.pop();
    ASSERT_EQ(p.cycle, due(flits, 1, {5, 2}, 400'000'000));
    flits += p.flits;
  }
}

TEST(Periodic, ALoadOfZeroGeneratesNothingAndNeitherDoesASilentTerminal) {
  EXPECT_EQ(made(periodic(), 0).sources()[0].next_cycle(), kNoPacket);
  EXPECT_EQ(made(periodic(1, "transpose"), 1).sources()[5].next_cycle(), kNoPacket);
}

TEST(Periodic, ASwitchStartsAllTerminalsAnewInItsCycle) {
  spec::TrafficSpec spec = periodic(1, "neighbour");
  spec.switch_cycle = 1603;
  spec.switch_pattern = "bit_complement";
  spec.switch_load = 0.8;
  const Traffic traffic = made(spec, 0.4, {10, 1});
  Source source = traffic.sources()[0];
  for (std::uint64_t k = 0; k <= 64; ++k) EXPECT_EQ(source.pop().cycle, 25 * k);  // 0, 25, ... 1600
  for (std::uint64_t k = 0; k < 100; ++k) {
    const GeneratedPacket p = source.pop();
    ASSERT_EQ(p.cycle, 1603 + (25 * k + 1) / 2);
    ASSERT_EQ(p.dst, TerminalId{15});
  }
}

TEST(Periodic, ARoundComesInOneCycleAndTheMeanLoadHoldsOverRounds) {
  const Traffic traffic = made(periodic(2, "stencil_3d:4x2x2"), 0.3, {3, 2});
  Source source = traffic.sources()[7];
  for (std::uint64_t round = 0; round < 10'000; ++round) {
    for (int i = 0; i < 6; ++i)
      ASSERT_EQ(source.pop().cycle, due(6 * round, 2, {3, 2}, 300'000'000)) << round;
  }
  const Traffic random = made(periodic(1, "random_neighbors"), 0.45, {10, 1});
  source = random.sources()[7];
  std::uint64_t packets = 0, begun = 0;
  while (packets < 100'000) {
    const std::uint64_t cycle = source.next_cycle();
    ASSERT_EQ(cycle, due(packets, 1, {10, 1}, 450'000'000));
    begun = packets;
    while (source.next_cycle() == cycle) {
      source.pop();
      ++packets;
    }
    ASSERT_GE(packets - begun, 6u);
    ASSERT_LE(packets - begun, 20u);
  }
}

/// A source with a bounded queue that a link empties by one packet every `service` cycles, from
/// cycle `opens` on.
struct Closed {
  Source source;
  std::size_t places;
  std::uint64_t service, opens = 0;
  std::vector<GeneratedPacket> accepted = {}, lost = {};
  std::deque<GeneratedPacket> queue = {};
  std::uint64_t sent = 0;

  void run(std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t cycle = from; cycle < to; ++cycle) {
      while (source.next_cycle() <= cycle) {
        ASSERT_EQ(source.next_cycle(), cycle);
        if (queue.size() < places) {
          accepted.push_back(source.pop());
          ASSERT_EQ(accepted.back().cycle, cycle);
          queue.push_back(accepted.back());
        } else if (const auto packet = source.refuse(cycle)) {
          ASSERT_EQ(packet->cycle, cycle);
          lost.push_back(*packet);
        }
      }
      if (cycle >= opens && cycle % service == 0 && !queue.empty()) {
        queue.pop_front();
        ++sent;
      }
    }
  }
};

TEST(BoundedQueue, APeriodicSourceSleepsAndCountsItsNextIntervalFromThere) {
  const Traffic traffic = made(periodic(), 0.3);  // every 10/3 cycles
  Closed closed{.source = traffic.sources()[0], .places = 3, .service = 1, .opens = 1000};
  closed.run(0, 2000);
  // 0, 4, 7 are in; the one of cycle 10 waits until the queue opens in cycle 1000 and has room in
  // the next.
  const std::vector<std::uint64_t> first = {0, 4, 7, 1001, 1005, 1008, 1011, 1015};
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(closed.accepted.at(i).cycle, first[i]);
  EXPECT_TRUE(closed.lost.empty());
  // Lost time is not made up: behind the stall, packet k comes 10 k / 3 cycles after the one that
  // waited.
  for (std::size_t k = 0; k + 3 < closed.accepted.size(); ++k) {
    ASSERT_EQ(closed.accepted[k + 3].cycle, 1001 + due(k, 1, {1, 1}, 300'000'000));
  }
}

TEST(BoundedQueue, APeriodicSourceBeyondTheServiceRateSendsAtThatRate) {
  const Traffic traffic = made(periodic(), 0.9);
  for (const std::size_t places : {1u, 2u, 20u}) {
    Closed closed{.source = traffic.sources()[0], .places = places, .service = 3};
    closed.run(0, 30'000);
    EXPECT_EQ(closed.sent, 10'000u);
    EXPECT_EQ(closed.accepted.size(), closed.sent + closed.queue.size());
    EXPECT_LE(closed.queue.size(), places);
  }
}

TEST(BoundedQueue, RandomProcessesLoseWhatFindsItFullAndAreOtherwiseUnchanged) {
  for (const auto injection : {spec::Injection::kBernoulli, spec::Injection::kOnOff}) {
    spec::TrafficSpec spec = periodic(2);
    spec.injection = injection;
    const Traffic traffic = made(spec, 0.8, {1, 1});
    Closed closed{.source = traffic.sources()[2], .places = 4, .service = 4};
    closed.run(0, 20'000);
    EXPECT_GT(closed.lost.size(), 1000u);
    Source open = traffic.sources()[2];
    std::size_t in = 0, out = 0;
    while (open.next_cycle() < 20'000) {
      const GeneratedPacket p = open.pop();
      if (in < closed.accepted.size() && closed.accepted[in] == p)
        ++in;
      else
        ASSERT_EQ(closed.lost.at(out++), p);
    }
    EXPECT_EQ(in, closed.accepted.size());
    EXPECT_EQ(out, closed.lost.size());
  }
}

TEST(BoundedQueue, ARoundLongerThanTheQueueLosesNoLoadByItself) {
  // 15 packets a round through 4 places, served at the link's rate: all of the load arrives.
  const Traffic traffic = made(periodic(1, "many_to_many:1x1x16"), 0.75, {2, 1});
  Closed closed{.source = traffic.sources()[3], .places = 4, .service = 2};
  closed.run(0, 80'000);
  EXPECT_NEAR(static_cast<double>(closed.accepted.size()), 0.75 * 40'000, 15);
  // Every round begins when it is due, 40 cycles after the one before, and goes on as there is
  // room.
  for (std::size_t i = 0; i < closed.accepted.size(); ++i) {
    if (i % 15 == 0) {
      ASSERT_EQ(closed.accepted[i].cycle, i / 15 * 40);
    }
    const std::uint32_t z = static_cast<std::uint32_t>(i % 15);
    ASSERT_EQ(closed.accepted[i].dst, TerminalId{z < 3 ? z : z + 1});
  }
}

TEST(BoundedQueue, ARoundThatCouldNotEndInTimeIsFollowedAtOnce) {
  const Traffic traffic = made(periodic(1, "many_to_many:1x1x16"), 1.0);
  Closed closed{.source = traffic.sources()[0], .places = 4, .service = 3};
  closed.run(0, 30'000);
  EXPECT_EQ(closed.sent, 10'000u);
  for (std::uint32_t i = 0; i < closed.accepted.size(); ++i)
    ASSERT_EQ(closed.accepted[i].dst, TerminalId{i % 15 + 1});
}

TEST(BoundedQueue, ASleepingSourceWakesToTheSwitch) {
  spec::TrafficSpec spec = periodic(1, "neighbour");
  spec.switch_cycle = 500;
  spec.switch_pattern = "bit_complement";
  const Traffic traffic = made(spec, 0.5);
  Closed closed{.source = traffic.sources()[0], .places = 2, .service = 1, .opens = 600};
  closed.run(0, 1000);
  ASSERT_GT(closed.accepted.size(), 10u);
  EXPECT_EQ(closed.accepted[1].cycle, 2u);
  for (std::size_t k = 2; k < closed.accepted.size(); ++k) {
    ASSERT_EQ(closed.accepted[k].cycle, 601 + 2 * (k - 2));
    ASSERT_EQ(closed.accepted[k].dst, TerminalId{15});
  }
}

TEST(BoundedQueue, ATraceWaitsAndLosesNothing) {
  std::vector<GeneratedPacket> packets;
  for (const std::uint64_t cycle : {0, 0, 0, 5, 90})
    packets.push_back({cycle, TerminalId{0}, TerminalId{1}, 1});
  Closed closed{.source = Source(packets), .places = 1, .service = 10};
  closed.run(0, 200);
  std::vector<std::uint64_t> cycles;
  for (const auto& p : closed.accepted) cycles.push_back(p.cycle);
  EXPECT_EQ(cycles, (std::vector<std::uint64_t>{0, 1, 11, 21, 90}));
  EXPECT_EQ(closed.source.next_cycle(), kNoPacket);
}

}  // namespace
}  // namespace hopwise::traffic
