// SPDX-License-Identifier: Apache-2.0
#include "deadlock/cycle.hpp"

#include <algorithm>

#include <boost/graph/strong_components.hpp>
#include <boost/property_map/property_map.hpp>

namespace hopwise::deadlock {
namespace {

/// Breadth-first search for the way from a vertex back to itself inside its strong component, not
/// longer than a limit.
class ReturnSearch {
 public:
  ReturnSearch(const Graph& graph, const std::vector<Vertex>& component)
      : graph_(graph), component_(component), parent_(boost::num_vertices(graph), kNone) {}

  /// The shortest cycle through `start` of fewer than `limit` vertices, or empty.
  std::vector<Vertex> run(Vertex start, std::size_t limit) {
    for (Vertex v : queue_) parent_[v] = kNone;
    queue_.assign(1, start);
    parent_[start] = start;
    std::size_t level_end = 1, length = 1;
    for (std::size_t i = 0; i < queue_.size() && length < limit; ++i) {
      for (auto [next, end] = boost::adjacent_vertices(queue_[i], graph_); next != end; ++next) {
        ++edges_seen_;
        if (*next == start) return unwind(start, queue_[i]);
        if (component_[*next] != component_[start] || parent_[*next] != kNone) continue;
        parent_[*next] = queue_[i];
        queue_.push_back(*next);
      }
      if (i + 1 == level_end) {
        level_end = queue_.size();
        ++length;
      }
    }
    return {};
  }
  std::uint64_t edges_seen() const { return edges_seen_; }

 private:
  static constexpr Vertex kNone = 0xffffffff;

  std::vector<Vertex> unwind(Vertex start, Vertex last) const {
    std::vector<Vertex> cycle;
    for (Vertex v = last; v != start; v = parent_[v]) cycle.push_back(v);
    cycle.push_back(start);
    std::reverse(cycle.begin(), cycle.end());
    return cycle;
  }

  const Graph& graph_;
  const std::vector<Vertex>& component_;
  std::vector<Vertex> parent_;
  std::vector<Vertex> queue_;
  std::uint64_t edges_seen_ = 0;
};

}  // namespace

std::vector<Vertex> shortest_cycle(const Graph& graph, std::uint64_t edge_budget) {
  const std::size_t n = boost::num_vertices(graph);
  std::vector<Vertex> component(n);
  const auto index_map = boost::get(boost::vertex_index, graph);
  boost::strong_components(graph, boost::make_iterator_property_map(component.begin(), index_map));

  std::vector<Vertex> best;
  ReturnSearch search(graph, component);
  for (Vertex v = 0; v < n; ++v) {
    const std::size_t limit = best.empty() ? n + 1 : best.size();
    if (std::vector<Vertex> cycle = search.run(v, limit); !cycle.empty()) best = std::move(cycle);
    if (!best.empty() && search.edges_seen() > edge_budget) break;
  }
  return best;
}

}  // namespace hopwise::deadlock
