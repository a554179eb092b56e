// SPDX-License-Identifier: Apache-2.0
#include "traffic/source.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fixture.hpp"

namespace hopwise::traffic {
namespace {

class SourceTest : public ::testing::Test {
 protected:
  SourceTest()
      : topology_(topology::builtin_kinds(), spec(), links()),
        uniform_(make_pattern(builtin_patterns(), {}, "uniform", topology_, 1)) {}

  static spec::TopologySpec spec() { return topology::torus({4, 4}, 1); }
  static spec::LinkSpec links() {
    spec::LinkSpec link;
    link.latency_cycles = {1, 1};
    return link;
  }
  static spec::TrafficSpec traffic(spec::Injection injection, unsigned min, unsigned max,
                                   double burst = 8) {
    spec::TrafficSpec t;
    t.injection = injection;
    t.length = {min, max};
    t.on_off_mean_burst_packets = burst;
    return t;
  }
  Source source(const InjectionModel& model, std::uint32_t terminal = 3,
                std::uint64_t seed = 1) const {
    return Source(TerminalId{terminal}, *uniform_.value(), model, Random(seed, terminal));
  }
  /// Flits generated before `cycles`.
  double flits(const InjectionModel& model, std::uint64_t cycles) const {
    double sum = 0;
    for (Source s = source(model); s.next_cycle() < cycles;) sum += s.pop().flits;
    return sum;
  }

