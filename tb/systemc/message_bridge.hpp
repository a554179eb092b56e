// SPDX-License-Identifier: Apache-2.0
// A terminal with a message interface in TLM-2.0: what an initiator writes to the memory of another
// terminal becomes a PUT, what it reads a GET; the interface's AXI4 master reads and writes the
// terminal's own memory.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "message_pins.hpp"

namespace hopwise::tb {

/// Addresses of initiators: {terminal, window, offset into it}.
constexpr std::uint64_t global_address(std::uint64_t terminal, std::uint64_t window,
                                       std::uint64_t offset) {
  return terminal << 48 | window << 32 | offset;
}

/// With a transaction: the key of the window. Without it the key is 0.
struct WindowKey : tlm::tlm_extension<WindowKey> {
  explicit WindowKey(std::uint8_t value = 0) : key(value) {}
  tlm_extension_base* clone() const override { return new WindowKey(key); }
  void copy_from(const tlm_extension_base& other) override {
    key = static_cast<const WindowKey&>(other).key;
  }
  std::uint8_t key;
};

struct Window {
  unsigned index;
  bool may_write, may_read;
  std::uint8_t key;
  std::uint64_t base;  ///< a multiple of 4 KiB
  std::uint32_t size;
  std::uint32_t expect;  ///< bytes, with which it is full; 0: none
};

class MessageBridge : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<MessageBridge> host{"host"};
  tlm_utils::simple_initiator_socket<MessageBridge> memory{"memory"};
  sc_core::sc_in<bool> clk{"clk"}, rst_n{"rst_n"};

  SC_HAS_PROCESS(MessageBridge);
  MessageBridge(sc_core::sc_module_name name, std::uint32_t terminal, MessagePins& pins,
                std::vector<std::uint64_t> addresses, sc_core::sc_time period)
      : sc_module(name),
        terminal_(terminal),
        pins_(pins),
        addresses_(std::move(addresses)),
        period_(period) {
    host.register_b_transport(this, &MessageBridge::b_transport);
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }

  /// Opens a window; it is open when `windows_open` says so.
  void open(const Window& w) { windows_.push_back(w); }
  bool windows_open() const { return windows_.empty(); }
  /// Waits until all bytes that a window expects are in memory.
  void wait_full(unsigned window) {
    while (full_.erase(window) == 0) sc_core::wait(changed_);
  }

 private:
  static constexpr std::uint64_t kStaging = std::uint64_t{1} << 36, kStagingBytes = 1 << 20;

  struct Burst {
    unsigned id = 0, beats = 0;
    std::uint64_t address = 0;
  };
  struct Beat {
    unsigned id = 0;
    bool last = false, good = true;
    std::uint64_t due = 0;  ///< cycle
    sc_dt::sc_bv<network::kFlitBits> data;
  };

  // ---- The initiator's side

