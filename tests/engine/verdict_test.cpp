// SPDX-License-Identifier: Apache-2.0
// Runs that end with the verdict on their load.
#include "app/results.hpp"
#include "fixture.hpp"

namespace hopwise::engine {
namespace {

RunResult judged(const app::Simulated& network, double load, bool until_verdict,
                 unsigned threads = 1) {
  RunOptions run = short_run(network, load, 0);
  run.simulation.max_cycles = 60'000;
  run.simulation.ci_relative = 0.0001;  // out of reach: the whole run takes the limit
  run.until_verdict = until_verdict;
  run.threads = threads;
  RunResult r = simulated(network, run);
  expect_accounted(r);
  return r;
}

TEST(UntilVerdict, ARunEndsEarlyWithTheVerdictOfTheWholeRun) {
  const app::Simulated network = compiled(kTorus);
  for (const double load : {0.5, 0.8, 1.0}) {
    const RunResult whole = judged(network, load, false), early = judged(network, load, true);
    EXPECT_EQ(whole.stopped, "limit") << load;
    EXPECT_EQ(early.stopped, "verdict") << load;
    EXPECT_LT(early.cycles, whole.cycles / 2) << load;
    EXPECT_EQ(early.saturated, whole.saturated) << load;
    EXPECT_EQ(early.saturated, load == 1.0);
  }
}

TEST(UntilVerdict, WhereItEndsDoesNotDependOnThreads) {
  const app::Simulated network = compiled(kTorus);
  for (const double load : {0.8, 1.0}) {
    const auto text = [&](unsigned threads) {
      return app::point_json("r", "p", judged(network, load, true, threads), *network.proven)
          .dump();
    };
    EXPECT_EQ(text(1), text(3));
  }
}

TEST(UntilVerdict, AMeasurementOfGivenLengthIsNotCutShort) {
  const app::Simulated network = compiled(kTorus);
  RunOptions run = short_run(network, 0.2, 8000);
  run.until_verdict = true;
  const RunResult r = simulated(network, run);
  EXPECT_EQ(r.stopped, "cycles");
  EXPECT_GE(r.measured_cycles, 8000u);
}

}  // namespace
}  // namespace hopwise::engine
