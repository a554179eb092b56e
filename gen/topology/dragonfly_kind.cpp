// SPDX-License-Identifier: Apache-2.0
// Dragonflies as a kind of topology: keys, checks and graph.
#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "topology/dragonfly.hpp"

namespace hopwise::topology {

namespace {

constexpr std::uint64_t kMaxRouters = 65536;
constexpr unsigned kMaxGlobalPorts = 16;
constexpr unsigned kMaxGroupLinks = 1024;  // of all routers of a group to other groups
constexpr unsigned kMaxPairLinks = 256;    // between two groups
constexpr std::array<std::string_view, 3> kArrangements{"absolute", "palmtree", "circulant"};
constexpr std::array<std::string_view, 1> kArrangementAliases{"consecutive"};

constexpr std::array kKeys{
    spec::Key{.path = "routers_per_group",
              .type = spec::KeyType::kInteger,
              .range = {2, 128},
              .required = true,
              .default_words = "dragonfly: none, it must be given",
              .doc = "Dragonfly: a, the routers of a group."},
    spec::Key{.path = "global_ports",
              .type = spec::KeyType::kInteger,
              .range = {1, kMaxGlobalPorts},
              .required = true,
              .default_words = "dragonfly: none, it must be given",
              .doc = "Dragonfly: h, the ports of each router that lead to other groups."},
    spec::Key{.path = "groups",
              .type = spec::KeyType::kInteger,
              .range = {2, 1025},
              .default_words = "a h + 1, the most there can be",
              .doc = "Dragonfly: g."},
    spec::Key{.path = "links_per_group_pair",
              .type = spec::KeyType::kInteger,
              .range = {1, kMaxPairLinks},
              .default_words = "as many as a h allows, at most 256",
              .doc = "Dragonfly: links between two groups; global ports beyond them stay "
                     "unconnected."},
    spec::Key{.path = "group_rows",
              .type = spec::KeyType::kInteger,
              .range = {1, 64},
              .default_yaml = "1",
              .doc = "Dragonfly: 1 connects every two routers of a group; more arrange them in so "
                     "many rows, with every two routers of a row and of a column connected "
                     "(two-dimensional all-to-all, Cray Cascade)."},
    spec::Key{.path = "column_links",
              .type = spec::KeyType::kInteger,
              .range = {1, 4},
              .default_yaml = "1",
              .doc = "Dragonfly, `group_rows` above 1: links between every two routers of a column "
                     "(Cray Cascade has 3), of which a packet takes one at random."},
    spec::Key{.path = "arrangement",
              .type = spec::KeyType::kText,
              .names = kArrangements,
              .also = kArrangementAliases,
              .default_yaml = "absolute",
              .doc = "Dragonfly: which group a global port leads to (`consecutive` is "
                     "`palmtree`)."}};

/// False, with an error, where there are more groups or links than global ports.
bool complete_groups(Request& request, unsigned a, unsigned h) {
  const spec::Settings& settings = request.settings();
  const unsigned links = a * h;
  request.set_default("groups", std::uint64_t{links + 1});
  const unsigned g = settings.number("groups");
  if (g > links + 1) {
    const unsigned more = (g - 1 + a - 1) / a;
    request.refuse(
        "config.too-many-groups", "groups", fmt::format("{}", g),
        fmt::format("2 to {}: {} routers with {} global ports each reach {} other groups",
                    links + 1, a, h, links),
        fmt::format("groups: {} works", links + 1) +
            (more <= kMaxGlobalPorts ? fmt::format(", and so does global_ports: {}", more) : ""));
    return false;
  }
  const unsigned most = std::min(links / (g - 1), kMaxPairLinks);
  request.set_default("links_per_group_pair", std::uint64_t{most});
  const unsigned l = settings.number("links_per_group_pair");
  if (l <= most) return true;
  const unsigned fewer = links / l + 1;
  request.refuse(
      "config.too-many-links", "links_per_group_pair", fmt::format("{}", l),
      fmt::format("1 to {}: a group has {} global ports for {} other groups", most, links, g - 1),
      fmt::format("links_per_group_pair: {} works", most) +
          (fewer >= 2 ? fmt::format(", and so does groups: {}", fewer) : ""));
  return true;
}

void check_rows(Request& request, unsigned a, unsigned rows) {
  if (a % rows == 0 && (rows == 1 || rows != a)) return;
  unsigned nearest = 1;
  for (unsigned r = 1; r < a; ++r) {
    if (a % r == 0 && r <= rows) nearest = r;
  }
  request.refuse("config.group-rows", "group_rows", fmt::format("{}", rows),
                 fmt::format("a divisor of routers_per_group ({}) below it", a),
                 fmt::format("group_rows: {} works; 1 connects all routers of a group", nearest));
}

void check_column_links(Request& request, unsigned rows) {
  const unsigned links = request.settings().number("column_links");
  if (links == 1 || rows > 1) return;
  request.refuse("config.column-links", "column_links", fmt::format("{}", links),
                 "1 with group_rows: 1", "a group of one row has no columns");
}

void complete(Request& request) {
  spec::TopologySpec& t = request.topology;
  if (t.settings.word("arrangement") == kArrangementAliases[0])
    t.settings.set("arrangement", std::string("palmtree"));
  const unsigned a = t.settings.number("routers_per_group"), h = t.settings.number("global_ports"),
                 rows = t.settings.number("group_rows");
  if (!complete_groups(request, a, h)) return;
  check_rows(request, a, rows);
  check_column_links(request, rows);
  const unsigned g = t.settings.number("groups");
  set_dims(t, {a, g});
  if (t.routers > kMaxRouters)
    request.refuse_at(request.written("groups") ? "groups" : "routers_per_group",
                      "config.too-many-routers", "groups",
                      fmt::format("{} = {} routers", fmt::join(t.dims, " x "), t.routers),
                      fmt::format("up to {} routers", kMaxRouters),
                      fmt::format("groups: {} works", kMaxRouters / a));
  if (a * h > kMaxGroupLinks)
    request.refuse("config.too-many-links", "global_ports",
                   fmt::format("{} routers with {} global ports each = {}", a, h, a * h),
                   fmt::format("up to {} global ports of a group", kMaxGroupLinks),
                   fmt::format("global_ports: {} works", kMaxGroupLinks / a));
  const unsigned local = a / rows - 1 + (rows - 1) * t.settings.number("column_links");
  const unsigned ports = local + h + t.terminals_per_router;
  if (ports > kMaxPorts)
    request.refuse("config.too-many-ports", "routers_per_group",
                   fmt::format("{} local, {} global and {} terminal ports = {}", local, h,
                               t.terminals_per_router, ports),
                   fmt::format("up to {} ports of a router", kMaxPorts),
                   rows == 1 ? "group_rows above 1 needs fewer local ports" : "");
}

/// Local hops from a router to all of another group, one after the other. `to_all`: those between a
/// router and all of its group.
double local_hops(const Dragonfly& d, unsigned from, unsigned to, unsigned router,
                  const std::vector<double>& to_all) {
  double own = 0, all = 0;
  unsigned of_own = 0;
  for (unsigned copy = 0; copy < d.links_per_group_pair(); ++copy) {
    const unsigned near = d.global_end(from, to, copy).router;
    const double far = to_all[d.global_end(to, from, copy).router];
    if (near == router) {
      own += far;
      ++of_own;
    }
    all += d.routers_per_group() * double{1} * d.local_distance(router, near) + far;
  }
  return of_own > 0 ? own / of_own : all / d.links_per_group_pair();
}

/// Over local and global channels; between two groups over a router's own links, or else over any
/// of the others with the same likelihood, as minimal routing goes.
MeanPath mean_path(const Dragonfly& d, const std::vector<unsigned>& latency_cycles) {
  const unsigned a = d.routers_per_group(), g = d.groups();
  const double routers = double{1} * a * g;
  std::vector<double> to_all(a);
  for (unsigned r = 0; r < a; ++r) {
    for (unsigned other = 0; other < a; ++other) to_all[r] += d.local_distance(r, other);
  }
  double local = g * std::accumulate(to_all.begin(), to_all.end(), 0.0);
  const double global = routers * (routers - a);
  for (unsigned from = 0; from < g; ++from) {
    for (unsigned to = 0; to < g; ++to) {
      for (unsigned r = 0; r < a && to != from; ++r) local += local_hops(d, from, to, r, to_all);
    }
  }
  const double pairs = routers * std::max(1.0, routers - 1);
  return {(local + global) / pairs,
          (local * latency_cycles[kLocalLinks] + global * latency_cycles[kGlobalLinks]) / pairs};
}

Graph build(const spec::TopologySpec& t) {
  const Dragonfly d(t);
  const unsigned a = d.routers_per_group();
  Graph graph;
  graph.link_classes = {"local", "global"};
  graph.layout.drawing = "circle";
  graph.mean_path = [d](const std::vector<unsigned>& latency) { return mean_path(d, latency); };
  RouterShape& shape = graph.shapes.emplace_back();
  shape.terminals = t.terminals_per_router;
  for (unsigned p = 0; p < d.network_ports(); ++p)
    shape.network_ports.push_back(
        d.is_local(p) ? NetworkPort{fmt::format("l{}", p), kLocalLinks}
                      : NetworkPort{fmt::format("g{}", p - d.local_ports()), kGlobalLinks});
  for (std::uint32_t router = 0; router < t.routers; ++router) {
    const unsigned group = router / a, r = router % a;
    graph.routers.push_back({fmt::format("g{}.r{}", group, r), 0});
    for (unsigned p = 0; p < d.network_ports(); ++p) {
      Joint c;
      c.src = RouterId{router};
      c.src_port = PortId(static_cast<std::uint16_t>(p));
      if (d.is_local(p)) {
        const unsigned to = d.neighbour(r, p);
        c.dst = RouterId{group * a + to};
        c.dst_port = PortId(static_cast<std::uint16_t>(d.local_port(to, r, d.link_number(p))));
      } else {
        const auto peer = d.peer(group, r, p);
        if (!peer) continue;
        const Dragonfly::End end = d.global_end(peer->group, group, peer->copy);
        c.dst = RouterId{peer->group * a + end.router};
        c.dst_port = PortId(static_cast<std::uint16_t>(end.port));
      }
      graph.channels.push_back(c);
    }
  }
  return graph;
}

}  // namespace

constexpr Kind kDragonfly = {
    .name = "dragonfly",
    .doc = "A dragonfly joins groups of routers, every pair of groups directly",
    .structure = spec::Structure::kGroups,
    .keys = kKeys,
    .link_entries = "[local, global]",
    .link_scalar = "both",
    .complete = complete,
    .network_name =
        [](const spec::TopologySpec& t) {
          const DragonflySpec d = dragonfly_spec(t);
          return fmt::format("dragonfly_{}_{}_{}_{}", t.terminals_per_router, d.routers_per_group,
                             d.global_ports, d.groups);
        },
    .num_link_classes = [](const spec::TopologySpec&) { return 2u; },
    .build = build};

bool is_dragonfly(const spec::TopologySpec& topology) { return topology.kind == kDragonfly.name; }

DragonflySpec dragonfly_spec(const spec::TopologySpec& topology) {
  const spec::Settings& s = topology.settings;
  return {s.number("routers_per_group"),
          s.number("global_ports"),
          s.number("groups"),
          s.number("links_per_group_pair"),
          s.number("group_rows"),
          s.choice<GlobalArrangement>("arrangement", kArrangements),
          s.number("column_links")};
}

spec::TopologySpec dragonfly(const DragonflySpec& d, unsigned terminals) {
  spec::TopologySpec t = unsized(kDragonfly);
  t.terminals_per_router = terminals;
  for (const auto& [key, value] : {std::pair{"routers_per_group", d.routers_per_group},
                                   {"global_ports", d.global_ports},
                                   {"groups", d.groups},
                                   {"links_per_group_pair", d.links_per_group_pair},
                                   {"group_rows", d.group_rows},
                                   {"column_links", d.column_links}})
    t.settings.set(key, std::uint64_t{value});
  t.settings.set("arrangement",
                 std::string(kArrangements[static_cast<std::size_t>(d.arrangement)]));
  set_dims(t, {d.routers_per_group, d.groups});
  return t;
}

}  // namespace hopwise::topology
