// SPDX-License-Identifier: Apache-2.0
// hw_one_port_unit.svh around a computation that answers later: every port gets its answers, in
// their order, as many cycles after the questions as the unit declares.
#include <deque>
#include <random>

#include <gtest/gtest.h>

#include "Vrouting_late.h"

namespace hopwise::test {
namespace {

constexpr unsigned kPorts = 5, kCycles = 2;

struct Asked {
  unsigned valid = 0, vcs = 0, destination[kPorts] = {};
};

/// Dimension order on a mesh of 4 x 3 routers: the port to a destination.
unsigned port_to(unsigned from, unsigned to) {
  const unsigned x = from & 3, y = from >> 2, to_x = to & 3, to_y = to >> 2;
  if (to_x != x) return to_x > x ? 0 : 1;
  if (to_y != y) return to_y > y ? 2 : 3;
  return 4;
}

TEST(OnePortUnit, AnswersComeInOrderAsManyCyclesLaterAsDeclared) {
  Vrouting_late m;
  std::mt19937 engine(3);
  const auto random = [&engine] { return static_cast<unsigned>(engine()); };
  const unsigned here = 1 + 4 * 1;
  const auto edge = [&m](bool reset) {
    m.rst_ni = !reset;
    m.clk_i = 0;
    m.eval();
    m.clk_i = 1;
    m.eval();
  };
  m.coord_i = here;
  edge(true);
  edge(true);
  std::deque<Asked> asked(kCycles);
  unsigned answers = 0;
  for (unsigned cycle = 0; cycle < 2000; ++cycle) {
    Asked now;
    now.valid = cycle % 64 < 60 ? random() & 31 : 0;
    now.vcs = random() & 31;
    std::uint64_t bits = 0;
    for (unsigned p = 0; p < kPorts; ++p) {
      now.destination[p] = random() % 12;
      bits |= std::uint64_t{now.destination[p]} << (p * 8);
    }
    m.req_valid_i = static_cast<std::uint8_t>(now.valid);
    m.req_vc_i = static_cast<std::uint8_t>(now.vcs);
    m.req_bits_i = bits;
    m.rst_ni = 1;
    m.clk_i = 0;
    m.eval();
    ASSERT_EQ(m.req_ready_o, 31u);
    const Asked& then = asked.front();
    ASSERT_EQ(m.rsp_valid_o, then.valid) << "cycle " << cycle;
    for (unsigned p = 0; p < kPorts; ++p) {
      if ((then.valid >> p & 1) == 0) continue;
      ++answers;
      const unsigned port = port_to(here, then.destination[p]);
      ASSERT_EQ(m.rsp_vc_o >> p & 1, then.vcs >> p & 1);
      ASSERT_EQ(m.rsp_port_o >> (3 * p) & 7, port) << "cycle " << cycle << " port " << p;
      ASSERT_EQ(m.rsp_vcs_o >> (2 * p) & 3, port == 4 ? 1u : 2u);
    }
    ASSERT_EQ(m.idle_o, asked[0].valid == 0 && asked[1].valid == 0);
    asked.push_back(now);
    asked.pop_front();
    edge(false);
  }
  EXPECT_GT(answers, 4000u);
}

}  // namespace
}  // namespace hopwise::test
