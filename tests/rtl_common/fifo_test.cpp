// SPDX-License-Identifier: Apache-2.0
#include <deque>

#include "Vfifo_1.h"
#include "Vfifo_5.h"
#include "Vfifo_8.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

template <class ModelType, unsigned Depth>
struct Fifo {
  using Model = ModelType;
  static constexpr unsigned kDepth = Depth;
};

template <class Model>
void idle_fifo(Bench<Model>& bench) {
  bench->push_i = 0;
  bench->pop_i = 0;
  bench->data_i = 0;
}

template <class T>
class FifoTest : public testing::Test {};
using Fifos = testing::Types<Fifo<Vfifo_1, 1>, Fifo<Vfifo_5, 5>, Fifo<Vfifo_8, 8>>;
TYPED_TEST_SUITE(FifoTest, Fifos);

TYPED_TEST(FifoTest, KeepsOrderAndFlagsUnderRandomPausesOnBothSides) {
  for (unsigned push_percent : {20U, 50U, 95U}) {
    for (unsigned pop_percent : {20U, 50U, 95U}) {
      std::mt19937_64 random(push_percent * 100 + pop_percent);
      Bench<typename TypeParam::Model> fifo;
      idle_fifo(fifo);
      fifo.reset();
      std::deque<std::uint16_t> oracle;
      for (int cycle = 0; cycle < 3000; ++cycle) {
        fifo.settle();
        ASSERT_EQ(fifo->empty_o, oracle.empty());
        ASSERT_EQ(fifo->full_o, oracle.size() == TypeParam::kDepth);
        ASSERT_EQ(fifo->count_o, oracle.size());
        if (!oracle.empty()) {
          ASSERT_EQ(fifo->data_o, oracle.front());
        }
        const bool push = !fifo->full_o && chance(random, push_percent);
        const bool pop = !fifo->empty_o && chance(random, pop_percent);
        fifo->push_i = push;
        fifo->pop_i = pop;
        fifo->data_i = static_cast<std::uint16_t>(random());
        if (pop) oracle.pop_front();
        if (push) oracle.push_back(fifo->data_i);
        fifo.settle();
        fifo.edge();
        ASSERT_FALSE(fifo.failed());
      }
    }
  }
}

TYPED_TEST(FifoTest, PushWhenFullTripsItsAssertion) {
  expect_assertion("a_no_push_when_full", [] {
    Bench<typename TypeParam::Model> fifo;
    idle_fifo(fifo);
    fifo.reset();
    fifo->push_i = 1;
    for (unsigned i = 0; i <= TypeParam::kDepth; ++i) fifo.edge();
    return fifo.failed();
  });
}

TYPED_TEST(FifoTest, PopWhenEmptyTripsItsAssertion) {
  expect_assertion("a_no_pop_when_empty", [] {
    Bench<typename TypeParam::Model> fifo;
    idle_fifo(fifo);
    fifo.reset();
    fifo->pop_i = 1;
    fifo.edge();
    return fifo.failed();
  });
}

TEST(FifoAssertion, NamesTheModulePathAndTheCheck) {
  expect_assertion("assumption a_no_pop_when_empty failed in", [] {
    Bench<Vfifo_5> fifo;
    idle_fifo(fifo);
    fifo.reset();
    fifo->pop_i = 1;
    fifo.edge();
    return fifo.failed();
  });
}

}  // namespace
}  // namespace hopwise::test
