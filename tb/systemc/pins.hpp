// SPDX-License-Identifier: Apache-2.0
// Slices of a wide pin: what belongs to one terminal in the flat vectors of a network's top.
#pragma once

#include <systemc>

#include <cstdint>
#include <type_traits>

namespace hopwise::tb {

/// The type that `verilator --sc` gives a pin of `Bits` bits.
template <unsigned Bits>
using Pin = std::conditional_t<
    Bits == 1, bool,
    std::conditional_t<Bits <= 32, std::uint32_t,
                       std::conditional_t<Bits <= 64, std::uint64_t, sc_dt::sc_bv<Bits>>>>;

/// Any pin as a bit vector.
template <unsigned Bits>
sc_dt::sc_bv<Bits> to_bits(const Pin<Bits>& pin) {
  if constexpr (Bits > 64)
    return pin;
  else
    return sc_dt::sc_bv<Bits>(sc_dt::sc_uint<Bits>(pin));
}

/// A bit vector as a pin.
template <unsigned Bits>
Pin<Bits> to_pin(const sc_dt::sc_bv<Bits>& bits) {
  if constexpr (Bits > 64)
    return bits;
  else
    return static_cast<Pin<Bits>>(bits.to_uint64());
}

/// `Count` signals of `Bits` bits side by side on one pin of the top, in either direction.
template <unsigned Count, unsigned Bits>
class Bundle : public sc_core::sc_module {
 public:
  using Slice = sc_dt::sc_bv<Bits>;
  sc_core::sc_signal<Pin<Count * Bits>> pin{"pin"};
  sc_core::sc_vector<sc_core::sc_signal<Slice>> slices{"slices", Count};

  enum class Direction { kIntoTop, kOutOfTop };

  SC_HAS_PROCESS(Bundle);
  Bundle(sc_core::sc_module_name name, Direction direction) : sc_module(name) {
    if (direction == Direction::kIntoTop) {
      SC_METHOD(join);
      for (auto& slice : slices) sensitive << slice;
    } else {
      SC_METHOD(split);
      sensitive << pin;
    }
  }

 private:
  void join() {
    sc_dt::sc_bv<Count * Bits> all;
    for (unsigned i = 0; i < Count; ++i)
      all.range(static_cast<int>((i + 1) * Bits - 1), static_cast<int>(i * Bits)) =
          slices[i].read();
    pin.write(to_pin<Count * Bits>(all));
  }
  void split() {
    const sc_dt::sc_bv<Count* Bits> all = to_bits<Count * Bits>(pin.read());
    for (unsigned i = 0; i < Count; ++i) {
      slices[i].write(
          Slice(all.range(static_cast<int>((i + 1) * Bits - 1), static_cast<int>(i * Bits))));
    }
  }
};

}  // namespace hopwise::tb
