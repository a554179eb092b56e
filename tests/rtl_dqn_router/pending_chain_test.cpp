// SPDX-License-Identifier: Apache-2.0
// A row of hw_dqn_pending tables with delayed wires between them: packets wander to and fro, their
// acknowledges find the way back, and what every router learns of them is true. Where words are
// lost, nothing waits for them for long.
#include <array>
#include <cstdio>
#include <deque>
#include <map>

#include "../rtl_common/bench.hpp"
#include "Vpending_row.h"
#include "Vpending_row_blind.h"
#include "Vpending_row_few.h"

namespace hopwise::test {
namespace {

// ports: to the right, to the left, terminal
constexpr unsigned kNodes = 4, kPorts = 3, kVcs = 3, kTickBits = 9;

struct RowSettings {
  unsigned entries = 64, entry_bits = 6, load_percent = 1, max_hops = 12, escape_percent = 10,
           cycles = 20000, wire = 7;
};

struct RowResult {
  std::uint64_t samples = 0, rewards = 0, turned = 0, wrong = 0, full = 0, drops = 0, expired = 0,
                stale = 0, alone = 0;
  bool idle = true;
};

template <class Model>
class Row {
 public:
  Row(const RowSettings& settings, std::uint64_t seed) : s_(settings), random_(seed) {
    for (auto& node : nodes_) {
      auto& m = node.table.model();
      m.make_valid_i = m.turn_valid_i = m.arrived_i = 0;
      write_port(m.ack_i, Words(2));
      m.now_i = 1;
      node.table.reset();
    }
  }

  /// Models take leave of the thread's present context, which must outlive them all.
  ~Row() { Verilated::threadContextp(&context_); }
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

  RowResult run() {
    for (unsigned n = 0; n < s_.cycles; ++n) cycle(chance(random_, s_.load_percent));
    for (unsigned n = 0; n < 5000 + (4U << kTickBits); ++n) cycle(false);
    result_.alone = 0;
    for (auto& node : nodes_) {
      result_.idle = result_.idle && node.table->idle_o != 0;
      result_.alone += node.samples.size();
    }
    return result_;
  }

 private:
  struct Packet {
    std::uint64_t track = 0, age = 0, due = 0;  // due: cycle in which its head is at the input
    unsigned hops = 0;
    bool escaped = false;
    std::uint64_t number = 0;
  };
  /// A packet that waits at the head of an input VC, answered or not.
  struct Head {
    std::deque<Packet> packets;
    bool answered = false, accepted = false;
    std::uint64_t key = 0;  // its entry here; 0: none
  };
  struct Sample {
    std::uint64_t age = 0, distance = 0, number = 0;
  };
  struct Node {
    Bench<Model> table;
    std::array<std::array<Head, kVcs>, kPorts> heads{};
    std::map<std::uint64_t, Sample> samples{};  // by track
    // on the wires: due, word
    std::array<std::deque<std::pair<std::uint64_t, std::uint64_t>>, 2> acks{};
  };

  unsigned track_bits() const { return 3 + s_.entry_bits; }
  unsigned ack_bits() const { return 17 + track_bits(); }

  void cycle(bool inject) {
    ++now_;
    if (inject) {
      const auto hops = 1 + static_cast<unsigned>(random_() % s_.max_hops);
      nodes_[random_() % kNodes].heads[2][random_() % kVcs].packets.push_back(
          {0, random_() & 0xffff, now_, hops, false, now_});
    }
    std::vector<std::tuple<unsigned, unsigned, unsigned, Packet>> moved;
    for (unsigned i = 0; i < kNodes; ++i) step(i, moved);
    for (const auto& [node, in_port, vc, packet] : moved)
      nodes_[node].heads[in_port][vc].packets.push_back(packet);
    for (unsigned i = 0; i < kNodes; ++i) listen(i);
    for (auto& node : nodes_) {
      result_.full += node.table->full_o;
      result_.drops += node.table->drops_o;
      result_.expired += node.table->expired_o;
      result_.stale += node.table->stale_o;
      result_.turned += node.table->turned_o;
      node.table.edge();
      if (node.table.failed()) ++result_.wrong;
    }
  }

