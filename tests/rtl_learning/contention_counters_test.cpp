// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "Vcontention_lone.h"
#include "Vcontention_paper.h"
#include "Vcontention_short_tag.h"
#include "Vcontention_small.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned width(unsigned values) { return values <= 2 ? 1 : 1 + width((values + 1) / 2); }

template <class ModelType, unsigned Routers, unsigned Own, unsigned Groups, unsigned Lookups,
          unsigned CountBits>
struct Shape {
  using Model = ModelType;
  static constexpr unsigned kRouters = Routers, kOwn = Own, kGroups = Groups, kLookups = Lookups,
                            kCountBits = CountBits;
  static constexpr unsigned kRows = Own + Routers - 1, kGroupBits = width(Groups),
                            kFactorBits = width(Routers + 1);
};
using Paper = Shape<Vcontention_paper, 8, 4, 33, 4, 4>;
using Small = Shape<Vcontention_small, 2, 1, 2, 1, 2>;
using Lone = Shape<Vcontention_lone, 1, 2, 5, 2, 3>;
using ShortTag = Shape<Vcontention_short_tag, 3, 2, 9, 3, 4>;

struct Setting {
  unsigned window = 1, threshold = 0, mode = 0;
};
enum class Fault { none, at_least, per_terminal };

/// Equation 1 with unlimited counters, all moved at a window's end.
template <class T>
struct ContentionReference {
  using Counts = std::array<std::array<unsigned, T::kGroups>, T::kRows>;
  Fault fault = Fault::none;
  Counts running{}, latched{};
  unsigned timer = 0, quiet = 0, stopped_for = 0;
  bool any = false, stopped = true, ready = false;

  /// Bit r: router r is active to the group.
  unsigned active(unsigned group, const Setting& set) const {
    unsigned bits = 0;
    const auto above = [&](unsigned count) {
      return count > set.threshold || (fault == Fault::at_least && count == set.threshold);
    };
    for (const Counts* counts : {&latched, &running}) {
      if (set.mode == (counts == &latched ? 1U : 0U)) continue;
      unsigned own = 0, most = 0;
      for (unsigned r = 0; r < T::kRows; ++r) {
        const unsigned count = (*counts)[r][group];
        if (r < T::kOwn) {
          own += count;
          most = std::max(most, count);
        } else if (above(count)) {
          bits |= 1U << (r - T::kOwn + 1);
        }
      }
      if (above(fault == Fault::per_terminal ? most : own)) bits |= 1;
    }
    return ready && !stopped ? bits : 0;
  }
  bool at_rest() const { return stopped && stopped_for >= T::kGroups; }

  /// groups[r]: what row r observes in this cycle, -1: nothing.
  void cycle(const std::array<int, T::kRows>& groups, unsigned window) {
    const bool observed = std::any_of(groups.begin(), groups.end(), [](int g) { return g >= 0; });
    if (stopped && !(ready && observed)) {
      ready = ready || ++stopped_for >= T::kGroups;
      stopped_for += ready && stopped_for < T::kGroups ? 1 : 0;
      return;
    }
    stopped = false;
    any = any || observed;
    for (unsigned r = 0; r < T::kRows; ++r) {
      if (groups[r] >= 0) ++running[r][static_cast<unsigned>(groups[r])];
    }
    if (++timer < window) return;
    latched = running;
    running = {};
    quiet = any ? 0 : quiet + 1;
    any = false;
    timer = 0;
    stopped = quiet == 2;
    stopped_for = 0;
    if (stopped) quiet = 0;
  }
};

/// One model beside its reference.
template <class T>
struct Play {
  Bench<typename T::Model> bench;
  ContentionReference<T> reference;
  Setting set;
  std::array<int, T::kRows> observe;  ///< of this cycle; -1: nothing
  std::array<int, T::kLookups> look;
  int csr = -1;
  unsigned csr_was = 0;  ///< bitmap expected from the last CSR read
  unsigned wrong = 0, compared = 0, most = 0;

