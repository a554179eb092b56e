// SPDX-License-Identifier: Apache-2.0
// Patterns that send in rounds, each against a naive one written out from its definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "fixture.hpp"
#include "traffic/source.hpp"

namespace hopwise::traffic {
namespace {

using Round = std::vector<std::size_t>;

Round round_of(const Pattern& pattern, std::size_t src, Random& random) {
  Round round(pattern.round_packets(at(src), random));
  for (std::uint32_t i = 0; i < round.size(); ++i)
    round[i] = index(pattern.destination(at(src), i, random));
  return round;
}

/// The terminals of a grid, found by search: no arithmetic on numbers but their counting, x
/// fastest.
struct Place {
  int x, y, z;
  bool operator==(const Place&) const = default;
};
std::vector<Place> places_of(int nx, int ny, int nz) {
  std::vector<Place> places;
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) places.push_back({x, y, z});
    }
  }
  return places;
}
std::size_t find(const std::vector<Place>& places, Place p) {
  return static_cast<std::size_t>(std::find(places.begin(), places.end(), p) - places.begin());
}

Round naive_stencil(const std::vector<Place>& places, std::array<int, 3> n, std::size_t src) {
  const auto around = [](int k, int size) { return k < 0 ? size - 1 : k == size ? 0 : k; };
  Round round;
  const Place p = places[src];
  for (const Place& to : {Place{around(p.x - 1, n[0]), p.y, p.z},
                          {around(p.x + 1, n[0]), p.y, p.z},
                          {p.x, around(p.y - 1, n[1]), p.z},
                          {p.x, around(p.y + 1, n[1]), p.z},
                          {p.x, p.y, around(p.z - 1, n[2])},
                          {p.x, p.y, around(p.z + 1, n[2])}}) {
    if (!(to == p)) round.push_back(find(places, to));
  }
  return round;
}

Round naive_column(const std::vector<Place>& places, int nz, std::size_t src) {
  Round round;
  for (int z = 0; z < nz; ++z) {
    const std::size_t to = find(places, {places[src].x, places[src].y, z});
    if (to != src) round.push_back(to);
  }
  return round;
}

void expect_grid_rounds(const topology::Topology& t, const std::string& suffix,
                        std::array<int, 3> n) {
  const auto places = places_of(n[0], n[1], n[2]);
  ASSERT_EQ(places.size(), t.num_terminals());
  const auto stencil = make("stencil_3d" + suffix, t);
  const auto column = n[2] > 1 ? make("many_to_many" + suffix, t) : nullptr;
  Random unused(1, 1);
  for (std::size_t src = 0; src < places.size(); ++src) {
    EXPECT_EQ(round_of(*stencil, src, unused), naive_stencil(places, n, src))
        << suffix << " from " << src;
    if (column != nullptr) {
      EXPECT_EQ(round_of(*column, src, unused), naive_column(places, n[2], src))
          << suffix << " from " << src;
    }
  }
  EXPECT_EQ(active_terminals(*stencil, places.size()), places.size());
  EXPECT_EQ(unused.next(), Random(1, 1).next()) << "nothing is drawn";
}

TEST(RoundPattern, ADragonflysGridIsSlotTimesRouterTimesGroup) {
  expect_grid_rounds(dragonfly(2, 4, 2, 9), "", {2, 4, 9});
  expect_grid_rounds(dragonfly(3, 6, 2, 5), "", {3, 6, 5});
  expect_grid_rounds(dragonfly(1, 2, 1, 2), "", {1, 2, 2});
}

TEST(RoundPattern, AnyGridThatHoldsAllTerminalsMayBeNamed) {
  expect_grid_rounds(dragonfly(2, 4, 2, 9), ":6x4x3", {6, 4, 3});
  expect_grid_rounds(torus({4, 4}, 2), ":4x4x2", {4, 4, 2});
  expect_grid_rounds(torus({4, 4}, 2), ":32x1x1", {32, 1, 1});
  expect_grid_rounds(torus({3, 2}, 1), ":1x1x6", {1, 1, 6});
}

TEST(RoundPattern, TheStudysSystemHasSixNeighboursAndFiftyInAColumn) {
  const auto t = dragonfly(5, 10, 5, 51);
  Random unused(1, 1);
  EXPECT_EQ(round_of(*make("stencil_3d", t), 0, unused), (Round{4, 1, 45, 5, 2500, 50}));
  EXPECT_EQ(round_of(*make("many_to_many", t), 57, unused).size(), 50u);
  EXPECT_EQ(round_of(*make("many_to_many", t), 57, unused)[1], 107u);
}

TEST(RoundPattern, AnyProcessSendsToEachTargetOfARoundInTurn) {
  const auto t = dragonfly(2, 4, 2, 9);
  const auto pattern = make("stencil_3d", t);
  const auto round = naive_stencil(places_of(2, 4, 9), {2, 4, 9}, 31);
  for (const auto injection :
       {spec::Injection::kBernoulli, spec::Injection::kOnOff, spec::Injection::kPeriodic}) {
    spec::TrafficSpec spec;
    spec.injection = injection;
    const InjectionModel model(spec, 0.3, {5, 2});
    Source source(at(31), *pattern, model, Random(1, 31));
    for (int i = 0; i < 600; ++i)
      ASSERT_EQ(index(source.pop().dst), round[static_cast<std::size_t>(i) % 6]);
  }
}

