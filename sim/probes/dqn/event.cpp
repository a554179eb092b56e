// SPDX-License-Identifier: Apache-2.0
#include "probes/dqn/event.hpp"

#include <algorithm>

#include "probes/trace_reader.hpp"
#include "support/bits.hpp"

namespace hopwise::probes::dqn {

std::size_t Shape::routers() const {
  std::size_t product = 1;
  for (const unsigned k : dims) product *= k;
  return product;
}

unsigned Shape::observed_offset(std::span<const std::uint8_t> observation, std::size_t dim) const {
  const unsigned k = dims[dim], scale = 255 / (k - 1);
  const unsigned here = observation[dim] / scale, seen = observation[dims.size() + dim] / scale;
  return (coordinates ? seen + k - here : seen + k - k / 2) % k;
}

std::uint32_t Shape::minimal_actions(std::span<const std::uint8_t> observation) const {
  std::uint32_t minimal = 0;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const unsigned k = dims[d], offset = observed_offset(observation, d);
    if (offset != 0 && 2 * offset <= k) minimal |= 1U << (2 * d);
    if (offset != 0 && 2 * offset >= k) minimal |= 1U << (2 * d + 1);
  }
  return minimal;
}

Shape shape_of(const spec::NetworkSpec& network, const topology::Topology& topology) {
  const routing::dqn::Settings d = routing::dqn::settings(network.routing);
  Shape s;
  s.dims = network.topology.dims;
  s.layers = d.layers(s.dims.size());
  s.coordinates = d.observation == routing::dqn::Observation::kCoordinates;
  s.mask = d.mask;
  s.entry_bits = width_for(d.pending);
  s.action_bits = width_for(s.actions());
  s.port_bits = width_for(topology.num_ports());
  if (d.preferences > 0) {
    s.kept = d.kept(s.dims.size());
    s.margin = d.preference_margin;
    s.valuation_bits = routing::dqn::valuation_bits(s.dims, d);
  }
  return s;
}

namespace {

Event next_event(const Shape& shape, TraceReader& f) {
  Event e;
  e.rewards = f.flag();
  e.reward.index = f.next(shape.entry_bits);
  e.reward.generation = f.next(2);
  e.reward.distance = f.next(8);
  e.reward.latency = f.next(16);
  e.decides = f.flag();
  Decision& d = e.decision;
  d.sampled = f.flag();
  d.accepted = f.flag();
  d.explored = f.flag();
  d.index = f.next(shape.entry_bits);
  d.generation = f.next(2);
  d.action = f.next(shape.action_bits);
  d.greedy = f.next(shape.action_bits);
  d.random = f.next(shape.action_bits);
  d.allowed = f.next(shape.actions());
  d.in_port = f.next(shape.port_bits);
  d.version = f.next(4);
  d.value = static_cast<std::int32_t>(f.next(24) << 8) >> 8;  // signed
  for (unsigned i = 0; i < shape.inputs(); ++i)
    d.observation[i] = static_cast<std::uint8_t>(f.next(8));
  return e;
}

}  // namespace

Event take_apart(const Shape& shape, std::span<const std::uint32_t> words) {
  TraceReader f(words);
  return next_event(shape, f);
}

Valuation valuation_of(const Shape& shape, std::span<const std::uint32_t> words) {
  TraceReader f(words);
  Valuation v;
  f.flag();  // valid
  v.version = f.next(4);
  v.destination = f.next(routing::dqn::destination_bits(shape.dims));
  for (unsigned r = 0; r < shape.kept; ++r) {
    const unsigned bits = shape.action_bits + 1;
    v.kept |= std::uint64_t{f.next(bits)} << (r * bits);
  }
  for (unsigned i = 0; i < shape.inputs(); ++i)
    v.observation[i] = static_cast<std::uint8_t>(f.next(8));
  return v;
}

unsigned model_trace_bits(const Shape& shape) {
  if (shape.kept > 0) return shape.valuation_bits;
  return shape.event_bits() + 1 + (16 + shape.event_bits() + 7) / 8 * 8;
}

Record record_of(const Shape& shape, std::span<const std::uint32_t> words) {
  TraceReader f(words, shape.event_bits() + 1);
  Record record{f.next(16), {}};
  record.event = next_event(shape, f);
  return record;
}

std::uint32_t agent_of(routing::dqn::AgentSharing sharing, std::span<const unsigned> dims,
                       std::uint32_t router) {
  switch (sharing) {
    case routing::dqn::AgentSharing::kRouter: return router;
    case routing::dqn::AgentSharing::kRow: return router / dims.front();
    case routing::dqn::AgentSharing::kAll: break;
  }
  return 0;
}

}  // namespace hopwise::probes::dqn
