// SPDX-License-Identifier: Apache-2.0
#include "probes/dqn/event.hpp"
#include "routing/dqn/dqn.hpp"

#include <algorithm>

#include "support/bits.hpp"

namespace hopwise::probes::dqn {
namespace {

/// Walks through the fields of an event from the lowest bit up.
class Reader {
 public:
  explicit Reader(std::span<const std::uint32_t> words) : words_(words) {}
  void operator()(std::uint32_t& field, unsigned width) {
    std::uint64_t both = words_[at_ / 32];
    if (at_ / 32 + 1 < words_.size()) both |= std::uint64_t{words_[at_ / 32 + 1]} << 32;
    field = static_cast<std::uint32_t>((both >> (at_ % 32)) & ((std::uint64_t{1} << width) - 1));
    at_ += width;
  }

 private:
  std::span<const std::uint32_t> words_;
  unsigned at_ = 0;
};

class Writer {
 public:
  explicit Writer(std::vector<std::uint32_t>& words) : words_(words) {}
  void operator()(std::uint32_t& field, unsigned width) {
    for (unsigned b = 0; b < width; ++b, ++at_)
      words_[at_ / 32] |= ((field >> b) & 1U) << (at_ % 32);
  }

 private:
  std::vector<std::uint32_t>& words_;
  unsigned at_ = 0;
};

template <class Walk>
void flag(Walk& walk, bool& field) {
  std::uint32_t bit = field ? 1 : 0;
  walk(bit, 1);
  field = bit != 0;
}

template <class Walk>
void walk_fields(const Shape& shape, Event& e, Walk walk) {
  flag(walk, e.rewards);
  walk(e.reward.index, shape.entry_bits);
  walk(e.reward.generation, 2);
  walk(e.reward.distance, 8);
  walk(e.reward.latency, 16);
  flag(walk, e.decides);
  Decision& d = e.decision;
  flag(walk, d.sampled);
  flag(walk, d.accepted);
  flag(walk, d.explored);
  walk(d.index, shape.entry_bits);
  walk(d.generation, 2);
  walk(d.action, shape.action_bits);
  walk(d.greedy, shape.action_bits);
  walk(d.random, shape.action_bits);
  walk(d.allowed, shape.actions());
  walk(d.in_port, shape.port_bits);
  walk(d.version, 4);
  constexpr unsigned kValueBits = 24;
  auto value = static_cast<std::uint32_t>(d.value) & 0xffffffU;
  walk(value, kValueBits);
  d.value = static_cast<std::int32_t>(value << (32 - kValueBits)) >> (32 - kValueBits);
  for (unsigned i = 0; i < shape.inputs(); ++i) {
    std::uint32_t byte = d.observation[i];
    walk(byte, 8);
    d.observation[i] = static_cast<std::uint8_t>(byte);
  }
}

}  // namespace

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
  return s;
}

Event take_apart(const Shape& shape, std::span<const std::uint32_t> words) {
  Event event;
  walk_fields(shape, event, Reader(words));
  return event;
}

std::vector<std::uint32_t> put_together(const Shape& shape, const Event& event) {
  std::vector<std::uint32_t> words((shape.event_bits() + 31) / 32);
  Event copy = event;
  walk_fields(shape, copy, Writer(words));
  return words;
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
