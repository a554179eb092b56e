// SPDX-License-Identifier: Apache-2.0
// A kind of topology: a two-level fat tree (folded Clos), every leaf router joined to every spine
// router (Dally & Towles, section 6.3; Leiserson 1985). Terminals are at the leaves.
#include "fat_tree.hpp"

#include <array>

#include <fmt/format.h>

namespace {

using namespace hopwise;
using topology::Kind;

constexpr std::array kKeys{
    spec::Key{.path = "leaves",
              .type = spec::KeyType::kInteger,
              .range = {2, 31},
              .required = true,
              .default_words = "fat_tree: none, it must be given",
              .doc = "Fat tree: leaf routers, numbered 0 and up."},
    spec::Key{.path = "spines",
              .type = spec::KeyType::kInteger,
              .range = {1, 16},
              .required = true,
              .default_words = "fat_tree: none, it must be given",
              .doc = "Fat tree: spine routers, numbered on from the leaves."}};

void complete(topology::Request& request) {
  spec::TopologySpec& t = request.topology;
  const unsigned leaves = fat_tree::leaves(t), spines = fat_tree::spines(t);
  t.dims = {leaves + spines};
  t.routers = leaves + spines;
  t.terminals = leaves * t.terminals_per_router;
  if (spines + t.terminals_per_router > topology::kMaxPorts)
    request.refuse(
        "config.too-many-ports", "spines",
        fmt::format("{} spines and {} terminals at a leaf", spines, t.terminals_per_router),
        fmt::format("up to {} ports of a router", topology::kMaxPorts));
}

topology::Graph build(const spec::TopologySpec& t) {
  const unsigned leaves = fat_tree::leaves(t), spines = fat_tree::spines(t);
  topology::Graph graph;
  graph.link_classes = {"leaf to spine"};
  graph.shapes = {{{}, t.terminals_per_router, "leaf"}, {{}, 0, "spine"}};
  for (unsigned s = 0; s < spines; ++s)
    graph.shapes[0].network_ports.push_back({fmt::format("up{}", s), 0});
  for (unsigned l = 0; l < leaves; ++l)
    graph.shapes[1].network_ports.push_back({fmt::format("down{}", l), 0});
  const double step = double{spines - 1.0} > 0 ? (leaves - 1.0) / (spines - 1.0) : 0;
  for (unsigned l = 0; l < leaves; ++l) {
    graph.routers.push_back({fmt::format("leaf{}", l), 0});
    graph.layout.places.emplace_back(2.0 * l, 0.0);
  }
  for (unsigned s = 0; s < spines; ++s) {
    graph.routers.push_back({fmt::format("spine{}", s), 1});
    graph.layout.places.emplace_back(spines == 1 ? leaves - 1.0 : 2.0 * step * s, 6.0);
  }
  graph.layout.caption = "Leaf routers, with the terminals, stand below; spine routers above.";
  const auto join = [&](unsigned from, unsigned port, unsigned to, unsigned to_port) {
    graph.channels.push_back({RouterId{from}, PortId(static_cast<std::uint16_t>(port)),
                              RouterId{to}, PortId(static_cast<std::uint16_t>(to_port))});
  };
  for (unsigned l = 0; l < leaves; ++l) {
    for (unsigned s = 0; s < spines; ++s) {
      join(l, s, leaves + s, l);
      join(leaves + s, l, l, s);
    }
  }
  return graph;
}

}  // namespace

constexpr Kind fat_tree::kKind = {.name = "fat_tree",
                                  .doc = "A fat tree joins every leaf router to every spine router",
                                  .structure = spec::Structure::kGraph,
                                  .keys = kKeys,
                                  .link_entries = "of the links between leaves and spines",
                                  .link_scalar = "all links",
                                  .complete = complete,
                                  .network_name =
                                      [](const spec::TopologySpec& t) {
                                        return fmt::format("fat_tree_{}_{}", fat_tree::leaves(t),
                                                           fat_tree::spines(t));
                                      },
                                  .num_link_classes = [](const spec::TopologySpec&) { return 1u; },
                                  .build = build};
