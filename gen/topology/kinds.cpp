// SPDX-License-Identifier: Apache-2.0
// The one list of built-in kinds of topology, and how a kind is found in a list.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "topology/dragonfly.hpp"
#include "topology/grid.hpp"
#include "topology/kind.hpp"

namespace hopwise::topology {

Kinds builtin_kinds() {
  static constexpr std::array<const Kind*, 3> kKinds{&kTorus, &kMesh, &kDragonfly};
  return kKinds;
}

const Kind* find_kind(Kinds kinds, std::string_view name) {
  const auto at =
      std::find_if(kinds.begin(), kinds.end(), [name](const Kind* k) { return k->name == name; });
  return at == kinds.end() ? nullptr : *at;
}

const Kind& kind_of(Kinds kinds, const spec::TopologySpec& topology) {
  if (const Kind* kind = find_kind(kinds, topology.kind)) return *kind;
  std::fprintf(stderr, "hopwise::topology: no kind is called '%s'\n", topology.kind.c_str());
  std::abort();
}

spec::TopologySpec unsized(const Kind& kind) {
  spec::TopologySpec topology;
  topology.kind = kind.name;
  topology.structure = kind.structure;
  topology.wraparound = kind.wraparound;
  return topology;
}

void set_dims(spec::TopologySpec& topology, std::vector<unsigned> dims) {
  topology.dims = std::move(dims);
  topology.routers = 1;
  for (const unsigned size : topology.dims) topology.routers *= size;
  topology.terminals = topology.routers * topology.terminals_per_router;
}

}  // namespace hopwise::topology
