// SPDX-License-Identifier: Apache-2.0
// The parameters of the verilated network interfaces, as CMakeLists.txt gives them, and packets for
// them.
#pragma once

#include <array>

#include "Vni_apenet.h"
#include "Vni_compact.h"
#include "Vni_wormhole.h"
#include "bench.hpp"

namespace hopwise::test {

struct Field {
  unsigned lsb, width;
};

struct Compact {
  using Model = Vni_compact;
  static constexpr unsigned kFlitBits = 64, kMinFlits = 1, kMaxFlits = 5, kLenOffset = 0,
                            kEjectDepth = 5;
  static constexpr Field kDst{0, 6}, kLen{6, 3}, kClass{9, 2}, kSrc{11, 6}, kMsg{17, 2}, kId{19, 7};
  static constexpr std::uint64_t kFirstMask = 7, kFirstSize = 7;
  static constexpr std::array<unsigned, 2> kVcDepths{10, 7};
  static constexpr bool kFixedVc = false, kWhole = true;
  static constexpr unsigned kNum = 1, kDen = 1;
};

struct Wormhole : Compact {
  using Model = Vni_wormhole;
  static constexpr std::array<unsigned, 2> kVcDepths{3, 2};
  static constexpr bool kWhole = false;
};

struct Apenet {
  using Model = Vni_apenet;
  static constexpr unsigned kFlitBits = 128, kMinFlits = 2, kMaxFlits = 20, kLenOffset = 2,
                            kEjectDepth = 24;
  static constexpr Field kDst{0, 21}, kLen{21, 9}, kClass{62, 1}, kSrc{41, 21}, kMsg{30, 2},
      kId{32, 9};
  static constexpr std::uint64_t kFirstMask = 0, kFirstSize = 1;
  static constexpr std::array<unsigned, 3> kVcDepths{40, 25, 20};
  static constexpr bool kFixedVc = true, kWhole = true;
  static constexpr unsigned kNum = 5, kDen = 2;
};

/// The compact format at another model.
template <class M>
struct CompactAt : Compact {
  using Model = M;
};

using Terminals = testing::Types<Compact, Wormhole, Apenet>;

constexpr std::uint64_t kSource = 0x2A;

struct Flit {
  bool head = false, tail = false;
  Words data;
};

/// A packet as the master sends it: every bit of every beat random.
struct Packet {
  std::uint64_t dst = 0;
  std::uint64_t msg = 0;
  std::vector<Words> beats;
};

template <class T>
Words random_flit(std::mt19937_64& random) {
  Words words(T::kFlitBits / 32);
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
  return words;
}

/// The network has the destination: a coordinate of it has a value less than bits for them.
template <class T>
bool exists(std::uint64_t dst) {
  return (dst & T::kFirstMask) < T::kFirstSize;
}

template <class T>
Packet random_packet(std::mt19937_64& random, unsigned flits, bool to_anywhere = false) {
  Packet packet;
  packet.dst = random() % (1U << T::kDst.width);
  if (!to_anywhere && !exists<T>(packet.dst)) packet.dst ^= 1;
  packet.msg = random() % 4;
  for (unsigned i = 0; i < flits; ++i) packet.beats.push_back(random_flit<T>(random));
  return packet;
}

template <class T>
bool legal(const Packet& packet) {
  return packet.beats.size() >= T::kMinFlits && packet.beats.size() <= T::kMaxFlits &&
         exists<T>(packet.dst);
}

/// The flits that the network must carry for `packet`, the `id`-th one that was accepted.
template <class T>
std::vector<Words> expected_flits(const Packet& packet, std::uint64_t id) {
  std::vector<Words> flits = packet.beats;
  Words& head = flits.front();
  const auto put = [&head](Field field, std::uint64_t value) {
    set_bits(head, field.lsb, field.width, value);
  };
  put(T::kDst, packet.dst);
  put(T::kLen, flits.size() - T::kLenOffset);
  put(T::kClass, 0);
  put(T::kSrc, kSource);
  put(T::kMsg, packet.msg);
  put(T::kId, id);
  return flits;
}

template <class T>
void idle_terminal(Bench<typename T::Model>& ni) {
  ni->src_i = kSource;
  ni->s_tvalid_i = 0;
  ni->s_tlast_i = 0;
  ni->s_abort_i = 0;
  ni->m_tready_i = 0;
  ni->inj_credit_valid_i = 0;
  ni->inj_credit_vc_i = 0;
  ni->ej_valid_i = 0;
  ni->ej_vc_i = 0;
  ni->ej_head_i = 0;
  ni->ej_tail_i = 0;
}

template <class T>
void drive_beat(Bench<typename T::Model>& ni, const Packet& packet, std::size_t beat) {
  ni->s_tvalid_i = 1;
  write_port(ni->s_tdata_i, packet.beats[beat]);
  ni->s_tlast_i = beat + 1 == packet.beats.size();
  write_port(ni->s_tuser_i, {static_cast<std::uint32_t>(packet.msg << T::kDst.width | packet.dst)});
}

}  // namespace hopwise::test