  explicit Play(Setting setting, Fault fault = Fault::none) : set(setting) {
    reference.fault = fault;
    restart();
  }
  void restart() {
    const Fault fault = reference.fault;
    reference = {};
    reference.fault = fault;
    csr_was = 0;
    idle();
    drive();
    bench.reset();
  }
  void idle() {
    observe.fill(-1);
    look.fill(-1);
    csr = -1;
  }
  void drive() {
    bench->window_i = static_cast<std::uint16_t>(set.window);
    bench->threshold_i = static_cast<std::uint8_t>(set.threshold);
    bench->mode_i = static_cast<std::uint8_t>(set.mode);
    Words groups(1 + T::kRows * T::kGroupBits / 32), looks(1 + T::kLookups * T::kGroupBits / 32);
    std::uint32_t valid = 0, looking = 0;
    for (unsigned r = 0; r < T::kRows; ++r) {
      if (observe[r] < 0) continue;
      valid |= 1U << r;
      set_bits(groups, r * T::kGroupBits, T::kGroupBits, static_cast<unsigned>(observe[r]));
    }
    for (unsigned i = 0; i < T::kLookups; ++i) {
      if (look[i] < 0) continue;
      looking |= 1U << i;
      set_bits(looks, i * T::kGroupBits, T::kGroupBits, static_cast<unsigned>(look[i]));
    }
    groups.resize(8);
    looks.resize(8);
    constexpr std::size_t group_words = (T::kRows * T::kGroupBits + 31) / 32,
                          look_words = (T::kLookups * T::kGroupBits + 31) / 32;
    write_port(bench->obs_valid_i, Words{valid});
    write_port(bench->obs_group_i, Words(groups.begin(), groups.begin() + group_words));
    write_port(bench->look_valid_i, Words{looking});
    write_port(bench->look_group_i, Words(looks.begin(), looks.begin() + look_words));
    bench->csr_valid_i = csr >= 0;
    bench->csr_group_i = static_cast<std::uint8_t>(std::max(csr, 0));
  }
  void check(std::uint64_t seen, std::uint64_t expected) {
    ++compared;
    wrong += seen != expected ? 1 : 0;
    most = std::max(most, static_cast<unsigned>(expected));
  }
  static unsigned ones(unsigned bits) { return static_cast<unsigned>(__builtin_popcount(bits)); }

  void look_now() {
    drive();
    bench.settle();
    const Words counts = read_port(bench->look_count_o, T::kLookups * T::kFactorBits);
    for (unsigned i = 0; i < T::kLookups; ++i) {
      const unsigned expected =
          look[i] < 0 ? 0 : ones(reference.active(static_cast<unsigned>(look[i]), set));
      check(get_bits(counts, i * T::kFactorBits, T::kFactorBits), expected);
    }
  }
  void step() {
    look_now();
    check(bench->at_rest_o, reference.at_rest() ? 1 : 0);
    if (csr >= 0) csr_was = reference.active(static_cast<unsigned>(csr), set);
    bench.edge();
    check(bench->csr_active_o, csr_was);
    check(bench->csr_count_o, ones(csr_was));
    reference.cycle(observe, set.window);
  }
  /// Random inputs: a row observes in `load` per cent of the cycles, half of them to one of two
  /// groups.
  void randomise(std::mt19937_64& random, unsigned load) {
    const auto group = [&] {
      return static_cast<int>(random() % (chance(random, 50) ? 2 : T::kGroups));
    };
    for (int& g : observe) g = chance(random, load) ? group() : -1;
    for (int& g : look) g = chance(random, 70) ? group() : -1;
    csr = chance(random, 20) ? group() : -1;
  }
};

