// SPDX-License-Identifier: Apache-2.0
// A memory as a TLM-2.0 target: loosely timed, every transaction takes the same time.
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>

#include <cstdint>
#include <unordered_map>

namespace hopwise::tb {

class TlmMemory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<TlmMemory> socket{"socket"};

  TlmMemory(sc_core::sc_module_name name, std::uint32_t terminal, sc_core::sc_time latency)
      : sc_module(name), terminal_(terminal), latency_(latency) {
    socket.register_b_transport(this, &TlmMemory::b_transport);
    socket.register_transport_dbg(this, &TlmMemory::transport_dbg);
  }

  /// What a byte holds before it is written: another in each memory.
  static std::uint8_t original(std::uint32_t terminal, std::uint64_t address) {
    const std::uint64_t x =
        (address + 0x9e3779b97f4a7c15 * (terminal + 1)) * std::uint64_t{0xbf58476d1ce4e5b9};
    return static_cast<std::uint8_t>(x >> 29 ^ x >> 47);
  }

 private:
  /// Never waits: it may be called by a method.
  void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    access(trans);
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += latency_;
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& trans) {
    access(trans);
    return trans.get_data_length();
  }
  void access(tlm::tlm_generic_payload& trans) {
    const unsigned enables = trans.get_byte_enable_length();
    for (unsigned i = 0; i < trans.get_data_length(); ++i) {
      std::uint8_t& byte =
          bytes_.try_emplace(trans.get_address() + i, original(terminal_, trans.get_address() + i))
              .first->second;
      const bool enabled = trans.get_byte_enable_ptr() == nullptr ||
                           trans.get_byte_enable_ptr()[i % enables] != TLM_BYTE_DISABLED;
      if (trans.is_read())
        trans.get_data_ptr()[i] = byte;
      else if (enabled)
        byte = trans.get_data_ptr()[i];
    }
  }

  std::uint32_t terminal_;
  sc_core::sc_time latency_;
  std::unordered_map<std::uint64_t, std::uint8_t> bytes_;
};

}  // namespace hopwise::tb
