// SPDX-License-Identifier: Apache-2.0
// Patterns on dragonflies, and mixtures on any topology.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "fixture.hpp"
#include "traffic/pattern.hpp"

namespace hopwise::traffic {
namespace {

/// Sum over `bins` of (seen - expected)^2 / expected. With f bins less one degrees of freedom its
/// mean is f and its deviation sqrt(2 f).
double chi_square(const std::vector<double>& counts, const std::vector<std::size_t>& bins,
                  double expected) {
  double sum = 0;
  for (const std::size_t b : bins)
    sum += (counts[b] - expected) * (counts[b] - expected) / expected;
  return sum;
}

double chi_square_limit(std::size_t bins) {
  const double f = static_cast<double>(bins) - 1;
  return f + 5 * std::sqrt(2 * f);
}

/// Where a terminal is, by the plain formula of the numbering: terminal = (group * a + router) * p
/// + slot.
struct DragonflyPlace {
  std::size_t group, router, slot;
  DragonflyPlace(std::size_t t, unsigned p, unsigned a)
      : group(t / p / a), router(t / p % a), slot(t % p) {}
  std::size_t number(unsigned p, unsigned a) const { return (group * a + router) * p + slot; }
};

/// The terminals that always have one destination in `draws` draws, with that destination.
std::vector<std::pair<std::size_t, std::size_t>> steady_ones(const Pattern& pattern,
                                                             std::size_t n) {
  std::vector<std::pair<std::size_t, std::size_t>> steady;
  for (std::size_t t = 0; t < n; ++t) {
    Random random(3, t);
    std::set<std::size_t> seen;
    for (int i = 0; i < 20; ++i) seen.insert(index(pattern.destination(at(t), random)));
    EXPECT_EQ(seen.count(t), 0u);
    if (seen.size() == 1) steady.emplace_back(t, *seen.begin());
  }
  return steady;
}

TEST(GroupPattern, DeterministicPatternsMatchTheirFormulaOnDragonflies) {
  for (const auto& [p, a, h, g] : {std::array{2u, 4u, 2u, 9u},
                                   {1u, 2u, 1u, 3u},
                                   {3u, 6u, 2u, 5u},
                                   {2u, 2u, 3u, 4u},
                                   {2u, 3u, 1u, 2u}}) {
    const auto t = dragonfly(p, a, h, g);
    for (const std::string name : {"tornado", "neighbour", "shift", "bit_complement"}) {
      if (name == "tornado" && g == 2) continue;
      const auto map = map_of(*make(name, t), t.num_terminals());
      for (std::size_t s = 0; s < map.size(); ++s) {
        DragonflyPlace to(s, p, a);
        if (name == "tornado") to.group = (to.group + (g + 1) / 2 - 1) % g;
        if (name == "neighbour" || name == "shift") to.group = (to.group + 1) % g;
        if (name == "bit_complement")
          to = {((g - 1 - to.group) * a + (a - 1 - to.router)) * p + to.slot, p, a};
        EXPECT_EQ(map[s], to.number(p, a)) << name << " from " << s;
      }
    }
  }
}

TEST(GroupPattern, TransposeExchangesRouterAndGroupWhereThereAreAsMany) {
  const auto t = dragonfly(2, 4, 1, 4);
  const auto map = map_of(*make("transpose", t), t.num_terminals());
  for (std::size_t s = 0; s < map.size(); ++s) {
    const DragonflyPlace from(s, 2, 4);
    EXPECT_EQ(map[s], (from.router * 4 + from.group) * 2 + from.slot);
  }
  const auto refused = make_pattern(builtin_patterns(), {}, "transpose", dragonfly(2, 4, 2, 9), 1);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.errors()[0].code, "traffic.unfit-topology");
  EXPECT_NE(refused.errors()[0].hint.find("permutation"), std::string::npos);
}

TEST(GroupPattern, AdversarialTrafficIsUniformOverTheGroupAtItsOffset) {
  const unsigned p = 2, a = 4, g = 9;
  const auto t = dragonfly(p, a, 2, g);
  for (unsigned offset = 1; offset < g; ++offset) {
    const auto pattern = make("adv+" + std::to_string(offset), t);
    EXPECT_EQ(active_terminals(*pattern, t.num_terminals()), t.num_terminals());
    for (const std::size_t src : {std::size_t{0}, std::size_t{37}, std::size_t{71}}) {
      const auto counts = counts_from(*pattern, t.num_terminals(), src, 16'000);
      std::vector<std::size_t> inside;
      for (std::size_t d = 0; d < counts.size(); ++d) {
        if (t.coordinate(t.router_of(at(d)), 1) == (src / (a * p) + offset) % g) {
          inside.push_back(d);
        } else {
          EXPECT_EQ(counts[d], 0) << offset << " from " << src << " to " << d;
        }
      }
      ASSERT_EQ(inside.size(), a * p);
      EXPECT_LT(chi_square(counts, inside, 16'000.0 / (a * p)), chi_square_limit(inside.size()));
    }
  }
}

TEST(GroupPattern, PermutationAndUniformKnowNothingOfGroups) {
  const auto t = dragonfly(2, 4, 2, 9);
  const std::size_t n = t.num_terminals();
  auto map = map_of(*make("permutation", t, 7), n);
  EXPECT_EQ(map, map_of(*make("permutation", torus({8, 9}, 1), 7), n));
  std::vector<std::size_t> others(n - 1);
  std::iota(others.begin(), others.end(), 1);
  const auto counts = counts_from(*make("uniform", t), n, 0, 71'000);
  EXPECT_EQ(counts[0], 0);
  EXPECT_LT(chi_square(counts, others, 1000), chi_square_limit(others.size()));
}

TEST(GroupPattern, HotSpotIsTheMiddleGroupsMiddleRouterAndTheHotRegionACorner) {
  const auto t = dragonfly(2, 4, 2, 9);
  const auto spec = hot(1);
  EXPECT_EQ(counts_from(*make("hot_spot", t, 1, spec), 72, 0, 100)[(4 * 4 + 2) * 2], 100);
  const auto counts = counts_from(*make("hot_region", t, 1, spec), 72, 71, 20'000);
  std::vector<std::size_t> inside;
  for (std::size_t d = 0; d < 72; ++d) {
    const DragonflyPlace place(d, 2, 4);
    if (place.group < 5 && place.router < 2) {
      inside.push_back(d);
    } else {
      EXPECT_EQ(counts[d], 0);
    }
  }
  ASSERT_EQ(inside.size(), 20u);
  EXPECT_LT(chi_square(counts, inside, 1000), chi_square_limit(20));
}

TEST(Mixture, ExactlyTheStatedShareFollowsItsPatternAndTheRestIsUniform) {
  const unsigned p = 2, a = 4, g = 9;
  const auto t = dragonfly(p, a, 2, g);
  const std::size_t n = t.num_terminals();
  const auto shift = map_of(*make("shift", t), n),
             permutation = map_of(*make("permutation", t, 11), n);
  for (const std::string kind :
       {"router_shift", "router_permutation", "node_shift", "node_permutation"}) {
    const bool routers = kind.starts_with("router");
    const auto& table = kind.ends_with("shift") ? shift : permutation;
    for (const unsigned percent : {0u, 1u, 25u, 50u, 99u, 100u}) {
      const auto pattern = make("mixed_" + kind + ":" + std::to_string(percent), t, 11);
      EXPECT_EQ(active_terminals(*pattern, n), n);
      const auto steady = steady_ones(*pattern, n);
      const std::size_t of = routers ? n / p : n;
      const auto share =
          static_cast<std::size_t>(std::lround(static_cast<double>(of * percent) / 100));
      EXPECT_EQ(steady.size(), share * (routers ? p : 1)) << kind << " " << percent;
      for (const auto& [from, to] : steady) EXPECT_EQ(to, table[from]);
      std::set<std::size_t> chosen;
      for (const auto& [from, to] : steady) chosen.insert(from / p);
      if (routers) {
        EXPECT_EQ(chosen.size() * p, steady.size());
      }
    }
  }
}

TEST(Mixture, TheOthersReachEveryOtherTerminalEquallyOften) {
  const auto t = dragonfly(2, 4, 2, 9);
  const auto pattern = make("mixed_node_permutation:50", t, 4);
  const auto steady = steady_ones(*pattern, 72);
  std::size_t src = 0;
  while (std::any_of(steady.begin(), steady.end(), [src](const auto& s) { return s.first == src; }))
    ++src;
  const auto counts = counts_from(*pattern, 72, src, 71'000);
  std::vector<std::size_t> others;
  for (std::size_t d = 0; d < 72; ++d) {
    if (d != src) others.push_back(d);
  }
  EXPECT_EQ(counts[src], 0);
  EXPECT_LT(chi_square(counts, others, 1000), chi_square_limit(others.size()));
}

TEST(Mixture, TheChosenOnesDependOnTheSeedAloneAndALargerShareHoldsASmaller) {
  const auto t = dragonfly(2, 4, 2, 9);
  const auto chosen = [&t](const char* name, std::uint64_t seed) {
    std::set<std::size_t> set;
    for (const auto& [from, to] : steady_ones(*make(name, t, seed), t.num_terminals()))
      set.insert(from);
    return set;
  };
  EXPECT_EQ(chosen("mixed_node_shift:30", 1), chosen("mixed_node_shift:30", 1));
  EXPECT_EQ(chosen("mixed_node_shift:30", 1), chosen("mixed_node_permutation:30", 1));
  EXPECT_NE(chosen("mixed_node_shift:30", 1), chosen("mixed_node_shift:30", 2));
  const auto few = chosen("mixed_router_shift:30", 1), many = chosen("mixed_router_shift:60", 1);
  EXPECT_TRUE(std::includes(many.begin(), many.end(), few.begin(), few.end()));
  // The choice has a stream of its own: the permutation of a seed is the same with and without it.
  const auto permutation = map_of(*make("permutation", t, 9), 72);
  for (const auto& [from, to] : steady_ones(*make("mixed_node_permutation:100", t, 9), 72)) {
    EXPECT_EQ(to, permutation[from]);
  }
}

TEST(Mixture, EveryTerminalIsChosenEquallyOften) {
  const auto t = dragonfly(1, 4, 2, 9);
  const int seeds = 1000;
  std::vector<double> counts(36);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    for (const auto& [from, to] : steady_ones(*make("mixed_router_shift:25", t, seed), 36))
      ++counts[from];
  }
  for (const double c : counts) EXPECT_NEAR(c, seeds * 0.25, 5 * std::sqrt(seeds * 0.25 * 0.75));
}

TEST(Mixture, TheChoiceDoesNotShareTheDrawsOfThePermutation) {
  // On one stream, the terminal drawn first would be where the last terminal sends, for a third of
  // the seeds.
  const auto t = dragonfly(1, 4, 2, 9);
  const int seeds = 500;
  int hits = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto steady = steady_ones(*make("mixed_node_shift:3", t, seed), 36);
    ASSERT_EQ(steady.size(), 1u);
    hits += map_of(*make("permutation", t, seed), 36)[35] == steady[0].first ? 1 : 0;
  }
  EXPECT_LT(hits, 40);  // 14 by chance
}

TEST(Mixture, PermutationsMixOnAnyTopology) {
  const auto t = torus({4, 3}, 2);
  EXPECT_EQ(steady_ones(*make("mixed_router_permutation:50", t), 24).size(), 12u);
  EXPECT_EQ(steady_ones(*make("mixed_node_permutation:10", t), 24).size(), 2u);
}

TEST(GroupPattern, BadParametersAndGroupsThatAreNotThereAreRefused) {
  const auto code = [](const char* name, const topology::Topology& t) {
    const auto made = make_pattern(builtin_patterns(), {}, name, t, 1);
    return made.ok() ? "made" : made.errors()[0].code;
  };
  const auto nine = dragonfly(2, 4, 2, 9), two = dragonfly(1, 3, 1, 2);
  EXPECT_EQ(code("adv+0", nine), "traffic.unknown-pattern");
  EXPECT_EQ(code("adv+8", nine), "made");
  EXPECT_EQ(code("adv+9", nine), "traffic.unfit-topology");
  EXPECT_EQ(code("mixed_node_shift:101", nine), "traffic.unknown-pattern");
  EXPECT_EQ(code("tornado", two), "traffic.unfit-topology");
  EXPECT_EQ(code("shift", two), "made");
  for (const char* name : {"adv+1", "shift", "mixed_router_shift:50", "mixed_node_shift:50"}) {
    EXPECT_EQ(code(name, torus({4, 4}, 1)), "traffic.unfit-topology") << name;
  }
}

}  // namespace
}  // namespace hopwise::traffic
