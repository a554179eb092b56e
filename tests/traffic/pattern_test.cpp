// SPDX-License-Identifier: Apache-2.0
#include "traffic/pattern.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fixture.hpp"

namespace hopwise::traffic {
namespace {

TEST(Pattern, DeterministicPatternsAreBijectiveKeepTheSlotAndMatchTheirFormula) {
  for (const auto& dims : {std::vector<unsigned>{4, 4}, {5, 5, 5}, {3, 3}, {2, 2, 2}, {7, 7}}) {
    const auto t = torus(dims, 2);
    const unsigned k = dims[0];
    const auto formula = [&](const std::string& name, std::size_t terminal, unsigned d) {
      const RouterId r = t.router_of(at(terminal));
      const unsigned x = t.coordinate(r, d);
      if (name == "tornado") return (x + static_cast<unsigned>(std::ceil(k / 2.0)) - 1) % k;
      if (name == "neighbour") return (x + 1) % k;
      if (name == "bit_complement") return k - 1 - x;
      return t.coordinate(r, d == 0 ? t.num_dims() - 1 : d - 1);  // transpose: (x,y,z) -> (z,x,y)
    };
    for (const std::string name : {"tornado", "neighbour", "bit_complement", "transpose"}) {
      if (name == "tornado" && k == 2) continue;
      const auto map = map_of(*make(name, t), t.num_terminals());
      for (std::size_t s = 0; s < map.size(); ++s) {
        EXPECT_EQ(t.slot_of(at(map[s])), t.slot_of(at(s)));
        for (unsigned d = 0; d < t.num_dims(); ++d) {
          EXPECT_EQ(t.coordinate(t.router_of(at(map[s])), d), formula(name, s, d))
              << name << " from " << s;
        }
      }
      auto sorted = map;
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t s = 0; s < sorted.size(); ++s) EXPECT_EQ(sorted[s], s) << name;
    }
  }
}

TEST(Pattern, TornadoOfEightGoesThreeHopsAndStaysAlongADimensionOfTwo) {
  const auto t = torus({8, 2});
  const auto map = map_of(*make("tornado", t), t.num_terminals());
  EXPECT_EQ(map[0], 3u);
  EXPECT_EQ(map[6], 1u);
  EXPECT_EQ(map[8 + 7], 8u + 2);
}

TEST(Pattern, TheDiagonalOfTransposeIsSilentAndLeavesTheOthersActive) {
  const auto t = torus({4, 4}, 3);
  const auto pattern = make("transpose", t);
  EXPECT_TRUE(pattern->silent(at(0)));
  EXPECT_TRUE(pattern->silent(at(5 * 3 + 1)));
  EXPECT_FALSE(pattern->silent(at(1 * 3)));
  EXPECT_EQ(active_terminals(*pattern, t.num_terminals()), 12u * 3);
  EXPECT_EQ(active_terminals(*make("uniform", t), t.num_terminals()), 16u * 3);
}

TEST(Pattern, BitPermutationsMoveTheBitsOfTheTerminalsNumber) {
  const auto bits_of = [](std::size_t number, std::size_t bits) {
    std::string text;  // bit 0 first
    for (std::size_t i = 0; i < bits; ++i) text += (number >> i & 1) != 0 ? '1' : '0';
    return text;
  };
  const std::pair<topology::Topology, std::size_t> networks[] = {
      {torus({2}, 2), 2}, {torus({2, 4}), 3}, {torus({4, 4}, 2), 5}, {torus({8, 8, 4}), 8}};
  for (const auto& [t, bits] : networks) {
    const std::size_t n = t.num_terminals();
    ASSERT_EQ(n, std::size_t{1} << bits);
    const auto reversed = map_of(*make("bit_reverse", t), n);
    const auto shuffled = map_of(*make("shuffle", t), n);
    for (std::size_t s = 0; s < n; ++s) {
      std::string expected = bits_of(s, bits);
      std::rotate(expected.begin(), expected.end() - 1, expected.end());
      EXPECT_EQ(bits_of(shuffled[s], bits), expected) << "shuffle from " << s << " of " << n;
      expected = bits_of(s, bits);
      std::reverse(expected.begin(), expected.end());
      EXPECT_EQ(bits_of(reversed[s], bits), expected) << "bit_reverse from " << s << " of " << n;
    }
  }
}

TEST(Pattern, TerminalsWhoseBitsStayAsTheyAreAreSilent) {
  const auto t = torus({4, 4});
  const auto reversed = make("bit_reverse", t), shuffled = make("shuffle", t);
  EXPECT_EQ(active_terminals(*reversed, 16), 12u);  // 0000, 0110, 1001, 1111 read the same
  EXPECT_TRUE(reversed->silent(at(6)));
  EXPECT_EQ(active_terminals(*shuffled, 16), 14u);  // 0000, 1111
  EXPECT_TRUE(shuffled->silent(at(15)));
}

TEST(Pattern, UniformReachesEveryOtherTerminalEquallyOftenAndNeverItself) {
  const auto t = torus({3, 3});
  const auto pattern = make("uniform", t);
  for (const std::size_t src : {std::size_t{0}, std::size_t{4}, std::size_t{8}}) {
    const auto counts = counts_from(*pattern, 9, src, 80'000);
    for (std::size_t d = 0; d < 9; ++d) {
      if (d == src) {
        EXPECT_EQ(counts[d], 0);
      } else {
        EXPECT_NEAR(counts[d], 10'000, 500);
      }
    }
  }
}

TEST(Pattern, PermutationIsBijectiveWithoutFixedPointsAndFollowsTheSeed) {
  for (const auto& dims : {std::vector<unsigned>{2}, {3}, {4, 4}, {8, 8, 4}}) {
    const auto t = torus(dims);
    const std::size_t n = t.num_terminals();
    const auto map = map_of(*make("permutation", t, 7), n);
    EXPECT_EQ(map, map_of(*make("permutation", t, 7), n));
    if (n > 3) {
      EXPECT_NE(map, map_of(*make("permutation", t, 8), n));
    }
    std::vector<bool> hit(n);
    for (std::size_t s = 0; s < n; ++s) {
      EXPECT_NE(map[s], s);
      EXPECT_FALSE(hit[map[s]]);
      hit[map[s]] = true;
    }
  }
}

TEST(Pattern, AHotSpotGetsItsFractionPlusItsShareOfTheRest) {
  const auto t = torus({4, 4});
  const auto spec = hot(0.25);
  const auto counts = counts_from(*make("hot_spot", t, 1, spec), 16, 0, 150'000);
  EXPECT_EQ(counts[0], 0);
  // router (2,2) is the one in the middle
  EXPECT_NEAR(counts[10], 150'000 * (0.25 + 0.75 / 15), 1500);
  EXPECT_NEAR(counts[3], 150'000 * 0.75 / 15, 600);
}

TEST(Pattern, AHotTerminalNeverSendsToItselfAndAloneItIsUniform) {
  const auto t = torus({4});
  auto spec = hot(1, {1});
  const auto alone = make("hot_spot", t, 1, spec);
  EXPECT_EQ(counts_from(*alone, 4, 0, 1000)[1], 1000);
  const auto counts = counts_from(*alone, 4, 1, 30'000);
  EXPECT_EQ(counts[1], 0);
  EXPECT_NEAR(counts[0], 10'000, 500);

  spec = hot(1, {3, 0, 1});
  const auto three = make("hot_spot", t, 1, spec);
  for (const std::size_t src : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
    const auto c = counts_from(*three, 4, src, 20'000);
    for (std::size_t d = 0; d < 4; ++d)
      EXPECT_NEAR(c[d], d == src || d == 2 ? 0 : 10'000, d == src ? 0.5 : 500);
  }
}

TEST(Pattern, TheHotRegionIsTheCornerOfHalfTheSizeRoundedUp) {
  const auto t = torus({4, 3}, 2);
  const auto spec = hot(1);
  const auto counts = counts_from(*make("hot_region", t, 1, spec), 24, 23, 80'000);
  for (std::size_t d = 0; d < 24; ++d) {
    const RouterId r = t.router_of(at(d));
    const bool inside = t.coordinate(r, 0) < 2 && t.coordinate(r, 1) < 2;
    EXPECT_NEAR(counts[d], inside ? 10'000 : 0, inside ? 500 : 0.5);
  }
}

TEST(Pattern, AnUnknownNameIsAnsweredWithAllThatExist) {
  const auto made = make_pattern(builtin_patterns(), {}, "unifrom", torus({4}), 1);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.errors()[0].code, "traffic.unknown-pattern");
  EXPECT_EQ(made.errors()[0].key, "traffic.pattern");
  EXPECT_EQ(made.errors()[0].found, "'unifrom'");
  EXPECT_EQ(made.errors()[0].hint, "did you mean 'uniform'?");
  for (const std::string_view name : spec::names_of(builtin_patterns())) {
    EXPECT_NE(made.errors()[0].allowed.find(name), std::string::npos) << name;
  }
  EXPECT_NE(make_pattern(builtin_patterns(), {}, "trace", torus({4}), 1).errors()[0].hint, "");
}

TEST(Pattern, EveryNameThatIsListedIsMade) {
  const auto t = torus({4, 4});
  std::size_t made = 0;
  for (const spec::PatternDeclaration* pattern : builtin_patterns()) {
    if (!pattern->alone || pattern->closed_loop || !pattern->replays.empty()) continue;
    if (spec::misfit({pattern}, t.spec())) continue;  // needs groups
    EXPECT_NE(make(std::string(pattern->name), t, 1, hot(0.5)), nullptr);
    ++made;
  }
  EXPECT_GE(made, 12u);
}

TEST(Pattern, AListMayBeLongerThanWhatIsBuiltIn) {
  struct ToLast final : Pattern {
    explicit ToLast(std::size_t last_terminal) : last(last_terminal) {}
    TerminalId destination(TerminalId, std::uint32_t, Random&) const override { return at(last); }
    bool silent(TerminalId src) const override { return src == at(last); }
    std::size_t last;
  };
  const PatternKind to_last{{.name = "to_last", .doc = "the last terminal"},
                            [](const Ground& ground) -> Result<std::unique_ptr<Pattern>> {
                              return std::unique_ptr<Pattern>(
                                  std::make_unique<ToLast>(ground.topology.num_terminals() - 1));
                            }};
  std::vector<const spec::PatternDeclaration*> longer(builtin_patterns().begin(),
                                                      builtin_patterns().end());
  longer.push_back(&to_last);
  const auto made = make_pattern(longer, {}, "to_last", torus({4}), 1);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(map_of(*made.value(), 4), (std::vector<std::size_t>{3, 3, 3, 3}));
  EXPECT_EQ(active_terminals(*made.value(), 4), 3u);
}

TEST(Pattern, TopologiesThatAPatternDoesNotFitAreRefused) {
  const auto code = [](const char* name, const topology::Topology& t) {
    const auto made = make_pattern(builtin_patterns(), {}, name, t, 1);
    return made.ok() ? "made" : made.errors()[0].code + " " + made.errors()[0].found;
  };
  EXPECT_EQ(code("transpose", torus({4, 8})), "traffic.unfit-topology transpose on 4 x 8");
  EXPECT_EQ(code("transpose", torus({4})), "traffic.unfit-topology transpose on 4");
  EXPECT_EQ(code("tornado", torus({2, 2})), "traffic.unfit-topology tornado on 2 x 2");
  EXPECT_EQ(code("tornado", torus({2, 3})), "made");
  for (const std::string name : {"bit_reverse", "shuffle"}) {
    EXPECT_EQ(code(name.c_str(), torus({3, 4})), "traffic.unfit-topology " + name + " on 3 x 4");
    EXPECT_EQ(code(name.c_str(), torus({2})), "traffic.unfit-topology " + name + " on 2");
    EXPECT_EQ(code(name.c_str(), torus({2}, 2)), "made");
  }
  const auto odd = make_pattern(builtin_patterns(), {}, "shuffle", torus({3, 4}), 1);
  EXPECT_EQ(odd.errors()[0].allowed, "a power of two of terminals, four or more");
  EXPECT_EQ(odd.errors()[0].hint,
            "shuffle permutes the bits of a terminal's number; there are 12 terminals");
}

TEST(Pattern, AllMistakesOfAHotSpotAreReportedAtOnce) {
  const auto spec = hot(1.5, {2, 4, 2});
  const auto made = make_pattern(builtin_patterns(), spec, "hot_spot", torus({4}), 1);
  ASSERT_FALSE(made.ok());
  ASSERT_EQ(made.errors().size(), 3u);
  EXPECT_EQ(made.errors()[0].code, "traffic.hot-fraction");
  EXPECT_EQ(made.errors()[1].code, "traffic.hot-terminal");
  EXPECT_EQ(made.errors()[1].found, "4");
  EXPECT_EQ(made.errors()[1].allowed, "terminals 0 to 3, each once");
  EXPECT_EQ(made.errors()[2].found, "2 twice");
  EXPECT_EQ(make_pattern(builtin_patterns(), spec, "hot_region", torus({4}), 1).errors()[0].code,
            "traffic.hot-fraction");
}

}  // namespace
}  // namespace hopwise::traffic