  /// Blocks until the message is over; so does the process of the initiator.
  void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    if (const auto refused = refusal(trans); refused != tlm::TLM_OK_RESPONSE) {
      trans.set_response_status(refused);
      return;
    }
    const std::uint64_t terminal = trans.get_address() >> 48;
    const unsigned tag = next_tag_++ % (1U << kTagBits);
    const std::uint64_t local = kStaging + tag % 256 * kStagingBytes;
    if (trans.is_write() && !own_memory(trans, local, delay)) {
      trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      return;
    }
    const auto* key = trans.get_extension<WindowKey>();
    descriptors_.push_back(Fields<kDescBits>()
                               .put(network::kDstBits, addresses_[terminal])
                               .put(1, trans.is_read())
                               .put(5, 0)  // mode of the routing, and who chooses it
                               .put(32, trans.get_data_length())
                               .put(kAddressBits, local)
                               .put(network::kWindowBits, trans.get_address() >> 32 & 0xffff)
                               .put(kKeyBits, key == nullptr ? 0 : key->key)
                               .put(kOffsetBits, trans.get_address() & 0xffffffff)
                               .put(kTagBits, tag)
                               .word());
    while (over_.count(tag) == 0) sc_core::wait(changed_);
    const unsigned status = over_[tag];
    over_.erase(tag);
    const bool fetched = status != 0 || trans.is_write() || own_memory(trans, local, delay);
    trans.set_response_status(fetched ? response_of(status) : tlm::TLM_GENERIC_ERROR_RESPONSE);
  }

  /// What no descriptor can say.
  tlm::tlm_response_status refusal(const tlm::tlm_generic_payload& trans) const {
    if (!trans.is_read() && !trans.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
    if (trans.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    const std::uint64_t length = trans.get_data_length(), address = trans.get_address();
    if (length > kStagingBytes || trans.get_streaming_width() < length)
      return tlm::TLM_BURST_ERROR_RESPONSE;
    if (address >> 48 >= addresses_.size() ||
        (address >> 32 & 0xffff) >> network::kWindowBits != 0 ||
        (address & 0xffffffff) >> kOffsetBits != 0)
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    return tlm::TLM_OK_RESPONSE;
  }

  /// The transaction's data in this terminal's memory, at `address`; false: the memory refuses.
  bool own_memory(tlm::tlm_generic_payload& trans, std::uint64_t address, sc_core::sc_time& delay) {
    const bool good = transport(trans.get_command(), address, trans.get_data_ptr(),
                                trans.get_data_length(), nullptr, delay);
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    return good;
  }

  static tlm::tlm_response_status response_of(unsigned status) {
    switch (status) {
      case 0: return tlm::TLM_OK_RESPONSE;
      case 2:
      case 3: return tlm::TLM_COMMAND_ERROR_RESPONSE;  // not this key, or not to be written or read
      case 1:
      case 4:
      case 7: return tlm::TLM_ADDRESS_ERROR_RESPONSE;  // closed, out of bounds, no such place
      default: return tlm::TLM_GENERIC_ERROR_RESPONSE;
    }
  }

  // ---- The pins' side

  template <class Pin>
  auto get(const Pin& pin) const {
    return pin.slices[terminal_].read();
  }
  template <class Pin>
  bool is(const Pin& pin) const {
    return get(pin)[0].to_bool();
  }
  template <class Pin>
  void set(Pin& pin, std::uint64_t value) {
    pin.slices[terminal_].write(value);
  }

  void edge() {
    ++cycle_;
    set(pins_.cpl_ready_i, 1), set(pins_.evt_ready_i, 1);
    if (!rst_n.read()) return;
    requests();
    reads();
    writes();
  }

  void requests() {
    if (is(pins_.desc_valid_i) && is(pins_.desc_ready_o)) descriptors_.pop_front();
    set(pins_.desc_valid_i, !descriptors_.empty());
    if (!descriptors_.empty()) pins_.desc_i.slices[terminal_].write(descriptors_.front());
    if (is(pins_.win_valid_i) && is(pins_.win_ready_o)) windows_.pop_front();
    set(pins_.win_valid_i, !windows_.empty());
    if (!windows_.empty()) {
      const Window& w = windows_.front();
      set(pins_.win_index_i, w.index);
      pins_.win_i.slices[terminal_].write(Fields<kWinBits>()
                                              .put(1, 1)
                                              .put(1, w.may_write)
                                              .put(1, w.may_read)
                                              .put(kKeyBits, w.key)
                                              .put(kAddressBits, w.base)
                                              .put(32, w.size)
                                              .put(32, w.expect)
                                              .word());
    }
    if (is(pins_.cpl_valid_o) && is(pins_.cpl_ready_i)) {
      const auto cpl = get(pins_.cpl_o);
      over_[static_cast<unsigned>(field(cpl, 0, kTagBits))] =
          static_cast<unsigned>(field(cpl, kTagBits, 3));
      changed_.notify();
    }
    if (is(pins_.evt_valid_o) && is(pins_.evt_ready_i)) {
      full_.insert(static_cast<unsigned>(get(pins_.evt_o).to_uint64()));
      changed_.notify();
    }
  }

  /// A burst is one transaction of the memory; its words follow when the memory's time is over.
  void reads() {
    if (is(pins_.m_axi_arvalid_o) && is(pins_.m_axi_arready_i)) {
      const auto beats = static_cast<unsigned>(get(pins_.m_axi_arlen_o).to_uint64()) + 1;
      std::vector<std::uint8_t> data(beats * kFlitBytes);
      const auto [good, due] =
          burst(tlm::TLM_READ_COMMAND, get(pins_.m_axi_araddr_o).to_uint64(), data, nullptr);
      for (unsigned b = 0; b < beats; ++b) {
        Beat beat{static_cast<unsigned>(get(pins_.m_axi_arid_o).to_uint64()),
                  b + 1 == beats,
                  good,
                  due,
                  {}};
        for (unsigned i = 0; i < kFlitBytes; ++i)
          beat.data.range(static_cast<int>(8 * i + 7), static_cast<int>(8 * i)) =
              data[b * kFlitBytes + i];
        reads_.push_back(beat);
      }
    }
    if (is(pins_.m_axi_rvalid_i) && is(pins_.m_axi_rready_o)) reads_.pop_front();
    const bool valid = !reads_.empty() && reads_.front().due <= cycle_;
    set(pins_.m_axi_arready_i, reads_.size() < 256);
    set(pins_.m_axi_rvalid_i, valid);
    if (!valid) return;
    const Beat& beat = reads_.front();
    set(pins_.m_axi_rid_i, beat.id), set(pins_.m_axi_rlast_i, beat.last);
    set(pins_.m_axi_rresp_i, beat.good ? 0 : 2);
    pins_.m_axi_rdata_i.slices[terminal_].write(beat.data);
  }

  void writes() {
    if (is(pins_.m_axi_awvalid_o) && is(pins_.m_axi_awready_i))
      addresses_of_writes_.push_back(
          {static_cast<unsigned>(get(pins_.m_axi_awid_o).to_uint64()),
           static_cast<unsigned>(get(pins_.m_axi_awlen_o).to_uint64()) + 1,
           get(pins_.m_axi_awaddr_o).to_uint64()});
    if (is(pins_.m_axi_wvalid_o) && is(pins_.m_axi_wready_i)) {
      const auto data = get(pins_.m_axi_wdata_o);
      const auto strobes = get(pins_.m_axi_wstrb_o);
      for (unsigned i = 0; i < kFlitBytes; ++i) {
        written_.push_back(static_cast<std::uint8_t>(field(data, 8 * i, 8)));
        enables_.push_back(strobes[static_cast<int>(i)].to_bool() ? TLM_BYTE_ENABLED
                                                                  : TLM_BYTE_DISABLED);
      }
    }
    // A burst that is here as a whole
    if (!addresses_of_writes_.empty() &&
        written_.size() >= addresses_of_writes_.front().beats * kFlitBytes) {
      const Burst w = addresses_of_writes_.front();
      const auto bytes = static_cast<std::ptrdiff_t>(w.beats * kFlitBytes);
      std::vector<std::uint8_t> data(written_.begin(), written_.begin() + bytes),
          enables(enables_.begin(), enables_.begin() + bytes);
      written_.erase(written_.begin(), written_.begin() + bytes);
      enables_.erase(enables_.begin(), enables_.begin() + bytes);
      addresses_of_writes_.pop_front();
      const auto [good, due] = burst(tlm::TLM_WRITE_COMMAND, w.address, data, enables.data());
      answers_.push_back({w.id, true, good, due, {}});
    }
    if (is(pins_.m_axi_bvalid_i) && is(pins_.m_axi_bready_o)) answers_.pop_front();
    const bool valid = !answers_.empty() && answers_.front().due <= cycle_;
    set(pins_.m_axi_awready_i, 1), set(pins_.m_axi_wready_i, 1);
    set(pins_.m_axi_bvalid_i, valid);
    if (!valid) return;
    set(pins_.m_axi_bid_i, answers_.front().id);
    set(pins_.m_axi_bresp_i, answers_.front().good ? 0 : 2);
  }

  // ---- The memory's side

  /// Whether it went well, and the cycle in which it is over.
  std::pair<bool, std::uint64_t> burst(tlm::tlm_command command, std::uint64_t address,
                                       std::vector<std::uint8_t>& data, std::uint8_t* enables) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const bool good = transport(command, address, data.data(), static_cast<unsigned>(data.size()),
                                enables, delay);
    return {good, cycle_ + 1 + static_cast<std::uint64_t>(delay / period_)};
  }
  bool transport(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                 unsigned length, std::uint8_t* enables, sc_core::sc_time& delay) {
    tlm::tlm_generic_payload trans;
    trans.set_command(command);
    trans.set_address(address);
    trans.set_data_ptr(data);
    trans.set_data_length(length);
    trans.set_streaming_width(length);
    trans.set_byte_enable_ptr(enables);
    trans.set_byte_enable_length(enables == nullptr ? 0 : length);
    trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    memory->b_transport(trans, delay);
    return trans.is_response_ok();
  }

  std::uint32_t terminal_;
  MessagePins& pins_;
  std::vector<std::uint64_t> addresses_;  ///< of all terminals
  sc_core::sc_time period_;
  std::uint64_t cycle_ = 0;
  unsigned next_tag_ = 0;
  std::deque<sc_dt::sc_bv<kDescBits>> descriptors_;
  std::deque<Window> windows_;
  std::map<unsigned, unsigned> over_;  ///< tag -> status
  std::set<unsigned> full_;
  sc_core::sc_event changed_;
  std::deque<Beat> reads_, answers_;
  std::deque<Burst> addresses_of_writes_;
  std::vector<std::uint8_t> written_, enables_;
};

}  // namespace hopwise::tb
