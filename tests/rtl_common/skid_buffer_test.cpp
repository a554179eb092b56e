// SPDX-License-Identifier: Apache-2.0
#include <deque>

#include "Vskid_buffer.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

void idle_skid(Bench<Vskid_buffer>& skid) {
  skid->valid_i = 0;
  skid->ready_i = 0;
  skid->data_i = 0;
}

TEST(SkidBuffer, KeepsOrderUnderRandomPausesOnBothSides) {
  for (unsigned valid_percent : {20U, 60U, 100U}) {
    for (unsigned ready_percent : {20U, 60U, 100U}) {
      std::mt19937_64 random(valid_percent * 1000 + ready_percent);
      Bench<Vskid_buffer> skid;
      idle_skid(skid);
      skid.reset();
      std::deque<std::uint16_t> oracle;
      bool out_waits = false;
      std::uint16_t waiting = 0;
      for (int cycle = 0; cycle < 3000; ++cycle) {
        skid.settle();
        if (!skid->valid_i && chance(random, valid_percent)) {
          skid->valid_i = 1;
          skid->data_i = static_cast<std::uint16_t>(random());
        }
        skid->ready_i = chance(random, ready_percent);
        skid.settle();
        if (out_waits) {
          ASSERT_TRUE(skid->valid_o);
          ASSERT_EQ(skid->data_o, waiting);
        }
        out_waits = skid->valid_o && !skid->ready_i;
        waiting = skid->data_o;
        const bool in = skid->valid_i && skid->ready_o;
        if (skid->valid_o && skid->ready_i) {
          ASSERT_FALSE(oracle.empty());
          ASSERT_EQ(skid->data_o, oracle.front());
          oracle.pop_front();
        }
        if (in) oracle.push_back(skid->data_i);
        ASSERT_LE(oracle.size(), 2U);
        skid.edge();
        if (in) skid->valid_i = 0;
        ASSERT_FALSE(skid.failed());
      }
    }
  }
}

TEST(SkidBuffer, PassesOneWordPerCycleOneCycleLater) {
  Bench<Vskid_buffer> skid;
  idle_skid(skid);
  skid.reset();
  skid->ready_i = 1;
  for (std::uint16_t word = 0; word < 100; ++word) {
    skid->valid_i = 1;
    skid->data_i = word;
    skid.settle();
    ASSERT_TRUE(skid->ready_o);
    if (word > 0) {
      ASSERT_TRUE(skid->valid_o);
      ASSERT_EQ(skid->data_o, word - 1);
    }
    skid.edge();
  }
}

TEST(SkidBuffer, WithdrawnWordTripsItsAssertion) {
  expect_assertion("a_valid_waits_for_ready", [] {
    Bench<Vskid_buffer> skid;
    idle_skid(skid);
    skid.reset();
    skid->valid_i = 1;
    for (int i = 0; i < 3; ++i) skid.edge();
    skid->valid_i = 0;
    skid.edge();
    skid.edge();
    return skid.failed();
  });
}

}  // namespace
}  // namespace hopwise::test
