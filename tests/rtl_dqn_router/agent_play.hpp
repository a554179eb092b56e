// SPDX-License-Identifier: Apache-2.0
// hw_dqn_agent under random questions, flits, turns and acknowledges, beside a naive agent that
// says every output of every cycle. The engine is a stand-in with simple values
// (stand_in/hw_dqn_engine.sv).
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "../rtl_common/bench.hpp"

namespace hopwise::test {

/// A model with its parameters. Head flits: destination coordinates of 3 bits from bit 0 on, length
/// [17:12], class [23:20], track from bit 24 on, age [55:40].
template <class ModelType, unsigned Terminals, unsigned Vcs, unsigned AdaptiveMask,
          unsigned Latency, unsigned MaskKind, unsigned Entries, unsigned TickLsb, bool Zero,
          bool Coordinates, unsigned... Dims>
struct DqnAgent {
  using Model = ModelType;
  static constexpr std::array<unsigned, sizeof...(Dims)> kDims{Dims...};
  static constexpr unsigned kLinks = 2 * sizeof...(Dims), kPorts = kLinks + Terminals, kVcs = Vcs,
                            kAdaptive = AdaptiveMask;
  static constexpr unsigned kLatency = Latency, kMask = MaskKind, kEntries = Entries,
                            kTickLsb = TickLsb;
  static constexpr bool kZero = Zero, kCoordinates = Coordinates;
  static constexpr unsigned bits_for(unsigned n) {
    unsigned bits = 1;
    while ((1U << bits) < n) ++bits;
    return bits;
  }
  static constexpr unsigned kPortWidth = bits_for(kPorts), kVcWidth = bits_for(Vcs),
                            kEntryBits = bits_for(Entries);
  static constexpr unsigned kActionBits = bits_for(kLinks), kInputs = 6 * sizeof...(Dims) + 1;
  static constexpr unsigned kTrack = 3 + kEntryBits, kAck = 17 + kTrack, kInfo = 7, kRoute = 60,
                            kSpace = 5, kDepth = 16;
  static constexpr unsigned kReward = 27 + kEntryBits;
  static constexpr unsigned kDecision =
      10 + kEntryBits + 3 * kActionBits + kLinks + kPortWidth + 24 + 8 * kInputs;
  static constexpr unsigned kMaxFlits = 20;
};

/// Marsaglia's xorshift32, as hw_random steps it.
inline std::uint32_t next_random(std::uint32_t& x) {
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return x;
}

struct DqnSettings {
  std::uint32_t epsilon = 1U << 30, seed = 5;
  unsigned ack_ratio = 1;
  unsigned ask_percent = 40, turn_percent = 40, ack_percent = 40, arrive_percent = 20,
           forced_percent = 25, load_percent = 2;
  unsigned escape_percent = 1;  ///< of cycles in which escape_only_i changes
  /// stop asking now and then, and let time jump when the agent is idle
  bool skip_idle = false;
};

enum DqnCount : unsigned {
  kProposals,
  kAccepted,
  kExplored,
  kDetours,
  kWaited,
  kRewards,
  kUntracked,
  kDropped,
  kExpired,
  kStale,
  kTurned,
  kForced
};

struct DqnResult {
  std::array<std::uint64_t, 12> counts{};
  std::uint64_t wrong = 0, jumps = 0, relayed = 0, no_action = 0;
  std::string first;  ///< the first difference
};

/// A packet at the head of an input VC: its head flit, and what has become of it.
struct DqnHead {
  enum State { kNone, kAsks, kTaken, kAnswered } state = kNone;
  std::uint64_t bits = 0, info = 0;
  bool forced = false, accepted = false;
  std::uint64_t track = 0;  ///< of its entry here; 0: none
};

/// What the naive agent remembers of a packet sent on.
struct DqnEntry {
  bool valid = false, sample = false;
  unsigned generation = 0, port = 0, distance = 0;
  std::uint64_t up = 0, age = 0, born = 0;
};

struct DqnProposal {
  unsigned port = 0, vc = 0, allowed = 0, random = 0, version = 0, greedy = 0;
  std::int64_t value = 0;
  bool explores = false;
  std::vector<unsigned> obs;
};

template <class T>
class NaiveDqn {
 public:
  std::array<unsigned, 3> at{};
  std::array<unsigned, T::kLinks> local{}, remote{};
  std::array<std::array<DqnHead, T::kVcs>, T::kPorts> heads{};
  std::array<DqnEntry, T::kEntries> entries{};
  std::array<std::deque<std::uint64_t>, 2 * T::kLinks> queues{};
  std::optional<DqnProposal> proposal;  // in the engine, or answered in this cycle
  std::optional<DqnProposal> answered;  // in this cycle
  unsigned left = 0, version = 0;       // engine: cycles
  bool loaded = false, answer_due = false;
  unsigned start = 0, forced_start = 0, entry_start = 0, queue_start = 0, ack_count = 0;
  std::uint32_t random = 0;

