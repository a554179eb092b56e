// SPDX-License-Identifier: Apache-2.0
#include "deadlock/witness.hpp"

namespace hopwise::deadlock {
namespace {

/// Answers, for the packets of one finished walk, whether and how `held` depends on `requested`.
class Explainer {
 public:
  explicit Explainer(const DestinationWalk& walk) : walk_(walk) {}

  /// "direct", "cross", "indirect", or empty: no packet of this walk makes the dependency.
  std::string kind(Vertex held, Vertex requested) const {
    for (const DestinationWalk::Reached& r : walk_.reached()) {
      if (r.holder != held) continue;
      if (requests(r.node, requested)) return supplied(held) ? "direct" : "cross";
      if (requests_later(r.node, requested)) return "indirect";
    }
    return {};
  }

 private:
  bool requests(std::uint32_t node, Vertex requested) const {
    bool found = false;
    for (const routing::Move& move : walk_.nodes()[node].moves) {
      if (!walk_.is_escape(move)) continue;
      walk_.for_each_successor(walk_.nodes()[node], move,
                               [&](Vertex v, std::uint32_t) { found |= v == requested; });
    }
    return found;
  }

  bool supplied(Vertex buffer) const {
    for (std::uint32_t n : walk_.finished()) {
      if (requests(n, buffer)) return true;
    }
    return false;
  }

  /// After one or more moves that do not belong to the escape subfunction.
  bool requests_later(std::uint32_t node, Vertex requested) const {
    std::vector<bool> seen(walk_.nodes().size(), false);
    std::vector<std::uint32_t> open{node};
    while (!open.empty()) {
      const std::uint32_t n = open.back();
      open.pop_back();
      if (requests(n, requested)) return true;
      for (const routing::Move& move : walk_.nodes()[n].moves) {
        if (walk_.is_escape(move)) continue;
        walk_.for_each_successor(walk_.nodes()[n], move, [&](Vertex, std::uint32_t next) {
          if (!seen[next]) open.push_back(next);
          seen[next] = true;
        });
      }
    }
    return false;
  }

  const DestinationWalk& walk_;
};

}  // namespace

std::vector<CycleStep> find_witnesses(const topology::Topology& topology,
                                      const Resources& resources, DestinationWalk& walk,
                                      const std::vector<Vertex>& buffers) {
  std::vector<CycleStep> steps;
  steps.reserve(buffers.size());
  for (Vertex b : buffers)
    steps.push_back({resources.channel_of(b), resources.vc_of(b), TerminalId{0}, ""});
  std::size_t missing = steps.size();
  for (const TerminalId dst : topology.first_terminals()) {
    if (missing == 0) break;
    walk.run(dst);
    const Explainer explain(walk);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (!steps[i].kind.empty()) continue;
      steps[i].kind = explain.kind(buffers[i], buffers[(i + 1) % buffers.size()]);
      steps[i].dst = dst;
      if (!steps[i].kind.empty()) --missing;
    }
  }
  return steps;
}

}  // namespace hopwise::deadlock
