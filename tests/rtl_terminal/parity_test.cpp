// SPDX-License-Identifier: Apache-2.0
// Network interfaces whose heads have parity: it is made before a packet is stored, so that a bit
// which flips in the store shows where the head leaves.
#include <bit>

#include "Vni_parity.h"
#include "Vni_parity_cut.h"
#include "Vni_parity_cut_flips.h"
#include "Vni_parity_flips.h"
#include "terminals.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kHeaderBits = 30;  // bytes of the tail at 27 to 29, parity at 26
constexpr unsigned kBeatBytes = Compact::kFlitBits / 8, kBytesLsb = 27;

/// Whether each head that leaves, in their order, has an odd number of ones.
template <class Model>
std::vector<bool> odd_heads(unsigned packets) {
  Bench<Model> ni;
  std::mt19937_64 random(7);
  idle_terminal<CompactAt<Model>>(ni);
  ni.reset();
  std::vector<bool> odd;
  Packet packet;
  unsigned last_bytes = 0;
  std::size_t beat = 0;
  unsigned made = 0;
  for (unsigned cycle = 0; cycle < 40 * packets && odd.size() < packets; ++cycle) {
    if (beat == packet.beats.size() && made < packets) {
      ++made;
      beat = 0;
      packet =
          random_packet<Compact>(random, 1 + static_cast<unsigned>(random() % Compact::kMaxFlits));
      last_bytes = 1 + static_cast<unsigned>(random() % kBeatBytes);
      // Under cut-through the stream says both; else they are written over.
      set_bits(packet.beats[0], Compact::kLen.lsb, Compact::kLen.width, packet.beats.size());
      set_bits(packet.beats[0], kBytesLsb, 3, last_bytes - 1);
    }
    const bool offers = beat < packet.beats.size();
    ni->s_tvalid_i = offers;
    if (offers) {
      const bool last = beat + 1 == packet.beats.size();
      const unsigned keep = (1U << (last ? last_bytes : kBeatBytes)) - 1;
      write_port(ni->s_tdata_i, packet.beats[beat]);
      ni->s_tlast_i = last;
      write_port(ni->s_tuser_i,
                 {static_cast<std::uint32_t>(keep << (Compact::kMsg.width + Compact::kDst.width) |
                                             packet.msg << Compact::kDst.width | packet.dst)});
    }
    ni.settle();
    if (offers && ni->s_tready_o) ++beat;
    const bool sends = ni->inj_valid_o;
    const unsigned vc = ni->inj_vc_o;
    if (sends && ni->inj_head_o) {
      const Words head = read_port(ni->inj_data_o, Compact::kFlitBits);
      odd.push_back(std::popcount(get_bits(head, 0, kHeaderBits)) % 2 != 0);
    }
    EXPECT_FALSE(ni->error_o);
    ni.edge();
    ni->inj_credit_valid_i = sends;
    ni->inj_credit_vc_i = static_cast<CData>(vc);
  }
  EXPECT_FALSE(ni.failed());
  EXPECT_EQ(odd.size(), packets);
  return odd;
}

constexpr unsigned kPackets = 500;

TEST(TerminalParity, EveryHeadLeavesWithAnEvenNumberOfOnes) {
  const std::vector<bool> even(kPackets, false);
  EXPECT_EQ(odd_heads<Vni_parity>(kPackets), even);
  EXPECT_EQ(odd_heads<Vni_parity_cut>(kPackets), even);
}

TEST(TerminalParity, ABitThatFlipsInTheStoreIsSeenWhereTheHeadLeaves) {
  std::vector<bool> every_second(kPackets);
  for (unsigned i = 1; i < kPackets; i += 2) every_second[i] = true;
  EXPECT_EQ(odd_heads<Vni_parity_flips>(kPackets), every_second);
  EXPECT_EQ(odd_heads<Vni_parity_cut_flips>(kPackets), every_second);
}

}  // namespace
}  // namespace hopwise::test
