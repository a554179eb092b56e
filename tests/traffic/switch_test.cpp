// SPDX-License-Identifier: Apache-2.0
// Traffic that changes in mid-run: to the cycle, and with nothing of one phase in the other.
#include <gtest/gtest.h>

#include <cmath>

#include "fixture.hpp"
#include "traffic/traffic.hpp"

namespace hopwise::traffic {
namespace {

spec::TrafficSpec switching(spec::Injection injection, std::uint64_t cycle,
                            const char* before = "neighbour", const char* after = "bit_complement",
                            double load = 0) {
  spec::TrafficSpec spec;
  spec.injection = injection;
  spec.pattern = before;
  spec.switch_cycle = cycle;
  spec.switch_pattern = after;
  spec.switch_load = load;
  return spec;
}

std::vector<GeneratedPacket> packets_until(Source source, std::uint64_t cycle) {
  std::vector<GeneratedPacket> packets;
  while (source.next_cycle() < cycle) packets.push_back(source.pop());
  return packets;
}

TEST(Switch, NoPacketOfOnePatternFallsIntoThePhaseOfTheOther) {
  const auto t = torus({4, 4});
  const auto first = make_pattern(builtin_patterns(), {}, "neighbour", t, 1),
             second = make_pattern(builtin_patterns(), {}, "bit_complement", t, 1);
  Random unused(1, 1);
  for (const auto injection : {kBernoulli, kOnOff}) {
    for (const std::uint64_t cycle :
         {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{7}, std::uint64_t{100}}) {
      for (const double load : {0.02, 0.4, 1.0}) {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
          const Traffic traffic = made(switching(injection, cycle), load, {5, 2}, seed);
          for (const Source& source : traffic.sources()) {
            std::uint64_t last = 0;
            for (const GeneratedPacket& p : packets_until(source, 400)) {
              const auto& pattern = p.cycle < cycle ? first : second;
              ASSERT_EQ(p.dst, pattern.value()->destination(p.src, unused))
                  << p.cycle << " " << cycle;
              ASSERT_GE(p.cycle, last);
              last = p.cycle;
            }
          }
        }
      }
    }
  }
}

TEST(Switch, AtFullLoadEveryCycleBeforeAndAfterHasItsPacket) {
  for (const auto injection : {kBernoulli, kOnOff}) {
    const Traffic traffic = made(switching(injection, 50), 1.0);
    const auto packets = packets_until(traffic.sources()[0], 100);
    ASSERT_EQ(packets.size(), 100u);
    for (std::uint64_t c = 0; c < 100; ++c) {
      EXPECT_EQ(packets[c].cycle, c);
      EXPECT_EQ(packets[c].dst, TerminalId{c < 50 ? 5u : 15u});  // (1,1), then (3,3)
    }
  }
}

TEST(Switch, BeforeTheSwitchNothingTellsOfItAndAfterItNothingTellsOfBefore) {
  for (const auto injection : {kBernoulli, kOnOff}) {
    spec::TrafficSpec plain = switching(injection, 0, "uniform");
    plain.length = {1, 5};
    auto spec = plain;
    spec.switch_cycle = 1000;
    const Traffic never = made(plain, 0.3, {5, 2}, 3), once = made(spec, 0.3, {5, 2}, 3);
    spec.pattern = "transpose";
    spec.switch_load = 0.3;
    const Traffic other = made(spec, 0.9, {5, 2}, 3);
    for (std::size_t t = 0; t < 16; ++t) {
      EXPECT_EQ(packets_until(never.sources()[t], 1000), packets_until(once.sources()[t], 1000));
      const auto after = [t](const Traffic& traffic) {
        auto all = packets_until(traffic.sources()[t], 3000);
        std::erase_if(all, [](const GeneratedPacket& p) { return p.cycle < 1000; });
        return all;
      };
      EXPECT_EQ(after(once), after(other));
      EXPECT_NE(after(once), after(never));
    }
  }
}

TEST(Switch, TheLoadChangesAtTheSwitchAndHoldsFromItsFirstCycleOn) {
  // Many seeds, few cycles: a source that needed time to reach its load would show in the first
  // window.
  for (const auto injection : {kBernoulli, kOnOff}) {
    double before = 0, first = 0, later = 0;
    const int seeds = 2000;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const Traffic traffic =
          made(switching(injection, 200, "uniform", "uniform", 0.6), 0.1, {1, 1}, seed);
      for (const GeneratedPacket& p : packets_until(traffic.sources()[0], 300)) {
        (p.cycle < 200 ? before : p.cycle < 220 ? first : later) += 1;
      }
    }
    EXPECT_NEAR(before / seeds / 200, 0.1, 0.01);
    EXPECT_NEAR(first / seeds / 20, 0.6, 0.03);
    EXPECT_NEAR(later / seeds / 80, 0.6, 0.03);
  }
}

