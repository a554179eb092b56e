// SPDX-License-Identifier: Apache-2.0
#include "bench.hpp"

#include "Vdqn_argmax_1.h"
#include "Vdqn_argmax_4.h"
#include "Vdqn_argmax_6.h"
#include "learn/integer_network.hpp"

namespace hopwise::test {
namespace {

template <class ModelType, unsigned Actions>
struct ArgmaxShape {
  using Model = ModelType;
  static constexpr unsigned kActions = Actions;
};
template <class T>
class DqnArgmax : public testing::Test {};
using ArgmaxShapes = testing::Types<ArgmaxShape<Vdqn_argmax_1, 1>, ArgmaxShape<Vdqn_argmax_4, 4>,
                                    ArgmaxShape<Vdqn_argmax_6, 6>>;
TYPED_TEST_SUITE(DqnArgmax, ArgmaxShapes);

TYPED_TEST(DqnArgmax, IsTheLowestOfTheLargestAllowed) {
  constexpr unsigned kActions = TypeParam::kActions;
  Bench<typename TypeParam::Model> bench;
  bench->allowed_i = 0;
  bench.reset();
  std::mt19937_64 random{9};
  constexpr std::int32_t kExtremes[] = {-(1 << 23), -1, 0, 1, (1 << 23) - 1};
  for (unsigned n = 0; n < 4000; ++n) {
    std::vector<std::int32_t> values(kActions);
    Words bits((24 * kActions + 31) / 32);
    for (unsigned a = 0; a < kActions; ++a) {
      values[a] = n % 2 == 0 ? kExtremes[random() % 5]
                             : static_cast<std::int32_t>(random() % (1U << 24)) - (1 << 23);
      set_bits(bits, 24 * a, 24, static_cast<std::uint32_t>(values[a]) & 0xffffffU);
    }
    const auto allowed = static_cast<std::uint32_t>(random() % (1U << kActions));
    write_port(bench->values_i, bits);
    bench->allowed_i = static_cast<std::uint8_t>(allowed);
    bench.settle();
    const unsigned best = learn::argmax(values, allowed);
    ASSERT_EQ(bench->any_o, best < kActions);
    if (best < kActions) {
      ASSERT_EQ(bench->best_o, best);
      ASSERT_EQ(bench->value_o, static_cast<std::uint32_t>(values[best]) & 0xffffffU);
    }
    bench.edge();
  }
  EXPECT_FALSE(bench.failed());
}

}  // namespace
}  // namespace hopwise::test
