// SPDX-License-Identifier: Apache-2.0
#include "Vreset_sync_2.h"
#include "Vreset_sync_3.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

template <class Model, unsigned kStages>
void expect_synchronised() {
  Bench<Model> sync;
  for (int round = 0; round < 3; ++round) {
    sync->rst_ni = 0;  // without a clock
    sync.settle();
    EXPECT_FALSE(sync->rst_no);
    sync.edge();
    EXPECT_FALSE(sync->rst_no) << "held";
    sync->rst_ni = 1;
    sync.settle();
    for (unsigned edge = 1; edge < kStages; ++edge) {
      EXPECT_FALSE(sync->rst_no);
      sync.edge();
      EXPECT_FALSE(sync->rst_no) << edge;
    }
    sync.edge();
    EXPECT_TRUE(sync->rst_no);
    sync.edge();
    EXPECT_TRUE(sync->rst_no);
  }
}

TEST(ResetSync, FallsAtOnceAndRisesAfterItsStages) {
  expect_synchronised<Vreset_sync_2, 2>();
  expect_synchronised<Vreset_sync_3, 3>();
}

}  // namespace
}  // namespace hopwise::test
