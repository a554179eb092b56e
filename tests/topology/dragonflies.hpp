// SPDX-License-Identifier: Apache-2.0
// Small dragonflies of every kind, for exhaustive tests.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "topology/dragonfly.hpp"
#include "topology/topology.hpp"

namespace hopwise::topology {

struct Shape {
  unsigned p, a, h, g, l, rows;
  GlobalArrangement arrangement;
  unsigned column_links = 1;
  unsigned local_ports() const { return a / rows - 1 + (rows - 1) * column_links; }
};

inline std::string text(const Shape& s) {
  return fmt::format("dfly({}, {}, {}, {}), {} links, {} rows, arrangement {}, {} column links",
                     s.p, s.a, s.h, s.g, s.l, s.rows, static_cast<int>(s.arrangement),
                     s.column_links);
}

inline spec::TopologySpec spec_of(const Shape& s) {
  return dragonfly({s.a, s.h, s.g, s.l, s.rows, s.arrangement, s.column_links}, s.p);
}

constexpr unsigned kLocalLatency = 3, kGlobalLatency = 11;

inline Topology make(const Shape& s) {
  spec::LinkSpec link;
  link.latency_cycles = {kLocalLatency, kGlobalLatency};
  return Topology(builtin_kinds(), spec_of(s), link);
}

/// Every (a, h, g, l, rows, arrangement) with a up to 6, h up to 3 and at most `most_routers`
/// routers; p varies along, and the links between routers of a column do where there are columns.
inline std::vector<Shape> all_shapes(unsigned most_routers) {
  using enum GlobalArrangement;
  std::vector<Shape> shapes;
  for (unsigned a = 2; a <= 6; ++a) {
    for (unsigned h = 1; h <= 3; ++h) {
      for (unsigned g = 2; g <= a * h + 1 && a * g <= most_routers; ++g) {
        for (unsigned l = 1; l * (g - 1) <= a * h; ++l) {
          for (unsigned rows = 1; rows < a; ++rows) {
            if (a % rows != 0) continue;
            for (const auto arrangement : {kAbsolute, kPalmtree, kCirculant}) {
              shapes.push_back({1 + (a + g + l) % 3, a, h, g, l, rows, arrangement,
                                rows == 1 ? 1 : 1 + (h + g + l) % 3});
            }
          }
        }
      }
    }
  }
  return shapes;
}

}  // namespace hopwise::topology