TEST(Switch, AloneALoadOrAPatternSwitches) {
  const Traffic load = made(switching(kBernoulli, 10, "tornado", "", 0.9), 0.2);
  ASSERT_EQ(load.phases().size(), 2u);
  EXPECT_EQ(load.phases()[0].injection.load(), 0.2);
  EXPECT_EQ(load.phases()[1].injection.load(), 0.9);
  const auto packets = packets_until(load.sources()[0], 200);
  for (const auto& p : packets) EXPECT_EQ(p.dst, packets[0].dst);
  const Traffic pattern = made(switching(kBernoulli, 10), 0.2);
  EXPECT_EQ(pattern.phases()[1].injection.load(), 0.2);
  EXPECT_EQ(made(switching(kBernoulli, 0), 0.2).phases().size(), 1u);
}

TEST(Switch, ATerminalThatIsSilentBeforeSpeaksAfterAndTheOtherWayRound) {
  const Traffic awakes = made(switching(kBernoulli, 30, "transpose", "neighbour"), 0.5);
  EXPECT_GE(awakes.sources()[5].next_cycle(), 30u);
  EXPECT_NE(awakes.sources()[5].next_cycle(), kNoPacket);
  const Traffic falls_silent = made(switching(kOnOff, 30, "neighbour", "transpose"), 0.5);
  Source source = falls_silent.sources()[5];
  while (source.next_cycle() != kNoPacket) ASSERT_LT(source.pop().cycle, 30u);
}

TEST(Switch, LoadsAreNormalisedOverTheTerminalsOfEachPhase) {
  const Traffic traffic = made(switching(kBernoulli, 100, "uniform", "transpose", 0.8), 0.2);
  EXPECT_EQ(traffic.active_terminals(0, 100), 16);
  EXPECT_EQ(traffic.active_terminals(100, 500), 12);
  EXPECT_EQ(traffic.active_terminals(50, 150), 14);
  EXPECT_DOUBLE_EQ(traffic.offered_flits(0, 100), 100 * 16 * 0.2);
  EXPECT_DOUBLE_EQ(traffic.offered_flits(100, 101), 12 * 0.8);
  EXPECT_DOUBLE_EQ(traffic.offered_flits(75, 200), 25 * 16 * 0.2 + 100 * 12 * 0.8);
}

TEST(Switch, WithoutOneTrafficIsWhatPatternModelAndSourcesMakeByThemselves) {
  const auto t = torus({4, 4});
  spec::TrafficSpec spec;
  const auto pattern = make_pattern(builtin_patterns(), spec, "uniform", t, 6);
  const InjectionModel model(spec, 0.4, {3, 2});
  const Traffic traffic = made(spec, 0.4, {3, 2}, 6);
  const auto sources = traffic.sources();
  for (std::uint32_t i = 0; i < 16; ++i) {
    const Source by_hand(TerminalId{i}, *pattern.value(), model, Random(6, i));
    EXPECT_EQ(packets_until(sources[i], 2000), packets_until(by_hand, 2000));
  }
}

TEST(Switch, SourcesStayValidWhenTheTrafficIsMoved) {
  Traffic traffic = made(switching(kBernoulli, 30), 0.5);
  const auto sources = traffic.sources();
  const auto before = packets_until(sources[1], 100);
  const Traffic moved = std::move(traffic);
  EXPECT_EQ(packets_until(sources[1], 100), before);
}

TEST(Switch, MistakesOfBothPatternsAreReportedWithTheirKeys) {
  const auto result =
      make_traffic(builtin_patterns(), switching(kBernoulli, 30, "adv+1", "unifrom"), 0.5,
                   torus({4, 4}), {1, 1}, 1);
  ASSERT_FALSE(result.ok());
  ASSERT_EQ(result.errors().size(), 2u);
  EXPECT_EQ(result.errors()[0].key, "traffic.pattern");
  EXPECT_EQ(result.errors()[0].code, "traffic.unfit-topology");
  EXPECT_EQ(result.errors()[1].key, "traffic.switch_pattern");
  EXPECT_EQ(result.errors()[1].code, "traffic.unknown-pattern");
}

}  // namespace
}  // namespace hopwise::traffic
