// SPDX-License-Identifier: Apache-2.0
// The channel dependency graph: who holds what while waiting for what. Gathered as one row of bits
// per holder, turned into a Boost graph once it is complete.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <boost/graph/compressed_sparse_row_graph.hpp>

#include "deadlock/destination_walk.hpp"
#include "deadlock/resources.hpp"

namespace hopwise::deadlock {

using Edge = std::pair<Vertex, Vertex>;  ///< (held, requested)
using Graph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                       boost::no_property, Vertex, std::uint32_t>;

/// Rows of requests, filled destination by destination.
class RequestTable {
 public:
  RequestTable(const topology::Topology& topology, const Resources& resources);

  /// Adds what the packets of a finished walk request from the escape subfunction, whatever they
  /// hold.
  void add(const DestinationWalk& walk);

  /// Buffers that the escape subfunction supplies for some destination from some reachable state:
  /// Duato's set C1.
  std::vector<bool> supplied() const;

  /// The direct and direct cross dependencies: from every supplied buffer (and from the injection
  /// queues) to every escape channel that a packet in it may request, through output queues where
  /// there are any; and from what terminals have been sent to the replies to it. Sorted.
  std::vector<Edge> edges(const spec::TerminalSpec& terminals) const;

 private:
  template <class F>
  void for_each_request(Vertex holder, F&& f) const;

  const topology::Topology& topology_;
  const Resources& resources_;
  std::size_t words_;                // per row
  std::vector<std::uint64_t> rows_;  // [holder * words_]
};

/// `edges` sorted.
Graph make_graph(const Resources& resources, const std::vector<Edge>& edges);

/// For each vertex the length of the longest chain of dependencies that ends there; none if the
/// graph has a cycle.
std::optional<std::vector<std::uint32_t>> topological_levels(const Graph& graph);

}  // namespace hopwise::deadlock
