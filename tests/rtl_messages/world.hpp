// SPDX-License-Identifier: Apache-2.0
// Message terminals joined by a network that delays and reorders packets, with a memory and a host
// each.
#pragma once

#include <deque>
#include <map>

#include "memory.hpp"

namespace hopwise::test {

/// As tests/rtl_messages/CMakeLists.txt has them.
struct Format {
  static constexpr unsigned kDst = 3, kSrcLsb = 6, kMessage = 11, kWindow = 5, kKey = 8,
                            kOffset = 20, kTag = 16, kAddress = 40, kId = 6, kModeLsb = 60;
  static constexpr unsigned kMarkLsb = 11, kNoteLsb = 12;  // with congestion control
  static constexpr unsigned kTicketLsb = kMessage + 3 + 7;
  static constexpr unsigned kDescriptor = kDst + 38 + kAddress + kWindow + kKey + kOffset + kTag;
};

struct Descriptor {
  unsigned dst = 0;
  bool get = false;
  unsigned mode = 0;
  std::uint32_t bytes = 0;
  std::uint64_t local = 0;
  unsigned window = 0, key = 0;
  std::uint32_t offset = 0;
  unsigned tag = 0;
  bool automatic = false;

  Words words() const {
    Words w((Format::kDescriptor + 31) / 32);
    unsigned lsb = 0;
    const auto put = [&](unsigned bits, std::uint64_t value) {
      set_bits(w, lsb, bits, value);
      lsb += bits;
    };
    put(Format::kDst, dst), put(1, get), put(3, mode), put(1, automatic), put(1, 0), put(32, bytes);
    put(Format::kAddress, local), put(Format::kWindow, window), put(Format::kKey, key);
    put(Format::kOffset, offset), put(Format::kTag, tag);
    return w;
  }
};

struct Window {
  unsigned index = 0;
  bool open = true, write = false, read = false;
  unsigned key = 0;
  std::uint64_t base = 0;
  std::uint32_t size = 0, expect = 0;

  Words words() const {
    Words w(4);
    unsigned lsb = 0;
    const auto put = [&](unsigned bits, std::uint64_t value) {
      set_bits(w, lsb, bits, value);
      lsb += bits;
    };
    put(1, open), put(1, write), put(1, read), put(Format::kKey, key);
    put(Format::kAddress, base), put(32, size), put(32, expect);
    return w;
  }
};

struct Completion {
  unsigned tag, status;
  std::uint32_t bytes;
  std::uint64_t cycle;
};

struct Network {
  unsigned latency = 10;        ///< cycles from the last flit of a packet to its first at the end
  unsigned spread = 0;          ///< of which so many are random
  unsigned places = 1000;       ///< packets of a class to a terminal that are under way
  unsigned lose_responses = 0;  ///< of a hundred
  unsigned twice = 0;           ///< of a hundred requests, those that come a second time
  bool keeps_requests = false;  ///< until World::release
  unsigned credit_pause = 0;    ///< percent
  unsigned marked = 0;          ///< of a hundred packets; with congestion control
  unsigned hot = ~0U;           ///< terminal packets to which are marked
};

/// `kEject`: flits that a terminal takes of each class, as its model has them.
template <class Model, unsigned kEject = 12>
class World {
 public:
  static constexpr unsigned kClasses = 2;

  World(unsigned terminals, std::uint64_t seed) : random_(seed) {
    for (unsigned t = 0; t < terminals; ++t) {
      nodes_.push_back(std::make_unique<Node>(seed * 100 + t));
      Node& n = *nodes_.back();
      n.memory.terminal = t;
      Model& m = n.bench.model();
      m.src_i = t & 7U;
      if constexpr (requires { m.timeout_i; }) {
        m.timeout_i = 0;
        m.sel_threshold_i = 4096;
        m.sel_lambda_i = 19, m.sel_sigma_i = 80, m.sel_max_age_i = 5;
      }
      m.congestion_i = 0;
      m.ctr_clear_i = m.ctr_freeze_i = 0;
      m.desc_valid_i = m.win_valid_i = m.cpl_ready_i = m.evt_ready_i = 0;
      m.inj_credit_valid_i = m.ej_valid_i = 0;
      m.inj_credit_vc_i = m.ej_vc_i = 0;
      m.m_axi_arready_i = m.m_axi_rvalid_i = m.m_axi_awready_i = m.m_axi_wready_i = 0;
      m.m_axi_bvalid_i = 0;
      if constexpr (requires { m.msg_awvalid_i; })
        m.msg_awvalid_i = m.msg_wvalid_i = m.msg_arvalid_i = m.msg_bready_i = m.msg_rready_i = 0;
      n.bench.reset();
    }
  }

