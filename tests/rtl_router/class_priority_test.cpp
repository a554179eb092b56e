// SPDX-License-Identifier: Apache-2.0
// Classes that go first at the switch: five ports of four VCs, of which 2 and 3 are of the class
// that goes first, and at most three packets of it in a row while one of the others asks.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "Valloc_classes.h"
#include "Valloc_classes_2.h"
#include "Valloc_classes_unbounded.h"
#include "Valloc_classes_weighted.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kSwitchPorts = 5, kSwitchVcs = 4, kMostInARow = 3;

/// Per input port and VC: the output port that it asks for, -1: none.
using Wants = std::array<std::array<int, kSwitchVcs>, kSwitchPorts>;

Wants nothing() {
  Wants wants;
  for (auto& port : wants) port.fill(-1);
  return wants;
}

struct Grant {
  unsigned port = 0, vc = 0;
};

/// Packets of one flit, for output VCs of the numbers of those they come in.
template <class Model>
class Switch {
 public:
  Switch() {
    drive(nothing());
    alloc_->ready_i = 0x1F;
    alloc_->pressing_i = 0x1F;
    alloc_->head_i = alloc_->tail_i = 0x1F;
    alloc_->withdraw_i = 0;
    write_port(alloc_->collects_i, Words(1));
    alloc_.reset();
  }

  std::vector<Grant> cycle(const Wants& wants) {
    drive(wants);
    alloc_.settle();
    std::vector<Grant> grants;
    for (unsigned p = 0; p < kSwitchPorts; ++p) {
      if ((alloc_->grant_o >> p & 1) != 0)
        grants.push_back(
            {p, static_cast<unsigned>(get_bits(read_port(alloc_->grant_vc_o, 10), 2 * p, 2))});
    }
    alloc_.edge();
    return grants;
  }
  bool failed() const { return alloc_.failed(); }

 private:
  void drive(const Wants& wants) {
    std::uint32_t valid = 0;
    Words ports(2), out_vcs(2);
    for (unsigned p = 0; p < kSwitchPorts; ++p) {
      for (unsigned v = 0; v < kSwitchVcs; ++v) {
        const unsigned at = p * kSwitchVcs + v;
        if (wants[p][v] < 0) continue;
        valid |= 1U << at;
        set_bits(ports, at * 3, 3, static_cast<unsigned>(wants[p][v]));
        set_bits(out_vcs, at * 2, 2, v);
      }
    }
    write_port(alloc_->req_valid_i, Words{valid});
    write_port(alloc_->req_port_i, ports);
    write_port(alloc_->req_out_vc_i, out_vcs);
  }

  Bench<Model> alloc_;
};

bool goes_first(const Grant& grant) { return grant.vc >= 2; }

/// Rows of packets that went first between those of the class behind them, after the first one.
template <class Model>
std::vector<unsigned> rows(const Wants& wants, unsigned cycles) {
  Switch<Model> alloc;
  std::vector<unsigned> rows;
  unsigned row = 0;
  for (unsigned n = 0; n < cycles; ++n) {
    for (const Grant& grant : alloc.cycle(wants)) {
      if (goes_first(grant)) {
        ++row;
      } else {
        rows.push_back(std::exchange(row, 0));
      }
    }
  }
  EXPECT_FALSE(alloc.failed());
  return rows;
}

template <class Model>
class ClassPriority : public testing::Test {};
using Models = testing::Types<Valloc_classes, Valloc_classes_2, Valloc_classes_weighted>;
TYPED_TEST_SUITE(ClassPriority, Models);

TYPED_TEST(ClassPriority, AtAnOutputGoesFirstForExactlySoManyPackets) {
  Wants wants = nothing();
  for (unsigned p = 0; p < 4; ++p) wants[p][2 + p % 2] = 4;
  wants[4][0] = 4;
  EXPECT_EQ(rows<TypeParam>(wants, 400), std::vector<unsigned>(100, kMostInARow));
}

