// SPDX-License-Identifier: Apache-2.0
// AXI4-Stream master of one terminal: replays packets at the cycles at which they are generated.
#pragma once

#include <systemc>

#include <cstdint>
#include <vector>

namespace hopwise::tb {

/// A packet of a trace: generated in `cycle`, for the terminal whose address goes into tuser.
struct TracePacket {
  std::uint64_t cycle = 0;
  std::uint64_t address = 0;
  std::uint32_t flits = 1;
};

/// Bits [lsb + bits - 1 : lsb] of the first beat of every packet, which the sender writes.
struct SenderField {
  unsigned lsb = 0, bits = 0;
  std::uint32_t value = 0;
};

/// Clock edges since the reset was released, shared by all terminals; it moves just before each
/// rising edge's processes.
struct CycleCounter {
  std::uint64_t value = 0;
};

/// A packet generated in cycle g of the trace can have its head flit on the terminal's output pins
/// in cycle g. The network interface puts it there two cycles after its tlast beat, so that beat is
/// offered in clock cycle g + lead - 2, and the beats before it in the cycles before. `lead` is a
/// constant: MaxFlits + 2 leaves room for the longest first packet. A beat that waits for tready
/// pushes back those behind it, never the schedule of later packets.
template <unsigned FlitBits, unsigned UserBits>
class StreamSource : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> rst_n{"rst_n"};
  sc_core::sc_in<sc_dt::sc_bv<1>> tready{"tready"};
  sc_core::sc_out<sc_dt::sc_bv<1>> tvalid{"tvalid"};
  sc_core::sc_out<sc_dt::sc_bv<1>> tlast{"tlast"};
  sc_core::sc_out<sc_dt::sc_bv<FlitBits>> tdata{"tdata"};
  sc_core::sc_out<sc_dt::sc_bv<UserBits>> tuser{"tuser"};

  SC_HAS_PROCESS(StreamSource);
  StreamSource(sc_core::sc_module_name name, std::uint32_t terminal, std::uint64_t lead,
               std::vector<TracePacket> packets, SenderField field)
      : sc_module(name),
        terminal_(terminal),
        lead_(lead),
        packets_(std::move(packets)),
        field_(field) {
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }

  bool done() const { return packet_ == packets_.size(); }

 private:
  void edge() {
    if (!rst_n.read()) {
      tvalid.write(sc_dt::sc_bv<1>(false));
      return;
    }
    // The edge ends cycle_ and begins the next one; before the first edge out of reset nothing is
    // offered.
    if (offering_ && tready.read()[0].to_bool()) {
      if (++beat_ == packets_[packet_].flits) {
        beat_ = 0;
        ++packet_;
      }
    }
    ++cycle_;
    offering_ =
        !done() && cycle_ + packets_[packet_].flits + 1 >= packets_[packet_].cycle + lead_ + beat_;
    tvalid.write(sc_dt::sc_bv<1>(offering_));
    if (!offering_) return;
    const TracePacket& packet = packets_[packet_];
    tlast.write(sc_dt::sc_bv<1>(beat_ + 1 == packet.flits));
    tuser.write(sc_dt::sc_bv<UserBits>(sc_dt::sc_uint<UserBits>(packet.address)));
    // Every word of the payload depends on terminal, packet, beat and place.
    sc_dt::sc_bv<FlitBits> data;
    for (unsigned lsb = 0; lsb < FlitBits; lsb += 32) {
      const unsigned msb = lsb + 31 < FlitBits ? lsb + 31 : FlitBits - 1;
      const auto word =
          static_cast<std::uint32_t>((terminal_ * 0x9e3779b9U) ^ (packet_ * 0x85ebca6bU) ^
                                     (beat_ * 0xc2b2ae35U)) +
          lsb;
      data.range(static_cast<int>(msb), static_cast<int>(lsb)) = word;
    }
    for (unsigned bit = 0; beat_ == 0 && bit < field_.bits; ++bit)
      data.set_bit(static_cast<int>(field_.lsb + bit), (field_.value >> bit & 1) != 0);
    tdata.write(data);
  }

  std::uint32_t terminal_;
  std::uint64_t lead_;
  std::vector<TracePacket> packets_;
  SenderField field_;
  std::size_t packet_ = 0;
  std::uint32_t beat_ = 0;
  std::uint64_t cycle_ = 0;
  bool offering_ = false;
};

}  // namespace hopwise::tb
