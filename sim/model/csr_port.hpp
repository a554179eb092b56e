// SPDX-License-Identifier: Apache-2.0
// The AXI4-Lite port of a router's CSR block: transfers while the network stands still, and writes
// that are queued while it runs. Part of verilated_bank.hpp.
#pragma once

#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>

namespace hopwise::model {
namespace {

/// Master of one port; `Pins` is the verilated class. A function that takes `clock` calls it for
/// each cycle that it needs: one rising edge of the router.
template <class Pins>
class CsrPort {
 public:
  explicit CsrPort(Pins& pins) : m_(&pins) {
    m_->s_bready_i = 1;
    m_->s_rready_i = 1;
  }

  /// Returns the AXI response (0: OKAY).
  template <class Clock>
  unsigned write(std::uint32_t address, std::uint32_t data, Clock&& clock) {
    ask_write({address, data});
    for (int wait = 0; wait < kLongest; ++wait) {
      sample();
      clock();
      settle();
      if (sampled_.answered) return sampled_.response;
    }
    throw std::runtime_error("the CSR block does not answer a write");
  }

  template <class Clock>
  unsigned read(std::uint32_t address, std::uint32_t& data, Clock&& clock) {
    m_->s_arvalid_i = 1;
    m_->s_araddr_i = static_cast<std::uint16_t>(address);
    for (int wait = 0; wait < kLongest; ++wait) {
      const bool ar = m_->s_arvalid_i && m_->s_arready_o, answered = m_->s_rvalid_o;
      const unsigned response = m_->s_rresp_o;
      data = m_->s_rdata_o;
      clock();
      if (ar) m_->s_arvalid_i = 0;
      if (answered) return response;
    }
    throw std::runtime_error("the CSR block does not answer a read");
  }

  void queue(std::uint32_t address, std::uint32_t data) { queued_.push_back({address, data}); }
  std::size_t queued() const { return queued_.size(); }  ///< not yet answered
  bool idle() const { return queued_.empty(); }

  /// A cycle in which the port works on the first queued write; it is not idle.
  template <class Clock>
  void work(Clock&& clock) {
    before_clock();
    clock();
    after_clock();
  }

  /// The same in two halves, for ports whose routers share a clock.
  void before_clock() {
    if (!working_) ask_write(queued_.front());
    working_ = true;
    sample();
  }
  void after_clock() {
    settle();
    if (!sampled_.answered) return;
    if (sampled_.response != 0)
      throw std::runtime_error("the CSR block refuses a write to " +
                               std::to_string(queued_.front().address));
    queued_.pop_front();
    working_ = false;
  }

 private:
  static constexpr int kLongest = 1000;  ///< cycles of a transfer
  struct Write {
    std::uint32_t address = 0, data = 0;
  };

  void ask_write(const Write& write) {
    m_->s_awvalid_i = 1;
    m_->s_awaddr_i = static_cast<std::uint16_t>(write.address);
    m_->s_wvalid_i = 1;
    m_->s_wdata_i = write.data;
    m_->s_wstrb_i = 0xf;
  }

  /// What the pins of a write say before the edge, and what follows from it after the edge.
  void sample() {
    sampled_ = {static_cast<bool>(m_->s_awvalid_i && m_->s_awready_o),
                static_cast<bool>(m_->s_wvalid_i && m_->s_wready_o),
                static_cast<bool>(m_->s_bvalid_o), m_->s_bresp_o};
  }
  void settle() {
    if (sampled_.aw) m_->s_awvalid_i = 0;
    if (sampled_.w) m_->s_wvalid_i = 0;
  }

  struct Sampled {
    bool aw = false, w = false, answered = false;
    unsigned response = 0;
  };
  Pins* m_;
  Sampled sampled_;
  std::deque<Write> queued_;  // the first is on its way, if it is worked on
  bool working_ = false;
};

}  // namespace
}  // namespace hopwise::model
