// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <set>
#include <vector>

#include "Vrandom_1.h"
#include "Vrandom_3.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

/// Marsaglia's xorshift32, 13-17-5.
std::uint32_t next(std::uint32_t x) {
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return x;
}

constexpr std::uint32_t kSalt = 0x5eed1234, kInsteadOfZero = 0x9e3779b9;

template <class ModelType, unsigned Values, std::uint32_t Salt>
struct Random {
  using Model = ModelType;
  static constexpr unsigned kValues = Values;
  static constexpr std::uint32_t kSalt = Salt;
};

template <class T>
class RandomTest : public testing::Test {
 protected:
  void start(std::uint32_t seed) {
    bench->load_i = 0;
    bench->advance_i = 0;
    bench->seed_i = seed;
    bench.reset();
    bench.settle();
    bench.edge();  // the seed is taken in the first cycle
  }
  std::uint32_t loaded(std::uint32_t seed) const {
    return seed == T::kSalt ? kInsteadOfZero : seed ^ T::kSalt;
  }
  void expect_values(std::uint32_t state) {
    bench.settle();
    const Words values = read_port(bench->values_o, 32 * T::kValues);
    for (unsigned i = 0; i < T::kValues; ++i) ASSERT_EQ(values[i], state = next(state));
  }
  static std::uint32_t after(std::uint32_t state) {
    for (unsigned i = 0; i < T::kValues; ++i) state = next(state);
    return state;
  }
  Bench<typename T::Model> bench;
};
using Randoms = testing::Types<Random<Vrandom_1, 1, 0>, Random<Vrandom_3, 3, kSalt>>;
TYPED_TEST_SUITE(RandomTest, Randoms);

TYPED_TEST(RandomTest, FollowsTheReferenceThroughLoadsAndPauses) {
  std::mt19937_64 random(7);
  const auto first = static_cast<std::uint32_t>(random());
  this->start(first);
  std::uint32_t state = this->loaded(first);
  for (int cycle = 0; cycle < 20000; ++cycle) {
    this->expect_values(state);
    if (testing::Test::HasFatalFailure()) return;
    const bool load = chance(random, 2), advance = chance(random, 60);
    const std::uint32_t seed =
        chance(random, 20) ? TypeParam::kSalt : static_cast<std::uint32_t>(random());
    this->bench->load_i = load;
    this->bench->advance_i = advance;
    this->bench->seed_i = seed;
    this->bench.settle();
    this->bench.edge();
    if (load)
      state = this->loaded(seed);
    else if (advance)
      state = this->after(state);
  }
}

TYPED_TEST(RandomTest, ASeedThatTheSaltCancelsDoesNotStopIt) {
  this->start(TypeParam::kSalt);
  this->expect_values(kInsteadOfZero);
}

TYPED_TEST(RandomTest, ReadsTheSeedOnceAfterEveryReset) {
  this->start(1);
  this->bench->seed_i = 2;
  this->bench.edge();
  this->expect_values(this->loaded(1));
  this->start(3);
  this->expect_values(this->loaded(3));
}

/// What routers draw that no software has given a seed.
TEST(Random, NeighboursDrawApartAfterResetAndAlikeWithOneSeed) {
  const auto draws = [](std::uint32_t place, bool load) {
    Bench<Vrandom_1> bench;
    bench->load_i = 0;
    bench->seed_i = 0;
    bench->place_i = place;
    bench->advance_i = 0;
    bench.reset();
    bench.edge();
    if (load) {
      bench->load_i = 1;
      bench->seed_i = 77;
      bench.edge();
      bench->load_i = 0;
    }
    bench->advance_i = 1;
    std::vector<std::uint32_t> values;
    for (int i = 0; i < 64; ++i) {
      bench.settle();
      values.push_back(bench->values_o);
      bench.edge();
    }
    return values;
  };
  // Bits that two sequences share: half of them, if they have nothing to do with each other.
  const auto alike = [](const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    int bits = 0;
    for (std::size_t i = 0; i < a.size(); ++i) bits += 32 - std::popcount(a[i] ^ b[i]);
    return bits / (32.0 * static_cast<double>(a.size()));
  };
  for (std::uint32_t place = 1; place < 64; ++place) {
    for (const std::uint32_t other : {place ^ 1, place ^ 2, place ^ 64}) {
      EXPECT_NEAR(alike(draws(place, false), draws(other, false)), 0.5, 0.1) << place;
    }
    EXPECT_EQ(draws(place, true), draws(0, true));
  }
}

TEST(Random, DoesNotRepeatItselfAndIsNeverZero) {
  Bench<Vrandom_1> bench;
  bench->load_i = 0;
  bench->seed_i = 42;
  bench->advance_i = 1;
  bench.reset();
  std::set<std::uint32_t> seen;
  for (int cycle = 0; cycle < 100000; ++cycle) {
    bench.edge();
    bench.settle();
    ASSERT_NE(bench->values_o, 0U);
    ASSERT_TRUE(seen.insert(bench->values_o).second) << "after " << cycle << " values";
  }
}

TEST(Random, TheReferenceHasTheLongestPeriodThereIs) {
  // Over GF(2) a step is a matrix M; its order is 2^32 - 1 if M to that power is the identity, and
  // to no quotient of it by a prime factor.
  using Matrix = std::array<std::uint32_t, 32>;  // [i]: image of bit i
  const auto apply = [](const Matrix& m, std::uint32_t x) {
    std::uint32_t y = 0;
    for (unsigned i = 0; i < 32; ++i) y ^= (x >> i & 1) != 0 ? m[i] : 0;
    return y;
  };
  const auto power = [&](std::uint64_t n) {
    Matrix result, square;
    for (unsigned i = 0; i < 32; ++i) {
      result[i] = 1U << i;
      square[i] = next(1U << i);
    }
    for (; n != 0; n >>= 1) {
      Matrix twice;
      for (unsigned i = 0; i < 32; ++i) {
        if ((n & 1) != 0) result[i] = apply(square, result[i]);
        twice[i] = apply(square, square[i]);
      }
      square = twice;
    }
    return result;
  };
  constexpr std::uint64_t period = 0xffffffff;
  const Matrix identity = power(0);
  EXPECT_EQ(power(period), identity);
  for (const std::uint64_t prime : {3U, 5U, 17U, 257U, 65537U})
    EXPECT_NE(power(period / prime), identity);
}

}  // namespace
}  // namespace hopwise::test
