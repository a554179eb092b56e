// SPDX-License-Identifier: Apache-2.0
// Whose feedback a router reads: of packets without an intermediate router those that end here, of
// the others those that turn here.
#include "Vugal_bias.h"
#include "Vugal_bias_read_again.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kHeadBits = 26, kTerminalPort = 2, kFrom = 0, kHere = 2, kElsewhere = 3;
constexpr unsigned kMinimalClass = 1, kToRouterClass = 3;

struct Passing {
  unsigned via_group, packet_class, via_router, dst_group;
};

/// The bias towards group `kFrom` behind two packets of it with feedback: 10 cycles over a minimal
/// path, 40 over a non-minimal one.
template <class Model>
int bias_behind(const Passing& packet) {
  Bench<Model> bench;
  bench->router_i = 1;
  bench->group_i = kHere;
  bench->rate_i = 65535;
  bench->req_valid_i = bench->rsp_valid_i = 0;
  bench.reset();
  for (unsigned kind = 0; kind < 2; ++kind) {
    Words heads(3);
    set_bits(heads, 0, 1, 1);  // to router 1
    set_bits(heads, 1, 2, packet.dst_group);
    set_bits(heads, 3, 2, kFrom);
    set_bits(heads, 5, 2, packet.packet_class);
    set_bits(heads, 7, 1, packet.via_router);
    set_bits(heads, 8, 2, packet.via_group);
    set_bits(heads, 18, 8, (kind == 0 ? 10U : 40U) << 2 | kind << 1 | 1);
    write_port(bench->req_bits_i, heads);
    for (unsigned cycle = 0; cycle < 6; ++cycle) {
      bench->req_valid_i = cycle == 0 ? 1 : 0;
      bench.settle();
      bench.edge();
    }
  }
  Words question(3);
  set_bits(question, kTerminalPort * kHeadBits + 1, 2, kFrom);
  write_port(bench->req_bits_i, question);
  bench->req_valid_i = 1U << kTerminalPort;
  bench.settle();
  return static_cast<std::int16_t>(get_bits(read_port(bench->bias_o, 48), kTerminalPort * 16, 16));
}

TEST(BiasFeedback, IsReadWhereThePacketTurnsOrEndsAndNotAgain) {
  EXPECT_GT(bias_behind<Vugal_bias>({kFrom, kMinimalClass, 0, kHere}), 0) << "a minimal path ends";
  EXPECT_GT(bias_behind<Vugal_bias>({kHere, kToRouterClass, 1, kElsewhere}), 0) << "turns here";
  EXPECT_EQ(bias_behind<Vugal_bias>({kHere, kToRouterClass, 0, kElsewhere}), 0) << "passes";
  EXPECT_EQ(bias_behind<Vugal_bias>({kElsewhere, kMinimalClass, 0, kHere}), 0)
      << "ends here, and has been read where it turned";
}
TEST(BiasFeedback, ThatIsReadAgainAtTheEndIsCaught) {
  EXPECT_NE(bias_behind<Vugal_bias_read_again>({kElsewhere, kMinimalClass, 0, kHere}), 0);
}

}  // namespace
}  // namespace hopwise::test
