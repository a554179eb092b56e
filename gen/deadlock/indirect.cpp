// SPDX-License-Identifier: Apache-2.0
#include "deadlock/indirect.hpp"

namespace hopwise::deadlock {

void append_out_of_order(const Resources& resources, const DestinationWalk& walk,
                         const std::vector<bool>& supplied, const std::vector<std::uint32_t>& level,
                         std::vector<Edge>& edges) {
  constexpr Vertex kNone = 0xffffffff;
  std::vector<Vertex> lowest(walk.nodes().size(), kNone);
  for (std::uint32_t n : walk.finished()) {
    const auto offer = [&](Vertex v) {
      if (v != kNone && (lowest[n] == kNone || level[v] < level[lowest[n]])) lowest[n] = v;
    };
    for (const routing::Move& move : walk.nodes()[n].moves) {
      const bool escape = walk.is_escape(move);
      walk.for_each_ejection(walk.nodes()[n], move, offer);
      walk.for_each_successor(walk.nodes()[n], move, [&](Vertex buffer, std::uint32_t next) {
        offer(escape ? resources.entry(buffer) : lowest[next]);
      });
    }
  }
  for (const DestinationWalk::Reached& r : walk.reached()) {
    if (resources.is_buffer(r.holder) && !supplied[r.holder]) continue;
    const Vertex target = lowest[r.node];
    if (target != kNone && level[r.holder] >= level[target]) edges.emplace_back(r.holder, target);
  }
}

}  // namespace hopwise::deadlock