/// Busy stretches of random load up to `load`, with gaps from none to several windows.
template <class T>
void run_random(Play<T>& play, unsigned seed, unsigned load, unsigned cycles) {
  std::mt19937_64 random(seed);
  unsigned left = 0, now = 0;
  for (unsigned n = 0; n < cycles; ++n) {
    if (left == 0) {
      now = chance(random, 40) ? 0 : static_cast<unsigned>(random() % (load + 1));
      left = 1 + static_cast<unsigned>(random() % (play.set.window * 4 + 2 * T::kGroups));
    }
    --left;
    play.randomise(random, now);
    play.step();
    ASSERT_FALSE(play.bench.failed());
  }
}

template <class T>
void expect_reference(const std::vector<std::pair<unsigned, unsigned>>& windows_and_loads,
                      unsigned cycles) {
  unsigned most = 0;
  for (const auto& [window, load] : windows_and_loads) {
    for (unsigned mode = 0; mode < 4; ++mode) {
      for (unsigned threshold : {0U, 1U, 5U, (1U << T::kCountBits) - 2}) {
        if (threshold > (1U << T::kCountBits) - 2) continue;
        Play<T> play({window, threshold, mode});
        run_random(play, 1 + window * 64 + mode * 16 + threshold, load, cycles);
        ASSERT_EQ(play.wrong, 0U) << "window " << window << " mode " << mode << " threshold "
                                  << threshold << " of " << play.compared;
        most = std::max(most, play.most);
      }
    }
  }
  EXPECT_EQ(most, (1U << T::kRouters) - 1) << "no bitmap had all routers";
}

TEST(ContentionCounters, AgreeWithEagerCountersOnThePapersDragonfly) {
  // A pass of the scrubber takes 363 cycles: windows of 60 and 100 are shorter.
  expect_reference<Paper>({{60, 20}, {100, 50}, {500, 85}, {517, 30}}, 12000);
}

TEST(ContentionCounters, AgreeWithEagerCountersInSmallGroupsAndShortWindows) {
  expect_reference<Small>({{2, 10}, {3, 25}, {9, 60}, {50, 95}}, 12000);
  expect_reference<Lone>({{3, 20}, {17, 50}, {200, 98}}, 12000);
  expect_reference<ShortTag>({{90, 40}, {400, 80}}, 12000);
}

TEST(ContentionCounters, AgreeOnEveryShortHistoryOfASmallGroup) {
  for (unsigned window : {1U, 2U, 3U}) {
    Play<Small> play({window, 0, 0});
    for (unsigned history = 0; history < 6561; ++history) {  // nine inputs, four cycles
      play.restart();
      for (unsigned n = 0; n < Small::kGroups; ++n) play.step();
      for (unsigned n = 0, rest = history; n < 4; ++n, rest /= 9) {
        play.observe = {static_cast<int>(rest % 3) - 1, static_cast<int>(rest / 3 % 3) - 1};
        for (unsigned at = 0; at < 18; ++at) {
          play.look = {static_cast<int>(at % 2)};
          play.set.threshold = at / 2 % 3;
          play.set.mode = at / 6;
          play.look_now();
        }
        play.step();
      }
      ASSERT_EQ(play.wrong, 0U) << "history " << history << " window " << window;
    }
  }
}

TEST(ContentionCounters, AgreementIsNotReachedByAThresholdThatIsIncludedOrByATerminalForARouter) {
  for (Fault fault : {Fault::at_least, Fault::per_terminal}) {
    for (unsigned mode = 0; mode < 3; ++mode) {
      Play<Paper> play({500, 5, mode}, fault);
      run_random(play, 3, 20, 12000);
      EXPECT_GT(play.wrong, 10U) << "fault " << static_cast<int>(fault) << " mode " << mode;
    }
  }
}

