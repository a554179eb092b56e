// SPDX-License-Identifier: Apache-2.0
// Network interfaces whose streams have TKEEP, their channels looped back: what is sent comes out
// to the byte, and packets with null bytes elsewhere than at their end never do.
#include <bit>
#include <deque>

#include "Vni_keep.h"
#include "Vni_keep_any.h"
#include "Vni_keep_cut.h"
#include "terminals.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kBytes = Compact::kFlitBits / 8, kAll = (1U << kBytes) - 1;
constexpr unsigned kUserBits = Compact::kMsg.width + Compact::kDst.width;
constexpr Field kTailBytes{26, 3};

struct Kept {
  Packet packet;
  std::vector<unsigned> keep;  ///< of each beat
};

Kept random_kept(std::mt19937_64& random) {
  Kept k{random_packet<Compact>(random, 1 + static_cast<unsigned>(random() % Compact::kMaxFlits)),
         {}};
  k.keep.assign(k.packet.beats.size(), kAll);
  k.keep.back() = kAll >> (random() % kBytes);
  return k;
}

bool well_formed(const Kept& k) {
  for (std::size_t b = 0; b + 1 < k.keep.size(); ++b) {
    if (k.keep[b] != kAll) return false;
  }
  const unsigned last = k.keep.back();
  return last != 0 && (last & (last + 1)) == 0;
}

/// Takes bytes away that must not be missing.
void spoil(Kept& k, std::mt19937_64& random) {
  while (well_formed(k)) k.keep[random() % k.keep.size()] = static_cast<unsigned>(random()) & kAll;
}

struct Beat {
  Words data;
  unsigned keep = 0;
  bool last = false, poison = false;
  bool operator==(const Beat&) const = default;
};

template <class Model>
class KeepLoopback {
 public:
  static constexpr bool kPoison = std::is_same_v<Model, Vni_keep_cut>;

  explicit KeepLoopback(std::uint64_t seed) : random_(seed) {
    ni_->src_i = kSource;
    ni_->s_tvalid_i = ni_->s_tlast_i = ni_->s_abort_i = ni_->m_tready_i = 0;
    ni_->inj_credit_valid_i = ni_->ej_valid_i = 0;
    ni_.reset();
  }

  /// Until nothing has come for long.
  void send(std::deque<Kept> packets) {
    std::size_t beat = 0;
    unsigned room = Compact::kEjectDepth, still = 0;
    bool offered = false, ready = false;
    std::deque<Words> flits;
    std::deque<unsigned> marks;
    while (still < 200) {
      ni_.settle();
      if (offered && ni_->s_tready_o) {
        offered = false;
        if (++beat == packets.front().keep.size()) {
          packets.pop_front();
          beat = 0;
        }
      }
      if (ni_->error_o) causes.push_back(ni_->error_cause_o);
      ++still;
      if (ni_->m_tvalid_o && ready) {
        still = 0;
        const Words user = read_port(ni_->m_tuser_o, kUserBits + kPoison + kBytes);
        beats.push_back({read_port(ni_->m_tdata_o, Compact::kFlitBits),
                         static_cast<unsigned>(get_bits(user, kUserBits + kPoison, kBytes)),
                         ni_->m_tlast_o != 0, kPoison && get_bits(user, kUserBits, 1) != 0});
      }
      if (ni_->inj_valid_o) {
        flits.push_back(read_port(ni_->inj_data_o, Compact::kFlitBits + kPoison));
        marks.push_back(ni_->inj_vc_o << 2U | ni_->inj_head_o << 1U | ni_->inj_tail_o);
      }
      room += ni_->ej_credit_valid_o;
      ni_.edge();
      const bool passes = !flits.empty() && room > 0 && chance(random_, 80);
      ni_->ej_valid_i = ni_->inj_credit_valid_i = passes;
      if (passes) {
        write_port(ni_->ej_data_i, flits.front());
        ni_->ej_head_i = marks.front() >> 1 & 1;
        ni_->ej_tail_i = marks.front() & 1;
        ni_->inj_credit_vc_i = static_cast<CData>(marks.front() >> 2);
        flits.pop_front();
        marks.pop_front();
        --room;
      }
      ni_->m_tready_i = ready = chance(random_, 70);
      offered = !packets.empty() && (offered || chance(random_, 90));
      ni_->s_tvalid_i = offered;
      if (!offered) continue;
      const Kept& k = packets.front();
      write_port(ni_->s_tdata_i, k.packet.beats[beat]);
      ni_->s_tlast_i = beat + 1 == k.keep.size();
      write_port(ni_->s_tuser_i,
                 {static_cast<std::uint32_t>(k.keep[beat] << kUserBits |
                                             k.packet.msg << Compact::kDst.width | k.packet.dst)});
    }
    EXPECT_FALSE(ni_.failed());
    EXPECT_TRUE(packets.empty());
  }

