// SPDX-License-Identifier: Apache-2.0
#include "routing/grid.hpp"

#include <algorithm>

namespace hopwise::routing {

Step minimal_step(bool wraparound, unsigned size, unsigned from, unsigned to) {
  if (from == to) return {};
  if (!wraparound) return {false, to > from, false};
  const unsigned ahead = (to + size - from) % size;
  const bool plus = 2 * ahead == size ? from % 2 == 0 : 2 * ahead < size;
  return {false, plus, plus ? to < from : to > from, 2 * ahead == size};
}

DimensionOrder::DimensionOrder(const topology::Topology& topology)
    : num_dims_(topology.num_dims()), terminals_per_router_(topology.terminals_per_router()) {
  assert(num_dims_ <= kMaxDims);
  for (unsigned size : topology.dims()) {
    Ring ring{size, {}};
    for (unsigned from = 0; from < size; ++from) {
      for (unsigned to = 0; to < size; ++to)
        ring.steps.push_back(minimal_step(topology.has_wraparound(), size, from, to));
    }
    rings_.push_back(std::move(ring));
  }
  for (std::uint32_t r = 0; r < topology.num_routers(); ++r) {
    Coordinates at{};
    for (unsigned d = 0; d < num_dims_; ++d)
      at[d] = static_cast<std::uint8_t>(topology.coordinate(RouterId{r}, d));
    routers_.push_back(at);
    terminals_.insert(terminals_.end(), terminals_per_router_, at);
  }
}

std::vector<VcClass> grid_class_names(const spec::TopologySpec& topology, bool adaptive) {
  std::vector<VcClass> classes{{"escape0", true}};
  if (topology.has_wraparound()) classes.push_back({"escape1", true});
  if (adaptive) classes.push_back({"adaptive", false});
  return classes;
}

std::vector<VcClass> grid_vc_classes(const spec::NetworkSpec& spec, bool adaptive) {
  return with_counts(grid_class_names(spec.topology, adaptive), spec.routing.vcs_per_class);
}

unsigned default_max_hops(const spec::TopologySpec& topology) {
  unsigned diameter = 0;
  for (const unsigned size : topology.dims) diameter += size / 2;
  return std::clamp(2 * diameter, 1U, kMostHops);
}

}  // namespace hopwise::routing
