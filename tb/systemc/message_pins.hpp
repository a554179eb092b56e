// SPDX-License-Identifier: Apache-2.0
// The pins of the message interfaces of a network's top, and the words on them
// (docs/reference/messages.md).
#pragma once

#include <cstdint>

#include "network_pkg.hpp"
#include "pins.hpp"

namespace hopwise::tb {

inline constexpr unsigned kAddressBits = 40, kKeyBits = 8, kOffsetBits = 20, kTagBits = 16,
                          kFlitBytes = network::kFlitBits / 8, kCounterBits = 15 * 64,
                          kDescBits = network::kDstBits + 38 + kAddressBits + network::kWindowBits +
                                      kKeyBits + kOffsetBits + kTagBits,
                          kCplBits = kTagBits + 38, kWinBits = 3 + kKeyBits + kAddressBits + 64;

/// Name, bits of one terminal.
#define HOPWISE_MESSAGE_INPUTS(PIN)      \
  PIN(desc_valid_i, 1)                   \
  PIN(desc_i, kDescBits)                 \
  PIN(cpl_ready_i, 1)                    \
  PIN(evt_ready_i, 1)                    \
  PIN(win_valid_i, 1)                    \
  PIN(win_index_i, network::kWindowBits) \
  PIN(win_i, kWinBits)                   \
  PIN(m_axi_arready_i, 1)                \
  PIN(m_axi_rid_i, 2)                    \
  PIN(m_axi_rdata_i, network::kFlitBits) \
  PIN(m_axi_rresp_i, 2)                  \
  PIN(m_axi_rlast_i, 1)                  \
  PIN(m_axi_rvalid_i, 1)                 \
  PIN(m_axi_awready_i, 1)                \
  PIN(m_axi_wready_i, 1)                 \
  PIN(m_axi_bid_i, 2)                    \
  PIN(m_axi_bresp_i, 2)                  \
  PIN(m_axi_bvalid_i, 1)                 \
  PIN(ctr_clear_i, 1)                    \
  PIN(ctr_freeze_i, 1)
#define HOPWISE_MESSAGE_OUTPUTS(PIN)     \
  PIN(desc_ready_o, 1)                   \
  PIN(cpl_valid_o, 1)                    \
  PIN(cpl_o, kCplBits)                   \
  PIN(evt_valid_o, 1)                    \
  PIN(evt_o, network::kWindowBits)       \
  PIN(win_ready_o, 1)                    \
  PIN(m_axi_arid_o, 2)                   \
  PIN(m_axi_araddr_o, kAddressBits)      \
  PIN(m_axi_arlen_o, 8)                  \
  PIN(m_axi_arvalid_o, 1)                \
  PIN(m_axi_rready_o, 1)                 \
  PIN(m_axi_awid_o, 2)                   \
  PIN(m_axi_awaddr_o, kAddressBits)      \
  PIN(m_axi_awlen_o, 8)                  \
  PIN(m_axi_awvalid_o, 1)                \
  PIN(m_axi_wdata_o, network::kFlitBits) \
  PIN(m_axi_wstrb_o, kFlitBytes)         \
  PIN(m_axi_wlast_o, 1)                  \
  PIN(m_axi_wvalid_o, 1)                 \
  PIN(m_axi_bready_o, 1)                 \
  PIN(nic_counters_o, kCounterBits)      \
  PIN(ni_error_o, 2)

struct MessagePins {
  template <unsigned Bits>
  using Of = Bundle<network::kNumTerminals, Bits>;
#define HOPWISE_PIN(name, bits) Of<bits> name{#name, Of<bits>::Direction::kIntoTop};
  HOPWISE_MESSAGE_INPUTS(HOPWISE_PIN)
#undef HOPWISE_PIN
#define HOPWISE_PIN(name, bits) Of<bits> name{#name, Of<bits>::Direction::kOutOfTop};
  HOPWISE_MESSAGE_OUTPUTS(HOPWISE_PIN)
#undef HOPWISE_PIN

  template <class Top>
  void connect(Top& top) {
#define HOPWISE_PIN(name, bits) top.name(name.pin);
    HOPWISE_MESSAGE_INPUTS(HOPWISE_PIN)
    HOPWISE_MESSAGE_OUTPUTS(HOPWISE_PIN)
#undef HOPWISE_PIN
  }
};

/// Puts fields side by side, from bit 0 up.
template <unsigned Bits>
class Fields {
 public:
  Fields& put(unsigned bits, std::uint64_t value) {
    word_.range(static_cast<int>(at_ + bits - 1), static_cast<int>(at_)) =
        sc_dt::sc_uint<64>(value);
    at_ += bits;
    return *this;
  }
  const sc_dt::sc_bv<Bits>& word() const { return word_; }

 private:
  sc_dt::sc_bv<Bits> word_;
  unsigned at_ = 0;
};

template <int Bits>
std::uint64_t field(const sc_dt::sc_bv<Bits>& word, unsigned lsb, unsigned bits) {
  return word.range(static_cast<int>(lsb + bits - 1), static_cast<int>(lsb)).to_uint64();
}

}  // namespace hopwise::tb