  topology::Topology topology_;
  Result<std::unique_ptr<Pattern>> uniform_;
};

/// A source begins as if it had run for ever: its first packets are no more than those of later.
TEST_F(SourceTest, OnOffBeginsInItsStationaryState) {
  struct Case {
    double burst, load;
    unsigned min, max;
  };
  for (const Case c : {Case{1, 0.3, 16, 16}, Case{8, 0.5, 16, 16}, Case{8, 0.5, 2, 258}}) {
    const InjectionModel model(traffic(kOnOff, c.min, c.max, c.burst), c.load, {1, 1});
    constexpr unsigned kSources = 20'000;
    const double mean = 0.5 * (c.min + c.max);
    double sum = 0;
    for (unsigned seed = 0; seed < kSources; ++seed) {
      for (Source s = source(model, 3, seed); static_cast<double>(s.next_cycle()) < mean;)
        sum += s.pop().flits;
    }
    EXPECT_NEAR(sum / kSources / mean, c.load, 0.05 * c.load) << c.burst << " " << c.max;
  }
}

TEST_F(SourceTest, FullLoadOfOneFlitPacketsGeneratesInEveryCycle) {
  for (const auto injection : {kBernoulli, kOnOff}) {
    const InjectionModel model(traffic(injection, 1, 1), 1.0, {1, 1});
    Source s = source(model);
    for (std::uint64_t cycle = 0; cycle < 10'000; ++cycle) {
      ASSERT_EQ(s.next_cycle(), cycle);
      const GeneratedPacket p = s.pop();
      ASSERT_EQ(p.cycle, cycle);
      ASSERT_EQ(p.src, TerminalId{3});
      ASSERT_NE(p.dst, p.src);
      ASSERT_EQ(p.flits, 1u);
    }
  }
}

TEST_F(SourceTest, OnOffAtFullLoadIsExactlyTheLinksCapacityAtAnyRatio) {
  // 3-flit packets at 5/2 core cycles per flit: one each 7.5 cycles, so 2 in every 15.
  const InjectionModel model(traffic(kOnOff, 3, 3), 1.0, {5, 2});
  Source s = source(model);
  const std::uint64_t first = s.next_cycle();
  EXPECT_LE(first, 8u);
  for (int i = 0; i < 2000; ++i) s.pop();
  EXPECT_EQ(s.next_cycle(), first + 15'000);
}

TEST_F(SourceTest, MeanLoadHoldsForEveryProcessLengthAndSpeedUp) {
  struct Case {
    spec::Injection injection;
    unsigned min, max;
    spec::Rational ratio;
    double load;
  };
  for (const Case& c : {Case{kBernoulli, 1, 1, {1, 1}, 0.05}, Case{kBernoulli, 1, 1, {1, 1}, 0.7},
                        Case{kBernoulli, 2, 16, {5, 2}, 0.4}, Case{kBernoulli, 5, 5, {1, 1}, 1.0},
                        Case{kOnOff, 1, 1, {1, 1}, 0.5}, Case{kOnOff, 4, 8, {3, 2}, 0.25},
                        Case{kOnOff, 1, 1, {1, 1}, 0.95}, Case{kOnOff, 16, 16, {1, 1}, 0.1}}) {
    const InjectionModel model(traffic(c.injection, c.min, c.max), c.load, c.ratio);
    const double cycles = 4'000'000;
    const double expected = c.load * cycles / c.ratio.value();
    EXPECT_NEAR(flits(model, 4'000'000), expected, 0.03 * expected) << c.load << " " << c.max;
    EXPECT_DOUBLE_EQ(model.flits_per_cycle(), c.load / c.ratio.value());
  }
}

TEST_F(SourceTest, BernoulliGapsAreGeometricAndCyclesStrictlyIncrease) {
  const InjectionModel model(traffic(kBernoulli, 1, 1), 0.2, {1, 1});
  Source s = source(model);
  int adjacent = 0;
  std::uint64_t last = s.pop().cycle;
  const int packets = 100'000;
  for (int i = 0; i < packets; ++i) {
    const std::uint64_t cycle = s.pop().cycle;
    ASSERT_GT(cycle, last);
    adjacent += cycle == last + 1 ? 1 : 0;
    last = cycle;
  }
  EXPECT_NEAR(adjacent, 0.2 * packets, 700);  // 5 sigma
  EXPECT_NEAR(static_cast<double>(last), 5.0 * packets, 8000);
}

TEST_F(SourceTest, BurstsHaveTheirMeanNumberOfPacketsBackToBack) {
  const InjectionModel model(traffic(kOnOff, 2, 2, 10), 0.1, {1, 1});
  Source s = source(model);
  std::uint64_t last = s.pop().cycle;
  const int packets = 200'000;
  int bursts = 1;
  for (int i = 1; i < packets; ++i) {
    const std::uint64_t cycle = s.pop().cycle;
    ASSERT_GE(cycle, last + 2);
    bursts += cycle == last + 2 ? 0 : 1;
    last = cycle;
  }
  // A pause of 0 cycles (probability 1/181) joins two bursts.
  EXPECT_NEAR(packets / static_cast<double>(bursts), 10 * 181.0 / 180, 0.4);
}

TEST_F(SourceTest, LengthsAreUniformBetweenTheirBounds) {
  const InjectionModel model(traffic(kBernoulli, 3, 6), 0.9, {1, 1});
  Source s = source(model);
  std::vector<int> seen(8);
  for (int i = 0; i < 40'000; ++i) ++seen.at(s.pop().flits);
  for (std::size_t n = 3; n <= 6; ++n) EXPECT_NEAR(seen[n], 10'000, 500);
}

TEST_F(SourceTest, ASilentTerminalAndALoadOfZeroGenerateNothing) {
  const auto transpose = make_pattern(builtin_patterns(), {}, "transpose", topology_, 1);
  for (const auto injection : {kBernoulli, kOnOff}) {
    const InjectionModel model(traffic(injection, 1, 1), 1.0, {1, 1});
    EXPECT_EQ(Source(TerminalId{5}, *transpose.value(), model, Random(1, 5)).next_cycle(),
              kNoPacket);
    const InjectionModel nothing(traffic(injection, 1, 1), 0.0, {1, 1});
    EXPECT_EQ(source(nothing).next_cycle(), kNoPacket);
  }
}

TEST_F(SourceTest, WhatATerminalGeneratesDependsOnItsNumberAndTheSeedOnly) {
  const InjectionModel model(traffic(kOnOff, 1, 9), 0.3, {5, 2});
  std::vector<Source> all;
  for (std::uint32_t t = 0; t < 16; ++t) all.push_back(source(model, t, 42));
  Source alone = source(model, 9, 42);
  for (int i = 0; i < 1000; ++i) {
    for (std::size_t t = 0; t < 9; ++t) all[t].pop();  // the others draw in between
    ASSERT_EQ(all[9].pop(), alone.pop());
  }
  EXPECT_NE(source(model, 9, 43).pop(), source(model, 9, 42).pop());
}

}  // namespace
}  // namespace hopwise::traffic
