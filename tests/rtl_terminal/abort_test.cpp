// SPDX-License-Identifier: Apache-2.0
// Sources that are reset in the middle of a packet: nothing of it is in the packets behind, and it
// is reported once.
#include "Vni_cut_through.h"
#include "Vni_cut_through_forgets.h"
#include "Vni_forgets.h"
#include "terminals.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kBadDestination = 1, kBadLength = 2, kBroken = 7;

/// What leaves on the channel, and what is reported.
struct Outcome {
  std::vector<std::vector<Words>> packets;  ///< with the poison bit above a flit, if there is one
  std::vector<std::pair<unsigned, std::uint64_t>> refused;  ///< cause, tuser of the first beat
  bool operator==(const Outcome&) const = default;
};

struct Interrupted {
  Packet packet;
  std::size_t beats = 0;  ///< that come; fewer than the packet has: then its source is reset
};

Interrupted interrupted_stream(std::mt19937_64& random, bool cut_through) {
  Interrupted s;
  const bool too_long = !cut_through && chance(random, 10);
  const unsigned flits = 1 + static_cast<unsigned>(random() % Compact::kMaxFlits) +
                         (too_long ? Compact::kMaxFlits : 0);
  s.packet = random_packet<Compact>(random, flits, true);
  set_bits(s.packet.beats[0], Compact::kLen.lsb, Compact::kLen.width, flits);
  s.beats = flits > 1 && chance(random, 50) ? 1 + random() % (flits - 1) : flits;
  return s;
}

/// What should come of the streams: under cut-through the rest of a packet is made up, and
/// poisoned.
Outcome outcome_of(const std::vector<Interrupted>& streams, bool cut_through) {
  Outcome out;
  std::uint64_t id = 0;
  for (const Interrupted& s : streams) {
    const bool whole = s.beats == s.packet.beats.size();
    const std::uint64_t user = s.packet.msg << Compact::kDst.width | s.packet.dst;
    unsigned cause = 0;
    if (!exists<Compact>(s.packet.dst))
      cause = kBadDestination;
    else if (s.beats > Compact::kMaxFlits)
      cause = kBadLength;
    else if (!whole)
      cause = kBroken;
    if (cause != 0) out.refused.emplace_back(cause, user);
    if (cause != 0 && !(cut_through && cause == kBroken)) continue;
    Packet packet = s.packet;
    for (std::size_t flit = s.beats; flit < packet.beats.size(); ++flit)
      packet.beats[flit] = Words(Compact::kFlitBits / 32);
    out.packets.push_back(expected_flits<Compact>(packet, id++));
    for (std::size_t flit = 0; cut_through && flit < packet.beats.size(); ++flit)
      out.packets.back()[flit].push_back(flit < s.beats ? 0 : 1);
  }
  return out;
}

template <class Model>
Outcome send(const std::vector<Interrupted>& streams, bool cut_through) {
  Bench<Model> ni;
  std::mt19937_64 random(5);
  idle_terminal<CompactAt<Model>>(ni);
  ni.reset();
  Outcome out;
  std::size_t stream = 0, beat = 0;
  unsigned in_reset = 0, quiet = 0;
  while (quiet < 100 && ni.cycle() < 100000) {
    quiet = stream == streams.size() ? quiet + 1 : 0;
    ni->s_tvalid_i = 0;
    ni->s_abort_i = in_reset > 0;
    if (in_reset > 0) {
      // What is on its pins meanwhile is no beat.
      ni->s_tvalid_i = static_cast<CData>(random() % 2);
      ni->s_tlast_i = static_cast<CData>(random() % 2);
      write_port(ni->s_tdata_i, random_flit<Compact>(random));
      --in_reset;
    } else if (stream < streams.size()) {
      drive_beat<CompactAt<Model>>(ni, streams[stream].packet, beat);
    }
    ni.settle();
    if (ni->s_tvalid_i && ni->s_tready_o && !ni->s_abort_i && ++beat == streams[stream].beats) {
      if (beat < streams[stream].packet.beats.size())
        in_reset = 1 + static_cast<unsigned>(random() % 3);
      beat = 0;
      ++stream;
    }
    if (ni->inj_valid_o) {
      if (ni->inj_head_o) out.packets.emplace_back();
      EXPECT_FALSE(out.packets.empty());
      out.packets.back().push_back(
          read_port(ni->inj_data_o, Compact::kFlitBits + (cut_through ? 1 : 0)));
    }
    if (ni->error_o) out.refused.emplace_back(ni->error_cause_o, ni->error_user_o);
    const bool sent = ni->inj_valid_o;
    const auto vc = ni->inj_vc_o;
    ni.edge();
    EXPECT_FALSE(ni.failed());
    ni->inj_credit_valid_i = sent;
    ni->inj_credit_vc_i = vc;
  }
  EXPECT_EQ(stream, streams.size());
  return out;
}

std::vector<Interrupted> interrupted_streams(bool cut_through) {
  std::mt19937_64 random(11);
  std::vector<Interrupted> streams;
  for (unsigned i = 0; i < 2000; ++i) streams.push_back(interrupted_stream(random, cut_through));
  return streams;
}

TEST(ResetSource, LeavesNothingOfItsPacketBehindAndIsReportedOnce) {
  const std::vector<Interrupted> streams = interrupted_streams(false);
  const Outcome right = outcome_of(streams, false);
  EXPECT_TRUE(send<Vni_compact>(streams, false) == right);
  EXPECT_FALSE(send<Vni_forgets>(streams, false) == right);
}

TEST(ResetSource, HasItsPacketClosedUnderCutThrough) {
  const std::vector<Interrupted> streams = interrupted_streams(true);
  const Outcome right = outcome_of(streams, true);
  EXPECT_TRUE(send<Vni_cut_through>(streams, true) == right);
  EXPECT_FALSE(send<Vni_cut_through_forgets>(streams, true) == right);
}

}  // namespace
}  // namespace hopwise::test
