// SPDX-License-Identifier: Apache-2.0
#include "deadlock/witness.hpp"

#include <algorithm>

namespace hopwise::deadlock {
namespace {

/// Answers, for the packets of one finished walk, whether and how `held` depends on `requested`.
class Explainer {
 public:
  Explainer(const Resources& resources, const DestinationWalk& walk)
      : resources_(resources), walk_(walk) {}

  /// "direct", "cross", "indirect", or empty: no packet of this walk makes the dependency.
  std::string kind(Vertex held, Vertex requested) const {
    for (const DestinationWalk::Reached& r : walk_.reached()) {
      if (r.holder != held) continue;
      if (requests(r.node, requested))
        return !resources_.is_buffer(held) || supplied(held) ? "direct" : "cross";
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
      walk_.for_each_ejection(walk_.nodes()[node], move,
                              [&](Vertex v) { found |= v == requested; });
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

  const Resources& resources_;
  const DestinationWalk& walk_;
};

CycleStep step_of(const Resources& resources, Vertex v) {
  if (resources.is_buffer(v))
    return {resources.channel_of(v), resources.vc_of(v), TerminalId{0}, "", std::nullopt};
  CycleStep step{ChannelId{0}, VcId{0}, TerminalId{0}, "", resources.terminal_of(v)};
  step.vc = VcId{static_cast<std::uint8_t>(resources.ejection_vc(resources.message_class_of(v)))};
  // Only its own replies keep an ejection queue waiting.
  if (!resources.is_injection(v)) step.kind = "reply";
  return step;
}

}  // namespace

std::vector<CycleStep> find_witnesses(const topology::Topology& topology,
                                      const Resources& resources, DestinationWalk& walk,
                                      const std::vector<Vertex>& cycle) {
  std::vector<CycleStep> steps;
  steps.reserve(cycle.size());
  for (Vertex v : cycle) steps.push_back(step_of(resources, v));
  auto missing = static_cast<std::size_t>(
      std::count_if(steps.begin(), steps.end(), [](const CycleStep& s) { return s.kind.empty(); }));
  for (const TerminalId dst : topology.first_terminals()) {
    if (missing == 0) break;
    walk.run(dst);
    const Explainer explain(resources, walk);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (!steps[i].kind.empty()) continue;
      steps[i].kind = explain.kind(cycle[i], cycle[(i + 1) % cycle.size()]);
      steps[i].dst = dst;
      if (!steps[i].kind.empty()) --missing;
    }
  }
  return steps;
}

}  // namespace hopwise::deadlock