  Network network;
  unsigned host_pause = 0;  ///< percent of the cycles in which a host does not take or give

  struct Node {
    explicit Node(std::uint64_t seed) : memory(seed) {}
    Bench<Model> bench;
    Memory memory;
    std::deque<Descriptor> descriptors;
    std::deque<Window> windows;
    std::vector<Completion> completions;
    std::vector<unsigned> events;
    bool gave_descriptor = false, gave_window = false;
    // network
    std::array<std::deque<Words>, kClasses> leaving;
    std::array<unsigned, kClasses> owed{}, room{kEject, kEject};
    struct Packet {
      std::uint64_t due;
      std::deque<Words> flits;
    };
    std::array<std::vector<Packet>, kClasses> coming;
    std::array<std::deque<Words>, kClasses> arriving;
    std::array<bool, kClasses> fresh{};
    std::array<unsigned, kClasses> under_way{};
    std::array<std::deque<Packet>, kClasses> held;  ///< whole, without a place at their ends
    std::array<std::uint64_t, kClasses> flits_sent{};
  };

  Node& node(unsigned t) { return *nodes_[t]; }
  std::uint64_t cycle() const { return cycle_; }
  std::uint64_t counter(unsigned t, unsigned c) {
    return get_bits(read_port(node(t).bench->counters_o, 15 * 64), 64 * c, 64);
  }
  bool quiescent() {
    for (auto& n : nodes_)
      if (n->bench->quiescent_o == 0) return false;
    return true;
  }

  void step() {
    for (auto& n : nodes_) n->bench.settle();
    for (auto& n : nodes_)
      host_before(*n), channel_before(*n), n->memory.before_edge(n->bench.model());
    for (auto& n : nodes_) n->bench.edge();
    ++cycle_;
    for (auto& n : nodes_) ASSERT_FALSE(n->bench.failed()) << "an assertion of the RTL";
    for (auto& n : nodes_)
      host_after(*n), channel_after(*n), n->memory.after_edge(n->bench.model());
  }
  /// Requests that the network keeps go on.
  void release() {
    for (auto& n : nodes_)
      for (auto& packet : n->coming[0]) packet.due = std::min(packet.due, cycle_);
  }
  /// Until `done`, at most so many cycles.
  template <class Done>
  bool run(std::uint64_t cycles, Done done) {
    for (std::uint64_t i = 0; i < cycles && !testing::Test::HasFatalFailure(); ++i) {
      if (done()) return true;
      step();
    }
    return done();
  }
  std::size_t completions() const {
    std::size_t all = 0;
    for (auto& n : nodes_) all += n->completions.size();
    return all;
  }

 private:
  bool host_pauses() { return chance(random_, host_pause); }

  void host_before(Node& n) {
    Model& m = n.bench.model();
    if (m.desc_valid_i != 0 && m.desc_ready_o != 0) {
      n.descriptors.pop_front();
      n.gave_descriptor = true;
    }
    if (m.win_valid_i != 0 && m.win_ready_o != 0) {
      n.windows.pop_front();
      n.gave_window = true;
    }
    if (m.cpl_valid_o != 0 && m.cpl_ready_i != 0) {
      const Words w = read_port(m.cpl_o, Format::kTag + 38);
      n.completions.push_back({static_cast<unsigned>(get_bits(w, 0, 16)),
                               static_cast<unsigned>(get_bits(w, 16, 3)),
                               static_cast<std::uint32_t>(get_bits(w, 19, 32)), cycle_});
    }
    if (m.evt_valid_o != 0 && m.evt_ready_i != 0) n.events.push_back(m.evt_o);
  }
  void host_after(Node& n) {
    Model& m = n.bench.model();
    if (n.gave_descriptor) m.desc_valid_i = 0;
    if (n.gave_window) m.win_valid_i = 0;
    n.gave_descriptor = n.gave_window = false;
    if (m.desc_valid_i == 0 && !n.descriptors.empty() && !host_pauses()) {
      m.desc_valid_i = 1;
      write_port(m.desc_i, n.descriptors.front().words());
    }
    if (m.win_valid_i == 0 && !n.windows.empty() && !host_pauses()) {
      m.win_valid_i = 1;
      m.win_index_i = n.windows.front().index & 31U;
      write_port(m.win_i, n.windows.front().words());
    }
    m.cpl_ready_i = !host_pauses();
    m.evt_ready_i = !host_pauses();
  }

