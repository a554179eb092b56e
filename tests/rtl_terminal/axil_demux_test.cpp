// SPDX-License-Identifier: Apache-2.0
// hw_axil_demux between a master and three memories, every channel with pauses of its own.
#include <array>
#include <map>
#include <optional>

#include "Vaxil_demux.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kSlaves = 3, kAddrBits = 8, kDecErr = 3;

class DemuxBench {
 public:
  DemuxBench(std::uint64_t seed, unsigned percent) : random_(seed), percent_(percent) {
    auto& m = bench_.model();
    m.s_awvalid_i = m.s_wvalid_i = m.s_bready_i = m.s_arvalid_i = m.s_rready_i = 0;
    m.m_awready_i = m.m_wready_i = m.m_bvalid_i = m.m_arready_i = m.m_rvalid_i = 0;
    m.m_bresp_i = m.m_rresp_i = 0;
    write_port(m.m_rdata_i, Words(3));
    bench_.reset();
  }

  void run(unsigned cycles) {
    for (unsigned n = 0; n < cycles && !testing::Test::HasFatalFailure(); ++n) cycle();
  }
  unsigned writes = 0, reads = 0, errors = 0;

 private:
  struct Write {
    unsigned address;
    std::uint32_t data;
    unsigned strobe;
    bool operator==(const Write&) const = default;
  };
  /// What a slave has taken of the transaction in hand, and its answer.
  struct Slave {
    std::optional<unsigned> aw, ar;
    std::optional<std::pair<std::uint32_t, unsigned>> w;
  };

  unsigned response_of(unsigned address) const { return address % 5 == 0 ? 2 : 0; }

  void cycle() {
    auto& m = bench_.model();
    // The master: one write and one read at a time; a valid stays until its ready.
    if (!write_ && chance(random_, percent_)) {
      write_ = Write{static_cast<unsigned>(random_() % (1U << (kAddrBits + 2))),
                     static_cast<std::uint32_t>(random_()), static_cast<unsigned>(random_() % 16)};
      aw_left_ = w_left_ = true;
    }
    if (!read_ && chance(random_, percent_)) {
      read_ = static_cast<unsigned>(random_() % (1U << (kAddrBits + 2)));
      ar_left_ = true;
    }
    m.s_awvalid_i =
        static_cast<std::uint8_t>(aw_left_ && (m.s_awvalid_i || chance(random_, percent_)));
    m.s_wvalid_i =
        static_cast<std::uint8_t>(w_left_ && (m.s_wvalid_i || chance(random_, percent_)));
    m.s_arvalid_i =
        static_cast<std::uint8_t>(ar_left_ && (m.s_arvalid_i || chance(random_, percent_)));
    if (write_) {
      m.s_awaddr_i = static_cast<std::uint16_t>(write_->address);
      m.s_wdata_i = write_->data;
      m.s_wstrb_i = static_cast<std::uint8_t>(write_->strobe);
    }
    if (read_) m.s_araddr_i = static_cast<std::uint16_t>(*read_);
    m.s_bready_i = chance(random_, percent_);
    m.s_rready_i = chance(random_, percent_);
    // The slaves answer a write when they have both halves, and keep an answer until it is taken.
    Words rdata(3);
    unsigned bvalid = 0, rvalid = 0, bresp = 0, rresp = 0;
    for (unsigned s = 0; s < kSlaves; ++s) {
      const Slave& slave = slaves_[s];
      if (slave.aw && slave.w && ((m.m_bvalid_i >> s & 1) != 0 || chance(random_, percent_))) {
        bvalid |= 1U << s;
        bresp |= response_of(*slave.aw) << (2 * s);
      }
      if (slave.ar && ((m.m_rvalid_i >> s & 1) != 0 || chance(random_, percent_))) {
        rvalid |= 1U << s;
        rresp |= response_of(*slave.ar) << (2 * s);
        rdata[s] = *slave.ar * 0x01010101U + s;
      }
    }
    m.m_awready_i = static_cast<std::uint8_t>(random_() & 7);
    m.m_wready_i = static_cast<std::uint8_t>(random_() & 7);
    m.m_arready_i = static_cast<std::uint8_t>(random_() & 7);
    m.m_bvalid_i = static_cast<std::uint8_t>(bvalid);
    m.m_rvalid_i = static_cast<std::uint8_t>(rvalid);
    m.m_bresp_i = static_cast<std::uint8_t>(bresp);
    m.m_rresp_i = static_cast<std::uint8_t>(rresp);
    write_port(m.m_rdata_i, rdata);
    bench_.settle();
    handshakes();
    bench_.edge();
    ASSERT_FALSE(bench_.failed());
  }

