// SPDX-License-Identifier: Apache-2.0
// AXI4-Stream slave of one terminal: takes every beat at once and reports it.
#pragma once

#include <systemc>

#include <cstdint>
#include <vector>

namespace hopwise::tb {

/// A flit as it left the network, in clock cycles since reset.
struct Arrival {
  std::uint64_t cycle = 0;
  std::uint64_t source_address = 0;
  std::uint32_t destination = 0;  ///< terminal
  std::uint32_t packet_id = 0;
  std::uint32_t flit = 0;  ///< position in its packet
};

/// Where the fields of interest stand in a head flit.
struct HeadFields {
  unsigned src_lsb, src_bits, id_lsb, id_bits;
};

template <unsigned FlitBits, unsigned UserBits>
class StreamSink : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> rst_n{"rst_n"};
  sc_core::sc_in<sc_dt::sc_bv<1>> tvalid{"tvalid"};
  sc_core::sc_out<sc_dt::sc_bv<1>> tready{"tready"};
  sc_core::sc_in<sc_dt::sc_bv<1>> tlast{"tlast"};
  sc_core::sc_in<sc_dt::sc_bv<FlitBits>> tdata{"tdata"};
  sc_core::sc_in<sc_dt::sc_bv<UserBits>> tuser{"tuser"};

  SC_HAS_PROCESS(StreamSink);
  StreamSink(sc_core::sc_module_name name, std::uint32_t terminal, HeadFields fields,
             std::vector<Arrival>& arrivals)
      : sc_module(name), terminal_(terminal), fields_(fields), arrivals_(arrivals) {
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }

  /// beats whose tuser is not the head's source
  std::uint64_t wrong_user() const { return wrong_user_; }

 private:
  static std::uint64_t field(const sc_dt::sc_bv<FlitBits>& data, unsigned lsb, unsigned bits) {
    return bits == 0
               ? 0
               : data.range(static_cast<int>(lsb + bits - 1), static_cast<int>(lsb)).to_uint64();
  }

  void edge() {
    tready.write(sc_dt::sc_bv<1>(true));
    if (!rst_n.read()) return;
    if (tvalid.read()[0].to_bool() && tready.read()[0].to_bool()) {
      const sc_dt::sc_bv<FlitBits> data = tdata.read();
      if (next_.flit == 0) {
        next_.source_address = field(data, fields_.src_lsb, fields_.src_bits);
        next_.packet_id = static_cast<std::uint32_t>(field(data, fields_.id_lsb, fields_.id_bits));
      }
      wrong_user_ += (tuser.read().to_uint64() & ((std::uint64_t{1} << fields_.src_bits) - 1)) !=
                     next_.source_address;
      next_.cycle = cycle_;
      next_.destination = terminal_;
      arrivals_.push_back(next_);
      next_.flit = tlast.read()[0].to_bool() ? 0 : next_.flit + 1;
    }
    ++cycle_;
  }

  std::uint32_t terminal_;
  HeadFields fields_;
  std::vector<Arrival>& arrivals_;
  Arrival next_;
  std::uint64_t cycle_ = 0;
  std::uint64_t wrong_user_ = 0;
};

}  // namespace hopwise::tb
