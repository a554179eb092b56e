// SPDX-License-Identifier: Apache-2.0
#include "measure/search.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hopwise::measure {
namespace {

TEST(Saturation, IsFoundWithinTheToleranceFromBelow) {
  for (const double limit : {0.05, 0.33, 0.5, 0.719, 0.99}) {
    unsigned runs = 0;
    const Saturation s = find_saturation([&](double load) { return ++runs, load <= limit; });
    EXPECT_LE(s.load, limit);
    EXPECT_GE(s.load, limit - 0.01);
    EXPECT_FALSE(s.at_highest);
    EXPECT_EQ(runs, 8u);
  }
}

TEST(Saturation, ANetworkThatSustainsEverythingIsProbedOnce) {
  unsigned runs = 0;
  const Saturation s = find_saturation([&](double) { return ++runs, true; });
  EXPECT_EQ(s.load, 1.0);
  EXPECT_TRUE(s.at_highest);
  EXPECT_EQ(runs, 1u);
}

TEST(Saturation, ANetworkThatSustainsNothingHasNone) {
  const Saturation s = find_saturation([](double) { return false; });
  EXPECT_EQ(s.load, 0);
}

TEST(Saturation, AKnownLoadNarrowsTheSearch) {
  SearchRange range;
  range.known_sustained = 0.6;
  range.highest = 0.7;
  unsigned runs = 0;
  const Saturation s = find_saturation([&](double load) { return ++runs, load <= 0.66; }, range);
  EXPECT_NEAR(s.load, 0.66, 0.01);
  EXPECT_EQ(runs, 5u);
}

/// Answers in another order, and loads that nobody needs, lead to the same.
TEST(Bisection, FindsTheSameWhateverRunsAhead) {
  SearchRange range;
  for (const double limit : {0.05, 0.33, 0.5, 0.719, 0.99, 2.0}) {
    for (const double from : {0.0, 0.3}) {
      range.known_sustained = from;
      std::vector<double> asked;
      const Saturation expected =
          find_saturation([&](double load) { return asked.push_back(load), load <= limit; }, range);
      for (const std::size_t among : {1u, 2u, 3u, 7u}) {
        Bisection search(range);
        std::size_t runs = 0;
        for (; !search.found(); ++runs) {
          const std::vector<double> loads = search.wanted(among);
          ASSERT_LE(loads.size(), among);
          const double last = loads.back();  // as if the others took longer
          search.tell(last, last <= limit);
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
  const Bisection search(SearchRange{});
  EXPECT_EQ(search.wanted(4), (std::vector<double>{1, 0.5, 0.75, 0.25}));
}

}  // namespace
}  // namespace hopwise::measure
