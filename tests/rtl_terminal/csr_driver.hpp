// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite master for hw_csr: reads and writes at once, every channel with pauses of its own, and
// a table behind the window that acknowledges after a random delay.
#pragma once

#include <functional>
#include <optional>

#include "bench.hpp"

namespace hopwise::test {

constexpr unsigned kOkay = 0, kSlvErr = 2;

struct Response {
  unsigned resp = 0;
  std::uint32_t data = 0;
  bool operator==(const Response&) const = default;
};

template <class Model>
class CsrDriver {
 public:
  explicit CsrDriver(std::uint64_t seed = 1, unsigned active_percent = 100)
      : random_(seed), active_(active_percent) {
    csr_->coord_i = 0xAB12345678;
    csr_->s_awvalid_i = csr_->s_wvalid_i = csr_->s_arvalid_i = csr_->s_bready_i = csr_->s_rready_i =
        0;
    csr_->now_i = 0;
    csr_->flit_in_i = csr_->flit_out_i = csr_->packet_out_i = csr_->stall_i = 0;
    csr_->occupancy_i = 0;
    csr_->event_i = 0;
    csr_->table_ack_i = 0;
    csr_.reset();
  }

  Bench<Model>& csr() { return csr_; }
  /// sets events; called with the inputs of a new cycle
  std::function<void()> before_cycle = [] {};
  std::vector<std::uint32_t> table = std::vector<std::uint32_t>(16);
  /// chance that a waiting table request is acknowledged, beside the other pauses
  unsigned table_percent = 100;
  std::uint64_t now = 0;

  void start_write(std::uint32_t address, std::uint32_t data, unsigned strobe = 0xF) {
    aw_ = address;
    w_ = {data, strobe};
    write_response_.reset();
  }
  void start_read(std::uint32_t address) {
    ar_ = address;
    read_response_.reset();
  }
  std::optional<Response> write_response() const { return write_response_; }
  std::optional<Response> read_response() const { return read_response_; }

  unsigned write(std::uint32_t address, std::uint32_t data, unsigned strobe = 0xF) {
    start_write(address, data, strobe);
    while (!write_response_ && running()) cycle();
    return write_response_ ? write_response_->resp : ~0U;
  }
  Response read(std::uint32_t address) {
    start_read(address);
    while (!read_response_ && running()) cycle();
    return read_response_.value_or(Response{~0U, 0});
  }
  /// Reads low, then high half, as software must.
  std::uint64_t read64(std::uint32_t address) {
    const std::uint64_t low = read(address).data;
    return std::uint64_t{read(address + 4).data} << 32 | low;
  }
  bool running() const { return !csr_.failed() && csr_.cycle() < 10'000'000; }

  void cycle() {
    csr_->now_i = now;
    before_cycle();
    raise(csr_->s_awvalid_i, aw_.has_value());
    if (aw_) csr_->s_awaddr_i = static_cast<std::uint16_t>(*aw_);
    raise(csr_->s_wvalid_i, w_.has_value());
    if (w_) {
      csr_->s_wdata_i = w_->first;
      csr_->s_wstrb_i = static_cast<std::uint8_t>(w_->second);
    }
    raise(csr_->s_arvalid_i, ar_.has_value());
    if (ar_) csr_->s_araddr_i = static_cast<std::uint16_t>(*ar_);
    csr_->s_bready_i = chance(random_, active_);
    csr_->s_rready_i = chance(random_, active_);
    csr_->table_ack_i = 0;
    csr_.settle();
    serve_table();
    csr_.settle();
    check_held();
    const bool aw = csr_->s_awvalid_i && csr_->s_awready_o,
               w = csr_->s_wvalid_i && csr_->s_wready_o;
    const bool ar = csr_->s_arvalid_i && csr_->s_arready_o;
    if (csr_->s_bvalid_o && csr_->s_bready_i) write_response_ = Response{csr_->s_bresp_o, 0};
    if (csr_->s_rvalid_o && csr_->s_rready_i)
      read_response_ = Response{csr_->s_rresp_o, csr_->s_rdata_o};
    csr_.edge();
    ++now;
    if (aw) {
      aw_.reset();
      csr_->s_awvalid_i = 0;
    }
    if (w) {
      w_.reset();
      csr_->s_wvalid_i = 0;
    }
    if (ar) {
      ar_.reset();
      csr_->s_arvalid_i = 0;
    }
  }

 private:
  void raise(std::uint8_t& valid, bool wanted) {
    if (wanted && !valid) valid = chance(random_, active_);
  }

  void serve_table() {
    if (!csr_->table_req_o || !chance(random_, active_) || !chance(random_, table_percent)) return;
    csr_->table_ack_i = 1;
    std::uint32_t& word = table.at(csr_->table_addr_o);
    csr_->table_rdata_i = word;
    if (!csr_->table_we_o) return;
    for (unsigned byte = 0; byte < 4; ++byte) {
      const std::uint32_t mask = 0xFFU << (8 * byte);
      if ((csr_->table_wstrb_o >> byte) & 1U) word = (word & ~mask) | (csr_->table_wdata_o & mask);
    }
  }

  // A response that is not taken stays, and stays the same.
  void check_held() {
    if (held_b_) {
      EXPECT_TRUE(csr_->s_bvalid_o);
      EXPECT_EQ(csr_->s_bresp_o, held_b_->resp);
    }
    if (held_r_) {
      EXPECT_TRUE(csr_->s_rvalid_o);
      EXPECT_EQ((Response{csr_->s_rresp_o, csr_->s_rdata_o}), *held_r_);
    }
    held_b_.reset();
    held_r_.reset();
    if (csr_->s_bvalid_o && !csr_->s_bready_i) held_b_ = Response{csr_->s_bresp_o, 0};
    if (csr_->s_rvalid_o && !csr_->s_rready_i) held_r_ = Response{csr_->s_rresp_o, csr_->s_rdata_o};
  }

  Bench<Model> csr_;
  std::mt19937_64 random_;
  unsigned active_;
  std::optional<std::uint32_t> aw_, ar_;
  std::optional<std::pair<std::uint32_t, unsigned>> w_;
  std::optional<Response> write_response_, read_response_, held_b_, held_r_;
};

}  // namespace hopwise::test
