// SPDX-License-Identifier: Apache-2.0
// The faults of `fault` in a network's description: heads that are wrong from the start, and bits
// that flip under way. A function of the seed, of the place and of the cycle.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/options.hpp"

namespace hopwise::engine {

class Faults {
 public:
  Faults(const Setup& setup, const RunOptions& options);

  bool flips() const { return flip_below_ != 0; }
  bool bad_packets() const { return bad_below_ != 0; }

  /// The packet that terminal `source` generated in `cycle` gets a wrong head.
  bool is_bad(std::uint32_t source, std::uint64_t cycle) const {
    return bad_below_ != 0 && draw(source, cycle) <= bad_below_ && can_be_bad(source, cycle);
  }
  /// Makes its head wrong.
  void spoil(std::uint64_t* head, std::uint32_t source, std::uint64_t cycle) const;

  /// Flips a bit of a head that arrives at a router's input port, or leaves it alone.
  bool flip(std::uint64_t* head, std::uint32_t router, unsigned port, std::uint64_t cycle) const;

 private:
  /// A value that a field can have and the network has not.
  struct Wrong {
    topology::HeaderField field;
    std::uint64_t value = 0;
  };
  std::uint64_t draw(std::uint64_t place, std::uint64_t cycle) const;
  const std::vector<Wrong>& wrong_of(std::uint32_t source, std::uint64_t cycle) const;
  bool can_be_bad(std::uint32_t source, std::uint64_t cycle) const {
    return !wrong_of(source, cycle).empty();
  }

  std::uint64_t seed_;
  std::uint64_t bad_below_ = 0, flip_below_ = 0;  // shares of 2^64
  unsigned header_bits_;
  std::vector<std::vector<Wrong>> wrong_;  // [kind]
};

}  // namespace hopwise::engine