  void channel_before(Node& n) {
    Model& m = n.bench.model();
    if (m.inj_valid_o != 0) {
      const unsigned c = m.inj_vc_o;
      ++n.flits_sent[c];
      n.leaving[c].push_back(read_port(m.inj_data_o, 128));
      if (m.inj_tail_o != 0) {
        n.held[c].push_back({0, std::move(n.leaving[c])});
        n.leaving[c].clear();
      }
    }
    for (unsigned c = 0; c < kClasses; ++c) forward(n, c);
    if (m.ej_credit_valid_o != 0) ++n.room[m.ej_credit_vc_o];
  }

  /// Whole packets go on to their ends when these have a place; then their credits come back.
  void forward(Node& n, unsigned c) {
    while (!n.held[c].empty()) {
      auto& packet = n.held[c].front();
      Node& to = node(static_cast<unsigned>(get_bits(packet.flits.front(), 0, Format::kDst)));
      if (to.under_way[c] >= network.places) return;
      n.owed[c] += static_cast<unsigned>(packet.flits.size());
      mark(packet.flits.front());
      if (!(c == 1 && chance(random_, network.lose_responses))) {
        ++to.under_way[c];
        packet.due =
            cycle_ + network.latency + (network.spread > 0 ? random_() % network.spread : 0);
        if (c == 0 && network.keeps_requests) packet.due = ~std::uint64_t{0};
        if (c == 0 && chance(random_, network.twice)) {
          ++to.under_way[c];
          to.coming[c].push_back(packet);
          to.coming[c].back().due += random_() % 200;
        }
        to.coming[c].push_back(std::move(packet));
      }
      n.held[c].pop_front();
    }
  }

  void mark(Words& head) {
    if (network.marked == 0 && network.hot == ~0U) return;
    if (get_bits(head, Format::kNoteLsb, 1) != 0) return;
    if (get_bits(head, 0, Format::kDst) == network.hot || chance(random_, network.marked))
      set_bits(head, Format::kMarkLsb, 1, 1);
  }

  void channel_after(Node& n) {
    Model& m = n.bench.model();
    m.inj_credit_valid_i = 0;
    for (unsigned i = 0; i < kClasses; ++i) {
      const unsigned c = (cycle_ + i) % kClasses;
      if (n.owed[c] == 0 || m.inj_credit_valid_i != 0 || chance(random_, network.credit_pause))
        continue;
      --n.owed[c];
      m.inj_credit_valid_i = 1;
      m.inj_credit_vc_i = c & 1U;
    }
    m.ej_valid_i = 0;
    for (unsigned i = 0; i < kClasses && m.ej_valid_i == 0; ++i) {
      const unsigned c = (cycle_ + i) % kClasses;
      bool head = false;
      if (n.arriving[c].empty()) {
        for (std::size_t k = 0; k < n.coming[c].size(); ++k) {
          if (n.coming[c][k].due > cycle_) continue;
          n.arriving[c] = std::move(n.coming[c][k].flits);
          n.coming[c].erase(n.coming[c].begin() + static_cast<std::ptrdiff_t>(k));
          n.fresh[c] = true;
          break;
        }
      }
      if (n.arriving[c].empty() || n.room[c] == 0) continue;
      head = n.fresh[c];
      n.fresh[c] = false;
      --n.room[c];
      m.ej_valid_i = 1;
      m.ej_vc_i = c & 1U;
      m.ej_head_i = head;
      write_port(m.ej_data_i, n.arriving[c].front());
      n.arriving[c].pop_front();
      m.ej_tail_i = n.arriving[c].empty();
      if (n.arriving[c].empty()) --n.under_way[c];
    }
  }

  std::mt19937_64 random_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::uint64_t cycle_ = 0;
};

}  // namespace hopwise::test
