// SPDX-License-Identifier: Apache-2.0
#include "topology/graph.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace hopwise::topology {

namespace {

class Inspector {
 public:
  Inspector(const Graph& graph, const std::string& key) : graph_(graph), key_(key) {}

  Diagnostics run() {
    for (const RouterShape& s : graph_.shapes) shape(s);
    for (const Graph::Router& r : graph_.routers) {
      if (r.shape >= graph_.shapes.size())
        fault(fmt::format("router {} of shape {}", r.name, r.shape),
              fmt::format("0 to {}", graph_.shapes.size() - 1));
    }
    if (errors_.empty()) {
      for (const Joint& joint : graph_.channels) channel(joint);
    }
    if (errors_.empty()) both_ways();
    if (errors_.empty()) reached();
    const auto& places = graph_.layout.places;
    if (graph_.layout.drawing == "places" && places.size() != graph_.routers.size())
      fault(fmt::format("{} places", places.size()),
            fmt::format("one for each of the {} routers", graph_.routers.size()));
    return std::move(errors_);
  }

 private:
  void fault(std::string found, std::string allowed) {
    errors_.push_back(
        {"topology.graph", {}, key_, std::move(found), std::move(allowed), "see Graph"});
  }

  void shape(const RouterShape& s) {
    if (s.num_ports() > kMaxPorts)
      fault(fmt::format("a router of {} ports", s.num_ports()),
            fmt::format("up to {} ports of a router", kMaxPorts));
    for (const NetworkPort& port : s.network_ports) {
      if (port.link_class >= graph_.link_classes.size())
        fault(fmt::format("port {} of link class {}", port.name, port.link_class),
              fmt::format("one of {} classes", graph_.link_classes.size()));
    }
  }

  const NetworkPort* end(RouterId router, PortId port, const char* side) {
    const auto& routers = graph_.routers;
    if (index(router) >= routers.size()) {
      fault(fmt::format("a channel {} router {}", side, index(router)),
            fmt::format("one of {} routers", routers.size()));
      return nullptr;
    }
    const auto& ports = graph_.shapes[routers[index(router)].shape].network_ports;
    if (index(port) < ports.size()) return &ports[index(port)];
    fault(fmt::format("a channel {} port {} of {}", side, index(port), routers[index(router)].name),
          fmt::format("one of its {} network ports", ports.size()));
    return nullptr;
  }

  void channel(const Joint& c) {
    const NetworkPort* from = end(c.src, c.src_port, "from");
    const NetworkPort* to = end(c.dst, c.dst_port, "to");
    if (from == nullptr || to == nullptr) return;
    if (from->link_class != to->link_class)
      fault(fmt::format("a channel from {} of {} to {} of {}", from->name, name(c.src), to->name,
                        name(c.dst)),
            "ports of one link class");
    if (!from_.emplace(c.src, c.src_port).second)
      fault(fmt::format("two channels from {} of {}", from->name, name(c.src)), "one");
    if (!to_.emplace(c.dst, c.dst_port).second)
      fault(fmt::format("two channels to {} of {}", to->name, name(c.dst)), "one");
  }

  void both_ways() {
    std::set<std::tuple<RouterId, PortId, RouterId, PortId>> joints;
    for (const Joint& c : graph_.channels) joints.emplace(c.src, c.src_port, c.dst, c.dst_port);
    for (const Joint& c : graph_.channels) {
      if (joints.contains({c.dst, c.dst_port, c.src, c.src_port})) continue;
      fault(fmt::format("a channel from {} to {} alone", name(c.src), name(c.dst)),
            "one back between the same ports");
      return;
    }
  }

  void reached() {
    std::vector<std::vector<std::size_t>> next(graph_.routers.size());
    for (const Joint& c : graph_.channels) next[index(c.src)].push_back(index(c.dst));
    std::vector<bool> seen(next.size(), false);
    std::vector<std::size_t> todo;
    if (!seen.empty()) todo.push_back(0);
    if (!seen.empty()) seen[0] = true;
    while (!todo.empty()) {
      const std::size_t at = todo.back();
      todo.pop_back();
      for (const std::size_t to : next[at]) {
        if (!seen[to]) todo.push_back(to);
        seen[to] = true;
      }
    }
    const auto lost = std::find(seen.begin(), seen.end(), false);
    if (seen.empty() || lost != seen.end())
      fault(seen.empty()
                ? "no router"
                : fmt::format("no way from {} to {}", graph_.routers[0].name,
                              graph_.routers[static_cast<std::size_t>(lost - seen.begin())].name),
            "channels that join all routers");
  }

  const std::string& name(RouterId router) const { return graph_.routers[index(router)].name; }

  const Graph& graph_;
  const std::string& key_;
  Diagnostics errors_;
  std::set<std::pair<RouterId, PortId>> from_, to_;
};

}  // namespace

Diagnostics graph_faults(const Graph& graph, const std::string& key) {
  return Inspector(graph, key).run();
}

}  // namespace hopwise::topology
