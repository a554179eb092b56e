// SPDX-License-Identifier: Apache-2.0
// What the fields of head flits in memory say.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
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

/// A field of head flits, taken apart once.
class FieldPlace {
 public:
  explicit FieldPlace(topology::HeaderField field = {})
      : word_(field.lsb / 64),
        shift_(field.lsb % 64),
        straddles_(shift_ + field.width > 64),
        mask_((std::uint64_t{1} << field.width) - 1) {}

  /// Into bits that are 0.
  void add(std::uint64_t* flit, std::uint64_t value) const {
    flit[word_] |= (value & mask_) << shift_;
    if (straddles_) flit[word_ + 1] |= (value & mask_) >> (64 - shift_);
  }
  std::uint32_t of(const std::uint64_t* flit) const {
    std::uint64_t value = flit[word_] >> shift_;
    if (straddles_) value |= flit[word_ + 1] << (64 - shift_);
    return static_cast<std::uint32_t>(value & mask_);
  }

 private:
  std::uint32_t word_;
  std::uint32_t shift_;
  bool straddles_;
  std::uint64_t mask_;
};

/// Head flits as terminals write and read them. What the fields of every terminal look like is
/// worked out once.
class Headers {
 public:
  explicit Headers(const Setup& setup);

  /// Words of the head flit in which fields may stand; behind them there is payload alone.
  std::size_t words() const { return words_; }

  /// Writes the fields over the payload of a head flit, the parity apart.
  void write(std::uint64_t* flit, std::uint32_t src, std::uint32_t dst, std::uint32_t flits,
             std::uint32_t id, unsigned message_class) const {
    const std::size_t words = words_;
    const std::uint64_t *payload = payload_.data(), *from = &src_[src * words],
                        *to = &dst_[dst * words];
    for (std::size_t i = 0; i < words; ++i) flit[i] = (flit[i] & payload[i]) | from[i] | to[i];
    length_.add(flit, flits - format_.length_offset);
    id_.add(flit, id);
    message_class_.add(flit, message_class);
  }
  /// The parity bit, of a head that is else complete.
  void write_parity(std::uint64_t* flit) const {
    if (odd(flit)) flit[parity_.lsb / 64] ^= std::uint64_t{1} << (parity_.lsb % 64);
  }
  /// A bit of the header has flipped.
  bool odd(const std::uint64_t* flit) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < parity_mask_.size(); ++i) sum ^= flit[i] & parity_mask_[i];
    return std::popcount(sum) % 2 != 0;
  }
  /// Routing mode and flow label, of a network whose packets have them.
  void set_mode(std::uint64_t* flit, spec::Mode mode, std::uint64_t label) const {
    mode_.add(flit, static_cast<std::uint64_t>(mode));
    label_.add(flit, label);
  }
  /// Makes it a notification.
  void set_note(std::uint64_t* flit) const { note_.add(flit, 1); }
  bool is_note(const std::uint64_t* flit) const { return has_notes_ && note_.of(flit) != 0; }
  bool is_marked(const std::uint64_t* flit) const { return has_notes_ && mark_.of(flit) != 0; }
  /// In place of the source's fields, those of another.
  void set_source(std::uint64_t* flit, std::uint32_t src) const;
  /// The VC, of those of a message class, that packets to `dst` are injected on, where it depends
  /// on the destination: of all packets, or of those in order.
  unsigned fixed_vc(std::uint32_t dst) const { return fixed_vc_[dst]; }

  std::uint32_t source(const std::uint64_t* flit) const {
    return sources_.empty() ? terminal_of(setup_, flit, format_.src_coord, format_.src_slot)
                            : sources_[all_source_.of(flit)];
  }
  std::uint32_t destination(const std::uint64_t* flit) const {
    return terminal_of(setup_, flit, format_.dst_coord, format_.dst_slot);
  }
  std::uint32_t id(const std::uint64_t* flit) const { return id_.of(flit); }
  std::uint32_t mode(const std::uint64_t* flit) const { return mode_.of(flit); }
  /// {generation, id} of a message interface's request, in its head and in its response's.
  std::uint32_t ticket(const std::uint64_t* flit) const { return ticket_.of(flit); }
  /// The intermediate of a minimal path is the source itself; in a dragonfly, its group is the
  /// source's.
  bool took_detour(const std::uint64_t* flit) const {
    for (const auto& [via, src] : detours_) {
      if (via.of(flit) != src.of(flit)) return true;
    }
    return false;
  }
  /// Clears what routers rewrite: it is not part of what must arrive unchanged.
  void clear_rewritten(std::uint64_t* flit) const {
    if (!rewrites_) return;
    for (std::size_t i = 0; i < words_; ++i) flit[i] &= unchanged_[i];
  }

 private:
  void know_sources();

  const Setup& setup_;
  const topology::PacketFormat& format_;
  std::size_t words_;
  std::vector<std::uint64_t> payload_, unchanged_;  // [word]
  bool rewrites_ = false;
  std::vector<std::uint64_t> src_, dst_;  // [terminal][word]
  std::vector<std::uint8_t> fixed_vc_;    // [terminal]
  FieldPlace length_, id_, message_class_, mode_, label_, note_, mark_, ticket_;
  bool has_notes_ = false;
  topology::HeaderField parity_;
  std::vector<std::uint64_t> parity_mask_;                  // [word]; empty: no parity
  std::vector<std::pair<FieldPlace, FieldPlace>> detours_;  // that differ after a detour
  // Where all fields of the source stand together and are short: the terminal by their value.
  FieldPlace all_source_;
  std::vector<std::uint32_t> sources_;
};

}  // namespace hopwise::engine
