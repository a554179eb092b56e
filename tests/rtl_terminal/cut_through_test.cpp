// SPDX-License-Identifier: Apache-2.0
// A network interface with cut-through injection: heads leave before tails have come, and streams
// that break off end as packets that their destination knows to be broken.
#include <deque>

#include "Vni_cut_through.h"
#include "terminals.hpp"

namespace hopwise::test {
namespace {

struct CutThrough : Compact {
  using Model = Vni_cut_through;
};
constexpr unsigned kPause = 8;

enum class Break { kNone, kEarlyTail, kLateTail, kSilence, kBadHead };

struct Stream {
  Packet packet;        ///< beats that come
  unsigned length = 0;  ///< that the head says
  Break how = Break::kNone;
};

Stream random_stream(std::mt19937_64& random, unsigned broken_percent) {
  Stream s;
  s.length = 1 + static_cast<unsigned>(random() % CutThrough::kMaxFlits);
  unsigned beats = s.length;
  s.packet.dst = 0;
  if (chance(random, broken_percent)) {
    s.how = static_cast<Break>(1 + random() % 4);
    if (s.how == Break::kEarlyTail || s.how == Break::kSilence) {
      s.length += s.length == 1 ? 1 : 0;
      beats = 1 + static_cast<unsigned>(random() % (s.length - 1));
    }
    if (s.how == Break::kLateTail) beats = s.length + 1 + static_cast<unsigned>(random() % 9);
  }
  s.packet = random_packet<CutThrough>(random, beats);
  std::uint64_t says = s.length;
  if (s.how == Break::kBadHead) {
    if (random() % 2 == 0)
      says = std::array{0, 6, 7}[random() % 3];
    else
      s.packet.dst |= CutThrough::kFirstMask;  // not in the network
  }
  set_bits(s.packet.beats[0], CutThrough::kLen.lsb, CutThrough::kLen.width, says);
  return s;
}

/// What the channel carries of it: flits with their poison bits.
std::vector<std::pair<Words, bool>> expected(const Stream& s, std::uint64_t id) {
  Packet whole = s.packet;
  const std::size_t came = std::min<std::size_t>(whole.beats.size(), s.length);
  whole.beats.resize(s.length, Words(CutThrough::kFlitBits / 32));
  std::vector<std::pair<Words, bool>> flits;
  for (const Words& flit : expected_flits<CutThrough>(whole, id))
    flits.emplace_back(flit, flits.size() >= came);
  // The break is known with the last beat, but where none comes behind it.
  if (s.how == Break::kEarlyTail && came > 1)
    flits[came - 1].second = true;  // a head is not marked
  if (s.how == Break::kLateTail) flits.back().second = true;
  return flits;
}

/// Streams through the injection channel, straight back into the ejection channel.
void run(std::uint64_t seed, unsigned streams, unsigned broken_percent, unsigned beat_percent,
         unsigned credit_percent) {
  std::mt19937_64 random(seed);
  Bench<CutThrough::Model> ni;
  idle_terminal<CutThrough>(ni);
  ni->m_tready_i = 1;
  ni.reset();
  std::deque<Stream> to_send;
  std::deque<std::vector<std::pair<Words, bool>>> on_channel;
  std::deque<bool> out;  // of each packet, whether it is broken
  unsigned errors = 0, expected_errors = 0, broken = 0, expected_broken = 0;
  for (std::uint64_t i = 0, id = 0; i < streams; ++i) {
    to_send.push_back(random_stream(random, broken_percent));
    const Stream& s = to_send.back();
    expected_errors += s.how == Break::kNone ? 0 : 1;
    if (s.how == Break::kBadHead) continue;
    expected_broken += s.how == Break::kNone ? 0 : 1;
    on_channel.push_back(expected(s, id++));
    out.push_back(s.how != Break::kNone);
  }
  std::deque<unsigned> owed;  // VCs of flits whose credits have not returned
  std::size_t beat = 0, place = 0;
  unsigned silent = 0, quiet = 0;
  while (quiet < 100) {
    ASSERT_LT(ni.cycle(), 100000U) << "stuck";
    quiet = to_send.empty() && out.empty() ? quiet + 1 : 0;
    // The rest of a stream that paused comes after it has been closed.
    if (silent > 0) {
      --silent;
    } else if (!ni->s_tvalid_i && !to_send.empty() && chance(random, beat_percent)) {
      Packet packet = to_send.front().packet;
      const bool rest = beat >= packet.beats.size();
      if (rest) packet.beats.push_back(packet.beats.front());
      drive_beat<CutThrough>(ni, packet, rest ? packet.beats.size() - 1 : beat);
      if (to_send.front().how == Break::kSilence) ni->s_tlast_i = rest;
    }
    ni->inj_credit_valid_i = 0;
    if (!owed.empty() && chance(random, credit_percent)) {
      ni->inj_credit_valid_i = 1;
      ni->inj_credit_vc_i = static_cast<std::uint8_t>(owed.front());
      owed.pop_front();
    }
    ni.settle();
    if (ni->inj_valid_o) {
      ASSERT_FALSE(on_channel.empty());
      const auto& flits = on_channel.front();
      const Words data = read_port(ni->inj_data_o, CutThrough::kFlitBits + 1);
      ASSERT_EQ(ni->inj_head_o, place == 0);
      ASSERT_EQ(ni->inj_tail_o, place + 1 == flits.size());
      ASSERT_EQ(Words(data.begin(), data.begin() + 2), flits[place].first) << "flit " << place;
      ASSERT_EQ(get_bits(data, CutThrough::kFlitBits, 1), flits[place].second) << "flit " << place;
      owed.push_back(ni->inj_vc_o);
      if (++place == flits.size()) {
        on_channel.pop_front();
        place = 0;
      }
    }
    if (ni->m_tvalid_o && ni->m_tlast_o) {
      ASSERT_FALSE(out.empty());
      ASSERT_EQ(ni->m_tuser_o >> (CutThrough::kMsg.width + CutThrough::kSrc.width),
                out.front() ? 1 : 0);
      out.pop_front();
    }
    errors += ni->error_o;
    broken += ni->broken_o;
    // The wires of the loop: a flit on the pins now is at the ejection unit in the next cycle.
    const auto valid = ni->inj_valid_o, head = ni->inj_head_o, tail = ni->inj_tail_o;
    const Words data = read_port(ni->inj_data_o, CutThrough::kFlitBits + 1);
    const bool accepted = ni->s_tvalid_i && ni->s_tready_o;
    ni.edge();
    ASSERT_FALSE(ni.failed());
    ni->ej_valid_i = valid;
    ni->ej_head_i = head;
    ni->ej_tail_i = tail;
    write_port(ni->ej_data_i, data);
    if (!accepted) continue;
    ni->s_tvalid_i = 0;
    const Stream& s = to_send.front();
    ++beat;
    if (s.how == Break::kSilence && beat == s.packet.beats.size())
      silent = 40 * kPause;  // until its channel is free and it is closed
    else if (beat >= s.packet.beats.size()) {
      to_send.pop_front();
      beat = 0;
    }
  }
  EXPECT_EQ(errors, expected_errors);
  EXPECT_EQ(broken, expected_broken);
  EXPECT_TRUE(ni->quiescent_o);
}

TEST(CutThrough, StreamsThatBreakOffAreClosedAndMarkedAndOthersArriveAsTheyWere) {
  for (unsigned broken : {0U, 30U, 100U}) {
    for (unsigned beats : {85U, 100U}) {
      for (unsigned credits : {25U, 100U}) {
        SCOPED_TRACE(testing::Message() << broken << " " << beats << " " << credits);
        ASSERT_NO_FATAL_FAILURE(run(broken + beats + credits, 300, broken, beats, credits));
      }
    }
  }
}

TEST(CutThrough, HeadFlitIsOnThePinsTwoCyclesAfterItsBeatAndEveryOtherAsItsBeatComes) {
  Bench<CutThrough::Model> ni;
  idle_terminal<CutThrough>(ni);
  ni.reset();
  std::mt19937_64 random(3);
  Packet packet = random_packet<CutThrough>(random, CutThrough::kMaxFlits);
  set_bits(packet.beats[0], CutThrough::kLen.lsb, CutThrough::kLen.width, CutThrough::kMaxFlits);
  for (std::size_t cycle = 0; cycle < CutThrough::kMaxFlits + 4; ++cycle) {
    ni->s_tvalid_i = 0;
    if (cycle < CutThrough::kMaxFlits) drive_beat<CutThrough>(ni, packet, cycle);
    ni.settle();
    EXPECT_EQ(ni->inj_valid_o, cycle >= 2 && cycle < 2 + CutThrough::kMaxFlits) << cycle;
    ni.edge();
  }
}

TEST(CutThrough, AStreamThatStopsHoldsItsChannelForTheBoundAndNoLonger) {
  Bench<CutThrough::Model> ni;
  idle_terminal<CutThrough>(ni);
  ni.reset();
  std::mt19937_64 random(4);
  Packet packet = random_packet<CutThrough>(random, 2);
  set_bits(packet.beats[0], CutThrough::kLen.lsb, CutThrough::kLen.width, CutThrough::kMaxFlits);
  drive_beat<CutThrough>(ni, packet, 0);
  ni.settle();
  ni.edge();
  ni->s_tvalid_i = 0;
  std::uint64_t tail = 0;
  for (; ni.cycle() < 100;) {
    ni.settle();
    if (ni->inj_valid_o && ni->inj_tail_o) tail = ni.cycle();
    ni.edge();
  }
  // The head's beat; the pause; a flit each cycle is made up; it is on the pins two cycles later.
  EXPECT_EQ(tail, 1 + kPause + (CutThrough::kMaxFlits - 2) + 2);
}

}  // namespace
}  // namespace hopwise::test