  void step(unsigned i, std::vector<std::tuple<unsigned, unsigned, unsigned, Packet>>& moved) {
    Node& node = nodes_[i];
    auto& m = node.table.model();
    m.now_i = now_;
    m.make_valid_i = m.turn_valid_i = m.arrived_i = 0;
    m.turn_vc_i = m.turn_out_vc_i = 0;
    Words arrived_track(2), arrived_age(1), acks(2);
    for (unsigned a = 0; a < 2; ++a) {
      if (node.acks[a].empty() || node.acks[a].front().first > now_) continue;
      set_bits(acks, a * ack_bits(), ack_bits(), node.acks[a].front().second);
      node.acks[a].pop_front();
    }
    bool made = false;
    for (unsigned p = 0; p < kPorts; ++p) {
      const auto vc = static_cast<unsigned>(random_() % kVcs);
      Head& h = node.heads[p][vc];
      if (h.packets.empty() || h.packets.front().due > now_) continue;
      Packet& packet = h.packets.front();
      const std::uint64_t up = p < 2 ? packet.track : 0;
      if (packet.hops == 0) {  // it ends here
        m.arrived_i |= static_cast<unsigned char>(p < 2 ? 1U << p : 0U);
        if (p < 2) {
          set_bits(arrived_track, p * track_bits(), track_bits(), packet.track);
          set_bits(arrived_age, p * 16, 16, packet.age);
          finish(packet);
        }
        h.packets.pop_front();
      } else if (!h.answered && !made) {
        made = h.answered = true;
        h.accepted = !packet.escaped && chance(random_, 85);
        const auto distance = random_() % 9;
        m.make_valid_i = 1;
        m.make_wanted_i = (up & 1) != 0 || (p == 2 && h.accepted);
        m.make_accepted_i = h.accepted;
        m.make_port_i = static_cast<unsigned char>(p);
        m.make_vc_i = static_cast<unsigned char>(vc);
        m.make_up_i = static_cast<std::remove_reference_t<decltype(m.make_up_i)>>(up);
        m.make_distance_i = static_cast<unsigned char>(distance);
        m.make_age_i = static_cast<unsigned short>(packet.age);
        node.table.settle();
        packet.track = m.made_track_o;
        h.key = packet.track;
        if (packet.track != 0 && h.accepted) {
          node.samples[packet.track] = {packet.age, distance, packet.number};
          ++result_.samples;
        }
      } else if (h.answered && chance(random_, 50)) {  // it leaves, right or left
        const bool adaptive = h.accepted && !chance(random_, s_.escape_percent);
        if (!adaptive && h.accepted && h.key != 0) {
          node.samples.erase(h.key);
          --result_.samples;
        }
        m.turn_valid_i |= static_cast<unsigned char>(1U << p);
        m.turn_vc_i |= static_cast<unsigned char>(vc << (2 * p));
        m.turn_out_vc_i |= static_cast<unsigned char>((adaptive ? 2U : vc % 2) << (2 * p));
        const bool right = i == 0 || (i + 1 < kNodes && chance(random_, 50));
        Packet next = packet;
        const unsigned took = 1 + static_cast<unsigned>(random_() % 20);
        next.due = now_ + took;
        next.age = (packet.age + took + 3) & 0xffff;
        next.escaped = packet.escaped || !adaptive;
        --next.hops;
        moved.push_back({right ? i + 1 : i - 1, right ? 1U : 0U, adaptive ? 2U : vc % 2, next});
        h.packets.pop_front();
        h.answered = false;
      }
    }
    write_port(m.arrived_track_i, words(arrived_track, 2 * track_bits()));
    write_port(m.arrived_age_i, arrived_age);
    write_port(m.ack_i, words(acks, 2 * ack_bits()));
    node.table.settle();
  }

