// SPDX-License-Identifier: Apache-2.0
// A search for saturation one of whose runs fails has found nothing.
#include <gtest/gtest.h>

#include "app/saturation.hpp"
#include "engine/run.hpp"

namespace hopwise::app {
namespace {

engine::RunResult run_of(bool saturated) {
  engine::RunResult r;
  r.stopped = "verdict";
  r.saturated = saturated;
  return r;
}

class FailedSearch : public testing::Test {
 protected:
  FailedSearch() {
    plan_.networks.resize(1);
    plan_.contenders.resize(1);
  }

  Plan plan_;
  const SaturationSearches all_{plan_};
  SaturationSearch search_{all_, {0, "uniform", 0}};
};

TEST_F(FailedSearch, EndsWithoutAnEntry) {
  ASSERT_EQ(search_.next(1)->load, 1.0);
  search_.tell(1.0, run_of(true));
  const auto half = search_.next(7);
  const auto ahead = search_.next(7);
  ASSERT_EQ(half->load, 0.5);
  engine::RunResult failed;
  failed.stopped = "failed";
  failed.failures = {"a packet was lost"};
  search_.tell(0.5, failed);
  EXPECT_TRUE(search_.failed());
  EXPECT_TRUE(search_.ended());
  EXPECT_TRUE(search_.entry().is_null());
  EXPECT_TRUE(ahead->needless->load());
  EXPECT_FALSE(search_.next(7));
  EXPECT_EQ(search_.ready(), 0u);
}

TEST_F(FailedSearch, DoesNotMindOneThatNobodyNeeds) {
  search_.next(1);
  search_.tell(1.0, run_of(true));
  search_.next(7);
  const auto above = search_.next(7);
  ASSERT_EQ(above->load, 0.75);
  search_.tell(0.5, run_of(true));
  engine::RunResult failed;
  failed.failures = {"a packet was lost"};
  search_.tell(0.75, failed);
  EXPECT_FALSE(search_.failed());
  while (const auto next = search_.next(1)) search_.tell(next->load, run_of(next->load > 0.3));
  EXPECT_NEAR(search_.entry()["throughput"].get<double>(), 0.3, 0.01);
}

}  // namespace
}  // namespace hopwise::app
