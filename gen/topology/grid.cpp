// SPDX-License-Identifier: Apache-2.0
#include "topology/grid.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hopwise::topology {

namespace {

constexpr std::uint64_t kMaxRouters = 65536;

constexpr std::array kKeys{
    spec::Key{.path = "dims",
              .type = spec::KeyType::kIntegers,
              .range = {2, 64},
              .max_entries = 4,
              .required = true,
              .default_words = "torus and mesh: none, it must be given",
              .doc = "Torus, mesh: routers along each dimension, at most 65536 in all."}};

void complete(Request& request) {
  spec::TopologySpec& t = request.topology;
  set_dims(t, t.settings.numbers("dims"));
  if (t.routers > kMaxRouters)
    request.refuse("config.too-many-routers", "dims",
                   fmt::format("{} = {} routers", fmt::join(t.dims, " x "), t.routers),
                   fmt::format("up to {} routers", kMaxRouters));
}

std::string network_name(const spec::TopologySpec& t) {
  return fmt::format("{}_{}", t.kind, fmt::join(t.dims, "x"));
}

unsigned num_link_classes(const spec::TopologySpec& t) {
  return static_cast<unsigned>(t.dims.size());
}

MeanPath mean_path(const spec::TopologySpec& t, const std::vector<unsigned>& latency_cycles) {
  MeanPath mean;
  const double routers = static_cast<double>(t.routers);
  for (unsigned d = 0; d < t.dims.size(); ++d) {
    double hops = 0;  // over all ordered pairs of places along the dimension
    for (unsigned a = 0; a < t.dims[d]; ++a) {
      for (unsigned b = 0; b < t.dims[d]; ++b) hops += steps_along(t.dims[d], t.wraparound, a, b);
    }
    hops *= routers / t.dims[d] / t.dims[d] * routers;
    mean.hops += hops;
    mean.wire_cycles += hops * latency_cycles[d];
  }
  const double pairs = routers * std::max(1.0, routers - 1);
  return {mean.hops / pairs, mean.wire_cycles / pairs};
}

Graph build(const spec::TopologySpec& t) {
  Graph graph;
  graph.shapes.emplace_back().terminals = t.terminals_per_router;
  graph.layout.drawing = "slices";
  graph.mean_path = [t](const std::vector<unsigned>& latency) { return mean_path(t, latency); };
  std::vector<unsigned> stride;
  for (unsigned d = 0, next = 1; d < t.dims.size(); next *= t.dims[d++]) {
    stride.push_back(next);
    graph.link_classes.push_back(fmt::format("dimension {}", d));
    for (const char sign : {'+', '-'})
      graph.shapes[0].network_ports.push_back({fmt::format("{}d{}", sign, d), d});
  }
  for (std::uint32_t r = 0; r < t.routers; ++r) {
    std::vector<unsigned> at;
    for (unsigned d = 0; d < t.dims.size(); ++d) at.push_back(r / stride[d] % t.dims[d]);
    graph.routers.push_back({fmt::format("({})", fmt::join(at, ",")), 0});
    for (unsigned d = 0; d < t.dims.size(); ++d) {
      for (const bool plus : {true, false}) {
        const unsigned size = t.dims[d];
        const bool wraps = plus ? at[d] == size - 1 : at[d] == 0;
        if (wraps && !t.wraparound) continue;
        const unsigned to = plus ? (at[d] + 1) % size : (at[d] + size - 1) % size;
        graph.channels.push_back({RouterId{r}, PortId(2 * d + (plus ? 0 : 1)),
                                  RouterId{r - at[d] * stride[d] + to * stride[d]},
                                  PortId(2 * d + (plus ? 1 : 0)), plus, wraps});
      }
    }
  }
  return graph;
}

constexpr Kind grid(std::string_view name, std::string_view doc, std::string_view example,
                    bool wraparound) {
  return {.name = name,
          .doc = doc,
          .example = example,
          .structure = spec::Structure::kGrid,
          .wraparound = wraparound,
          .keys = kKeys,
          .max_terminals = 8,
          .link_entries = "one per dimension",
          .link_scalar = "all dimensions",
          .complete = complete,
          .network_name = network_name,
          .num_link_classes = num_link_classes,
          .build = build};
}

spec::TopologySpec sized(const Kind& kind, std::vector<unsigned> dims, unsigned terminals) {
  spec::TopologySpec t = unsized(kind);
  t.terminals_per_router = terminals;
  t.settings.set("dims", std::vector<std::uint64_t>(dims.begin(), dims.end()));
  set_dims(t, std::move(dims));
  return t;
}

}  // namespace

constexpr Kind kTorus =
    grid("torus", "A torus closes every dimension to a ring", "{kind: torus, dims: [4, 4]}", true);
constexpr Kind kMesh = grid("mesh", "a mesh leaves it open", "{kind: mesh, dims: [4, 4]}", false);

unsigned steps_along(unsigned size, bool ring, unsigned from, unsigned to) {
  const unsigned straight = from > to ? from - to : to - from;
  return ring ? std::min(straight, size - straight) : straight;
}

spec::TopologySpec torus(std::vector<unsigned> dims, unsigned terminals) {
  return sized(kTorus, std::move(dims), terminals);
}
spec::TopologySpec mesh(std::vector<unsigned> dims, unsigned terminals) {
  return sized(kMesh, std::move(dims), terminals);
}

}  // namespace hopwise::topology
