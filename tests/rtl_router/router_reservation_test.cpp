// SPDX-License-Identifier: Apache-2.0
// hw_router, a head whose input port is busy whenever its output port comes free.
#include "Vstep_2.h"
#include "Vstep_4.h"
#include "Vstep_unreserved_2.h"
#include "Vstep_unreserved_4.h"
#include "router_harness.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kFlits = 7, kDepth = 14, kCycles = 3000, kPackets = 600;

template <class Model>
using InStep = Router<Model, Flow::kVct, 2, kFlits, kDepth, kDepth>;

/// Cycles that a packet of one flit waits at port 0, VC 0 for port 2: port 1 has packets of 7 flits
/// for port 2 at any time, and VC 1 of port 0 has such for port 1, `offset` cycles later.
/// kCycles: it does not leave.
template <class T>
std::uint64_t wait(unsigned offset) {
  RouterBench<T> bench;
  for (unsigned n = 0; n < kPackets; ++n) {
    bench.send(1, 0, {kFlits, {2, 1}, {}, 0, 2 * n + 1});
    if (n == 10) bench.run(offset);
  }
  for (unsigned n = 0; n < kPackets; ++n) bench.send(0, 1, {kFlits, {1, 2}, {}, 0, 2 * n + 2});
  // The buffers fill, so that the ports have the next packet when one has left.
  bench.credit_percent = 0;
  bench.run(80);
  bench.credit_percent = 100;
  bench.run(100);
  const std::uint64_t start = bench.router.cycle();
  bench.send(0, 0, {1, {2, 1}, {}, 0, 0});
  bench.run(kCycles);
  for (const Arrival& a : bench.arrivals) {
    if (a.head && a.port == 2 && (a.data & 7) == 1) return a.cycle - start;
  }
  return kCycles;
}

template <class T>
std::uint64_t longest_wait() {
  std::uint64_t longest = 0;
  for (unsigned offset = 0; offset < kFlits; ++offset) longest = std::max(longest, wait<T>(offset));
  return longest;
}

// Three ports of two VCs are looked at, 16 packets of 8 flits each, and its port sends one or two.
constexpr std::uint64_t kBound = 3 * 2 * 16 * 8 + 3 * kFlits;

TEST(RouterReservation, AHeadWhosePortIsBusyLeaves) {
  EXPECT_LE(longest_wait<InStep<Vstep_2>>(), kBound);
  EXPECT_LE(longest_wait<InStep<Vstep_4>>(), kBound);
}

TEST(RouterReservation, WithoutOneItIsPassedForEver) {
  EXPECT_GE(std::max(longest_wait<InStep<Vstep_unreserved_2>>(),
                     longest_wait<InStep<Vstep_unreserved_4>>()),
            kCycles);
}

}  // namespace
}  // namespace hopwise::test
