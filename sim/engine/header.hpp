// SPDX-License-Identifier: Apache-2.0
// What the fields of head flits in memory say.
#pragma once

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

}  // namespace hopwise::engine
