// SPDX-License-Identifier: Apache-2.0
// The faults of `fault` in a network's description: packets that are wrong from the start, and bits
// that flip under way. A function of the seed, of the place and of the cycle.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/options.hpp"

namespace hopwise::engine {

class Faults {
 public:
  Faults(const Setup& setup, const RunOptions& options);

  bool flips() const { return flip_below_ != 0; }
  bool bad_packets() const { return bad_below_ != 0; }
  bool resets() const { return reset_below_ != 0 || !resets_.empty(); }

  /// What is wrong with a packet of `flits` that terminal `source` generated in `cycle`, if
  /// anything is.
  std::optional<spec::FaultSpec::Kind> wrong(std::uint32_t source, std::uint64_t cycle,
                                             unsigned flits) const;
  /// Makes its head wrong.
  void spoil(std::uint64_t* head, std::uint32_t source, std::uint64_t cycle) const;
  /// Of a packet whose stream breaks off, the flits that are missing: 1 to `flits` - 1.
  unsigned missing(std::uint32_t source, std::uint64_t cycle, unsigned flits) const;

  /// A router's reset is asked for.
  bool reset(std::uint32_t router, std::uint64_t cycle) const;

  /// Before a head is sent: it was not hit.
  void prepare(std::uint64_t* head) const { topology::set_field(head, hit_, 0); }
  /// A bit behind the header says so. Routers only carry it: where the packet arrives it is known
  /// to be damaged, even if they have written anew what was flipped.
  bool was_hit(const std::uint64_t* head) const { return topology::get_field(head, hit_) != 0; }
  /// Flips a bit of a head that arrives at a router's input port, or leaves it alone.
  bool flip(std::uint64_t* head, std::uint32_t router, unsigned port, std::uint64_t cycle) const;

 private:
  /// A value that a field can have and the network has not.
  struct Wrong {
    topology::HeaderField field;
    std::uint64_t value = 0;
  };
  std::uint64_t draw(std::uint64_t place, std::uint64_t cycle) const;
  std::size_t kind_of(std::uint32_t source, std::uint64_t cycle) const;  // place in kinds_

  std::uint64_t seed_;
  std::uint64_t bad_below_ = 0, flip_below_ = 0, reset_below_ = 0;  // shares of 2^64
  std::vector<spec::FaultSpec::Reset> resets_;                      // sorted
  unsigned header_bits_;
  topology::HeaderField hit_;
  std::vector<spec::FaultSpec::Kind> kinds_;
  std::vector<std::vector<Wrong>> wrong_;  // values for the head, of each of kinds_
};

}  // namespace hopwise::engine