  static std::uint64_t field(std::uint64_t bits, unsigned lsb, unsigned width) {
    return bits >> lsb & ((1ULL << width) - 1);
  }
  static unsigned flits(std::uint64_t bits) { return static_cast<unsigned>(field(bits, 12, 6)); }
  static unsigned dst(std::uint64_t bits, unsigned d) {
    return static_cast<unsigned>(field(bits, 3 * d, 3));
  }
  static std::uint64_t age(std::uint64_t bits) { return field(bits, 40, 16); }
  static std::uint64_t track(std::uint64_t bits, unsigned port) {
    const std::uint64_t t = field(bits, 24, T::kTrack);
    return port < T::kLinks && (t & 1) != 0 ? t : 0;
  }
  static unsigned adaptive_depth() {
    unsigned sum = 0;
    for (unsigned v = 0; v < T::kVcs; ++v) sum += (T::kAdaptive >> v & 1) != 0 ? T::kDepth : 0;
    return sum;
  }
  static unsigned share(unsigned flits, unsigned most) {
    return std::min(255U, flits * (255 * 256 / most) >> 8);
  }
  /// Steps to the destination in direction `port`, around the ring.
  unsigned steps(std::uint64_t bits, unsigned port) const {
    const unsigned d = port / 2, k = T::kDims[d];
    unsigned n = 0, c = at[d];
    while (c != dst(bits, d)) {
      c = port % 2 == 0 ? (c + 1) % k : (c + k - 1) % k;
      ++n;
    }
    return n;
  }
  unsigned distance(std::uint64_t bits) const {
    unsigned sum = 0;
    for (unsigned p = 0; p < T::kLinks; p += 2) sum += std::min(steps(bits, p), steps(bits, p + 1));
    return sum;
  }
  bool closer(std::uint64_t bits, unsigned port) const {
    const unsigned n = steps(bits, port);
    return n > 0 && n <= steps(bits, port ^ 1);
  }
  std::vector<unsigned> observe(std::uint64_t bits) const {
    std::vector<unsigned> obs;
    for (unsigned d = 0; d < T::kDims.size(); ++d) obs.push_back(at[d] * (255 / (T::kDims[d] - 1)));
    for (unsigned d = 0; d < T::kDims.size(); ++d) {
      const unsigned k = T::kDims[d], offset = (dst(bits, d) + k - at[d] + k / 2) % k;
      obs.push_back((T::kCoordinates ? dst(bits, d) : offset) * (255 / (k - 1)));
    }
    obs.push_back(share(flits(bits), T::kMaxFlits));
    for (const unsigned n : local) obs.push_back(share(n, adaptive_depth()));
    for (const unsigned n : remote) obs.push_back(share(n, adaptive_depth()));
    return obs;
  }
  static bool room(const std::array<unsigned, T::kPorts * T::kVcs>& held, unsigned port,
                   unsigned flits) {
    for (unsigned v = 0; v < T::kVcs; ++v) {
      if ((T::kAdaptive >> v & 1) != 0 && held[port * T::kVcs + v] >= flits) return true;
    }
    return false;
  }
  std::vector<std::int64_t> values(const std::vector<unsigned>& obs) const {
    std::vector<std::int64_t> values;
    for (unsigned a = 0; a < T::kLinks; ++a) {
      values.push_back(std::int64_t{obs[a] ^ obs[obs.size() - 1 - a]} +
                       256 * std::int64_t{version} - 32768);
    }
    return values;
  }
  /// The first set bit at or after `start`, around; 64 if there is none.
  static unsigned turn(std::uint64_t set, unsigned start, unsigned size) {
    for (unsigned i = 0; i < size; ++i) {
      if ((set >> (start + i) % size & 1) != 0) return (start + i) % size;
    }
    return 64;
  }
};

}  // namespace hopwise::test