TEST(RandomNeighbours, RoundsHave6To20PacketsAndEachGoesToAnyOther) {
  const auto t = dragonfly(2, 4, 2, 9);
  const auto pattern = make("random_neighbors", t);
  Random random(5, 7);
  std::vector<double> lengths(21), seen(72);
  const int rounds = 30'000;
  double packets = 0;
  for (int i = 0; i < rounds; ++i) {
    const Round round = round_of(*pattern, 7, random);
    ASSERT_TRUE(round.size() >= 6 && round.size() <= 20);
    ++lengths[round.size()];
    for (const std::size_t to : round) ++seen[to];
    packets += static_cast<double>(round.size());
  }
  for (std::size_t n = 6; n <= 20; ++n)
    EXPECT_NEAR(lengths[n], rounds / 15.0, 5 * std::sqrt(rounds / 15.0));
  EXPECT_EQ(seen[7], 0);
  for (std::size_t to = 0; to < 72; ++to) {
    if (to != 7) {
      EXPECT_NEAR(seen[to], packets / 71, 5 * std::sqrt(packets / 71));
    }
  }
}

TEST(RandomNeighbours, FixedOnesAreDifferentAndStayTheSameForASeed) {
  const auto t = dragonfly(2, 4, 2, 9);
  const auto all = [&t](std::uint64_t seed) {
    const auto pattern = make("random_neighbors:fixed", t, seed);
    Random unused(1, 1);
    std::vector<Round> rounds;
    for (std::size_t src = 0; src < 72; ++src) rounds.push_back(round_of(*pattern, src, unused));
    for (std::size_t src = 0; src < 72; ++src)
      EXPECT_EQ(round_of(*pattern, src, unused), rounds[src]);
    return rounds;
  };
  const auto rounds = all(3);
  for (std::size_t src = 0; src < 72; ++src) {
    EXPECT_TRUE(rounds[src].size() >= 6 && rounds[src].size() <= 20);
    const std::set<std::size_t> different(rounds[src].begin(), rounds[src].end());
    EXPECT_EQ(different.size(), rounds[src].size());
    EXPECT_EQ(different.count(src), 0u);
  }
  EXPECT_EQ(all(3), rounds);
  EXPECT_NE(all(4), rounds);
}

TEST(RandomNeighbours, FixedCountsAndNeighboursAreEquallyLikelyOverSeeds) {
  const auto t = torus({6, 6}, 1);
  std::vector<double> counts(21), seen(36);
  const int seeds = 6000;
  double packets = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto pattern = make("random_neighbors:fixed", t, seed);
    Random unused(1, 1);
    const Round round = round_of(*pattern, 35, unused);
    ++counts[round.size()];
    for (const std::size_t to : round) ++seen[to];
    packets += static_cast<double>(round.size());
  }
  for (std::size_t n = 6; n <= 20; ++n)
    EXPECT_NEAR(counts[n], seeds / 15.0, 5 * std::sqrt(seeds / 15.0));
  for (std::size_t to = 0; to < 35; ++to)
    EXPECT_NEAR(seen[to], packets / 35, 5 * std::sqrt(packets / 35));
}

TEST(RandomNeighbours, WhereThereAreFewerOthersAllAreNeighbours) {
  const auto t = torus({4}, 1);
  Random unused(1, 1);
  Round round = round_of(*make("random_neighbors:fixed", t), 1, unused);
  std::sort(round.begin(), round.end());
  EXPECT_EQ(round, (Round{0, 2, 3}));
  const auto two = torus({2}, 1);
  EXPECT_EQ(round_of(*make("random_neighbors:fixed", two), 1, unused), (Round{0}));
  EXPECT_GE(round_of(*make("random_neighbors", two), 1, unused).size(), 6u);
}

TEST(RoundPattern, GridsThatDoNotFitAreRefused) {
  const auto allowed = [](const char* name, const topology::Topology& t) {
    const auto made = make_pattern(builtin_patterns(), {}, name, t, 1);
    if (made.ok()) return std::string("made");
    EXPECT_EQ(made.errors()[0].code, "traffic.unfit-topology");
    return made.errors()[0].allowed;
  };
  const auto square = torus({4, 4}, 2);
  EXPECT_EQ(allowed("stencil_3d", square), "a topology with groups");
  EXPECT_EQ(allowed("many_to_many", square), "a topology with groups");
  EXPECT_EQ(allowed("stencil_3d:4x4x1", square), "a grid of 32 places, one per terminal");
  EXPECT_EQ(allowed("many_to_many:999999x999999x999999", square),
            "a grid of 32 places, one per terminal");
  EXPECT_EQ(allowed("many_to_many:8x4x1", square), "Z of two or more");
  EXPECT_EQ(allowed("stencil_3d:8x4x1", square), "made");
  EXPECT_EQ(allowed("random_neighbors", square), "made");
}

}  // namespace
}  // namespace hopwise::traffic
