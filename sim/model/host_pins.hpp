// SPDX-License-Identifier: Apache-2.0
// The pins between a message interface and its host, as a model of terminals has them: in two
// vectors, each pin in words of its own, whatever its width in a network is. Both sides are
// registers: what the interface drives does not depend on what the host drives in the same cycle.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hopwise::model {

inline constexpr std::size_t kMostDataWords = 32;  ///< of 32 bits: the widest flit's
inline constexpr std::size_t kMostFlows = 32;      ///< that congestion control stops at a time

/// Addresses are pairs of words, as pins of a verilated model need not be aligned.
inline void put_address(std::uint32_t (&pin)[2], std::uint64_t address) {
  pin[0] = static_cast<std::uint32_t>(address);
  pin[1] = static_cast<std::uint32_t>(address >> 32);
}
inline std::uint64_t address_of(const std::uint32_t (&pin)[2]) {
  return std::uint64_t{pin[1]} << 32 | pin[0];
}

/// What the host drives.
struct HostInputs {
  std::uint32_t stimulus = 0;  ///< for the bank alone: there is something on these pins
  std::uint32_t desc_valid = 0, desc_dst = 0, desc_op = 0, desc_mode = 0, desc_auto = 0,
                desc_alltoall = 0, desc_bytes = 0;
  std::uint32_t desc_local[2] = {};
  std::uint32_t desc_window = 0, desc_key = 0, desc_offset = 0, desc_tag = 0;
  std::uint32_t cpl_ready = 1, evt_ready = 1;
  std::uint32_t win_valid = 0, win_index = 0, win_open = 0, win_may_write = 0, win_may_read = 0,
                win_key = 0;
  std::uint32_t win_base[2] = {};
  std::uint32_t win_size = 0, win_expect = 0;
  std::uint32_t ar_ready = 0, r_valid = 0, r_id = 0, r_resp = 0, r_last = 0;
  std::uint32_t aw_ready = 0, w_ready = 0, b_valid = 0, b_id = 0, b_resp = 0;
  std::uint32_t ctr_clear = 0, ctr_freeze = 0;
  std::uint32_t timeout = 0, sel_threshold = 0, sel_lambda = 0, sel_sigma = 0, sel_max_age = 0;
  std::uint32_t r_data[kMostDataWords] = {};
};

/// What the interface drives.
struct HostOutputs {
  std::uint32_t quiescent = 0;  ///< nothing changes without input
  std::uint32_t at_rest = 0;    ///< nothing is under way
  std::uint32_t desc_ready = 0;
  std::uint32_t cpl_valid = 0, cpl_tag = 0, cpl_status = 0, cpl_bytes = 0, cpl_mode = 0;
  std::uint32_t evt_valid = 0, evt_window = 0, win_ready = 0;
  std::uint32_t ar_valid = 0, ar_id = 0;
  std::uint32_t ar_addr[2] = {};
  std::uint32_t ar_len = 0, r_ready = 0;
  std::uint32_t aw_valid = 0, aw_id = 0;
  std::uint32_t aw_addr[2] = {};
  std::uint32_t aw_len = 0, w_valid = 0, w_last = 0, b_ready = 0;
  std::uint32_t stop_valid = 0, stop_dst[kMostFlows] = {};  ///< a bit each; addresses
  std::uint32_t w_strb[kMostDataWords / 8] = {};
  std::uint32_t w_data[kMostDataWords] = {};
};

/// Where a pin stands in its vector.
struct HostPin {
  const char* name;
  unsigned lsb, bits;  ///< bits: that there is room for
};
#define HOPWISE_HOST_PIN(side, pin)                                              \
  {                                                                              \
#pin, unsigned{8 * offsetof(side, pin) }, unsigned { 8 * sizeof(side::pin) } \
  }
#define HOPWISE_IN(pin) HOPWISE_HOST_PIN(HostInputs, pin)
#define HOPWISE_OUT(pin) HOPWISE_HOST_PIN(HostOutputs, pin)
inline constexpr HostPin kHostInputs[] = {
    HOPWISE_IN(desc_valid),    HOPWISE_IN(desc_dst),    HOPWISE_IN(desc_op),
    HOPWISE_IN(desc_mode),     HOPWISE_IN(desc_auto),   HOPWISE_IN(desc_alltoall),
    HOPWISE_IN(desc_bytes),    HOPWISE_IN(desc_local),  HOPWISE_IN(desc_window),
    HOPWISE_IN(desc_key),      HOPWISE_IN(desc_offset), HOPWISE_IN(desc_tag),
    HOPWISE_IN(cpl_ready),     HOPWISE_IN(evt_ready),   HOPWISE_IN(win_valid),
    HOPWISE_IN(win_index),     HOPWISE_IN(win_open),    HOPWISE_IN(win_may_write),
    HOPWISE_IN(win_may_read),  HOPWISE_IN(win_key),     HOPWISE_IN(win_base),
    HOPWISE_IN(win_size),      HOPWISE_IN(win_expect),  HOPWISE_IN(ar_ready),
    HOPWISE_IN(r_valid),       HOPWISE_IN(r_id),        HOPWISE_IN(r_resp),
    HOPWISE_IN(r_last),        HOPWISE_IN(aw_ready),    HOPWISE_IN(w_ready),
    HOPWISE_IN(b_valid),       HOPWISE_IN(b_id),        HOPWISE_IN(b_resp),
    HOPWISE_IN(ctr_clear),     HOPWISE_IN(ctr_freeze),  HOPWISE_IN(timeout),
    HOPWISE_IN(sel_threshold), HOPWISE_IN(sel_lambda),  HOPWISE_IN(sel_sigma),
    HOPWISE_IN(sel_max_age),   HOPWISE_IN(r_data)};
inline constexpr HostPin kHostOutputs[] = {
    HOPWISE_OUT(quiescent),  HOPWISE_OUT(at_rest),    HOPWISE_OUT(desc_ready),
    HOPWISE_OUT(cpl_valid),  HOPWISE_OUT(cpl_tag),    HOPWISE_OUT(cpl_status),
    HOPWISE_OUT(cpl_bytes),  HOPWISE_OUT(cpl_mode),   HOPWISE_OUT(evt_valid),
    HOPWISE_OUT(evt_window), HOPWISE_OUT(win_ready),  HOPWISE_OUT(ar_valid),
    HOPWISE_OUT(ar_id),      HOPWISE_OUT(ar_addr),    HOPWISE_OUT(ar_len),
    HOPWISE_OUT(r_ready),    HOPWISE_OUT(aw_valid),   HOPWISE_OUT(aw_id),
    HOPWISE_OUT(aw_addr),    HOPWISE_OUT(aw_len),     HOPWISE_OUT(w_valid),
    HOPWISE_OUT(w_last),     HOPWISE_OUT(b_ready),    HOPWISE_OUT(w_strb),
    HOPWISE_OUT(w_data),     HOPWISE_OUT(stop_valid), HOPWISE_OUT(stop_dst)};
#undef HOPWISE_IN
#undef HOPWISE_OUT
#undef HOPWISE_HOST_PIN

}  // namespace hopwise::model
