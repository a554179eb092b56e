// SPDX-License-Identifier: Apache-2.0
#include "measure/search.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hopwise::measure {
namespace {

/// A network that accepts up to `limit` and whose latency has its pole there.
Probe network(double load, double limit) {
  if (load >= limit) return {limit, 1e6};
  return {load, 20 + 5 * load / (limit - load)};
}

TEST(Saturation, IsFoundWithinTheToleranceFromBelow) {
  for (const double limit : {0.05, 0.33, 0.5, 0.719, 0.99}) {
    unsigned runs = 0;
    const Saturation s = find_saturation([&](double load) { return ++runs, network(load, limit); });
    // Latency passes 500 link cycles a hair below the limit: 5 * load / (limit - load) = 480.
    const double exact = limit * 480 / 485;
    EXPECT_LE(s.load, exact);
    EXPECT_GE(s.load, exact - 0.01);
    EXPECT_FALSE(s.at_highest);
    EXPECT_EQ(runs, 8u);
  }
}

TEST(Saturation, ANetworkThatSustainsEverythingIsProbedOnce) {
  unsigned runs = 0;
  const Saturation s = find_saturation([&](double load) { return ++runs, Probe{load, 10}; });
  EXPECT_EQ(s.load, 1.0);
  EXPECT_TRUE(s.at_highest);
  EXPECT_EQ(runs, 1u);
}

TEST(Saturation, ANetworkThatSustainsNothingHasNone) {
  const Saturation s = find_saturation([](double) { return Probe{0, 10}; });
  EXPECT_EQ(s.load, 0);
}

TEST(Saturation, AKnownLoadNarrowsTheSearch) {
  SaturationCriteria criteria;
  criteria.known_sustained = 0.6;
  criteria.highest = 0.7;
  unsigned runs = 0;
  const Saturation s =
      find_saturation([&](double load) { return ++runs, network(load, 0.66); }, criteria);
  EXPECT_NEAR(s.load, 0.66 * 480 / 485, 0.01);
  EXPECT_EQ(runs, 5u);
}

/// Answers in another order, and loads that nobody needs, lead to the same.
TEST(Bisection, FindsTheSameWhateverRunsAhead) {
  SaturationCriteria criteria;
  for (const double limit : {0.05, 0.33, 0.5, 0.719, 0.99, 2.0}) {
    for (const double from : {0.0, 0.3}) {
      criteria.known_sustained = from;
      std::vector<double> asked;
      const Saturation expected = find_saturation(
          [&](double load) { return asked.push_back(load), network(load, limit); }, criteria);
      for (const std::size_t among : {1u, 2u, 3u, 7u}) {
        Bisection search(criteria);
        std::size_t runs = 0;
        for (; !search.found(); ++runs) {
          const std::vector<double> loads = search.wanted(among);
          ASSERT_LE(loads.size(), among);
          const double last = loads.back();  // as if the others took longer
          search.tell(last, sustained(last, network(last, limit), criteria));
        }
        EXPECT_EQ(search.found()->load, expected.load);
        EXPECT_EQ(search.found()->at_highest, expected.at_highest);
        EXPECT_EQ(search.path(), asked);
        EXPECT_GE(runs, asked.size());
        EXPECT_TRUE(search.wanted(7).empty());
      }
    }
  }
}

TEST(Bisection, WantsTheNearestLoadsFirst) {
  const Bisection search(SaturationCriteria{});
  EXPECT_EQ(search.wanted(4), (std::vector<double>{1, 0.5, 0.75, 0.25}));
}

TEST(Saturation, BothCriteriaCountAndAreInclusive) {
  const SaturationCriteria c;
  EXPECT_TRUE(sustained(0.5, {0.49, 500}, c));
  EXPECT_FALSE(sustained(0.5, {0.4899, 500}, c));
  EXPECT_FALSE(sustained(0.5, {0.5, 500.1}, c));
  EXPECT_FALSE(sustained(0.5, {0.48, 10}, c));
}

TEST(Saturation, AProbeThatKnowsItsVerdictIsBelieved) {
  const SaturationCriteria c;
  EXPECT_TRUE(sustained(0.5, {0.1, 600, true}, c));
  EXPECT_FALSE(sustained(0.5, {0.5, 10, false}, c));
}

}  // namespace
}  // namespace hopwise::measure