  static Words words(Words w, unsigned bits) {
    w.resize((bits + 31) / 32);
    return w;
  }
  /// The age at which a packet ends is that of its rewards.
  void finish(const Packet& packet) { ends_[packet.number] = packet.age; }

  void listen(unsigned i) {
    Node& node = nodes_[i];
    const Words out = read_port(node.table->ack_o, 2 * ack_bits());
    for (unsigned a = 0; a < 2; ++a) {
      const std::uint64_t word = get_bits(out, a * ack_bits(), ack_bits());
      if ((word & 1) == 0) continue;
      // Packets that came in by port 0 came from the right, out of that node's port 1.
      const bool exists = a == 0 ? i + 1 < kNodes : i > 0;
      if (!exists) {
        ++result_.wrong;
        continue;
      }
      nodes_[a == 0 ? i + 1 : i - 1].acks[a == 0 ? 1 : 0].push_back({now_ + s_.wire, word});
    }
    const unsigned bits = 27 + s_.entry_bits;
    const Words reward = read_port(node.table->reward_o, bits);
    if ((reward[0] & 1) == 0) return;
    ++result_.rewards;
    const std::uint64_t key =
        get_bits(reward, 1, s_.entry_bits) << 3 | get_bits(reward, 1 + s_.entry_bits, 2) << 1 | 1;
    const auto sample = node.samples.find(key);
    if (sample == node.samples.end()) {
      ++result_.wrong;
      return;
    }
    if (get_bits(reward, 3 + s_.entry_bits, 8) != sample->second.distance) ++result_.wrong;
    const auto end = ends_.find(sample->second.number);
    const std::uint64_t told =
        (get_bits(reward, 11 + s_.entry_bits, 16) + sample->second.age) & 0xffff;
    if (end == ends_.end() || end->second != told) ++result_.wrong;
    node.samples.erase(sample);
  }

  RowSettings s_;
  std::mt19937_64 random_;
  VerilatedContext context_;
  std::array<Node, kNodes> nodes_{};
  std::uint64_t now_ = 1;
  std::map<std::uint64_t, std::uint64_t> ends_;  // [packet]
  RowResult result_;
};

TEST(PendingRow, EveryPacketThatStaysOnAdaptiveVcsIsLearntOfInEveryRouterItPassed) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const RowResult r = Row<Vpending_row>(RowSettings{}, seed).run();
    EXPECT_EQ(r.wrong, 0U);
    EXPECT_TRUE(r.idle);
    EXPECT_EQ(r.full + r.drops + r.expired + r.stale, 0U);
    EXPECT_EQ(r.rewards, r.samples);
    EXPECT_EQ(r.alone, 0U);
    EXPECT_GT(r.rewards, 200U);
    EXPECT_GT(r.turned, 20U);
  }
}

TEST(PendingRow, WhereEntriesAndWordsAreLostNothingStaysForLongAndWhatIsLearntIsTrue) {
  RowSettings s;
  s.entries = 4;
  s.entry_bits = 2;
  s.load_percent = 8;
  s.max_hops = 6;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const RowResult r = Row<Vpending_row_few>(s, seed).run();
    EXPECT_EQ(r.wrong, 0U);
    EXPECT_TRUE(r.idle);
    EXPECT_GT(r.full, 500U);
    // a word that says so frees the entries of a packet that goes on untracked
    EXPECT_GT(r.rewards, r.samples / 2);
    EXPECT_EQ(r.expired, 0U);
    EXPECT_LT(r.rewards, r.samples);
  }
}

TEST(PendingRow, ATurnToTheEscapeThatIsNotSeenIsNoticed) {
  EXPECT_GT(Row<Vpending_row_blind>(RowSettings{}, 1).run().wrong, 0U);
}

}  // namespace
}  // namespace hopwise::test