TYPED_TEST(ClassPriority, AtAnInputKeepsForTheClassBehindWhatIsLeftWithSoManyPackets) {
  Wants wants = nothing();
  wants[1][0] = 2;
  wants[1][1] = 3;
  wants[1][3] = 4;
  Switch<TypeParam> alloc;
  std::array<unsigned, kSwitchVcs> served{};
  unsigned row = 0;
  for (unsigned n = 0; n < 400; ++n) {
    const Grant grant = alloc.cycle(wants).at(0);
    ++served[grant.vc];
    row = goes_first(grant) ? row + 1 : 0;
    ASSERT_LE(row, 2 * (kMostInARow + 1) - 1);  // of both VCs that wait
  }
  EXPECT_EQ(served, (std::array<unsigned, kSwitchVcs>{50, 50, 0, 300}));
}

TYPED_TEST(ClassPriority, WhoDoesNotAskIsNotWaitedFor) {
  Switch<TypeParam> alloc;
  Wants wants = nothing();
  wants[0][2] = wants[3][3] = 1;
  for (unsigned n = 0; n < 100; ++n) ASSERT_EQ(alloc.cycle(wants).size(), 1U);
  // It has been passed by none: so many go before it as before any other.
  wants[2][1] = 1;
  for (unsigned n = 0; n < kMostInARow; ++n) ASSERT_TRUE(goes_first(alloc.cycle(wants).at(0)));
  ASSERT_FALSE(goes_first(alloc.cycle(wants).at(0)));
}

TYPED_TEST(ClassPriority, VcsOfTheClassBehindTakeTurns) {
  Wants wants = nothing();
  wants[0][2] = wants[1][0] = wants[2][1] = wants[3][1] = 4;
  Switch<TypeParam> alloc;
  std::array<unsigned, kSwitchPorts> served{};
  for (unsigned n = 0; n < 1600; ++n) ++served[alloc.cycle(wants).at(0).port];
  EXPECT_EQ(served[0], 1200U);
  EXPECT_EQ(served[1], 200U);  // of two VCs; the other one's packets come from two ports
  EXPECT_EQ(served[2] + served[3], 200U);
  EXPECT_GE(std::min(served[2], served[3]), 20U);
}

TYPED_TEST(ClassPriority, StarvesNoSteadyRequest) {
  for (unsigned seed = 0; seed < 15; ++seed) {
    std::mt19937_64 random(seed);
    Switch<TypeParam> alloc;
    Wants wants = nothing();
    const unsigned outputs = 1 + static_cast<unsigned>(random() % kSwitchPorts);
    for (auto& port : wants) {
      for (auto& want : port) want = chance(random, 80) ? static_cast<int>(random() % outputs) : -1;
    }
    std::array<std::array<unsigned, kSwitchVcs>, kSwitchPorts> waited{};
    for (unsigned n = 0; n < 2000; ++n) {
      for (auto& port : waited) {
        for (unsigned& cycles : port) ++cycles;
      }
      for (const Grant& grant : alloc.cycle(wants)) waited[grant.port][grant.vc] = 0;
      for (unsigned p = 0; p < kSwitchPorts; ++p) {
        for (unsigned v = 0; v < kSwitchVcs; ++v) {
          // A round of turns (weights of 23) of each VC, for each packet that may go first.
          ASSERT_TRUE(wants[p][v] < 0 || waited[p][v] <= 2 * kSwitchVcs * 23 * (kMostInARow + 1))
              << "seed " << seed << " input " << p << " VC " << v;
        }
      }
    }
    ASSERT_FALSE(alloc.failed());
  }
}

TEST(ClassPriorityWithoutBound, IsFoundOut) {
  expect_assertion("a_no_class_goes_for_ever", [] {
    Wants wants = nothing();
    for (unsigned p = 0; p < 4; ++p) wants[p][2] = 4;
    wants[4][0] = 4;
    Switch<Valloc_classes_unbounded> alloc;
    for (unsigned n = 0; n < 20 && !alloc.failed(); ++n) alloc.cycle(wants);
    return alloc.failed();
  });
}

}  // namespace
}  // namespace hopwise::test
