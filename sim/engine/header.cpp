// SPDX-License-Identifier: Apache-2.0
#include "engine/header.hpp"

#include <algorithm>

#include "topology/message_format.hpp"

namespace hopwise::engine {
namespace {

using Fields = std::vector<topology::HeaderField>;

void set_terminal(const Setup& setup, std::uint64_t* words, const Fields& coordinates,
                  const topology::HeaderField& slot, std::uint32_t terminal) {
  const RouterId router = setup.topology.router_of(TerminalId{terminal});
  for (unsigned d = 0; d < coordinates.size(); ++d)
    set_field(words, coordinates[d], setup.topology.coordinate(router, d));
  set_field(words, slot, setup.topology.slot_of(TerminalId{terminal}));
}

topology::HeaderField ticket_of(const Setup& setup) {
  if (setup.format.message.width == 0) return {};
  const auto message = topology::message_format(setup.network.terminal, setup.network.packet);
  return {setup.format.message.lsb + topology::MessageFormat::kCodeBits + message.bytes,
          message.id + topology::MessageFormat::kGenerationBits};
}

}  // namespace

Headers::Headers(const Setup& setup)
    : setup_(setup),
      format_(setup.format),
      words_((setup.format.header_bits + 63) / 64),
      length_(setup.format.length),
      id_(setup.format.packet_id),
      message_class_(setup.format.message_class),
      mode_(setup.format.mode),
      label_(setup.format.label),
      note_(setup.format.notification()),
      mark_(setup.format.mark()),
      ticket_(ticket_of(setup)),
      has_notes_(setup.format.congestion.width != 0),
      parity_(setup.format.parity) {
  const std::vector<bool> protected_bits = format_.parity_mask();
  if (!protected_bits.empty()) parity_mask_.assign(words_, 0);
  for (std::size_t bit = 0; bit < protected_bits.size(); ++bit) {
    if (protected_bits[bit]) parity_mask_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
  const auto cleared = [&](const Fields& fields) {
    std::vector<std::uint64_t> mask(words_ + 1, ~std::uint64_t{0});
    for (const auto& field : fields) set_field(mask.data(), field, 0);
    return mask;
  };
  const auto rewritten = format_.rewritten();
  const Fields rewritten_fields(rewritten.begin(), rewritten.end());
  unchanged_ = cleared(rewritten_fields);
  for (const auto& field : rewritten) rewrites_ |= field.width != 0;
  Fields all = rewritten_fields;
  for (const Fields* coordinates : {&format_.dst_coord, &format_.src_coord})
    all.insert(all.end(), coordinates->begin(), coordinates->end());
  for (const auto& field :
       {format_.dst_slot, format_.src_slot, format_.length, format_.routing_state(),
        format_.message_class, format_.mode, format_.label, format_.congestion, format_.packet_id})
    all.push_back(field);
  payload_ = cleared(all);

  const auto terminals = static_cast<std::uint32_t>(setup.topology.num_terminals());
  const spec::RouterSpec& router = setup.network.router;
  const unsigned modulus =
      format_.mode.width > 0 ? router.message_class_vcs() : setup.injection_vc_modulus;
  const std::uint64_t low_bits =
      (std::uint64_t{1} << (format_.dst_slot.lsb + format_.dst_slot.width)) - 1;
  std::vector<std::uint64_t> scratch(words_ + 1);
  const auto add = [&](std::vector<std::uint64_t>& to, const Fields& coordinates,
                       const topology::HeaderField& slot, std::uint32_t terminal) {
    std::fill(scratch.begin(), scratch.end(), 0);
    set_terminal(setup, scratch.data(), coordinates, slot, terminal);
    to.insert(to.end(), scratch.begin(), scratch.begin() + static_cast<std::ptrdiff_t>(words_));
  };
  for (std::uint32_t t = 0; t < terminals; ++t) {
    add(src_, format_.src_coord, format_.src_slot, t);
    add(dst_, format_.dst_coord, format_.dst_slot, t);
    if (modulus != 0)
      fixed_vc_.push_back(static_cast<std::uint8_t>((scratch[0] & low_bits) % modulus));
  }
  know_sources();
  const Fields &via = format_.via_coord, &src = format_.src_coord;
  for (std::size_t d = setup.topology.has_groups() && !via.empty() ? via.size() - 1 : 0;
       d < via.size(); ++d)
    detours_.emplace_back(FieldPlace(via[d]), FieldPlace(src[d]));
}

/// Makes the table of sources, where it is not too long.
void Headers::know_sources() {
  constexpr unsigned kLongest = 16;  // bits
  topology::HeaderField all;
  Fields fields = format_.src_coord;
  fields.push_back(format_.src_slot);
  for (const auto& field : fields) {
    if (field.width == 0) continue;
    if (all.width == 0) all.lsb = field.lsb;
    if (field.lsb != all.lsb + all.width) return;
    all.width += field.width;
  }
  if (all.width > kLongest) return;
  all_source_ = FieldPlace(all);
  const auto terminals = static_cast<std::uint32_t>(setup_.topology.num_terminals());
  sources_.assign(std::size_t{1} << all.width, terminals);
  for (std::uint32_t t = 0; t < terminals; ++t) sources_[all_source_.of(&src_[t * words_])] = t;
}

void Headers::set_source(std::uint64_t* flit, std::uint32_t src) const {
  set_terminal(setup_, flit, format_.src_coord, format_.src_slot, src);
}

}  // namespace hopwise::engine
