// SPDX-License-Identifier: Apache-2.0
#include "Vdrain_monitor.h"
#include "Vturn_monitor.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

/// A head flit from (in_port, in_vc) to (out_port, out_vc); the table of the model allows
/// (0,0)->(0,0) and (2,1)->(2,1).
bool turn_fails(unsigned in_port, unsigned in_vc, unsigned out_port, unsigned out_vc,
                bool head = true) {
  Bench<Vturn_monitor> monitor;
  monitor->head_i = 0;
  monitor->in_port_i = monitor->in_vc_i = monitor->out_vc_i = 0;
  monitor.reset();
  monitor->head_i = static_cast<std::uint8_t>(head ? 1U << out_port : 0);
  monitor->in_port_i = static_cast<std::uint8_t>(in_port << (2 * out_port));
  monitor->in_vc_i = static_cast<std::uint8_t>(in_vc << out_port);
  monitor->out_vc_i = static_cast<std::uint8_t>(out_vc << out_port);
  monitor.edge();
  return monitor.failed();
}

TEST(TurnMonitor, FailsForEveryTurnOutsideItsTableAndForNoneWithin) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  unsigned wrong = 0;
  for (unsigned in = 0; in < 6; ++in) {
    for (unsigned out = 0; out < 6; ++out) {
      const bool allowed = in == out && (in == 0 || in == 5);
      if (turn_fails(in / 2, in % 2, out / 2, out % 2) == allowed) ++wrong;
      // body flits follow their head
      if (turn_fails(in / 2, in % 2, out / 2, out % 2, false)) ++wrong;
    }
  }
  testing::internal::GetCapturedStderr();
  testing::internal::GetCapturedStdout();
  EXPECT_EQ(wrong, 0U);
}

TEST(TurnMonitor, SaysThatTheTurnIsNotInTheProvedRelation) {
  expect_assertion("a_turn_is_in_the_proved_relation", [] { return turn_fails(0, 0, 1, 0); });
}

/// Flits go to the terminal in cycles 0 to 4; from then on it returns one every `period` cycles.
bool drain_fails(unsigned period) {
  Bench<Vdrain_monitor> monitor;
  monitor->sent_i = monitor->credit_i = 0;
  monitor.reset();
  unsigned returned = 0;
  for (unsigned n = 0; n < 400 && !monitor.failed(); ++n) {
    monitor->sent_i = n < 5;
    monitor->credit_i = period != 0 && n % period == period - 1 && n >= 5 && returned < 5;
    returned += monitor->credit_i;
    monitor.edge();
  }
  return monitor.failed();
}

TEST(DrainMonitor, FailsForATerminalThatNeverDrains) {
  expect_assertion("a_terminal_drains", [] { return drain_fails(0); });
}

TEST(DrainMonitor, FailsForATerminalSlowerThanItsLimit) {
  expect_assertion("a_terminal_drains", [] { return drain_fails(60); });
}

TEST(DrainMonitor, IsSilentForASlowTerminalAndForAnIdleOne) { EXPECT_FALSE(drain_fails(45)); }

}  // namespace
}  // namespace hopwise::test
