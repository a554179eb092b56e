// SPDX-License-Identifier: Apache-2.0
// The flits that minimal and non-minimal paths hold behind local ports, against flits on the way,
// one by one.
#include <deque>

#include "Vugal_own.h"
#include "Vugal_own_revised.h"
#include "Vugal_own_wrong.h"
#include "Vvcs_used.h"
#include "Vvcs_used_swapped.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kUsedPorts = 5, kLocalPorts = 3, kUsedVcs = 5, kUsedWidth = 6;
constexpr unsigned kMinVcs = 0b01100, kNonVcs = 0b00011;  // VC 4 is nobody's

/// Plays `cycles`; the first cycle in which a count is wrong, or -1.
template <class Model>
int first_wrong(unsigned cycles) {
  Bench<Model> bench;
  bench.reset();
  std::mt19937_64 random{7};
  std::deque<unsigned> away[kUsedPorts];  // VCs of the flits whose credit has not come
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    Words out_vc(1), credit_vc(1);
    unsigned out = 0, credit = 0;
    for (unsigned p = 0; p < kUsedPorts; ++p) {
      const auto vc = static_cast<unsigned>(random() % kUsedVcs);
      set_bits(out_vc, p * 3, 3, vc);
      set_bits(credit_vc, p * 3, 3, random() % kUsedVcs);
      if (!away[p].empty() && chance(random, 45)) {
        credit |= 1U << p;
        set_bits(credit_vc, p * 3, 3, away[p].front());
        away[p].pop_front();
      }
      if (away[p].size() < 40 && chance(random, 50)) {
        out |= 1U << p;
        away[p].push_back(vc);
      }
    }
    write_port(bench->out_vc_i, out_vc);
    write_port(bench->out_credit_vc_i, credit_vc);
    bench->out_valid_i = static_cast<std::uint8_t>(out);
    bench->out_credit_valid_i = static_cast<std::uint8_t>(credit);
    bench.settle();
    bench.edge();
    bench.settle();
    const Words min = read_port(bench->min_used_o, kUsedPorts * kUsedWidth),
                non = read_port(bench->non_used_o, kUsedPorts * kUsedWidth);
    for (unsigned p = 0; p < kUsedPorts; ++p) {
      unsigned minimal = 0, nonminimal = 0;
      for (const unsigned vc : away[p]) {
        if (p >= kLocalPorts) break;
        minimal += kMinVcs >> vc & 1;
        nonminimal += kNonVcs >> vc & 1;
      }
      if (get_bits(min, p * kUsedWidth, kUsedWidth) != minimal ||
          get_bits(non, p * kUsedWidth, kUsedWidth) != nonminimal)
        return static_cast<int>(cycle);
    }
  }
  EXPECT_FALSE(bench.failed());
  return -1;
}

TEST(VcsUsed, CountsFlitsUntilTheirCreditsComeBack) {
  EXPECT_EQ(first_wrong<Vvcs_used>(20000), -1);
}
TEST(VcsUsed, AFaultInWhoseCreditItIsIsCaught) {
  EXPECT_GE(first_wrong<Vvcs_used_swapped>(20000), 0);
}

/// So many flits on VC 0 of port 0, then so many credits of it.
bool sent_and_freed(unsigned flits, unsigned credits) {
  Bench<Vvcs_used> bench;
  bench->out_vc_i = 0;
  bench->out_credit_vc_i = 0;
  bench->out_valid_i = bench->out_credit_valid_i = 0;
  bench.reset();
  for (unsigned i = 0; i < flits + credits; ++i) {
    bench->out_valid_i = i < flits ? 1 : 0;
    bench->out_credit_valid_i = i < flits ? 0 : 1;
    bench.settle();
    bench.edge();
  }
  return bench.failed();
}

TEST(VcsUsed, AFlitTooManyOrACreditForNothingTripsAnAssumption) {
  EXPECT_FALSE(sent_and_freed((1U << kUsedWidth) - 1, (1U << kUsedWidth) - 1));
  expect_assertion("a_places_downstream", [] { return sent_and_freed(1U << kUsedWidth, 0); });
  expect_assertion("a_only_what_was_sent_comes_back", [] { return sent_and_freed(3, 4); });
}

/// Router 0 of group 0 has global links to groups 1 and 2, the other router those to 3 and 4: a
/// packet to group 3 that is offered a detour through group 4 would begin with port 0 either way.
/// With four flits on `vc` behind port 0 and all queues empty: how many of 400 decide for a detour.
template <class Model>
unsigned detours(unsigned vc, unsigned vc_bits, bool credits_too = false) {
  constexpr unsigned kRouteBits = 11, kStateBits = 6, kTerminal = 3, kToGroup = 2;
  Bench<Model> bench;
  bench.reset();
  Words bits(2);
  set_bits(bits, kTerminal * kRouteBits + 1, 3, 3);  // destination's group
  write_port(bench->req_bits_i, bits);
  Words on(1);
  set_bits(on, 0, vc_bits, vc);
  write_port(bench->out_vc_i, on);
  write_port(bench->out_credit_vc_i, on);
  for (unsigned i = 0; i < 8; ++i) {
    bench->out_valid_i = i < 4 ? 1 : 0;
    bench->out_credit_valid_i = i >= 4 && credits_too ? 1 : 0;
    bench.settle();
    bench.edge();
  }
  bench->out_valid_i = bench->out_credit_valid_i = 0;
  bench->req_valid_i = 1U << kTerminal;
  unsigned found = 0;
  for (unsigned i = 0; i < 400; ++i) {
    bench.settle();
    const Words state = read_port(bench->rsp_state_o, 4 * kStateBits);
    found += get_bits(state, kTerminal * kStateBits, 2) == kToGroup;
    bench.edge();
  }
  return found;
}

// One of three detours goes through group 4.
TEST(OwnVcs, WhatMinimalPathsHoldBehindASharedPortMakesADetour) {
  for (unsigned vc = 0; vc < 4; ++vc) {
    EXPECT_EQ(detours<Vugal_own>(vc, 2) > 80, vc == 2) << "VC " << vc;
    EXPECT_EQ(detours<Vugal_own>(vc, 2, true), 0U) << "VC " << vc;
  }
  // A choice that may be revised stands on the first step.
  for (unsigned vc = 0; vc < 5; ++vc) {
    EXPECT_EQ(detours<Vugal_own_revised>(vc, 3) > 80, vc == 0) << "VC " << vc;
    EXPECT_EQ(detours<Vugal_own_revised>(vc, 3, true), 0U) << "VC " << vc;
  }
}
TEST(OwnVcs, AnotherStepIsCaught) { EXPECT_EQ(detours<Vugal_own_wrong>(0, 3), 0U); }

}  // namespace
}  // namespace hopwise::test
