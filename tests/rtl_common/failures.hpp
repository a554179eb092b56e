// SPDX-License-Identifier: Apache-2.0
// What a test finds wrong with a seeded fault.
#pragma once

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

namespace hopwise::test {

/// Failures of checks while `run` runs; they do not count as those of the test.
template <class Run>
int failures(Run run) {
  testing::TestPartResultArray results;
  {
    testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    run();
  }
  int failed = 0;
  for (int i = 0; i < results.size(); ++i) failed += results.GetTestPartResult(i).failed() ? 1 : 0;
  return failed;
}

}  // namespace hopwise::test
