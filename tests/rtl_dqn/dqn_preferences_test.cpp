// SPDX-License-Identifier: Apache-2.0
// hw_dqn_preferences against a table that is sorted anew for every valuation.
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "bench.hpp"
#include "failures.hpp"

#include "Vdqn_preferences_2.h"
#include "Vdqn_preferences_4.h"
#include "Vdqn_preferences_6.h"
#include "Vdqn_preferences_all.h"
#include "Vprefers_any.h"
#include "Vprefers_the_way_back.h"

namespace hopwise::test {
namespace {

template <class ModelType, unsigned Actions, unsigned Words, unsigned Ranks, unsigned Margin>
struct PreferencesShape {
  using Model = ModelType;
  static constexpr unsigned kActions = Actions, kWords = Words, kRanks = Ranks, kMargin = Margin;
};
using Plain4 = PreferencesShape<Vdqn_preferences_4, 4, 16, 2, 2>;
using Shapes = testing::Types<Plain4, PreferencesShape<Vdqn_preferences_2, 2, 4, 1, 1>,
                              PreferencesShape<Vdqn_preferences_6, 6, 64, 3, 3>,
                              PreferencesShape<Vdqn_preferences_all, 4, 128, 4, 0>>;

/// Ports by their values, the best first, up to the first that is not preferred.
std::vector<unsigned> preferred(const std::vector<std::int32_t>& values, unsigned margin) {
  std::vector<unsigned> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](unsigned a, unsigned b) { return values[a] > values[b]; });
  const double best = values[order.front()], share = 1 - 1 / static_cast<double>(1U << margin);
  std::erase_if(order, [&](unsigned a) {
    if (a == order.front() || margin == 0) return false;
    return best < 0 || values[a] < std::ceil(share * best);
  });
  return order;
}

/// Valuations and questions at random, several a cycle at most one of each; what is answered.
template <class T>
void play(Bench<typename T::Model>& bench, unsigned cycles) {
  constexpr unsigned kStored = std::min(T::kRanks + 1, T::kActions);
  constexpr unsigned kBits = std::bit_width(T::kActions - 1);
  bench->write_i = bench->read_i = 0;
  bench.reset();
  std::mt19937_64 random{5};
  std::map<unsigned, std::vector<unsigned>> table;
  std::optional<unsigned> asked;
  unsigned answered = 0, several = 0;
  for (unsigned n = 0; n < cycles; ++n) {
    const bool cleared = bench->idle_o != 0;
    std::vector<std::int32_t> values(T::kActions);
    Words bits((24 * T::kActions + 31) / 32);
    const auto scale = static_cast<std::int32_t>(random() % (1U << 23));
    for (unsigned a = 0; a < T::kActions; ++a) {
      values[a] = scale - static_cast<std::int32_t>(random() % (scale / 2 + 2));
      if (random() % 4 == 0) values[a] = values[0];
      if (random() % 16 == 0) values[a] = -values[a];
      set_bits(bits, 24 * a, 24, static_cast<std::uint32_t>(values[a]) & 0xffffffU);
    }
    const unsigned to = random() % T::kWords, of = random() % T::kWords;
    bench->write_i = random() % 3 == 0;
    bench->write_addr_i = static_cast<std::uint8_t>(to);
    write_port(bench->values_i, bits);
    const unsigned back = static_cast<unsigned>(random() % (T::kActions + 1));  // from a terminal
    bench->not_i = static_cast<std::uint8_t>((1U << back) & ((1U << T::kActions) - 1));
    bench->read_i = 0;
    bench.settle();
    ASSERT_EQ(bench->ready_o, bench->write_i == 0);
    if (asked) {
      std::vector<unsigned> expected = table[*asked], found;
      if (expected.size() > kStored) expected.resize(kStored);
      std::erase(expected, back);
      if (expected.size() > T::kRanks) expected.resize(T::kRanks);
      const std::uint64_t ports = bench->ports_o, known = bench->known_o;
      ASSERT_EQ(known & (known + 1), 0U) << "known from the first on";
      for (unsigned k = 0; k < T::kRanks && (known >> k & 1) != 0; ++k)
        found.push_back(static_cast<unsigned>(ports >> (k * kBits) & ((1U << kBits) - 1)));
      ASSERT_EQ(bench->blank_o, table[*asked].empty());
      ASSERT_EQ(found, expected) << "destination " << *asked << " not back by " << back;
      answered += !found.empty();
      several += found.size() > 1;
    }
    asked.reset();
    if (bench->ready_o != 0 && random() % 4 != 0) {
      bench->read_i = 1;
      bench->read_addr_i = static_cast<std::uint8_t>(of);
      asked = of;
    }
    if (bench->write_i != 0 && cleared) table[to] = preferred(values, T::kMargin);
    bench.edge();
  }
  ASSERT_FALSE(bench.failed());
  ASSERT_GT(answered, cycles / 4);
  ASSERT_TRUE(T::kRanks == 1 || several > cycles / 16);
}

template <class T>
class DqnPreferences : public testing::Test {};
TYPED_TEST_SUITE(DqnPreferences, Shapes);

TYPED_TEST(DqnPreferences, AreTheBestPortsOfTheLatestValuationWithoutTheWayBack) {
  Bench<typename TypeParam::Model> bench;
  play<TypeParam>(bench, 20000);
}

template <class Model>
int failures_of_preferences() {
  return failures([] {
    Bench<Model> bench;
    play<PreferencesShape<Model, 4, 16, 2, 2>>(bench, 4000);
  });
}

TEST(DqnPreferencesFaults, AreCaught) {
  EXPECT_EQ(failures_of_preferences<Vdqn_preferences_4>(), 0);
  EXPECT_GT(failures_of_preferences<Vprefers_any>(), 0);
  EXPECT_GT(failures_of_preferences<Vprefers_the_way_back>(), 0);
}

}  // namespace
}  // namespace hopwise::test
