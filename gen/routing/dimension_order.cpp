// SPDX-License-Identifier: Apache-2.0
#include "routing/dimension_order.hpp"

namespace hopwise::routing {

Step minimal_step(spec::TopologyKind kind, unsigned size, unsigned from, unsigned to) {
  if (from == to) return {};
  if (kind == spec::TopologyKind::kMesh) return {false, to > from, false};
  const unsigned ahead = (to + size - from) % size;
  const bool plus = 2 * ahead == size ? from % 2 == 0 : 2 * ahead < size;
  return {false, plus, plus ? to < from : to > from};
}

DimensionOrder::DimensionOrder(const topology::Topology& topology)
    : num_dims_(topology.num_dims()), terminals_per_router_(topology.terminals_per_router()) {
  assert(num_dims_ <= kMaxDims);
  for (unsigned size : topology.dims()) {
    Ring ring{size, {}};
    for (unsigned from = 0; from < size; ++from) {
      for (unsigned to = 0; to < size; ++to)
        ring.steps.push_back(minimal_step(topology.kind(), size, from, to));
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

std::vector<VcClass> make_vc_classes(const spec::NetworkSpec& spec, bool adaptive) {
  std::vector<VcClass> classes{{"escape0", true, 0, 1}};
  if (spec.topology.kind == spec::TopologyKind::kTorus) classes.push_back({"escape1", true, 0, 1});
  if (adaptive) classes.push_back({"adaptive", false, 0, 1});
  assert(spec.routing.vcs_per_class.size() == classes.size());
  unsigned first = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    classes[i].first = first;
    classes[i].count = spec.routing.vcs_per_class[i];
    first += classes[i].count;
  }
  return classes;
}

}  // namespace hopwise::routing
