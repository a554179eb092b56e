// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <deque>

#include "Vstream_merge.h"
#include "Vstream_merge_swaps.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

template <class Model>
void idle_merge(Bench<Model>& merge) {
  merge->valid_i = 0;
  merge->ready_i = 0;
  merge->data_i = 0;
}

TEST(StreamMerge, KeepsBothOrdersAndTheFirstGoesBeforeUnderRandomPauses) {
  for (unsigned valid_percent : {20U, 60U, 100U}) {
    for (unsigned ready_percent : {20U, 60U, 100U}) {
      std::mt19937_64 random(valid_percent * 1000 + ready_percent);
      Bench<Vstream_merge> merge;
      idle_merge(merge);
      merge.reset();
      std::array<std::uint16_t, 2> next{}, offered{};
      std::array<unsigned, 2> passed{};
      bool waits = false, waits_first = false;
      for (int cycle = 0; cycle < 3000; ++cycle) {
        for (unsigned s = 0; s < 2; ++s) {
          if ((merge->valid_i >> s & 1) != 0 ||
              !chance(random, s == 0 ? valid_percent / 2 : valid_percent))
            continue;
          merge->valid_i |= 1U << s;
          offered[s] = static_cast<std::uint16_t>(s << 15 | next[s]++);
        }
        merge->data_i = offered[0] | std::uint32_t{offered[1]} << 16;
        merge->ready_i = chance(random, ready_percent);
        merge.settle();
        ASSERT_EQ(merge->valid_o, merge->valid_i != 0);
        const bool first = merge->first_o;
        if (merge->valid_o) {
          // The first stream's word, unless one of the second has been offered before.
          ASSERT_EQ(first, waits ? waits_first : (merge->valid_i & 1) != 0);
          ASSERT_EQ(merge->data_o, offered[first ? 0 : 1]);
        }
        const unsigned taken = merge->valid_i & merge->ready_o;
        ASSERT_EQ(taken, merge->valid_o && merge->ready_i ? (first ? 1U : 2U) : 0U);
        waits = merge->valid_o && !merge->ready_i;
        waits_first = first;
        merge.edge();
        merge->valid_i &= ~taken & 3U;
        for (unsigned s = 0; s < 2; ++s) passed[s] += taken >> s & 1;
        ASSERT_FALSE(merge.failed());
      }
      EXPECT_GT(passed[0], 100U);
      EXPECT_GT(passed[1], 50U);
    }
  }
}

/// The second stream's word waits when one of the first comes.
template <class Model>
bool overtaken() {
  Bench<Model> merge;
  idle_merge(merge);
  merge.reset();
  merge->data_i = 0x22221111;
  merge->valid_i = 2;
  merge.settle();
  merge.edge();
  merge->valid_i = 3;
  merge.settle();
  merge.edge();
  return merge.failed();
}

TEST(StreamMerge, AWordThatIsOfferedIsNotReplaced) {
  EXPECT_FALSE(overtaken<Vstream_merge>());
  expect_assertion("a_offered_word_stays", [] { return overtaken<Vstream_merge_swaps>(); });
}

TEST(StreamMerge, WithdrawnWordTripsItsAssertion) {
  expect_assertion("a_valid_waits_for_ready", [] {
    Bench<Vstream_merge> merge;
    idle_merge(merge);
    merge.reset();
    merge->valid_i = 2;
    merge.settle();
    merge.edge();
    merge->valid_i = 0;
    merge.settle();
    merge.edge();
    return merge.failed();
  });
}

}  // namespace
}  // namespace hopwise::test
