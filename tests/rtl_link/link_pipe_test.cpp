// SPDX-License-Identifier: Apache-2.0
#include <deque>
#include <optional>
#include <tuple>

#include "Vlink_pipe_1.h"
#include "Vlink_pipe_7.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

template <class ModelType, unsigned Latency>
struct Pipe {
  using Model = ModelType;
  static constexpr unsigned kLatency = Latency;
};

template <class T>
class LinkPipe : public testing::Test {};
using Pipes = testing::Types<Pipe<Vlink_pipe_1, 1>, Pipe<Vlink_pipe_7, 7>>;
TYPED_TEST_SUITE(LinkPipe, Pipes);

TYPED_TEST(LinkPipe, DelaysFlitsAndCreditsByExactlyItsLatency) {
  using Flit = std::tuple<unsigned, bool, bool, Words>;
  std::mt19937_64 random(42);
  Bench<typename TypeParam::Model> pipe;
  pipe->up_valid_i = 0;
  pipe->down_credit_valid_i = 0;
  pipe.reset();
  std::deque<std::optional<Flit>> flits(TypeParam::kLatency);
  std::deque<std::optional<unsigned>> credits(TypeParam::kLatency);
  for (int cycle = 0; cycle < 3000; ++cycle) {
    const Words data{static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random()),
                     static_cast<std::uint32_t>(random() & 0xFF)};
    pipe->up_valid_i = chance(random, 60);
    pipe->up_vc_i = static_cast<std::uint8_t>(random() % 3);
    pipe->up_head_i = chance(random, 50);
    pipe->up_tail_i = chance(random, 50);
    write_port(pipe->up_data_i, data);
    pipe->down_credit_valid_i = chance(random, 60);
    pipe->down_credit_vc_i = static_cast<std::uint8_t>(random() % 3);
    pipe.settle();

    ASSERT_EQ(pipe->down_valid_o, flits.front().has_value());
    if (flits.front()) {
      const Flit seen{pipe->down_vc_o, pipe->down_head_o, pipe->down_tail_o,
                      read_port(pipe->down_data_o, 72)};
      ASSERT_EQ(seen, *flits.front());
    }
    ASSERT_EQ(pipe->up_credit_valid_o, credits.front().has_value());
    if (credits.front()) {
      ASSERT_EQ(pipe->up_credit_vc_o, *credits.front());
    }

    flits.pop_front();
    credits.pop_front();
    flits.emplace_back();
    credits.emplace_back();
    if (pipe->up_valid_i)
      flits.back() = Flit{pipe->up_vc_i, pipe->up_head_i, pipe->up_tail_i, data};
    if (pipe->down_credit_valid_i) credits.back() = pipe->down_credit_vc_i;
    pipe.edge();
  }
}

TYPED_TEST(LinkPipe, ResetEmptiesTheWires) {
  Bench<typename TypeParam::Model> pipe;
  pipe->up_valid_i = 0;
  pipe->down_credit_valid_i = 0;
  pipe.reset();
  pipe->up_valid_i = 1;
  pipe->down_credit_valid_i = 1;
  for (unsigned i = 0; i < TypeParam::kLatency; ++i) pipe.edge();
  EXPECT_TRUE(pipe->down_valid_o);
  pipe->up_valid_i = 0;
  pipe->down_credit_valid_i = 0;
  pipe.reset();
  for (unsigned i = 0; i <= TypeParam::kLatency; ++i) {
    pipe.settle();
    EXPECT_FALSE(pipe->down_valid_o);
    EXPECT_FALSE(pipe->up_credit_valid_o);
    pipe.edge();
  }
}

}  // namespace
}  // namespace hopwise::test