TEST(ContentionCounters, ASaturatedTerminalMakesItsRouterActiveAndTerminalsAddUp) {
  Play<Paper> play({500, 14, 1});
  for (unsigned n = 0; n < Paper::kGroups; ++n) play.step();
  play.observe[2] = play.observe[5] = 32;
  play.look[3] = 32;
  for (unsigned n = 0; n < 100; ++n) play.step();
  EXPECT_EQ(play.wrong, 0U);
  EXPECT_EQ(play.reference.active(32, play.set), 0b101U);
  play.idle();
  // four at a time: above 14 after four cycles
  play.observe = {7, 7, 7, 7, -1, -1, -1, 7, -1, -1, -1};
  play.look[0] = 7;
  for (unsigned n = 0; n < 4; ++n) play.step();
  EXPECT_EQ(play.wrong, 0U);
  EXPECT_EQ(play.reference.active(7, play.set), 1U);
}

/// Outputs in the busy cycles of a fixed series of bursts and gaps, and how many cycles were
/// skipped.
std::pair<std::vector<std::uint32_t>, unsigned> bursts(bool skip) {
  std::mt19937_64 random(11);
  Play<Paper> play({40, 1, 2});
  std::pair<std::vector<std::uint32_t>, unsigned> result;
  for (unsigned burst = 0; burst < 60; ++burst) {
    const auto busy = static_cast<unsigned>(random() % 120),
               gap = static_cast<unsigned>(random() % 400);
    for (unsigned n = 0; n < busy + gap; ++n) {
      play.idle();
      if (n < busy) play.randomise(random, 15);
      if (skip && n >= busy && play.bench->at_rest_o != 0) {
        ++result.second;
        continue;
      }
      play.step();
      if (n < busy)
        result.first.insert(result.first.end(),
                            {play.bench->look_count_o, play.bench->csr_active_o});
    }
  }
  EXPECT_EQ(play.wrong, 0U);
  return result;
}

TEST(ContentionCounters, SkippingCyclesAtRestChangesNothing) {
  const auto all = bursts(false), some = bursts(true);
  EXPECT_EQ(all.first, some.first);
  EXPECT_GT(some.second, 3000U);
}

TEST(ContentionCounters, OnlyARowThatIsNeverFreeBringsBackAnOldWindowAndOnlyUntilItIsScrubbed) {
  for (bool busy : {true, false}) {
    Play<ShortTag> play({60, 2, 1});
    for (unsigned n = 0; n < ShortTag::kGroups; ++n) play.step();
    std::vector<unsigned> wrong_windows;
    for (unsigned window = 0; window < 13; ++window) {
      const unsigned before = play.wrong;
      for (unsigned n = 0; n < 60; ++n) {
        play.idle();
        play.look[1] = 3;
        const bool free = window >= 5 && window < 8;
        play.observe[3] = window == 0 && n < 6 ? 3 : (busy && !free) || n % 2 == 0 ? 5 : -1;
        play.step();
      }
      if (play.wrong > before) wrong_windows.push_back(window);
    }
    EXPECT_EQ(wrong_windows, busy ? std::vector<unsigned>{4} : std::vector<unsigned>{});
  }
}

TEST(ContentionCounters, AGroupThatDoesNotExistEndsTheSimulation) {
  expect_assertion("a_observed_group_exists", [] {
    Play<ShortTag> play({60, 2, 1});
    for (unsigned n = 0; n < ShortTag::kGroups; ++n) play.step();
    play.observe[1] = 9;
    play.drive();
    play.bench.settle();
    play.bench.edge();
    return play.bench.failed();
  });
  expect_assertion("a_looked_up_group_exists", [] {
    Play<ShortTag> play({60, 2, 1});
    for (unsigned n = 0; n < ShortTag::kGroups + 3; ++n) {
      if (n >= ShortTag::kGroups) play.observe[1] = 8;
      play.step();
    }
    play.look[2] = 9;
    play.drive();
    play.bench.settle();
    play.bench.edge();
    return play.bench.failed();
  });
}

}  // namespace
}  // namespace hopwise::test
