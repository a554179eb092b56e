// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <deque>

#include "Vvcb_one.h"
#include "Vvcb_saf.h"
#include "Vvcb_unequal.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kRouteBits = 12;
constexpr std::uint64_t kDataMask = (1ULL << 40) - 1;

template <class ModelType, bool Saf, unsigned... Depth>
struct Buffer {
  using Model = ModelType;
  static constexpr bool kSaf = Saf;
  static constexpr std::array<std::size_t, sizeof...(Depth)> kDepths{Depth...};
};

struct Flit {
  bool head, tail;
  std::uint64_t data;
};

template <class Model>
void idle(Bench<Model>& bench) {
  bench->push_i = bench->pop_i = 0;
  bench->push_vc_i = bench->pop_vc_i = 0;
  bench->push_head_i = bench->push_tail_i = 0;
  bench->push_data_i = 0;
}

template <class T>
class VcBuffer : public testing::Test {};
using Buffers = testing::Types<Buffer<Vvcb_one, false, 3>, Buffer<Vvcb_unequal, false, 1, 5, 8>,
                               Buffer<Vvcb_saf, true, 6, 9>>;
TYPED_TEST_SUITE(VcBuffer, Buffers);

TYPED_TEST(VcBuffer, EveryVcIsAQueueOfItsOwnDepthWhateverTheOthersDo) {
  constexpr auto depths = TypeParam::kDepths;
  bool same_vc_of_one = false, full = false;
  for (unsigned push_percent : {20U, 60U, 100U}) {
    for (unsigned pop_percent : {20U, 60U, 100U}) {
      std::mt19937_64 random(push_percent * 100 + pop_percent);
      Bench<typename TypeParam::Model> buffer;
      idle(buffer);
      buffer.reset();
      std::array<std::deque<Flit>, depths.size()> oracle;
      std::array<unsigned, depths.size()> left{};  // flits of the packet being written
      for (int cycle = 0; cycle < 6000; ++cycle) {
        buffer.settle();
        for (std::size_t v = 0; v < depths.size(); ++v) {
          ASSERT_EQ(buffer->valid_o >> v & 1, !oracle[v].empty()) << "VC " << v;
          if (oracle[v].empty()) continue;
          ASSERT_EQ(buffer->head_o >> v & 1, oracle[v].front().head);
          ASSERT_EQ(buffer->tail_o >> v & 1, oracle[v].front().tail);
          const Words bits =
              read_port(buffer->route_bits_o, kRouteBits * static_cast<unsigned>(depths.size()));
          ASSERT_EQ(get_bits(bits, kRouteBits * static_cast<unsigned>(v), kRouteBits),
                    oracle[v].front().data & ((1U << kRouteBits) - 1));
          const bool whole =
              std::any_of(oracle[v].begin(), oracle[v].end(), [](const Flit& f) { return f.tail; });
          ASSERT_EQ(buffer->complete_o >> v & 1, !TypeParam::kSaf || whole) << "VC " << v;
        }
        const std::size_t in = random() % depths.size(), out = random() % depths.size();
        const bool pop = !oracle[out].empty() && chance(random, pop_percent);
        const bool push = oracle[in].size() < depths[in] && chance(random, push_percent);
        buffer->pop_i = pop;
        buffer->pop_vc_i = static_cast<std::uint8_t>(out);
        buffer->push_i = push;
        buffer->push_vc_i = static_cast<std::uint8_t>(in);
        Flit flit{left[in] == 0, false, random() & kDataMask};
        const unsigned rest = left[in] == 0 ? 1 + static_cast<unsigned>(random() % 4) : left[in];
        flit.tail = rest == 1;
        buffer->push_head_i = flit.head;
        buffer->push_tail_i = flit.tail;
        buffer->push_data_i = flit.data;
        buffer.settle();
        if (pop) {
          ASSERT_EQ(buffer->pop_data_o, oracle[out].front().data);
        }
        same_vc_of_one |= push && pop && in == out && oracle[in].size() == 1;
        if (pop) oracle[out].pop_front();
        if (push) {
          oracle[in].push_back(flit);
          left[in] = rest - 1;
          full |= oracle[in].size() == depths[in];
        }
        buffer.edge();
        ASSERT_FALSE(buffer.failed());
      }
    }
  }
  EXPECT_TRUE(same_vc_of_one) << "never pushed to and popped from a VC that held one flit";
  EXPECT_TRUE(full);
}

TEST(VcBufferComplete, AppearsInTheCycleAfterTheTailAndIsGoneWithIt) {
  Bench<Vvcb_saf> buffer;
  idle(buffer);
  buffer.reset();
  buffer->push_i = 1;
  for (int flit = 0; flit < 3; ++flit) {
    buffer->push_head_i = flit == 0;
    buffer->push_tail_i = flit == 2;
    buffer.settle();
    EXPECT_EQ(buffer->complete_o & 1, 0) << "flit " << flit;
    buffer.edge();
  }
  idle(buffer);
  buffer->pop_i = 1;
  for (int flit = 0; flit < 3; ++flit) {
    buffer.settle();
    EXPECT_EQ(buffer->complete_o & 1, 1) << "flit " << flit;
    buffer.edge();
  }
  buffer.settle();
  EXPECT_EQ(buffer->complete_o & 1, 0);
}

TYPED_TEST(VcBuffer, AFlitBeyondTheDepthTripsTheCreditAssumption) {
  expect_assertion("a_credits_prevent_overflow", [] {
    Bench<typename TypeParam::Model> buffer;
    idle(buffer);
    buffer.reset();
    buffer->push_i = 1;
    for (std::size_t i = 0; i < TypeParam::kDepths[0]; ++i) buffer.edge();
    EXPECT_FALSE(buffer.failed()) << "a full queue is no fault";
    buffer.edge();
    return buffer.failed();
  });
}

TYPED_TEST(VcBuffer, PoppingAnEmptyVcTripsItsAssertion) {
  expect_assertion("a_pop_only_valid", [] {
    Bench<typename TypeParam::Model> buffer;
    idle(buffer);
    buffer.reset();
    buffer->pop_i = 1;
    buffer.edge();
    return buffer.failed();
  });
}

}  // namespace
}  // namespace hopwise::test
