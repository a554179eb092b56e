// SPDX-License-Identifier: Apache-2.0
// The naive agent's pending table: the part of agent_run.hpp that is about acknowledges.
#pragma once

#include <utility>

#include "agent_run.hpp"

namespace hopwise::test {

/// The pending table of this cycle: an entry made, heads that cross, a word served, entries that
/// expire.
template <class T>
void DqnRun<T>::pending(const Shown& show, bool wanted, bool accepted, unsigned port, unsigned vc,
                        std::uint64_t up, bool make) {
  std::uint64_t used = 0;
  std::uint64_t waiting = 0;
  for (unsigned e = 0; e < T::kEntries; ++e) used |= std::uint64_t{n_.entries[e].valid} << e;
  for (unsigned q = 0; q < n_.queues.size(); ++q)
    waiting |= std::uint64_t{!n_.queues[q].empty()} << q;
  is_idle_ = is_idle_ && used == 0 && waiting == 0;
  std::array<bool, 2 * T::kLinks> full{};
  for (unsigned q = 0; q < n_.queues.size(); ++q) full[q] = n_.queues[q].size() == 2;

  // A word; what comes of it shows a cycle later
  out_ack_ = std::exchange(next_ack_, std::nullopt);
  reward_ = std::exchange(next_reward_, std::nullopt);
  is_idle_ = is_idle_ && !served_;
  served_ = waiting != 0;
  std::uint64_t freed = 0;
  const unsigned queue =
      Naive::turn(waiting, n_.queue_start, static_cast<unsigned>(n_.queues.size()));
  if (queue < 64) {
    const std::uint64_t word = n_.queues[queue].front(), age = word >> T::kTrack & 0xffff;
    const bool lost = (word >> (T::kTrack + 16) & 1) != 0;
    n_.queues[queue].pop_front();
    n_.queue_start = (queue + 1) % static_cast<unsigned>(n_.queues.size());
    if (queue >= T::kLinks) {
      next_ack_ = {queue - T::kLinks, word};
    } else {
      const auto index = static_cast<unsigned>(word >> 3 & ((1U << T::kEntryBits) - 1));
      DqnEntry* entry = index < T::kEntries ? &n_.entries[index] : nullptr;
      if (entry == nullptr || !entry->valid || entry->generation != (word >> 1 & 3)) {
        ++result_.counts[kStale];
      } else {
        if (entry->sample && !lost) {
          next_reward_ = ((age - entry->age) & 0xffff) << (11 + T::kEntryBits) |
                         std::uint64_t{entry->distance} << (3 + T::kEntryBits) |
                         std::uint64_t{entry->generation} << (1 + T::kEntryBits) |
                         std::uint64_t{index} << 1 | 1;
        }
        if ((entry->up & 1) != 0) {
          next_ack_ = {entry->port, word >> T::kTrack << T::kTrack | entry->up};
          ++result_.relayed;
        }
        freed |= 1ULL << index;
      }
    }
  }
  if (now_ % (1ULL << T::kTickLsb) == 0) {
    for (unsigned e = 0; e < T::kEntries; ++e) {
      if ((used & ~freed) >> e & 1 &&
          (now_ >> T::kTickLsb) - (n_.entries[e].born >> T::kTickLsb) >= 3) {
        freed |= 1ULL << e;
        ++result_.counts[kExpired];
      }
    }
  }
  // A new entry
  made_ = 0;
  lost_.reset();
  if (make) {
    DqnHead& head = n_.heads[port][vc];
    head.state = DqnHead::kAnswered;
    head.accepted = accepted;
    head.track = 0;
    if (wanted) {
      const unsigned e =
          Naive::turn(~used & ((1ULL << T::kEntries) - 1), n_.entry_start, T::kEntries);
      if (e == 64) {
        ++result_.counts[kUntracked];
        if ((up & 1) != 0) lost_ = {port, 1ULL << (T::kTrack + 16) | up};
      } else {
        n_.entry_start = (e + 1) % T::kEntries;
        DqnEntry& entry = n_.entries[e];
        entry = {true,
                 accepted,
                 entry.generation,
                 port,
                 n_.distance(head.bits),
                 up,
                 Naive::age(head.bits),
                 now_};
        made_ = std::uint64_t{e} << 3 | entry.generation << 1 | 1;
        head.track = made_;
      }
    }
  }
  // Heads that cross, possibly the one just answered
  auto& m = agent_.model();
  Words valid(1), vcs(1), outs(1);
  for (unsigned p = 0; p < T::kPorts; ++p) {
    const auto v = static_cast<unsigned>(random_() % T::kVcs),
               out = static_cast<unsigned>(random_() % T::kVcs);
    set_bits(vcs, p * T::kVcWidth, T::kVcWidth, v);
    set_bits(outs, p * T::kVcWidth, T::kVcWidth, out);
    DqnHead& head = n_.heads[p][v];
    if (head.state != DqnHead::kAnswered || !chance(random_, s_.turn_percent)) continue;
    set_bits(valid, p, 1, 1);
    if ((T::kAdaptive >> out & 1) == 0) {
      result_.counts[kTurned] += head.accepted;
      if (head.track != 0) {
        DqnEntry& entry = n_.entries[head.track >> 3];
        if (entry.generation == (head.track >> 1 & 3)) entry.sample = false;
      }
    }
    head = {};
  }
  write_port(m.turn_valid_i, valid);
  write_port(m.turn_vc_i, vcs);
  write_port(m.turn_out_vc_i, outs);
  for (unsigned e = 0; e < T::kEntries; ++e) {
    if ((freed >> e & 1) == 0) continue;
    n_.entries[e].valid = n_.entries[e].sample = false;
    n_.entries[e].generation = (n_.entries[e].generation + 1) & 3;
  }
  // Words that come
  for (unsigned q = 0; q < n_.queues.size(); ++q) {
    const unsigned a = q % T::kLinks;
    std::optional<std::uint64_t> word = q < T::kLinks ? show.acks[a] : std::nullopt;
    if (q >= T::kLinks && show.arrived[a] && Naive::track(show.bits[a], a) != 0) {
      word = Naive::age(show.bits[a]) << T::kTrack | Naive::track(show.bits[a], a);
    }
    if (q >= T::kLinks && lost_ && lost_->first == a) word = lost_->second;
    if (!word) continue;
    if (full[q])
      ++result_.counts[kDropped];
    else
      n_.queues[q].push_back(*word);
  }
}

}  // namespace hopwise::test
