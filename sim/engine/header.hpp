// SPDX-License-Identifier: Apache-2.0
// Fields of head flits in memory, as 64-bit words with bit 0 of the flit in bit 0 of the first.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/options.hpp"

namespace hopwise::engine {

inline void set_field(std::uint64_t* words, const topology::HeaderField& field,
                      std::uint64_t value) {
  if (field.width == 0) return;
  const std::uint64_t mask = (std::uint64_t{1} << field.width) - 1;
  const unsigned shift = field.lsb % 64;
  std::uint64_t* word = words + field.lsb / 64;
  word[0] = (word[0] & ~(mask << shift)) | (value & mask) << shift;
  if (shift + field.width > 64)
    word[1] = (word[1] & ~(mask >> (64 - shift))) | (value & mask) >> (64 - shift);
}

inline std::uint32_t get_field(const std::uint64_t* words, const topology::HeaderField& field) {
  if (field.width == 0) return 0;
  std::uint64_t value = words[field.lsb / 64] >> (field.lsb % 64);
  if (field.lsb % 64 + field.width > 64)
    value |= words[field.lsb / 64 + 1] << (64 - field.lsb % 64);
  return static_cast<std::uint32_t>(value & ((std::uint64_t{1} << field.width) - 1));
}

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

}  // namespace hopwise::engine
