// SPDX-License-Identifier: Apache-2.0
// What the fields of head flits in memory say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/options.hpp"

namespace hopwise::engine {

/// The terminal that coordinates and slot of a header name; beyond the last terminal where they
/// name none.
inline std::uint32_t terminal_of(const Setup& setup, const std::uint64_t* words,
                                 const std::vector<topology::HeaderField>& coordinates,
                                 const topology::HeaderField& slot) {
  std::uint32_t router = 0, stride = 1;
  for (unsigned d = 0; d < coordinates.size(); ++d) {
    router += get_field(words, coordinates[d]) * stride;
    stride *= setup.topology.dims()[d];
  }
  const topology::Topology& topology = setup.topology;
  const std::uint32_t place = get_field(words, slot);
  if (router >= topology.num_routers() || place >= topology.terminals_at(RouterId{router}))
    return static_cast<std::uint32_t>(topology.num_terminals());
  return static_cast<std::uint32_t>(index(topology.terminal_at(RouterId{router}, place)));
}

/// Head flits as terminals write and read them. What the fields of every terminal look like is
/// worked out once.
class Headers {
 public:
  explicit Headers(const Setup& setup);

  /// Words of the head flit in which fields may stand; behind them there is payload alone.
  std::size_t words() const { return words_; }

  /// Word `i` of a head flit, i < words(): `payload` where no field stands. `length` and id follow
  /// (finish).
  std::uint64_t word(std::size_t i, std::uint64_t payload, std::uint32_t src,
                     std::uint32_t dst) const {
    return (payload & payload_[i]) | src_[src * words_ + i] | dst_[dst * words_ + i];
  }
  void finish(std::uint64_t* flit, std::uint32_t flits, std::uint32_t id) const {
    set_field(flit, format_.length, flits - format_.length_offset);
    set_field(flit, format_.packet_id, id);
  }
  /// In place of the source's fields, those of another.
  void set_source(std::uint64_t* flit, std::uint32_t src) const;
  /// The VC that packets to `dst` are injected on, where it depends on the destination.
  unsigned fixed_vc(std::uint32_t dst) const { return fixed_vc_[dst]; }

  std::uint32_t source(const std::uint64_t* flit) const {
    return terminal_of(setup_, flit, format_.src_coord, format_.src_slot);
  }
  std::uint32_t id(const std::uint64_t* flit) const { return get_field(flit, format_.packet_id); }
  /// The intermediate of a minimal path is the source itself; in a dragonfly, its group is the
  /// source's.
  bool took_detour(const std::uint64_t* flit) const;
  /// Clears what routers rewrite: it is not part of what must arrive unchanged.
  void clear_rewritten(std::uint64_t* flit) const {
    for (std::size_t i = 0; i < words_; ++i) flit[i] &= unchanged_[i];
  }

 private:
  const Setup& setup_;
  const topology::PacketFormat& format_;
  std::size_t words_;
  std::vector<std::uint64_t> payload_, unchanged_;  // [word]
  std::vector<std::uint64_t> src_, dst_;            // [terminal][word]
  std::vector<std::uint8_t> fixed_vc_;              // [terminal]
};

}  // namespace hopwise::engine
