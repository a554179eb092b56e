// SPDX-License-Identifier: Apache-2.0
// The memory of a host behind AXI4: random pauses on every channel, errors by address, and a record
// of every byte that is written.
#pragma once

#include <array>
#include <deque>
#include <unordered_map>

#include "bench.hpp"

namespace hopwise::test {

inline constexpr unsigned kFlitBytes = 16;

class Memory {
 public:
  explicit Memory(std::uint64_t seed) : random_(seed) {}

  unsigned pause_percent = 0;  ///< of each channel, each cycle
  unsigned latency = 5;        ///< cycles from AR to R, and from the last W to B
  bool in_order = false;       ///< R across ids, too: a burst that is not taken holds up all others
  /// Addresses from here on answer with an error.
  std::uint64_t bad_from = std::uint64_t{1} << 39;

  /// What a byte holds before it is written.
  static std::uint8_t original(unsigned terminal, std::uint64_t address) {
    std::uint64_t x = (address + 0x9e3779b97f4a7c15 * (terminal + 1)) * 0xbf58476d1ce4e5b9;
    return static_cast<std::uint8_t>(x >> 29 ^ x >> 47);
  }
  unsigned terminal = 0;
  bool anywhere = false;  ///< whatever is written is counted only
  bool again = false;     ///< a byte may be written more than once, the same each time

  /// Bytes that may be written, each once: what it is then.
  std::unordered_map<std::uint64_t, std::uint8_t> allowed;

  template <class Model>
  void before_edge(Model& m) {
    if (m.m_axi_arvalid_o != 0 && m.m_axi_arready_i != 0) {
      const unsigned beats = m.m_axi_arlen_o + 1U;
      EXPECT_LE(m.m_axi_araddr_o % 4096 + beats * kFlitBytes, 4096U) << "a burst crosses 4 KiB";
      EXPECT_EQ(m.m_axi_araddr_o % kFlitBytes, 0U);
      reads_.push_back({m.m_axi_arid_o, m.m_axi_araddr_o, beats, now_ + latency});
    }
    if (m.m_axi_rvalid_i != 0 && m.m_axi_rready_o != 0) {
      Burst& burst = reads_[reading_];
      burst.address += kFlitBytes;
      if (--burst.beats == 0) reads_.erase(reads_.begin() + static_cast<std::ptrdiff_t>(reading_));
      offered_ = false;
    }
    if (m.m_axi_awvalid_o != 0 && m.m_axi_awready_i != 0) {
      const unsigned beats = m.m_axi_awlen_o + 1U;
      EXPECT_LE(m.m_axi_awaddr_o % 4096 + beats * kFlitBytes, 4096U) << "a burst crosses 4 KiB";
      addresses_.push_back({m.m_axi_awid_o, m.m_axi_awaddr_o, beats, 0});
    }
    if (m.m_axi_wvalid_o != 0 && m.m_axi_wready_i != 0)
      words_.push_back({read_port(m.m_axi_wdata_o, 128), m.m_axi_wstrb_o, m.m_axi_wlast_o != 0});
    if (m.m_axi_bvalid_i != 0 && m.m_axi_bready_o != 0) answers_.pop_front();
    write();
    ++now_;
  }

  template <class Model>
  void after_edge(Model& m) {
    m.m_axi_arready_i = !pauses();
    m.m_axi_awready_i = !pauses();
    m.m_axi_wready_i = !pauses();
    if (!offered_ && !pauses()) choose();
    m.m_axi_rvalid_i = offered_;
    if (offered_) {
      const Burst& burst = reads_[reading_];
      Words data(4);
      for (unsigned i = 0; i < kFlitBytes; ++i)
        set_bits(data, 8 * i, 8, original(terminal, burst.address + i));
      write_port(m.m_axi_rdata_i, data);
      m.m_axi_rid_i = burst.id & 3U;
      m.m_axi_rresp_i = burst.address >= bad_from ? 2 : 0;
      m.m_axi_rlast_i = burst.beats == 1;
    }
    const bool answers = !answers_.empty() && answers_.front().due <= now_;
    if (m.m_axi_bvalid_i == 0 || !answers) m.m_axi_bvalid_i = answers && !pauses();
    if (answers) {
      m.m_axi_bid_i = answers_.front().id & 3U;
      m.m_axi_bresp_i = answers_.front().address >= bad_from ? 2 : 0;
    }
  }

  std::uint64_t bytes_written = 0;

 private:
  struct Burst {
    unsigned id;
    std::uint64_t address;
    unsigned beats;
    std::uint64_t due;
  };
  struct Word {
    Words data;
    std::uint64_t strobe;
    bool last;
  };

  bool pauses() { return chance(random_, pause_percent); }

  /// The oldest burst of an id, whose turn is random.
  void choose() {
    for (std::size_t i = 0; i < reads_.size(); ++i) {
      bool first = true;
      for (std::size_t j = 0; j < i; ++j) first = first && reads_[j].id != reads_[i].id;
      if (in_order && i > 0) return;
      if (!first || reads_[i].due > now_) continue;
      if (pause_percent > 0 && i + 1 < reads_.size() && !in_order && chance(random_, 50)) continue;
      reading_ = i;
      offered_ = true;
      return;
    }
  }

  void write() {
    while (!addresses_.empty() && !words_.empty()) {
      Burst& burst = addresses_.front();
      const Word& word = words_.front();
      EXPECT_EQ(word.last, burst.beats == 1);
      EXPECT_NE(word.strobe, 0U);
      for (unsigned i = 0; i < kFlitBytes; ++i) {
        if ((word.strobe >> i & 1) == 0) continue;
        if (burst.address >= bad_from) continue;
        if (anywhere) {
          ++bytes_written;
          continue;
        }
        const auto byte = allowed.find(burst.address + i);
        ASSERT_NE(byte, allowed.end()) << "terminal " << terminal << " writes " << burst.address + i
                                       << ", which nobody may or twice";
        ASSERT_EQ(get_bits(word.data, 8 * i, 8), byte->second) << burst.address + i;
        if (!again) allowed.erase(byte);
        ++bytes_written;
      }
      burst.address += kFlitBytes;
      words_.pop_front();
      if (--burst.beats == 0) {
        answers_.push_back({burst.id, burst.address - kFlitBytes, 0, now_ + latency});
        addresses_.pop_front();
      }
    }
  }

  std::mt19937_64 random_;
  std::uint64_t now_ = 0;
  std::deque<Burst> reads_, addresses_, answers_;
  std::deque<Word> words_;
  std::size_t reading_ = 0;
  bool offered_ = false;
};

}  // namespace hopwise::test
