// SPDX-License-Identifier: Apache-2.0
#include <deque>

#include "Vfeedback_pipe_1.h"
#include "Vfeedback_pipe_7.h"
#include "Vfeedback_pipe_lossy.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

/// Cycles, of `cycles` with random words, in which the other end does not show what it should.
template <class Model>
unsigned wrong_cycles(unsigned latency, unsigned percent, int cycles) {
  std::mt19937_64 random(latency * 100 + percent);
  Bench<Model> pipe;
  pipe->down_feedback_i = 0;
  pipe.reset();
  std::deque<std::uint32_t> wires(latency);
  unsigned wrong = 0;
  for (int cycle = 0; cycle < cycles; ++cycle) {
    // Without the valid bit the word is anything.
    const auto word =
        static_cast<std::uint32_t>(random() & 0x7ffffffe) | (chance(random, percent) ? 1U : 0U);
    pipe->down_feedback_i = word;
    pipe.settle();
    const std::uint32_t seen = pipe->up_feedback_o, expected = wires.front();
    if ((seen & 1) != (expected & 1) || ((seen & 1) != 0 && seen != expected)) ++wrong;
    wires.pop_front();
    wires.push_back(word);
    pipe.edge();
  }
  return wrong;
}

TEST(FeedbackPipe, DelaysWordsByExactlyItsLatencyAndMakesUpNone) {
  for (const unsigned percent : {0U, 10U, 60U, 100U}) {
    EXPECT_EQ(wrong_cycles<Vfeedback_pipe_1>(1, percent, 3000), 0U);
    EXPECT_EQ(wrong_cycles<Vfeedback_pipe_7>(7, percent, 3000), 0U);
  }
}

TEST(FeedbackPipe, ALostWordIsCaught) {
  EXPECT_GT(wrong_cycles<Vfeedback_pipe_lossy>(7, 30, 300), 0U);
}

TEST(FeedbackPipe, ResetEmptiesTheWires) {
  Bench<Vfeedback_pipe_7> pipe;
  pipe->down_feedback_i = 0;
  pipe.reset();
  pipe->down_feedback_i = 0x7fffffff;
  for (unsigned i = 0; i < 7; ++i) pipe.edge();
  EXPECT_EQ(pipe->up_feedback_o, 0x7fffffffU);
  pipe->down_feedback_i = 0;
  pipe.reset();
  for (unsigned i = 0; i <= 7; ++i) {
    pipe.settle();
    EXPECT_EQ(pipe->up_feedback_o & 1, 0U);
    pipe.edge();
  }
}

}  // namespace
}  // namespace hopwise::test
