// SPDX-License-Identifier: Apache-2.0
// The flits that minimal and non-minimal paths hold behind local ports, against flits on the way,
// one by one.
#include <deque>

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
  return -1;
}

TEST(VcsUsed, CountsFlitsUntilTheirCreditsComeBack) {
  EXPECT_EQ(first_wrong<Vvcs_used>(20000), -1);
}
TEST(VcsUsed, AFaultInWhoseCreditItIsIsSeen) {
  EXPECT_GE(first_wrong<Vvcs_used_swapped>(20000), 0);
}

}  // namespace
}  // namespace hopwise::test
