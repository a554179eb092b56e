// SPDX-License-Identifier: Apache-2.0
#include "Vgated_clock.h"
#include "Vgated_clock_forgets.h"
#include "Vgated_clock_glitches.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

/// Whether an edge passes where something is to do, and whole pulses only.
template <class Model>
bool right() {
  constexpr unsigned kHold = 4;
  Bench<Model> gate;
  std::mt19937_64 random(3);
  gate->busy_i = gate->comes_i = gate->host_i = 0;
  gate.reset();
  unsigned hold = kHold, edges = 0, passed = 0;
  constexpr int kCycles = 5000;
  for (int cycle = 0; cycle < kCycles; ++cycle) {
    gate->busy_i = chance(random, 10);
    gate->comes_i = chance(random, 10);
    gate->host_i = chance(random, 5);
    gate.settle();
    const bool wake = gate->busy_i || gate->comes_i || gate->host_i || hold != 0;
    hold = gate->host_i ? kHold : hold != 0 ? hold - 1 : 0;
    gate->clk_i = 1;
    gate.settle();
    if (gate->clk_o != wake) return false;
    // What settles late in the cycle neither begins nor ends a pulse.
    gate->comes_i = !gate->comes_i;
    gate.settle();
    if (gate->clk_o != wake) return false;
    edges += wake;
    if (gate->edges_o != (edges & 0xffff)) return false;
    passed += wake;
    gate->clk_i = 0;
    gate.settle();
    if (gate->clk_o) return false;
  }
  return passed > kCycles / 10 && passed < kCycles * 9 / 10;
}

TEST(ClockGate, LetsEveryEdgePassThatSomethingNeedsAndNoOther) {
  EXPECT_TRUE(right<Vgated_clock>());
}

TEST(ClockGateFaults, AreCaught) {
  EXPECT_FALSE(right<Vgated_clock_forgets>());
  EXPECT_FALSE(right<Vgated_clock_glitches>());
}

}  // namespace
}  // namespace hopwise::test