  void handshakes() {
    auto& m = bench_.model();
    for (unsigned s = 0; s < kSlaves; ++s) {
      Slave& slave = slaves_[s];
      if ((m.m_awvalid_o & m.m_awready_i) >> s & 1) {
        ASSERT_TRUE(write_ && write_->address >> kAddrBits == s && !slave.aw) << "slave " << s;
        slave.aw = m.m_awaddr_o;
        ASSERT_EQ(m.m_awaddr_o, write_->address & 0xff);
      }
      if ((m.m_wvalid_o & m.m_wready_i) >> s & 1) {
        ASSERT_TRUE(write_ && write_->address >> kAddrBits == s && !slave.w) << "slave " << s;
        slave.w = {m.m_wdata_o, m.m_wstrb_o};
        ASSERT_EQ(*slave.w, std::pair(write_->data, write_->strobe));
      }
      if ((m.m_arvalid_o & m.m_arready_i) >> s & 1) {
        ASSERT_TRUE(read_ && *read_ >> kAddrBits == s && !slave.ar) << "slave " << s;
        slave.ar = m.m_araddr_o;
        ASSERT_EQ(m.m_araddr_o, *read_ & 0xff);
      }
      if ((m.m_bvalid_i & m.m_bready_o) >> s & 1) {
        slave.aw.reset();
        slave.w.reset();
        ++answered_writes_;
      }
      if ((m.m_rvalid_i & m.m_rready_o) >> s & 1) {
        slave.ar.reset();
        ++answered_reads_;
      }
    }
    if (m.s_awvalid_i && m.s_awready_o) aw_left_ = false;
    if (m.s_wvalid_i && m.s_wready_o) w_left_ = false;
    if (m.s_arvalid_i && m.s_arready_o) ar_left_ = false;
    if (m.s_bvalid_o && m.s_bready_i) {
      ASSERT_TRUE(write_ && !aw_left_ && !w_left_) << "an answer to no write";
      const bool mapped = write_->address >> kAddrBits < kSlaves;
      ASSERT_EQ(m.s_bresp_o, mapped ? response_of(write_->address & 0xff) : kDecErr);
      ASSERT_EQ(answered_writes_, mapped ? 1U : 0U) << "slaves that took part";
      answered_writes_ = 0;
      errors += mapped ? 0 : 1;
      ++writes;
      write_.reset();
    }
    if (m.s_rvalid_o && m.s_rready_i) {
      ASSERT_TRUE(read_ && !ar_left_) << "an answer to no read";
      const unsigned s = *read_ >> kAddrBits;
      ASSERT_EQ(m.s_rresp_o, s < kSlaves ? response_of(*read_ & 0xff) : kDecErr);
      ASSERT_EQ(m.s_rdata_o, s < kSlaves ? (*read_ & 0xff) * 0x01010101U + s : 0);
      ASSERT_EQ(answered_reads_, s < kSlaves ? 1U : 0U);
      answered_reads_ = 0;
      errors += s < kSlaves ? 0 : 1;
      ++reads;
      read_.reset();
    }
  }

  Bench<Vaxil_demux> bench_;
  std::mt19937_64 random_;
  unsigned percent_;
  std::optional<Write> write_;
  std::optional<unsigned> read_;
  bool aw_left_ = false, w_left_ = false, ar_left_ = false;
  std::array<Slave, kSlaves> slaves_;
  unsigned answered_writes_ = 0, answered_reads_ = 0;
};

TEST(AxilDemux, EveryAccessReachesItsSlaveOnceAndAddressesBeyondGetDecErr) {
  for (unsigned percent : {20U, 60U, 100U}) {
    DemuxBench bench(percent, percent);
    bench.run(20000);
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << percent << " %";
    EXPECT_GT(bench.writes, 500U);
    EXPECT_GT(bench.reads, 500U);
    EXPECT_GT(bench.errors, 200U);
  }
}

}  // namespace
}  // namespace hopwise::test