  std::vector<Beat> beats;
  std::vector<unsigned> causes;

 private:
  std::mt19937_64 random_;
  Bench<Model> ni_;
};

std::vector<Beat> expected_beats(const Kept& k, std::uint64_t id) {
  std::vector<Words> flits = expected_flits<Compact>(k.packet, id);
  const auto bytes = static_cast<unsigned>(std::popcount(k.keep.back()));
  set_bits(flits.front(), kTailBytes.lsb, kTailBytes.width, bytes - 1);
  std::vector<Beat> beats;
  for (std::size_t i = 0; i < flits.size(); ++i)
    beats.push_back({flits[i], k.keep[i], i + 1 == flits.size(), false});
  return beats;
}

void append(std::vector<Beat>& to, const std::vector<Beat>& beats) {
  to.insert(to.end(), beats.begin(), beats.end());
}

/// `bad_percent` of 400 packets have null bytes where none may be; what must come of all of them.
struct Traffic {
  std::deque<Kept> packets;
  std::vector<Beat> expected;
  unsigned bad = 0;

  Traffic(std::uint64_t seed, unsigned bad_percent) {
    std::mt19937_64 random(seed);
    for (unsigned id = 0; packets.size() < 400;) {
      packets.push_back(random_kept(random));
      if (chance(random, bad_percent)) {
        spoil(packets.back(), random);
        ++bad;
      } else {
        append(expected, expected_beats(packets.back(), id++ % (1U << Compact::kId.width)));
      }
    }
  }
};

TEST(Keep, BytesOfTheTailComeOutAsTheyWentIn) {
  const Traffic traffic(1, 0);
  KeepLoopback<Vni_keep> ni(2);
  ni.send(traffic.packets);
  EXPECT_EQ(ni.beats, traffic.expected);
  EXPECT_TRUE(ni.causes.empty());
}

TEST(Keep, PacketsWithNullBytesElsewhereAreDroppedWholeAsOfBadLength) {
  const Traffic traffic(3, 40);
  KeepLoopback<Vni_keep> ni(4);
  ni.send(traffic.packets);
  EXPECT_EQ(ni.beats, traffic.expected);
  EXPECT_EQ(ni.causes, std::vector<unsigned>(traffic.bad, 2));
}

/// The seeded fault: any TKEEP passes.
TEST(Keep, ANetworkInterfaceThatLooksAtNoNullBytesIsFoundOut) {
  const Traffic traffic(3, 40);
  KeepLoopback<Vni_keep_any> ni(4);
  ni.send(traffic.packets);
  EXPECT_NE(ni.beats, traffic.expected);
  EXPECT_TRUE(ni.causes.empty());
}

TEST(Keep, UnderCutThroughHeadsSayTheBytesAndAPacketWithOthersIsBroken) {
  std::mt19937_64 random(5);
  KeepLoopback<Vni_keep_cut> ni(6);
  std::deque<Kept> packets;
  std::vector<Beat> expected;
  unsigned wrong = 0;
  for (unsigned id = 0; id < 100; ++id) {
    Kept k = random_kept(random);
    const auto bytes = static_cast<unsigned>(std::popcount(k.keep.back()));
    const unsigned says = chance(random, 30) ? static_cast<unsigned>(random() % kBytes) : bytes - 1;
    Words& head = k.packet.beats.front();
    set_bits(head, Compact::kLen.lsb, Compact::kLen.width, k.packet.beats.size());
    set_bits(head, kTailBytes.lsb, kTailBytes.width, says);
    packets.push_back(k);
    std::vector<Beat> beats = expected_beats(k, id);
    set_bits(beats.front().data, kTailBytes.lsb, kTailBytes.width, says);
    beats.back().keep = kAll >> (kBytes - 1 - says);
    beats.back().poison = says != bytes - 1;
    wrong += beats.back().poison ? 1 : 0;
    append(expected, beats);
  }
  ni.send(packets);
  EXPECT_EQ(ni.beats, expected);
  EXPECT_EQ(ni.causes, std::vector<unsigned>(wrong, 7));
  EXPECT_GT(wrong, 10U);
}

}  // namespace
}  // namespace hopwise::test
