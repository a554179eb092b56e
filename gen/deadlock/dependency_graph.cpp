// SPDX-License-Identifier: Apache-2.0
#include "deadlock/dependency_graph.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include <boost/graph/topological_sort.hpp>

namespace hopwise::deadlock {

RequestTable::RequestTable(const topology::Topology& topology, const Resources& resources)
    : topology_(topology),
      resources_(resources),
      words_((topology.network_ports() * resources.vcs() +
              topology.terminals_per_router() * resources.message_classes() + 63) /
             64),
      rows_(resources.num_holders() * words_, 0) {}

void RequestTable::add(const DestinationWalk& walk) {
  for (const DestinationWalk::Reached& r : walk.reached()) {
    const RequestBits& bits = walk.nodes()[r.node].escape_requests;
    for (std::size_t w = 0; w < words_; ++w) rows_[r.holder * words_ + w] |= bits[w];
  }
}

/// Calls f(buffer or ejection queue) for the requests of a row, in ascending order of the bits.
template <class F>
void RequestTable::for_each_request(Vertex holder, F&& f) const {
  const bool buffer = resources_.is_buffer(holder);
  const std::size_t vcs = resources_.vcs(), network_bits = topology_.network_ports() * vcs;
  const RouterId at = buffer ? topology_.channel(resources_.channel_of(holder)).dst
                             : topology_.router_of(resources_.terminal_of(holder));
  for (std::size_t w = 0; w < words_; ++w) {
    for (std::uint64_t left = rows_[holder * words_ + w]; left != 0; left &= left - 1) {
      const std::size_t bit = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
      if (bit < network_bits) {
        const ChannelId channel =
            *topology_.out_channel(at, PortId(static_cast<std::uint16_t>(bit / vcs)));
        f(resources_.buffer(channel, static_cast<unsigned>(bit % vcs)));
      } else {
        const auto queue = static_cast<unsigned>(bit - network_bits);
        const unsigned classes = resources_.message_classes();
        f(resources_.ejection(topology_.terminal_at(at, queue / classes), queue % classes));
      }
    }
  }
}

std::vector<bool> RequestTable::supplied() const {
  std::vector<bool> result(resources_.num_buffers(), false);
  for (Vertex h = 0; h < resources_.num_holders(); ++h) {
    for_each_request(h, [&](Vertex v) {
      if (resources_.is_buffer(v)) result[v] = true;
    });
  }
  return result;
}

std::vector<Edge> RequestTable::edges(const spec::TerminalSpec& terminals) const {
  const std::vector<bool> escape = supplied();
  std::vector<Edge> result;
  for (Vertex h = 0; h < resources_.num_holders(); ++h) {
    if (resources_.is_buffer(h) && !escape[h]) continue;
    for_each_request(h, [&](Vertex v) {
      result.emplace_back(h, resources_.is_buffer(v) ? resources_.entry(v) : v);
    });
  }
  for (Vertex b = 0; resources_.output_queues() && b < resources_.num_buffers(); ++b) {
    if (escape[b]) result.emplace_back(resources_.output_queue(b), b);
  }
  for (const auto& [request, reply] : terminals.replies) {
    for (std::uint32_t t = 0; t < topology_.num_terminals(); ++t) {
      result.emplace_back(resources_.ejection(TerminalId{t}, request),
                          resources_.injection(TerminalId{t}, reply));
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

Graph make_graph(const Resources& resources, const std::vector<Edge>& edges) {
  return Graph(boost::edges_are_sorted, edges.begin(), edges.end(), resources.num_vertices());
}

std::optional<std::vector<std::uint32_t>> topological_levels(const Graph& graph) {
  std::vector<Vertex> reversed;
  reversed.reserve(boost::num_vertices(graph));
  try {
    boost::topological_sort(graph, std::back_inserter(reversed));
  } catch (const boost::not_a_dag&) {
    return std::nullopt;
  }
  std::vector<std::uint32_t> level(boost::num_vertices(graph), 0);
  for (auto v = reversed.rbegin(); v != reversed.rend(); ++v) {
    for (auto [next, end] = boost::adjacent_vertices(*v, graph); next != end; ++next) {
      level[*next] = std::max(level[*next], level[*v] + 1);
    }
  }
  return level;
}

}  // namespace hopwise::deadlock
